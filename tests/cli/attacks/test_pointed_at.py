"""What an attack can be pointed at."""

from __future__ import annotations

from pathlib import Path

import pytest

import tacita as tc
from tacita.cli.attacks.pointed_at import AttackOptions, attack_path, is_address
from tacita.core.errors import ParameterError


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("http://127.0.0.1:8000", True),
        ("https://stat.example", True),
        ("survey.csv", False),
        ("httpfiles/a.csv", False),
    ],
)
def test_addresses_are_told_from_paths(text: str, is_one: bool) -> None:
    assert is_address(text) is is_one


def test_a_recipe_is_attacked_as_a_generator(tmp_path: Path) -> None:
    people = tc.samples.household_survey(200, seed=1).select(["age", "sex", "earnings", "savings"])
    tc.write(people, tmp_path / "people.csv")
    tc.Recipe([tc.mask.Ipso(columns=["earnings"])]).write(tmp_path / "recipe.toml")
    chosen = AttackOptions(
        original=tmp_path / "people.csv",
        schema=None,
        scenario=None,
        wanted=(),
        of=None,
        victims=10,
        common={"attacks": ("closest_record",), "seconds": 5.0},
    )
    found = attack_path(tmp_path / "recipe.toml", chosen)
    assert found.against == "generator"
    assert [grade.attack for grade in found.grades] == ["closest_record"]


def test_a_scenario_is_refused_for_a_recipe(tmp_path: Path) -> None:
    people = tc.samples.household_survey(60, seed=1).select(["age", "sex", "earnings"])
    tc.write(people, tmp_path / "people.csv")
    tc.Recipe([tc.mask.Ipso(columns=["earnings"])]).write(tmp_path / "recipe.toml")
    scenario = tc.Scenario(keys=["age"])
    chosen = AttackOptions(
        original=tmp_path / "people.csv", schema=None, scenario=scenario, wanted=(), of=None, victims=10, common={}
    )
    with pytest.raises(ParameterError, match="leave out the scenario"):
        attack_path(tmp_path / "recipe.toml", chosen)
