"""Candidates: grids, lists, labels and the search file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacita.compare.search.candidates import Candidate, grid, list_candidates, read_search
from tacita.core import registry
from tacita.core.errors import FileError, ParameterError, TacitaError, UnknownMethodError
from tacita.mask import Mdav, RankSwap, Rounding
from tacita.release.recipe import Recipe
from tests.conformance.examples import EXAMPLES


def labels(*given: object) -> list[str]:
    return [candidate.label for candidate in list_candidates(list(given))]  # type: ignore[arg-type]


def test_a_grid_is_the_product_of_its_lists() -> None:
    made = grid(RankSwap, columns=["a", "b"], p=range(1, 4), keep_zeros=[False, True])
    assert [(m.p, m.keep_zeros) for m in made] == [(p, z) for p in (1.0, 2.0, 3.0) for z in (False, True)]  # type: ignore[attr-defined]
    assert {m.columns for m in made} == {("a", "b")}  # type: ignore[attr-defined]
    assert grid("rank_swap", p=5) == (RankSwap(p=5),)
    assert grid(RankSwap) == (RankSwap(),)


def test_a_list_that_the_parameter_takes_is_one_value() -> None:
    assert [m.columns for m in grid(RankSwap, columns=[["a"], ["a", "b"]])] == [("a",), ("a", "b")]  # type: ignore[attr-defined]
    assert len(grid(RankSwap, columns="numeric keys", identities=["t = a + b"])) == 1


def test_bad_grids() -> None:
    with pytest.raises(ParameterError, match=r"there is no parameter 'q'\."):
        grid(RankSwap, q=[1])
    with pytest.raises(ParameterError, match=r"'p' must be in \[0, 100\], got 120"):
        grid(RankSwap, p=[5, 120])
    with pytest.raises(ParameterError, match=r"'p' must be in \[0, 100\], got 'five'"):
        grid(RankSwap, p="five")
    with pytest.raises(ParameterError, match="empty list of values"):
        grid(RankSwap, p=[])
    with pytest.raises(ParameterError, match="'mask' must be a mask or its name, got type"):
        grid(int)  # type: ignore[type-var]
    with pytest.raises(UnknownMethodError, match="There is no mask named 'rank_swop'"):
        grid("rank_swop")
    with pytest.raises(ParameterError, match="would have 1,000,000 combinations"):
        grid(RankSwap, p=range(100), keep_zeros=[True] * 100, decimals=[2] * 100)


def test_labels_say_what_differs() -> None:
    assert labels(grid(RankSwap, columns="a", p=[5, 10])) == ["rank_swap, p = 5", "rank_swap, p = 10"]
    assert labels(RankSwap(columns="a", p=5), Mdav(columns="a", k=4)) == ["rank_swap", "mdav, k = 4"]
    assert labels(RankSwap(columns="a", p=7)) == ["rank_swap, p = 7"]
    both = [Recipe([RankSwap(p=p), Rounding(base=100)]) for p in (5, 9)]
    assert labels(both) == ["rank_swap, p = 5 + rounding, base = 100", "rank_swap, p = 9 + rounding, base = 100"]
    assert list_candidates(both)[0].family == "rank_swap + rounding"


def test_names_are_kept_and_told_apart() -> None:
    found = list_candidates({"mine": RankSwap(p=3), "several": grid(Mdav, k=[3, 4])})
    assert [c.label for c in found] == ["mine", "several: mdav, k = 3", "several: mdav, k = 4"]


def test_the_same_recipe_is_tried_once() -> None:
    found = list_candidates([RankSwap(p=5), [Recipe([RankSwap(p=5.0)])], RankSwap(p=6)])
    assert len(found) == 2
    assert len({candidate.fingerprint for candidate in found}) == 2
    assert found[0] == Candidate(Recipe([RankSwap(p=5)]), "rank_swap, p = 5")
    assert found[0].is_stochastic
    assert not list_candidates([Mdav(k=3)])[0].is_stochastic


def test_bad_candidates() -> None:
    with pytest.raises(ParameterError, match="'candidates' is empty"):
        list_candidates([])
    with pytest.raises(ParameterError, match="a candidate must be a mask or a recipe, got int"):
        list_candidates([3])  # type: ignore[list-item]
    with pytest.raises(ParameterError, match="got str"):
        list_candidates("rank_swap")


# --- the search file ------------------------------------------------------------------------------------------------------

FILE = """
columns = ["tax", "savings"]
seeds = 2
limits = ["dld <= 5"]

[[candidate]]
mask = "rank_swap"
p = {from = 5, to = 20, step = 5}

[[candidate]]
mask = "additive_noise"
columns = ["tax"]
sd_ratio = {from = 0.1, to = 0.3, step = 0.1}

[[candidate]]
name = "swap and round"
[[candidate.step]]
mask = "rank_swap"
p = [5, 10]
[[candidate.step]]
mask = "rounding"
base = 100
"""


def test_a_search_file(tmp_path: Path) -> None:
    (tmp_path / "search.toml").write_text(FILE, encoding="utf-8")
    given, settings = read_search(tmp_path / "search.toml")
    assert settings == {"columns": ["tax", "savings"], "seeds": 2, "limits": ["dld <= 5"]}
    found = list_candidates(given)
    assert [c.family for c in found] == ["rank_swap"] * 4 + ["additive_noise"] * 3 + ["rank_swap + rounding"] * 2
    assert found[3].recipe == Recipe([RankSwap(columns=("tax", "savings"), p=20)])
    assert found[6].recipe.steps[0].to_plain() == {"columns": ["tax"], "sd_ratio": 0.3}
    assert found[7].label == "swap and round: rank_swap, p = 5 + rounding, base = 100"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("seads = 3", r"no 'seads'\. Did you mean 'seeds'"),
        ('seeds = "three"', "'seeds' cannot be str"),
        ("seeds = true", "'seeds' cannot be bool"),
        ('[candidate]\nmask = "mdav"', "with two brackets"),
        ("[[candidate]]\np = 3", 'Candidate 1 must have either mask = "NAME"'),
        ('[[candidate]]\nmask = "mdav"\n[[candidate.step]]\nmask = "mdav"', "must have either"),
        ('[[candidate]]\np = 3\n[[candidate.step]]\nmask = "mdav"', "parameters stand in its"),
        ('[[candidate]]\nmask = "mdva"', "Candidate 1: There is no mask named 'mdva'"),
        ('[[candidate]]\nmask = "mdav"\nk = [3, 1]', "Candidate 1: Mdav: 'k' must be"),
        ("[[candidate]]\n[[candidate.step]]\nk = 3", "every step must say which mask"),
        ('[[candidate]]\nmask = "mdav"\nk = {from = 9, to = 3}', "must go up"),
        ('[[candidate]]\nmask = "mdav"\nk = {from = 1, to = 3, by = 2}', "a range has the numbers from, to and step"),
        ("[[candidate", "not valid TOML"),
    ],
)
def test_bad_search_files(text: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "search.toml").write_text(text, encoding="utf-8")
    with pytest.raises(TacitaError, match=sentence):
        read_search(tmp_path / "search.toml")


def test_unreadable_search_files(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read"):
        read_search(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"score = '\xe9'")
    with pytest.raises(FileError, match="UTF-8"):
        read_search(tmp_path / "latin.toml")


def test_every_mask_makes_a_grid() -> None:
    """Whatever a parameter's own default is, a grid takes it as one value."""
    for method in registry.methods("mask"):
        given = {p.name: p.default for p in method.parameters() if not p.required and p.default is not None}
        needs_more = (method.kind, method.name) in EXAMPLES  # cannot run with its defaults alone
        if not needs_more and not any(p.required for p in method.parameters()):
            assert len(grid(method, **given)) == 1  # type: ignore[arg-type]
