"""Limits: built, read, written, and refused with a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

import tacita as tc
from tacita.core.errors import FileError, ParameterError, RecipeError, UnknownMethodError
from tacita.data.limits import PRESETS, Limit, Limits, preset

FULL = Limits(
    (
        Limit(
            measure="dld", at_most=5, columns=("age", "income"), settings={"knows": "subsets", "most": 2}, why="agreed"
        ),  # type: ignore[arg-type]
        Limit(measure="individual_risk", at_most=0.1, of="worst record"),
    ),
    preset="internal",
)


def test_text_and_back() -> None:
    assert Limits.from_toml(FULL.to_toml()) == FULL
    recipe = tc.Recipe([tc.mask.RankSwap(columns=["income"], p=10)], limits=FULL)
    assert tc.Recipe.from_toml(recipe.to_toml()) == recipe
    assert tc.Recipe.from_toml(recipe.to_toml()).limits == FULL
    assert hash(recipe) == hash(tc.Recipe.from_toml(recipe.to_toml()))


def test_what_a_user_may_give(tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text(FULL.to_toml())
    assert Limits.of(path) == Limits.of(str(path)) == FULL
    assert Limits.of("public-use").preset == "public-use"
    assert (
        Limits.of({"dld": 5})
        == Limits.of(Limit(measure="dld", at_most=5))
        == Limits.of([Limit(measure="dld", at_most=5)])
    )
    assert not Limits.of(None)
    assert FULL


def test_a_second_list_never_loosens_the_first() -> None:
    both = Limits.of("public-use").joined(Limits.of("internal"))
    assert {str(limit) for limit in both.all} >= {str(limit) for limit in preset("public-use").limits}
    assert Limits().joined(FULL) == FULL


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_complete_and_ordered(name: str) -> None:
    limits = preset(name).limits
    assert [limit.measure for limit in limits] == ["k_anonymity", "individual_risk", "strongest"]
    assert all(limit.why for limit in limits)
    k = dict(limits[0].settings)["k"]
    assert limits[1].at_most >= 1 / k, "a file that is k-anonymous keeps its counterpart"


def test_stricter_presets_ask_for_more() -> None:
    names = ("public-use", "scientific-use", "internal")
    found = [
        [dict(preset(n).limits[0].settings)["k"], *(limit.at_most for limit in preset(n).limits[1:])] for n in names
    ]
    assert [row[0] for row in found] == sorted((row[0] for row in found), reverse=True)
    for column in (1, 2):
        assert [row[column] for row in found] == sorted(row[column] for row in found)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[limits]\npreset = "public"\n', "Did you mean 'public-use'"),
        ("[limits]\n", "is empty"),
        ("limits = 3\n", "stand in a table"),
        ('[limits]\npresets = "internal"\n', "Did you mean 'preset'"),
        ("[limits]\nlimit = 3\n", "two brackets"),
        ('[[limits.limit]]\nmeasure = "dldd"\nat_most = 5\n', "Did you mean 'dld'"),
        ('[[limits.limit]]\nmeasure = "strongst"\nat_most = 5\n', "Did you mean 'strongest'"),
        ('[[limits.limit]]\nmeasure = "dld"\n', "'at_most' must be given"),
        ('[[limits.limit]]\nmeasure = "dld"\nat_most = "5"\n', "must be a number"),
        ('[[limits.limit]]\nmeasure = "dld"\nat_most = nan\n', "finite"),
        ('[[limits.limit]]\nmeasure = "dld"\nat_mots = 5\n', "Did you mean 'at_most'"),
        ('[[limits.limit]]\nmeasure = "dld"\nat_most = 5\ncolumns = "age"\n', "list of names"),
        ('[[limits.limit]]\nmeasure = "dld"\nat_most = 5\nof = "record"\n', "'of' must be one of"),
        ('[[limits.limit]]\nmeasure = "il"\nat_most = 5\nof = "worst record"\n', "no value for single records"),
        ('[[limits.limit]]\nmeasure = "k_anonymity"\nat_most = 5\nsettings = {kk = 3}\n', "Did you mean 'k'"),
        ('[[limits.limit]]\nmeasure = "strongest"\nat_most = 5\nsettings = {k = 3}\n', "there is no parameter 'k'"),
    ],
)
def test_problems_are_named(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=words):
        Limits.from_toml(text)
    path = tmp_path / "limits.toml"
    path.write_text(text)
    with pytest.raises(ParameterError, match=r"The limits file 'limits.toml'"):
        Limits.read(path)
    if text != "limits = 3\n":
        with pytest.raises(RecipeError, match="The limits of the recipe"):
            tc.Recipe.from_toml(f'[[step]]\nmask = "mdav"\n{text}')


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read"):
        Limits.of(tmp_path / "nowhere.toml")
    with pytest.raises(FileError, match="cannot be read"):
        Limits.of("nowhere.toml")
    with pytest.raises(ParameterError, match="There is no"):
        Limits.from_toml("[[step]]\n")
    with pytest.raises(ParameterError, match="got int"):
        Limits.of(3)  # type: ignore[arg-type]
    with pytest.raises(UnknownMethodError):
        Limit(measure="nothing", at_most=1)
