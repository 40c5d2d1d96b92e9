"""A release has two sides: what may leave does not allow the noise to be undone, what stays does."""

import json
import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tacita as tc
from tacita.core.errors import FileError, ReleaseError, RepeatedReleaseWarning
from tacita.core.streams import Streams
from tacita.data.schema_file import schema_from_toml

SECRET = 0x9E3779B97F4A7C15F39CC0605CEDC835
RECIPE = tc.Recipe([tc.mask.AdditiveNoise(columns=["income", "savings"], sd_ratio=0.5)])


@pytest.fixture
def survey() -> tc.Microdata:
    rng = np.random.default_rng(3)
    n = 400
    return tc.Microdata.from_frame(
        pa.table(
            {
                "name": [f"person {i}" for i in range(n)],
                "age": rng.integers(0, 90, n),
                "income": np.exp(rng.normal(7, 1, n)),
                "savings": rng.normal(100, 40, n),
            }
        ),
        identifiers=["name"],
        keys=["age"],
        confidential=["income", "savings"],
    )


def files_of(directory: Path) -> dict[str, bytes]:
    return {str(p.relative_to(directory)): p.read_bytes() for p in sorted(directory.rglob("*")) if p.is_file()}


def test_both_sides_are_written_and_identifiers_never_leave(survey: tc.Microdata, tmp_path: Path) -> None:
    RECIPE.apply(survey, seed=7).write(tmp_path / "out")
    assert set(files_of(tmp_path / "out")) == {
        ".tacita.json",
        "public/data.csv",
        "public/schema.toml",
        "internal/recipe.toml",
        "internal/schema.toml",
        "internal/provenance.json",
        "internal/ledger.json",
        "internal/link.parquet",
    }
    released = tc.read(tmp_path / "out" / "public" / "data.csv")
    assert "name" not in released.names
    assert "name" not in schema_from_toml(tmp_path / "out" / "public" / "schema.toml")
    assert b"person 1" not in b"".join(files_of(tmp_path / "out" / "public").values())


def test_public_side_holds_neither_seed_nor_hash_nor_recipe(survey: tc.Microdata, tmp_path: Path) -> None:
    release = RECIPE.apply(survey, seed=91234567890123456789)
    tc.publish(release, tmp_path / "out")
    public = b"".join(files_of(tmp_path / "out" / "public").values()).decode()
    facts = release.provenance()
    for secret in (
        "91234567890123456789",
        facts["input_sha256"],
        facts["recipe_sha256"],
        facts["output_sha256"],
        "0.5",
    ):
        if secret != "0.5":
            assert secret not in public
    assert "sd_ratio" not in public


def test_rows_are_shuffled_and_the_link_leads_back(survey: tc.Microdata, tmp_path: Path) -> None:
    release = RECIPE.apply(survey, seed=7)
    release.write(tmp_path / "out")
    link = tc.Release.read_link(tmp_path / "out" / "internal")
    released = tc.read(tmp_path / "out" / "public" / "data.csv")
    assert sorted(link) == list(range(len(survey)))
    assert not np.array_equal(link, np.arange(len(survey)))
    assert np.array_equal(released.float("age"), survey.float("age")[link])


def test_without_shuffling_rows_keep_their_order(survey: tc.Microdata, tmp_path: Path) -> None:
    RECIPE.apply(survey, seed=7).write(tmp_path / "out", shuffle=False)
    assert np.array_equal(tc.read(tmp_path / "out" / "public" / "data.csv").float("age"), survey.float("age"))
    assert np.array_equal(tc.Release.read_link(tmp_path / "out" / "internal"), np.arange(len(survey)))


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_what_is_written_in_blocks_is_the_public_side(survey: tc.Microdata, tmp_path: Path, format: str) -> None:
    release = tc.Recipe([tc.mask.RankSwap(columns=["income"], p=10)]).apply(survey, seed=7)
    release.write(tmp_path / "out", format=format)
    written = tc.read(tmp_path / f"out/public/data.{format}", schema=tmp_path / "out/public/schema.toml")
    assert written.to_arrow().to_pydict() == release.public.to_arrow().to_pydict()
    assert release.provenance()["output_sha256"] == release.public.fingerprint()
    there = release.leaving.to_arrow().take(release.link).to_pydict()
    assert there == release.public.to_arrow().to_pydict()


def test_same_recipe_and_seed_give_the_same_bytes(survey: tc.Microdata, tmp_path: Path) -> None:
    for format in ("csv", "parquet", "feather"):
        for name in ("a", "b"):
            release, place = RECIPE.apply(survey, seed=7), tmp_path / f"{name}-{format}"
            if format == "csv":
                tc.publish(release, place, format=format)
            else:  # the reports are the same in all
                release.write(place, format=format)
        assert files_of(tmp_path / f"a-{format}") == files_of(tmp_path / f"b-{format}")


def test_a_step_more_does_not_change_the_noise_of_the_others(survey: tc.Microdata) -> None:
    longer = tc.Recipe([tc.mask.RankSwap(columns=["age"], p=5), *RECIPE])
    a, b = RECIPE.apply(survey, seed=7).data, longer.apply(survey, seed=7).data
    assert np.array_equal(a.float("income"), b.float("income"))


def test_a_release_without_seed_draws_128_bits(survey: tc.Microdata) -> None:
    seeds = {RECIPE.apply(survey).seed for _ in range(4)}
    assert len(seeds) == 4
    assert max(seeds) > 2**100


# --- undoing the noise -------------------------------------------------------------------------------------------------


def undone(released: tc.Microdata, column: str, seed: int, recipe: str = RECIPE.to_toml()) -> np.ndarray:
    """What an intruder makes of a released column who guesses the seed and knows the method, in original order.

    The rows are put back in order and the part of the column that goes along with the guessed noise is taken out.
    """
    streams = Streams(seed)
    order = streams.stream("release", "shuffle", recipe).permutation(len(released))
    y = np.empty(len(released))
    y[order] = released.float(column)
    own = RECIPE.steps[0].own(streams, released)
    z = own.stream("additive_noise", column).standard_normal(len(released))
    slope = np.cov(y, z)[0, 1] / np.var(z, ddof=1)
    return y - slope * z


def test_noise_stays_with_only_the_public_side_and_goes_with_the_seed(survey: tc.Microdata, tmp_path: Path) -> None:
    RECIPE.apply(survey, seed=SECRET).write(
        tmp_path / "out"
    )  # as long as one drawn from the system, but always the same
    public = tc.read(tmp_path / "out" / "public" / "data.csv", schema=tmp_path / "out" / "public" / "schema.toml")
    truth = survey.float("savings")
    noise = 0.5 * truth.std(ddof=1)

    # Only public/ in hand: nothing there tells the seed, and guessing it does not help.
    guesses = [np.abs(undone(public, "savings", seed) - truth).mean() for seed in range(300)]
    assert min(guesses) > 0.7 * noise

    # With internal/ in hand the same attack succeeds.
    seed = int(json.loads((tmp_path / "out" / "internal" / "provenance.json").read_text())["seed"])
    assert seed == SECRET
    assert np.abs(undone(public, "savings", seed) - truth).mean() < 0.25 * noise


# --- the ledger ------------------------------------------------------------------------------------------------------------


def test_ledger_warns_of_a_second_release_of_the_same_input(survey: tc.Microdata, tmp_path: Path) -> None:
    RECIPE.apply(survey, seed=1).write(tmp_path / "first")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RECIPE.apply(survey, seed=1).write(tmp_path / "replayed")  # the same release again tells nothing new
    with pytest.warns(RepeatedReleaseWarning, match="average out"):
        RECIPE.apply(survey, seed=2).write(tmp_path / "second")


def test_ledger_survives_overwriting(survey: tc.Microdata, tmp_path: Path) -> None:
    RECIPE.apply(survey, seed=1).write(tmp_path / "out")
    with pytest.warns(RepeatedReleaseWarning):
        RECIPE.apply(survey, seed=2).write(tmp_path / "out", overwrite=True)
    ledger = json.loads((tmp_path / "out" / "internal" / "ledger.json").read_text())
    assert len(ledger) == 2


# --- what cannot be written -----------------------------------------------------------------------------------------------


def test_an_existing_release_is_not_replaced_by_accident(survey: tc.Microdata, tmp_path: Path) -> None:
    RECIPE.apply(survey, seed=1).write(tmp_path / "out")
    before = files_of(tmp_path / "out")
    with pytest.raises(FileError, match="exists"):
        RECIPE.apply(survey, seed=1).write(tmp_path / "out")
    assert files_of(tmp_path / "out") == before


def test_a_document_needs_a_side(survey: tc.Microdata, tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match="public/ or internal/"):
        RECIPE.apply(survey, seed=1).write(tmp_path / "out", documents={"notes.txt": b""})
    assert not (tmp_path / "out").exists()


def test_nothing_is_left_when_writing_fails(
    survey: tc.Microdata, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tacita.release.release.pq.write_table", fail)
    with pytest.raises(OSError, match=r"(?i)space"):
        RECIPE.apply(survey, seed=1).write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_way_is_a_clear_error(survey: tc.Microdata, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here")
    with pytest.raises(FileError):
        RECIPE.apply(survey, seed=1).write(tmp_path / "file" / "out")
    assert (tmp_path / "file").read_text() == "here"


@pytest.mark.parametrize(
    "content",
    [
        "{}",
        "7",
        '"x"',
        "null",
        "[1, 2]",
        '[{"input_sha256": [1], "release_sha256": {}}]',
        "1" * 5000,
        "[" * 100_000,
        "{",
    ],
)
def test_a_neighbours_ledger_that_is_none_is_said_and_left_alone(
    survey: tc.Microdata, tmp_path: Path, content: str
) -> None:
    ledger = tmp_path / "other" / "internal" / "ledger.json"
    ledger.parent.mkdir(parents=True)
    ledger.write_text(content)
    with pytest.warns(tc.TacitaWarning, match=r"'ledger.json' of 'other' is no ledger"):
        RECIPE.apply(survey, seed=7).write(tmp_path / "out")
    assert ledger.read_text() == content
    assert (tmp_path / "out" / "public" / "data.csv").exists()


@pytest.mark.parametrize("content", [b"", b"PAR1", b"x" * 1000])
def test_a_link_that_is_none_is_an_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "link.parquet").write_bytes(content)
    with pytest.raises(FileError, match=r"link\.parquet"):
        tc.Release.read_link(tmp_path)


def test_a_link_of_another_type_is_an_error(tmp_path: Path) -> None:
    pq.write_table(pa.table({"original_row": ["a", "b"]}), tmp_path / "link.parquet")
    with pytest.raises(FileError, match=r"link\.parquet"):
        tc.Release.read_link(tmp_path)
