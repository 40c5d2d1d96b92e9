"""The cell key method: golden vectors, the slow version, moments, bad keys, tables of sums, zeros."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import DataError, FileError, ParameterError
from tacita.core.keyed import Key
from tacita.core.method import Method
from tacita.numeric.perturbation.set_keys import set_uniforms
from tacita.tables.perturbation.cell_key import CellKey
from tacita.tables.perturbation.keyed_table import KeyedTable, keyed_table
from tests.conformance.method_checks import METHOD_CHECKS
from tests.conformance.protector_checks import PROTECTOR_CHECKS, ProtectorCheck
from tests.conformance.table_examples import TABLES, table
from tests.numeric.perturbation.test_size_table import one_sum
from tests.oracles.tables.cell_key_oracle import perturbed_count

SECRET = bytes(range(3, 67, 2))
KEY = Key(SECRET)
KEY_FILE = Path(__file__).parent / "example.key"


def people(n: int = 400) -> tc.Microdata:
    """Persons whose data are made by arithmetic, so that golden vectors need no generator."""
    i = np.arange(n)
    return tc.Microdata.from_frame(
        pa.table(
            {
                "id": i * 7 + 1000,
                "region": [f"r{(k * k) % 13}" for k in range(n)],
                "sex": [["f", "m"][k % 2] for k in range(n)],
                "income": ((i * 37) % 101).astype(float),
                "w": 1.0 + (i % 3) / 2,
            }
        )
    )


def none(made: KeyedTable) -> tc.tables.Unsafe:
    return tc.tables.Unsafe.none(len(made))


def published(made: KeyedTable, **given: object) -> np.ndarray:
    return CellKey(key=KEY, **given).protect(made, none(made)).values  # type: ignore[arg-type]


def whole() -> KeyedTable:
    return keyed_table(people(), ["region", "sex"], key=KEY, identity="id")


# --- golden vectors -------------------------------------------------------------------------------------------------------

GOLDEN_SUMS = [
    [445074095974, 440959039609],
    [219565342419, 207403752035],
    [225508753555, 233555287574],
    [29820967569, 31857890384],
]
GOLDEN_VALUES = [
    400.0,
    196.0,
    204.0,
    31.0,
    12.0,
    15.0,
    63.0,
    31.0,
    29.0,
    59.0,
    32.0,
    29.0,
    59.0,
    30.0,
    31.0,
    59.0,
    28.0,
    32.0,
    61.0,
    27.0,
    31.0,
    62.0,
    32.0,
    31.0,
]


def test_golden_vectors() -> None:
    """These numbers must never change: published tables depend on them."""
    made = whole()
    assert made.sums[:4].tolist() == GOLDEN_SUMS
    assert published(made, D=5, V=3.0).tolist() == GOLDEN_VALUES


def test_threads_order_and_frames_do_not_matter() -> None:
    data, made = people(), whole()
    shuffled = data.take(np.random.default_rng(1).permutation(len(data)))
    others = [
        keyed_table(data, ["region", "sex"], key=KEY, identity="id", threads=2),
        keyed_table(data, ["region", "sex"], key=KEY, identity="id", threads=7),
        keyed_table(shuffled, ["region", "sex"], key=SECRET, identity="id"),
    ]
    polars = pytest.importorskip("polars", reason="frames of polars need polars")
    frame = polars.from_arrow(shuffled.to_arrow())
    others.append(keyed_table(tc.Microdata.from_frame(frame), ["region", "sex"], key=KEY, identity="id"))
    for other in others:
        assert np.array_equal(other.sums, made.sums)
        assert np.array_equal(published(other), published(made))


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_a_file_in_chunks_gives_the_same(tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made, path = whole(), tmp_path / f"people.{ending}"
    tc.write(people(), path)
    monkeypatch.setattr("tacita.data.store.key_tally_file.CHUNK", 64)
    other = keyed_table(path, ["region", "sex"], key=KEY, identity="id")
    assert other.dimensions == made.dimensions
    assert np.array_equal(other.sums, made.sums)
    assert np.array_equal(published(other), published(made))


def test_a_new_process_gives_the_same() -> None:
    code = (
        "from tests.tables.perturbation.test_cell_key import whole, published\n"
        "print(published(whole()).astype(int).tolist())"
    )
    root = Path(__file__).parents[3]
    found = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == str(published(whole()).astype(int).tolist())


def test_a_cell_is_the_same_in_every_table() -> None:
    """All women: the margin of one table, a cell of another, and in a table of a part of the data that has them all."""
    data = people()
    tables = [
        whole(),
        keyed_table(data, ["sex"], key=KEY, identity="id"),
        keyed_table(data.take(np.flatnonzero(np.arange(400) % 2 == 0)), ["sex"], key=KEY, identity="id"),
    ]
    shown = set()
    for made in tables:
        where = {"sex": "f"} | ({"region": "Total"} if len(made.dimensions) == 2 else {})
        shown.add(float(published(made)[made.find(where)[0]]))
    assert len(shown) == 1


def test_units_have_keys_of_their_own() -> None:
    household = keyed_table(people(), ["region", "sex"], key=KEY, identity="id", unit="household")
    assert not np.array_equal(household.sums, whole().sums)
    assert not np.array_equal(published(household), published(whole()))


def test_data_play_no_part_in_the_keys() -> None:
    """A corrected income or region leaves the key of the record: cells with the same people keep their noise."""
    data = people()
    frame = data.to_arrow().set_column(1, "region", pa.array(["r0"] * 400))
    other = keyed_table(tc.Microdata.from_frame(frame), ["sex"], key=KEY, identity="id")
    assert np.array_equal(other.sums, keyed_table(data, ["sex"], key=KEY, identity="id").sums)


def test_published_counts_are_the_slow_ones() -> None:
    made = whole()
    how = CellKey(key=KEY, D=4, V=2.5)
    u = how.cell_uniforms(made)
    rows = how.matrix.noise
    assert made.counts is not None
    slow = [
        perturbed_count(int(n), rows[min(int(n), len(rows) - 1)].tolist(), 4, float(x))
        for n, x in zip(made.counts, u, strict=True)
    ]
    assert how.perturbed(made).tolist() == slow


# --- what is published -----------------------------------------------------------------------------------------------------


def test_no_small_counts_and_zeros_stay() -> None:
    made = keyed_table(people(), ["region", "sex", "income"], key=KEY, identity="id")
    values = published(made)
    assert not np.isin(values, [1, 2]).any()
    assert made.counts is not None
    assert (values[made.counts == 0] == 0).all()
    assert np.abs(values - made.values).max() <= 3


def test_mean_and_variance_of_the_noise() -> None:
    """1500 cells of 13 records: both within 4 standard errors, false alarm 1 in 8000; a variance 30 % off is rejected."""
    n, cells = 13, 1500
    frame = pa.table({"id": np.arange(n * cells), "cell": [f"c{k // n}" for k in range(n * cells)]})
    made = keyed_table(tc.Microdata.from_frame(frame), ["cell"], key=KEY, identity="id")
    how = CellKey(key=KEY, D=5, V=3)
    noise = (how.perturbed(made) - made.values)[1:]
    v = np.arange(-5, 6)
    fourth = float(how.matrix.noise[-1] @ v**4)
    assert abs(noise.mean()) < 4 * np.sqrt(3 / cells)

    def accepts(variance: float) -> bool:
        return bool(abs((noise**2).mean() - variance) < 4 * np.sqrt((fourth - 9) / cells))

    assert accepts(3.0)
    assert not accepts(3.9)
    assert not accepts(2.1)


def test_averaging_over_splits_is_the_weakest_attack() -> None:
    """Split in t ways, a set of 400 is found with a variance of about 2 V / t: the noise does not hold."""
    data, t = people(), 150
    rng, guesses = np.random.default_rng(2), []
    base = data.to_arrow()
    for _ in range(t):
        split = tc.Microdata.from_frame(base.append_column("split", pa.array(rng.integers(0, 2, 400).astype(str))))
        made = keyed_table(split, ["split"], key=KEY, identity="id")
        values = CellKey(key=KEY, D=5, V=3).perturbed(made)
        guesses.append(values[made.find({"split": ["0", "1"]})].sum())
    assert abs(np.mean(guesses) - 400) < 4 * np.sqrt(2 * 3 / t)
    assert round(float(np.mean(guesses))) == 400


def test_readers_who_know_the_bound_expose_some_cells() -> None:
    """Section 5: with all noise at its end and against the total, the true counts follow."""
    data = tc.Microdata.from_frame(pa.table({"id": [1, 2], "a": ["x", "y"]}))
    exposed = 0
    for k in range(200):
        key = KEY.derive(str(k))
        made = keyed_table(data, ["a"], key=key, identity="id")
        unsafe = tc.tables.MinimumFrequency(at_least=3).judge(made)
        found = CellKey(key=key, D=3, V=2).protect(made, unsafe)
        exposed += bool(found.exposed)
        assert found.exposed is not None
    assert 0 < exposed < 200


def test_the_example_of_section_5_is_seen() -> None:
    """Noise of at most 2: 1 and 1 are shown as 3 and 3, their total 2 as 0; readers know all three."""
    made = keyed_table(
        tc.Microdata.from_frame(pa.table({"id": [1, 2], "a": ["x", "y"]})), ["a"], key=KEY, identity="id"
    )
    unsafe = tc.tables.MinimumFrequency(at_least=3).judge(made)
    how = CellKey(key=KEY, D=2, V=1.0, forbidden=())
    problem = tc.tables.make_problem(made, unsafe, seats="none")
    assert how._read(made, problem, np.array([0.0, 3.0, 3.0])).exposed.tolist() == [0, 1, 2]
    assert how._read(made, problem, np.array([3.0, 0.0, 0.0])).exposed.tolist() == []


def test_weighted_counts_move_by_the_mean_weight() -> None:
    made = keyed_table(people(), ["region", "sex"], key=KEY, identity="id", weight="w")
    plain = whole()
    noise = published(plain) - plain.values
    assert made.counts is not None
    there = made.counts > 0
    moved = (published(made) - made.values)[there]
    assert np.allclose(moved, (noise * made.values / np.maximum(made.counts, 1))[there])


def test_some_zeros_can_be_shown_and_are_the_same_everywhere() -> None:
    made = keyed_table(people(), ["region", "sex", "income"], key=KEY, identity="id")
    values = published(made, zeros=0.1)
    assert made.counts is not None
    empty = made.counts == 0
    assert set(values[empty].tolist()) == {0.0, 3.0}
    n = int(empty.sum())
    assert abs((values[empty] == 3).mean() - 0.1) < 4 * np.sqrt(0.09 / n)  # false alarm 1 in 15 000
    turned = keyed_table(people(), ["income", "sex", "region"], key=KEY, identity="id")
    for cell in np.flatnonzero(empty)[:20].tolist():
        r, s, i = made.labels(cell)
        there = turned.find({"region": r, "sex": s, "income": i})[0]
        assert published(turned, zeros=0.1)[there] == values[cell]


def test_sums_move_by_shares_of_the_largest() -> None:
    made = keyed_table(people(), ["region", "sex"], "income", key=KEY, identity="id")
    assert made.units is not None
    values = published(made)
    most = 1.5 * 0.25 * (np.abs(made.units.amounts[:, :3]) * [1.0, 0.6, 0.3]).sum(axis=1)
    moved = np.abs(values - made.values)
    assert (moved <= most + 1e-9).all()
    assert (moved[made.values != 0] > 0).any()
    assert np.array_equal(
        values,
        published(
            keyed_table(people().take(np.arange(400)[::-1]), ["region", "sex"], "income", key=KEY, identity="id")
        ),
    )
    flexible = published(made, flex_point=10.0, large_share=0.01)
    assert np.abs(flexible - made.values).sum() < moved.sum()


@pytest.mark.parametrize("scale", ["largest", "mean", "sum"])
def test_sums_by_a_table_are_those_of_the_definition(scale: str) -> None:
    made = keyed_table(people(), ["region", "sex"], "income", key=KEY, identity="id")
    given = {"sum_noise": "table", "sum_scale": scale, "sum_bound": 4, "sum_variance": 1.0, "odd_variance": 2.0}
    how = CellKey(key=KEY, separation=0.8, small_share=0.1, falloff=(1.0, 0.5), **given)  # type: ignore[arg-type]
    assert made.units is not None
    assert made.counts is not None
    parts = repr((0.1, 0.05, None, (1.0, 0.5), scale, 4, 1.0, 2.0, 0.8))
    depth = 2 if scale == "largest" else 1
    weights = np.array([1.0, 0.5])[:depth]
    point = np.sqrt(0.8) / (0.1 * np.sqrt((weights**2).sum()))
    secret = KEY.derive("cell key method")
    u = np.stack(
        [
            set_uniforms(secret, made.sums, made.counts, str(k), "steps", parts, "person", "income")
            for k in range(depth)
        ],
        1,
    )
    for cell in range(len(made)):
        total, n = float(made.values[cell]), int(made.counts[cell])
        size = {"largest": np.abs(made.units.amounts[cell, :2]), "mean": [total / max(n, 1)], "sum": [total]}[scale]
        step = [0.1 * float(x) * float(w) for x, w in zip(size, weights, strict=True)]
        slow = one_sum(total, step, u[cell].tolist(), n, 0.0, abs(total) < point)
        assert abs(how.perturbed(made)[cell] - total - slow) < 1e-9


def test_unsafe_sums_move_by_more() -> None:
    made = keyed_table(people(), ["region", "sex"], "income", key=KEY, identity="id")
    unsafe = np.arange(len(made)) % 2 == 0
    for noise in ("signs", "table"):
        plain, more = (CellKey(key=KEY, sum_noise=noise, extra=e) for e in (0.0, 0.5))  # type: ignore[arg-type]
        first, second = (np.abs(how.perturbed(made, unsafe) - made.values) for how in (plain, more))
        assert np.array_equal(first[~unsafe], second[~unsafe])
        assert second[unsafe].sum() > first[unsafe].sum()
    found = CellKey(key=KEY, extra=0.5).protect(made, replace(none(made), cells=unsafe))
    assert np.array_equal(found.values, CellKey(key=KEY, extra=0.5).perturbed(made, unsafe))


def test_the_same_people_have_the_same_sum_in_every_table() -> None:
    how = CellKey(key=KEY, sum_noise="table", separation=1.0)
    one = keyed_table(people(), ["region", "sex"], "income", key=KEY, identity="id")
    two = keyed_table(people(), ["sex"], "income", key=KEY, identity="id")
    women = {"sex": "f"}
    assert how.perturbed(one)[one.find({"region": "Total", **women})] == how.perturbed(two)[two.find(women)]


# --- as a protector ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("check", PROTECTOR_CHECKS, ids=lambda check: check.name)
def test_it_conforms(check: ProtectorCheck, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The conformance suite of protectors, on tables without keys: contributors are known by their rows."""
    how = CellKey(key=str(KEY_FILE))
    if check.when(how):
        check.body(how, table(name))


@pytest.mark.parametrize("check", METHOD_CHECKS, ids=lambda check: check.__name__)
def test_it_is_a_method(check: Callable[[Method], None], monkeypatch: pytest.MonkeyPatch) -> None:
    check(CellKey(key=str(KEY_FILE)))


def test_the_key_is_never_told() -> None:
    made = whole()
    found = CellKey(key=KEY).protect(made, none(made))
    assert "key=" not in found.method
    assert SECRET.hex() not in repr(CellKey(key=KEY))
    assert "Records are known by their row numbers" not in " ".join(found.notes)


# --- bad input ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "words"),
    [
        (b"short", "at least 16 bytes"),
        (bytes(32), "one of an example"),
        (bytes(range(32)), "one of an example"),
        (b"this is the default key of us", "one of an example"),
        (None, "must be given"),
    ],
)
def test_bad_keys_are_refused(key: object, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        keyed_table(people(), ["sex"], key=key, identity="id")  # type: ignore[arg-type]


def test_a_protector_without_key_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="'key' must be given"):
        CellKey.from_plain({"D": 3})
    with pytest.raises(FileError, match="cannot be read"):
        CellKey(key=str(tmp_path / "no.key"))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"V": 9.0}, r"V must be in \[2, 3\].*row by row"),
        ({"D": 2}, "no V serves all counts"),
        ({"falloff": ()}, "'falloff' must be"),
        ({"sum_scale": "mean"}, "need sum_noise='table'"),
        ({"sum_noise": "table", "sum_variance": 9.0}, "no such noise for a count of 1"),
        ({"sum_noise": "table", "odd_variance": 9.0}, "no such noise for a count of 1"),
        ({"design": "published", "forbidden": (1,)}, "published matrices forbid 1 and 2"),
    ],
)
def test_impossible_noise_is_refused_at_once(given: dict[str, object], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        CellKey(key=KEY, **given)  # type: ignore[arg-type]


def test_another_key_than_that_of_the_table_is_refused() -> None:
    with pytest.raises(ParameterError, match="made with another key"):
        CellKey(key=Key(bytes(range(4, 68, 2)))).perturbed(whole())


def test_a_table_that_knows_nobody_is_refused() -> None:
    made = tc.tabulate(people(), ["sex"])
    with pytest.raises(DataError, match="make it with keyed_table"):
        CellKey(key=KEY).protect(replace(made, sources=()), tc.tables.Unsafe.none(len(made)))
