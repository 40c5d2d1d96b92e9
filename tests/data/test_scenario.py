"""Scenarios: what an intruder knows, and that nothing else changes it."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import ColumnError, ParameterError, TacitaError
from tacita.data.measure import find_measure
from tacita.data.scenario import Scenario, names_in_a_row

MONEY = ("earnings", "savings")


@pytest.fixture(scope="module")
def data() -> tc.Microdata:
    return tc.samples.household_survey(300, seed=1)


@pytest.fixture(scope="module")
def masked(data: tc.Microdata) -> tc.Microdata:
    return tc.mask.RankSwap(columns=MONEY, p=10).apply(data, seed=3)


def test_what_is_measured_never_changes_the_risk(data: tc.Microdata, masked: tc.Microdata) -> None:
    """Naming the amounts once made them the keys of k-anonymity, and good recipes scored 100 % risk."""
    risks = ["k_anonymity", "individual_risk", "household_risk", "dld", "strongest", "suda"]
    whole = tc.evaluate(data, masked, measures=risks)
    some = tc.evaluate(data, masked, measures=risks, columns=MONEY)
    assert dict(whole) == dict(some)
    assert (
        tc.evaluate(data, masked, measures=["il"], columns=MONEY)["il"]
        != tc.evaluate(data, masked, measures=["il"])["il"]
    )


def test_the_same_risk_in_search_evaluate_and_judge(data: tc.Microdata) -> None:
    swap = tc.mask.RankSwap(columns=MONEY, p=10)
    release = tc.Recipe([swap]).apply(data, seed=1)
    scenario = tc.Scenario(keys=("sex", "region"), known=MONEY, knows_sample=True)
    card = tc.evaluate(data, release, scenario=scenario, measures=["k_anonymity", "individual_risk", "dld"])
    found = tc.search(
        data, [swap], scenario=scenario, measures=["k_anonymity", "individual_risk", "dld"], seeds=1, seed=1
    )
    for name in card:
        assert found.points[0][name] == card[name]
    held = tc.judge(release, {"dld": 100}, scenario=scenario).findings[0]
    assert held.value == card["dld"]
    assert tc.judge(release, {"dld": 100}, card=card).findings[0].value == card["dld"]
    assert tc.judge(release, {"dld": 100}).findings[0].value != card["dld"]


def test_keys_and_known_columns_go_where_they_belong(data: tc.Microdata) -> None:
    scenario = Scenario(keys=["sex", "region"], known=["income", "sex"])
    assert find_measure("k_anonymity").under(scenario, data.schema, ("tax",)).columns == ("sex", "region")
    assert find_measure("dld").under(scenario, data.schema, ("tax",)).columns == ("income",)  # sex is no number
    assert find_measure("il").under(scenario, data.schema, ("tax",)).columns == ("tax",)
    assert find_measure("rid").under(scenario, data.schema, ("tax",)).columns == ("tax",)
    strongest = find_measure("strongest").under(scenario, data.schema, ("tax",))
    assert (strongest.columns, strongest.key_columns) == (("income", "sex"), ("sex", "region"))  # type: ignore[attr-defined]


def test_who_knows_the_sample_is_not_put_off_by_weights(data: tc.Microdata) -> None:
    plain = tc.evaluate(data, data, measures=["individual_risk"])["individual_risk"]
    knowing = tc.evaluate(data, data, measures=["individual_risk"], scenario={"knows_sample": True})["individual_risk"]
    counts = {}
    rows = list(zip(*(data.codes(name).values.tolist() for name in data.schema.keys), strict=True))
    for row in rows:
        counts[row] = counts.get(row, 0) + 1
    assert knowing == pytest.approx(100 * sum(1 / counts[row] for row in rows) / len(rows))
    assert knowing > 10 * plain


def test_columns_of_the_design_join_by_name_only(data: tc.Microdata) -> None:
    assert not {"weight", "household", "person_id"} & {
        *Scenario().key_names(data.schema),
        *Scenario().known_names(data.schema),
    }
    assert Scenario(keys=["weight"]).key_names(data.schema) == ("weight",)


def test_words_say_all_of_it(data: tc.Microdata) -> None:
    words = tc.evaluate(data, data, measures=["il"]).scenario_words
    assert words == Scenario().words(data.schema)
    assert words.startswith("keys region, urban, age, sex, marital, education and 4 more; linkage by age;")
    bare = tc.Microdata.from_frame(pa.table({"a": ["x", "y"]}))
    assert (
        Scenario().words(bare.schema) == "no keys; no column to link by; the intruder does not know who is in the file"
    )
    assert names_in_a_row(["a", "b", "c"], 2) == "a, b and 1 more"


def test_files(tmp_path: Path) -> None:
    scenario = Scenario(keys=["sex"], known="numeric columns", knows_sample=True)
    path = tmp_path / "scenario.toml"
    path.write_text(scenario.to_toml())
    assert Scenario.of(path) == Scenario.of(str(path)) == scenario
    assert Scenario.of(None) == Scenario() == Scenario.from_plain(Scenario().to_plain())
    assert Scenario.of(scenario) is scenario


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[scenario]\nkey = ['a']\n", "A scenario has keys, known, knows_sample, got 'key'"),
        ("keys = ['a']\n", "one table"),
        ("[scenario]\nknows_sample = 3\n", "'knows_sample' must be true or false"),
        ("[scenario]\nkeys = 3\n", "'keys' must be"),
    ],
)
def test_files_that_are_none(text: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "scenario.toml"
    path.write_text(text)
    with pytest.raises(TacitaError, match=sentence):
        Scenario.read(path)


def test_unknown_columns_are_named(data: tc.Microdata) -> None:
    with pytest.raises(ColumnError, match="'incom'"):
        tc.evaluate(data, data, scenario=Scenario(known=["incom"]))
    with pytest.raises(ColumnError, match="'incom'"):
        tc.search(data, [tc.mask.RankSwap(columns=MONEY)], scenario=Scenario(keys=["incom"]))
    with pytest.raises(ParameterError, match="'scenario' must be"):
        tc.evaluate(data, data, scenario=3)  # type: ignore[arg-type]
