"""The risk report of one file: by hand, against the records one by one, and against the registered measures.

It tests ``tacita.compare.assessment`` through the only door that they have.
"""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacita as tc
from tacita.compare.assess import assess_counts, riskiest_combinations
from tacita.core.errors import ColumnError, DataError, MeasureError, ParameterError
from tacita.data.keys.key_counts import count_keys
from tacita.data.microdata import Microdata
from tests.oracles.compare.assess import assess_oracle

KEYS = ["region", "sex", "age"]


def make(**more: object) -> Microdata:
    """The third record is unique by region alone; the others share everything in pairs."""
    table = pa.table(
        {
            "region": ["n", "n", "s", "w", "w"],
            "sex": ["f", "f", "m", "m", "m"],
            "age": ["1", "1", "1", "2", "2"],
            "house": [1, 1, 2, 2, 3],
            "w": [1.0] * 5,
        }
    )
    return Microdata.from_frame(table, keys=KEYS, **more)  # type: ignore[arg-type]


def test_by_hand() -> None:
    """Frequencies 2 2 1 2 2: risks 1/2 1/2 1 1/2 1/2, their sum 3; household 1: 3/4, household 2: 1, household 3: 1/2."""
    found = tc.assess(make(household="house"))
    assert found.below == {2: 1, 3: 5, 5: 5}
    assert found.patterns == 3
    assert found.expected == pytest.approx(3)
    assert found.risk == pytest.approx(60)
    assert found.largest_risk == 100
    assert found.households is not None
    assert found.households.expected == pytest.approx(0.75 + 1 + 0.5)
    assert found.households.risk == pytest.approx(100 * 2.25 / 3)
    first = found.riskiest[0]
    assert (first.values, first.records, first.frequency, first.population, first.risk) == (
        ("s", "m", "1"),
        1,
        1,
        1,
        100,
    )
    assert [one.values[0] for one in found.riskiest] == ["s", "n", "w"]
    assert found.contributions == pytest.approx({"region": 200 / 3, "sex": 100 / 3, "age": 100 / 3})
    assert found.msus == (1, 1, 0)
    assert found.notes == ("There are no weights, so the file is taken for the whole population.",)


values = st.one_of(st.none(), st.sampled_from("abc"))


@given(st.lists(st.tuples(values, values, st.integers(1, 9)), min_size=1, max_size=14))
def test_equals_the_records_one_by_one(records: list[tuple[str | None, str | None, int]]) -> None:
    first, second, weights = (list(column) for column in zip(*records, strict=True))
    table = pa.table(
        {"a": pa.array(first, pa.string()), "b": pa.array(second, pa.string()), "w": np.array(weights, dtype=float)}
    )
    found = tc.assess(Microdata.from_frame(table, keys=["a", "b"], weight="w"), top=20)
    wanted = assess_oracle(list(zip(first, second, strict=True)), [float(w) for w in weights])
    assert found.below == wanted["below"]
    assert found.patterns == wanted["patterns"] == len(found.riskiest)
    assert found.expected == pytest.approx(wanted["expected"], rel=1e-9)
    assert found.largest_risk == pytest.approx(100 * wanted["largest"], rel=1e-9)
    assert [one.risk / 100 for one in found.riskiest] == pytest.approx(wanted["riskiest"], rel=1e-9)


@pytest.mark.parametrize("missing", ["wildcard", "own category", "conservative"])
def test_agrees_with_the_registered_measures(missing: str) -> None:
    data = tc.samples.household_survey(800, seed=3)
    names = ("sex", "region", "education", "employment")
    found = tc.assess(data, names, missing=missing)  # type: ignore[arg-type]
    anonymity = tc.risk.KAnonymity(columns=names, missing=missing).assess(data)
    assert {f"below {k}": n for k, n in found.below.items()} == {
        k: anonymity.parts[k] for k in anonymity.parts if "b" in k
    }
    individual = tc.risk.IndividualRisk(columns=names, missing=missing).assess(data)
    assert found.risk == pytest.approx(individual.value)
    assert found.expected == pytest.approx(individual.parts["expected re-identifications"])
    suda = tc.risk.Suda(columns=names).assess(data)
    assert found.contributions == pytest.approx({name: suda.parts[f"from {name}"] for name in names})
    household = tc.risk.HouseholdRisk(columns=names, missing=missing).assess(data)
    assert found.households is not None
    assert found.households.risk == pytest.approx(household.parts["households"])


def test_roles_can_be_given() -> None:
    data = make()
    found = tc.assess(data, ["sex", "age"], weight="w", household="house")
    assert found.weight == "w"
    assert found.households is not None
    assert found.notes == ()
    assert data.schema.weight is None
    moved = tc.assess(tc.samples.household_survey(50, seed=1), ["sex"], weight="age")
    assert moved.weight == "age"


def test_many_keys_visit_few_sets() -> None:
    rng = np.random.default_rng(1)
    table = pa.table({f"x{j}": rng.integers(0, 2, 200).astype(str) for j in range(25)})
    data = Microdata.from_frame(table, keys=table.column_names)
    assert len(tc.assess(data).msus) == 2
    assert len(tc.assess(data, table.column_names[:7]).msus) == 6
    assert len(tc.assess(data, table.column_names[:7], largest=3).msus) == 3


def test_forms_of_the_report() -> None:
    found = tc.assess(make(household="house"))
    plain = json.loads(json.dumps(found.as_plain()))
    assert plain["below"] == {"2": 1, "3": 5, "5": 5}
    assert plain["riskiest"][0]["values"] == {"region": "s", "sex": "m", "age": "1"}
    assert plain["households"]["column"] == "house"
    frame = found.to_frame()
    assert frame.column("what").to_pylist()[:3] == ["records", "combinations of key values", "records below k = 2"]
    assert frame.column("percent").to_pylist()[2] == 20
    assert isinstance(tc.assess(Microdata.from_frame(pd.DataFrame({"a": ["x"]}), keys=["a"])).to_frame(), pd.DataFrame)


def test_the_repr_shows_no_values() -> None:
    data = Microdata.from_frame(pa.table({"a": ["CANARY", "x", "x"]}), keys=["a"])
    found = tc.assess(data)
    assert found.riskiest[0].values == ("CANARY",)
    for shown in (found, found.riskiest, count_keys(data, ["a"]), found.notes):
        assert "CANARY" not in repr(shown)


def test_dates_are_texts_in_json() -> None:
    table = pa.table({"day": pa.array([1, 2], pa.date32())})
    plain = tc.assess(Microdata.from_frame(table, keys=["day"])).as_plain()
    assert [one["values"]["day"] for one in plain["riskiest"]] == ["1970-01-02", "1970-01-03"]


def test_bad_input() -> None:
    data = make()
    with pytest.raises(ParameterError, match="'data' must be Microdata, got int"):
        tc.assess(3)  # type: ignore[arg-type]
    with pytest.raises(ColumnError, match="Did you mean 'region'"):
        tc.assess(data, ["regoin"])
    with pytest.raises(ColumnError, match="no column has the role 'key'"):
        tc.assess(data.select(["w"]))
    with pytest.raises(ColumnError, match="'hous' is not in the data"):
        tc.assess(data, household="hous")
    with pytest.raises(MeasureError, match="no records"):
        tc.assess(data.take(np.arange(0)))
    with pytest.raises(MeasureError, match="no records"):
        assess_counts(count_keys(data.take(np.arange(0)), KEYS))
    for wrong in ({"missing": "none"}, {"thresholds": ()}, {"thresholds": (0,)}, {"top": -1}, {"largest": 0}):
        with pytest.raises(ParameterError, match=f"'{next(iter(wrong))}' must be"):
            tc.assess(data, **wrong)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="negative or missing in 1 records"):
        tc.assess(data.with_numbers({"w": np.array([1.0, 1, -1, 1, 1])}), weight="w")


def test_households_that_are_missing() -> None:
    data = make(household="house").with_column("house", pa.array([1, 1, None, 2, 3]))
    found = tc.assess(data)
    assert found.households is None
    assert "'house' is missing in 1 records" in found.notes[-1]
    with pytest.raises(MeasureError, match="'house' is missing in 1 records"):
        tc.assess(data, household="house")


@pytest.mark.parametrize("knows_sample", [False, True])
def test_the_riskiest_combinations_alone(knows_sample: bool) -> None:
    data = tc.samples.household_survey(300, seed=1)
    found = tc.assess(data, ["age", "sex", "region"], knows_sample=knows_sample).riskiest
    assert found == riskiest_combinations(data, ["age", "sex", "region"], knows_sample=knows_sample)
