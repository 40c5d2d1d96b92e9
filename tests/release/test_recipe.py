"""Recipes: the same object from its file, the same bytes from its seed, every problem with its step."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import FileError, ParameterError, RecipeError
from tacita.core.progress import show_progress
from tacita.data.microdata import Microdata
from tacita.mask import AdditiveNoise, RankSwap
from tacita.release.recipe import Recipe
from tests.core.test_progress import Recorder


def file() -> Microdata:
    rng = np.random.default_rng(2)
    return Microdata.from_frame(
        pa.table({"id": [f"P{i}" for i in range(80)], "a": rng.normal(size=80), "b": rng.normal(size=80)}),
        identifiers=["id"],
        keys=["a", "b"],
    )


TWO = Recipe([RankSwap(columns=("a",), p=20), AdditiveNoise(columns=("a", "b"), sd_ratio=0.2)])


def test_toml_by_hand() -> None:
    recipe = Recipe.from_toml(
        '[[step]]\nmask = "rank_swap"\ncolumns = ["a"]\np = 20\n\n[[step]]\nmask = "additive_noise"\ncolumns = "numeric keys"\n'
    )
    assert len(recipe) == 2
    assert next(iter(recipe)) == RankSwap(columns=("a",), p=20)
    assert recipe.steps[1] == AdditiveNoise()


def test_defaults_are_left_out() -> None:
    assert Recipe([AdditiveNoise()]).to_toml() == '[[step]]\nmask = "additive_noise"\n'


names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8).filter(
    lambda text: text not in ("keys", "columns", "other", "strata", "linked", "confidential")
)
steps = st.builds(
    RankSwap,
    columns=st.lists(names, min_size=1, max_size=3, unique=True),
    p=st.floats(0, 100),
    by=st.lists(names, max_size=2),
    unit=st.none() | names,
    keep_zeros=st.booleans(),
    identities=st.lists(names, max_size=2),
)


@given(st.lists(steps, min_size=1, max_size=3))
def test_toml_comes_back(made: list[RankSwap]) -> None:
    recipe = Recipe(made)
    assert Recipe.from_toml(recipe.to_toml()) == recipe


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[step]\n", "The recipe is not valid TOML"),
        ("", r"The recipe has no \[\[step\]\] table"),
        ("seed = 3\n", r"A recipe consists of \[\[step\]\] tables and \[limits\], got 'seed'"),
        ("[step]\nmask = 'mdav'\n", "with two brackets"),
        ("step = 3\n", "with two brackets"),
        ("step = ['mdav']\n", "Step 1 of the recipe must say which mask it is"),
        ("[[step]]\nk = 3\n", "Step 1 of the recipe must say which mask it is"),
        ("[[step]]\nmask = 'mdavv'\n", r"Step 1 of the recipe: There is no mask named 'mdavv'\. Did you mean 'mdav'"),
        ("[[step]]\nmask = 'dld'\n", "There is no mask named 'dld'"),
        ("[[step]]\nmask = 3\n", "There is no mask named '3'"),
        (
            "[[step]]\nmask = 'mdav'\n[[step]]\nmask = 'rank_swap'\np = 120\n",
            r"Step 2 of the recipe: RankSwap: 'p' must be in \[0, 100\], got 120",
        ),
        ("[[step]]\nmask = 'rank_swap'\npp = 1\n", r"there is no parameter 'pp'\. Did you mean 'p'\?"),
        ("[[step]]\nmask = 'rank_swap'\np = nan\n", "'p' must be"),
    ],
)
def test_problems_of_a_file(text: str, words: str) -> None:
    with pytest.raises(RecipeError, match=words):
        Recipe.from_toml(text)


def test_steps_must_be_masks() -> None:
    with pytest.raises(RecipeError, match="Step 2 of a recipe must be a mask, got str"):
        Recipe([AdditiveNoise(), "mdav"])  # type: ignore[list-item]


def test_files(tmp_path: Path) -> None:
    path = TWO.write(tmp_path / "recipe.toml")
    assert Recipe.read(path) == TWO
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert Recipe.read(str(path)) == TWO


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"The recipe file 'none.toml' cannot be read: No such file"):
        Recipe.read(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes("# é".encode("latin-1"))
    with pytest.raises(FileError, match="must be UTF-8"):
        Recipe.read(tmp_path / "latin.toml")


# --- running ---------------------------------------------------------------------------------------------------------


def test_steps_run_one_after_another() -> None:
    data = file()
    first = TWO.steps[0].apply(data, seed=3)
    second = TWO.steps[1].apply(first, seed=3)
    assert TWO.apply(data, seed=3).data.same_content(second)


def test_same_seed_same_release() -> None:
    one, two = TWO.apply(file(), seed=3), TWO.apply(file(), seed=3)
    assert one.public.fingerprint() == two.public.fingerprint()
    assert one.link.tolist() == two.link.tolist()
    assert one.public.fingerprint() != TWO.apply(file(), seed=4).public.fingerprint()


def test_without_a_seed_every_release_has_its_own() -> None:
    seeds = {TWO.apply(file()).seed for _ in range(5)}
    assert len(seeds) == 5
    assert max(seeds) > 2**64


def test_a_further_step_does_not_change_the_noise_of_the_others() -> None:
    data = file()
    alone = Recipe([AdditiveNoise(columns=("b",))]).apply(data, seed=3).data.float("b")
    for steps_before in ([RankSwap(columns=("a",), p=20)], [RankSwap(columns=("a",)), AdditiveNoise(columns=("a",))]):
        both = Recipe([*steps_before, AdditiveNoise(columns=("b",))]).apply(data, seed=3).data
        assert np.array_equal(both.float("b"), alone)


def test_bad_seeds_and_bad_data() -> None:
    with pytest.raises(ParameterError, match="Recipe: 'seed' must be a non-negative integer"):
        TWO.apply(file(), seed=-1)
    with pytest.raises(ParameterError, match="Recipe: 'data' must be Microdata, got Table"):
        TWO.apply(file().to_arrow(), seed=1)  # type: ignore[arg-type]


def test_progress_is_told() -> None:
    recorder = Recorder()
    with show_progress(recorder):
        TWO.apply(file(), seed=1)
    assert ("open", "Masking", 2) in recorder.events


# --- the release -----------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:AdditiveNoise. many values")  # no noise at all, so that rows can be followed
def test_public_side_has_no_identifier_and_shuffled_rows() -> None:
    data = file()
    release = Recipe([AdditiveNoise(sd_ratio=0)]).apply(data, seed=5)
    assert release.public.names == ("a", "b")
    assert release.link.tolist() != list(range(80))
    assert sorted(release.link.tolist()) == list(range(80))
    assert np.array_equal(release.public.float("a"), data.float("a")[release.link])


@pytest.mark.filterwarnings("ignore:AdditiveNoise. many values")
def test_link_speaks_of_the_rows_of_the_original_that_was_given() -> None:
    """Where the original is itself a part of a file, the link must not speak of that file's rows."""
    data = file()
    part = data.take(np.arange(79, 39, -1))
    release = Recipe([AdditiveNoise(sd_ratio=0)]).apply(part, seed=5)
    assert sorted(release.link.tolist()) == list(range(40))
    assert np.array_equal(release.public.float("a"), part.float("a")[release.link])
    read_again = Microdata(release.public.to_arrow(), release.public.schema).with_origin(part, release.link)
    from tacita.data.pairing import pair_records

    assert np.array_equal(pair_records(part, read_again, "link").rows, release.link)


def test_repr_of_a_release_has_no_seed() -> None:
    release = Recipe([AdditiveNoise()]).apply(file(), seed=73517351)
    assert "73517351" not in repr(release)
    assert repr(release) == "Release of Microdata: 80 records, 3 columns (identifiers: id; keys: a, b)"


def test_a_recipe_without_steps_is_an_error() -> None:
    with pytest.raises(RecipeError, match="at least one step"):
        Recipe([])
