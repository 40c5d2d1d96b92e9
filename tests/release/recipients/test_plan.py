from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import ColumnError, DataError, FileError, ParameterError
from tacita.data.microdata import Microdata
from tacita.release.recipients.plan import FingerprintPlan, plan_fingerprints
from tests.release.recipients.material import AMOUNTS, made_once


def test_what_is_marked_and_why_the_rest_is_not() -> None:
    plan = made_once()[2].plan
    assert tuple(c.name for c in plan.columns) == AMOUNTS
    assert dict(plan.unmarked) == {
        "sector": "its scale is nominal",
        "staff": "the mask changed at most half of its values",
        "weight": "it is a weight",
    }
    assert {c.name: c.decimals for c in plan.columns} == {"turnover": 0, "wages": 0, "exports": 0, "stock": 2}
    assert {c.lower for c in plan.columns} == {0.0}


def test_a_plan_comes_back_from_its_plain_form() -> None:
    plan = made_once()[2].plan
    assert FingerprintPlan.from_plain(plan.to_plain()) == plan


@pytest.mark.parametrize(
    "damage",
    [
        {"form": "other"}, {"share": 0}, {"share": "x"}, {"coalition": 0}, {"length": 10**9}, {"columns": []}, {"blocks": -1},
        {"columns": [{"name": "a"}]}, {"unmarked": None}, {"length": float("inf")},
    ],
)  # fmt: skip
def test_a_damaged_plan_is_an_error(damage: dict[str, object]) -> None:
    with pytest.raises(FileError, match="damaged"):
        FingerprintPlan.from_plain({**made_once()[2].plan.to_plain(), **damage})
    with pytest.raises(FileError, match="damaged"):
        FingerprintPlan.from_plain([])


def test_sums_and_their_parts_are_left_alone() -> None:
    rng = np.random.default_rng(1)
    a, b, c = (np.exp(rng.normal(9, 1, 800)).round() for _ in range(3))
    data = Microdata.from_frame(pa.table({"a": a, "b": b, "total": a + b, "c": c}))
    plan = plan_fingerprints(data, dict.fromkeys(("a", "b", "total", "c"), 500.0))
    assert [column.name for column in plan.columns] == ["c"]
    assert dict(plan.unmarked)["total"] == "it is a sum of other columns, or part of one"
    with pytest.raises(ColumnError, match="Column 'a' cannot carry marks: it is a sum"):
        plan_fingerprints(data, {"a": 500.0}, columns=["a"])


def test_values_that_records_share_are_marked_only_when_named() -> None:
    ages = np.repeat(np.arange(20.0, 70.0), 20)
    data = Microdata.from_frame(
        pa.table({"age": ages, "pay": np.random.default_rng(2).normal(2000, 300, 1000).round(2)})
    )
    noise = {"age": 3.0, "pay": 100.0}
    assert [c.name for c in plan_fingerprints(data, noise).columns] == ["pay"]
    assert [c.name for c in plan_fingerprints(data, noise, columns=["age"]).columns] == ["age"]


def test_groups_of_a_microaggregated_file_stay_alike() -> None:
    data = tc.samples.business_survey(600, seed=1)
    masked = tc.mask.Mdav(columns=["turnover", "wages"], k=3).apply(data, seed=1)
    with pytest.raises(DataError, match="No column has room for marks"):
        plan_fingerprints(masked, {"turnover": 50.0, "wages": 10.0})


def test_a_column_of_the_household_is_marked_by_household() -> None:
    rng = np.random.default_rng(3)
    household = np.repeat(np.arange(300), 3)
    rent = np.repeat(rng.normal(800, 100, 300).round(2), 3)
    data = Microdata.from_frame(pa.table({"h": household, "rent": rent}), household="h")
    plan = plan_fingerprints(data, {"rent": 50.0}, columns=["rent"])
    assert plan.columns[0].by_unit


@pytest.mark.parametrize(
    ("how", "kind", "message"),
    [
        ({"share": 0.0}, ParameterError, "'share'"),
        ({"share": 1.5}, ParameterError, "'share'"),
        ({"coalition": 0}, ParameterError, "'coalition'"),
        ({"blocks": -1}, ParameterError, "'blocks'"),
        ({"columns": ["turnovr"]}, ColumnError, "Did you mean 'turnover'"),
        ({"columns": ["weight"]}, ColumnError, "Column 'weight' cannot carry marks: it is a weight"),
        ({"columns": ["sector"]}, ColumnError, "its scale is nominal"),
    ],
)
def test_what_cannot_be_is_refused(how: dict[str, object], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        plan_fingerprints(made_once()[1].masked, {"turnover": 500.0, "weight": 1.0, "sector": 1.0}, **how)  # type: ignore[arg-type]


def test_noise_that_is_no_number_is_refused() -> None:
    with pytest.raises(ParameterError, match="standard deviation"):
        plan_fingerprints(made_once()[1].masked, {"turnover": float("nan")})


def test_no_noise_no_room() -> None:
    with pytest.raises(DataError, match="No column has room"):
        plan_fingerprints(made_once()[1].masked, {})
