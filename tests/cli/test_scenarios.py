"""What the intruder knows, as options."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tacita as tc
from tacita.cli.scenarios import scenario_of
from tacita.core.errors import ParameterError
from tests.cli.test_verbs import tacita


def test_options_make_a_scenario(tmp_path: Path) -> None:
    assert scenario_of(None, None, None, knows_sample=False) is None
    made = scenario_of(None, ["sex"], ["income"], knows_sample=True)
    assert made == tc.Scenario(keys=["sex"], known=["income"], knows_sample=True)
    file = tmp_path / "scenario.toml"
    file.write_text(made.to_toml())
    assert scenario_of(file, None, None, knows_sample=False) == made
    with pytest.raises(ParameterError, match="--scenario says all of it"):
        scenario_of(file, ["sex"], None, knows_sample=False)


def test_mask_evaluate_and_search_have_the_same_risk(tmp_path: Path) -> None:
    data = tc.samples.household_survey(200, seed=1)
    tc.write(data, tmp_path / "survey.csv")
    data.schema.write(tmp_path / "survey.toml")
    tc.Recipe([tc.mask.RankSwap(columns=["income"], p=10)]).write(tmp_path / "recipe.toml")
    said = ["--schema", tmp_path / "survey.toml", "--known", "income", "--key", "sex", "--key", "region", "--json"]
    made = tacita(
        "mask", tmp_path / "survey.csv", "-o", tmp_path / "out", "-r", tmp_path / "recipe.toml", "--seed", 5, *said
    )
    card = json.loads(made.stdout)["scorecard"]
    again = tacita("evaluate", tmp_path / "survey.csv", tmp_path / "out", *said)
    other = json.loads(again.stdout)
    assert card["scenario"] == other["scenario"]
    assert (
        card["scenario"]["words"]
        == "keys sex, region; linkage by income; the intruder does not know who is in the file"
    )
    values = [
        {row["measure"]: row["value"] for row in one["measures"] if row["kind"] == "risk"} for one in (card, other)
    ]
    assert values[0] == pytest.approx(values[1])
    search = ["--schema", tmp_path / "survey.toml", "--known", "income", "--key", "sex", "--key", "region"]
    (tmp_path / "grid.toml").write_text('[[candidate]]\nmask = "rank_swap"\ncolumns = ["income"]\np = 10\n')
    found = tacita(
        "search", tmp_path / "survey.csv", "-o", tmp_path / "map", "--candidates", tmp_path / "grid.toml", *search,
        "--seed", 5, "--seeds", 1, "--json",
    )  # fmt: skip
    point = json.loads(found.stdout)["points"][0]["measures"]
    shared = {name: value for name, value in values[0].items() if name in point}
    assert {"dld", "individual_risk", "k_anonymity"} <= set(shared)
    for name in ("dld", "individual_risk", "k_anonymity"):
        assert point[name]["mean"] == pytest.approx(shared[name])
