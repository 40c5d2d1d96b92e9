"""``tacita evaluate``: what the evaluation knows of the method."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tacita as tc
from tacita.cli.main import app

runner = CliRunner()
MONEY = ("earnings", "other_income", "tax", "savings")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("evaluate")
    data = tc.samples.household_survey(150, seed=1).drop(["income"])  # the total of two masked columns
    recipe = tc.Recipe([tc.mask.RankSwap(columns=MONEY, p=5)])
    release = recipe.apply(data, seed=7)
    tc.write(data, place / "survey.csv")
    data.schema.write(place / "survey.toml")
    tc.write(release.data, place / "masked.csv")
    recipe.write(place / "recipe.toml")
    release.write(place / "release")
    return place


def shown(files: Path, masked: str, *more: str) -> dict[str, object]:
    names = [str(files / "survey.csv"), str(files / masked), "--schema", str(files / "survey.toml")]
    limits = [word for name in MONEY for word in ("--column", name)]
    done = runner.invoke(app, ["evaluate", *names, *limits, "--measure", "strongest", *more])
    assert done.exit_code == 0, done.output
    return {"text": done.output} if "--json" not in more else json.loads(done.stdout)


def test_without_a_recipe_the_method_is_not_known_and_that_is_said(files: Path) -> None:
    plain = shown(files, "masked.csv", "--row-order", "--json")
    assert "the method was not known to the evaluation" in str(plain["measures"])
    text = str(shown(files, "masked.csv", "--row-order")["text"])
    assert "Give --recipe FILE" in text
    assert "Strongest attack: " in text


def test_a_recipe_makes_the_attacks_possible_that_know_the_method(files: Path) -> None:
    given = shown(files, "masked.csv", "--row-order", "--recipe", str(files / "recipe.toml"), "--json")
    kept = shown(files, "release", "--json")  # the release has its recipe inside
    for found in (given, kept):
        strongest = found["strongest"]
        assert isinstance(strongest, dict)
        assert strongest["measure"] == "rank_swap_linkage"
        assert "at most 5 % of the ranks" in strongest["knows"]
    assert given["strongest"]["value"] == pytest.approx(kept["strongest"]["value"])  # type: ignore[index]
    text = str(shown(files, "masked.csv", "--row-order", "--recipe", str(files / "recipe.toml"))["text"])
    assert "Strongest attack: rank_swap_linkage" in text
    assert "Give --recipe FILE" not in text


def test_a_file_that_calls_itself_synthetic_has_no_originals(tmp_path: Path) -> None:
    data = tc.samples.household_survey(200, seed=1)
    tc.write(data, tmp_path / "survey.csv")
    tc.write(tc.samples.household_survey(200, seed=2), tmp_path / "data.synthetic.csv")
    schema = tmp_path / "schema.toml"
    schema.write_text(data.schema.to_toml(), encoding="utf-8")
    shown = CliRunner().invoke(
        app, ["evaluate", str(tmp_path / "survey.csv"), str(tmp_path / "data.synthetic.csv"), "--schema", str(schema)]
    )
    assert shown.exit_code == 0, shown.output
    words = " ".join(shown.output.split())
    assert "with none, as they are synthetic" in words
    assert "citizen_match" in words
    assert "min(table_pmse, 10)" in words
    assert "to pair records truly" not in words
