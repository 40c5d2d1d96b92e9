"""A statistician's first hour with a file of codes, by the command line alone: from describe to a judged release.

It walks through ``tacita.cli.verbs.describe``, ``assess``, ``mask`` and ``evaluate`` with the draft schema as it was drafted.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.csv as pc
import pytest

import tacita as tc
from tests.cli.test_verbs import tacita
from tests.data.guess import foreign

KEYS = ("urbrur", "sex", "age", "hhcivil", "relat")
RECIPE = """
[[step]]
mask = "global_recode"
breaks = {age = [15, 30, 45, 60, 75]}
map = {water = {8 = "other", 9 = "other"}}

[[step]]
mask = "local_suppression"
columns = ["urbrur", "sex", "age", "hhcivil", "relat"]
k = 3

[[step]]
mask = "additive_noise"
columns = ["expend", "income", "savings"]
sd_ratio = 0.2
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with the file, its drafted schema and a recipe."""
    made = tmp_path_factory.mktemp("hour")
    pc.write_csv(foreign.testdata(np.random.default_rng(3))[0], made / "survey.csv")
    (made / "recipe.toml").write_text(RECIPE)
    done = tacita("describe", made / "survey.csv", "--draft", made / "draft.toml")
    assert done.returncode == 0, done.stderr
    return made


@pytest.fixture(scope="module")
def card(place: Path) -> dict[str, Any]:
    """Mask the file, and return the scorecard."""
    done = tacita("mask", place / "survey.csv", "-r", place / "recipe.toml", "-o", place / "release", *_said(place))
    assert done.returncode == 4, done.stderr  # no limits were stated
    found: dict[str, Any] = json.loads(done.stdout)["scorecard"]
    return found


def _said(place: Path) -> list[object]:
    keys = [word for name in KEYS for word in ("--key", name)]
    return ["--schema", place / "draft.toml", *keys, "--json"]


def test_codes_are_codes_and_households_households(place: Path) -> None:
    drafted = tomllib.loads((place / "draft.toml").read_text())["columns"]
    scales = {name: facts["scale"] for name, facts in drafted.items()}
    assert [name for name, scale in scales.items() if scale == "numeric"] == [
        "age", "expend", "income", "savings", "sampling_weight", "household_weights",
    ]  # fmt: skip
    assert drafted["ori_hid"]["role"] == "household"
    assert drafted["sampling_weight"]["role"] == "weight"
    assert all(drafted[name]["role"] == "key" for name in (*KEYS, "roof", "walls", "water", "electcon"))
    assert "# by name" in (place / "draft.toml").read_text(), "each guess has its reason as a comment"


def test_assess_has_the_risk_of_the_file_and_of_each_record(place: Path) -> None:
    done = tacita("assess", place / "survey.csv", *_said(place), "--records", place / "risks.parquet")
    found = json.loads(done.stdout)
    assert found["keys"] == list(KEYS)
    risks = tc.read(place / "risks.parquet")
    assert int((risks.float("fk") < 3).sum()) == found["below"]["3"]
    assert float(risks.float("rk").sum()) == pytest.approx(found["expected_reidentifications"])


def test_the_card_measures_every_step(card: dict[str, Any]) -> None:
    """Recoding, suppression and noise each cost something; keys are keys; nothing is 'not computed'."""
    values = {row["measure"]: row["value"] for row in card["measures"]}
    assert card["skipped"] == {}
    assert all(values[name] > 0 for name in ("open_range", "direct_categorical", "contingency", "entropy", "il"))
    assert values["k_anonymity"] == 0
    assert card["score"] is not None
    assert card["scenario"]["words"].startswith("keys urbrur, sex, age, hhcivil, relat; linkage by age")
    assert all(row["unit"] or row["measure"] in ("il1s", "il_table") for row in card["measures"])


def test_before_and_after_stand_side_by_side(card: dict[str, Any]) -> None:
    rows = {row["what"]: row for row in card["risk_before_and_after"]}
    assert rows["records below k = 3"]["before"] > 1000
    assert rows["records below k = 3"]["after"] == 0
    assert rows["expected re-identifications"]["after"] < rows["expected re-identifications"]["before"]
    assert any(what.startswith("missing in") for what in rows), "suppressions of each key"


def test_evaluate_says_the_same_and_writes_a_report(place: Path, card: dict[str, Any]) -> None:
    words = _said(place)
    done = tacita("evaluate", place / "survey.csv", place / "release", *words, "--report", place / "page.html")
    again = json.loads(done.stdout)
    for here, there in zip(card["measures"], again["measures"], strict=True):
        assert here["measure"] == there["measure"]
        assert here["value"] == pytest.approx(there["value"], rel=1e-6)
    assert (place / "page.html").stat().st_size > 10_000


def test_nothing_of_the_inside_leaves(place: Path, card: dict[str, Any]) -> None:
    released = tc.read(place / "release" / "public" / "data.csv", schema=place / "release" / "public" / "schema.toml")
    original = tc.read(place / "survey.csv", schema=place / "draft.toml")
    assert len(released) == len(original)
    homes = [data.codes("ori_hid") for data in (original, released)]
    sizes = [sorted(np.bincount(codes.values).tolist()) for codes in homes]
    assert sizes[0] == sizes[1], "households stay together"
    order = [np.array(codes.categories)[codes.values].tolist() for codes in homes]
    assert order[0] != order[1], "household numbers are new, and rows are shuffled"
    assert card["records"] == {"original": 2000, "masked": 2000}
