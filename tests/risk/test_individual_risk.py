"""Individual and household risk: the field's worked example, the series of the definition, households by hand."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import MeasureError
from tacita.data.microdata import Microdata
from tacita.numeric.keys.individual_risk import grouped_risk, individual_risk
from tacita.risk.individual_risk import HouseholdRisk, IndividualRisk
from tests.oracles.risk.individual_risk import individual_risk_oracle

APPROXIMATE = (0.01369863, 0.08579129, 0.01369863, 0.17707583, 0.01877883, 0.01877883, 0.03931625, 0.01369863)


def make(**roles: str) -> Microdata:
    table = pa.table(
        {
            "a": [2, 3, 2, 2, 3, 3, 1, 2],
            "b": [3, 3, 3, 3, 3, 3, 4, 3],
            "c": [1, 3, 1, 2, 1, 1, 1, 1],
            "w": [18, 45.5, 39, 17, 92, 8, 123.5, 51],
            "h": [1, 1, 2, 2, 2, 3, 4, 4],
        }
    )
    return Microdata.from_frame(table, keys=["a", "b", "c"], scales=dict.fromkeys("abc", "nominal"), **roles)


def test_worked_example_of_the_field() -> None:
    found = IndividualRisk(method="approximate").assess(make(weight="w"))
    assert found.per_record == pytest.approx(APPROXIMATE, abs=5e-9)
    assert found.parts["expected re-identifications"] == pytest.approx(sum(APPROXIMATE), abs=1e-7)


@given(st.integers(1, 40), st.floats(0.01, 1))
def test_exact_risk_is_the_series(f: int, p: float) -> None:
    ours = individual_risk(np.array([float(f)]), np.array([f / p]))[0]
    assert ours == pytest.approx(individual_risk_oracle(f, p, 20_000), rel=1e-8)


def test_approximation_differs_in_the_third_digit() -> None:
    f, total = np.array([3.0]), np.array([108.0])
    exact, usual = individual_risk(f, total)[0], individual_risk(f, total, is_exact=False)[0]
    assert 0.001 < abs(exact - usual) / exact < 0.05


def test_risk_falls_with_frequency_and_with_weight() -> None:
    f = np.arange(1.0, 200.0)
    for is_exact in (True, False):
        assert (np.diff(individual_risk(f, 50 * f, is_exact=is_exact)) < 0).all()
        assert (np.diff(individual_risk(np.full(100, 2.0), np.linspace(2, 500, 100), is_exact=is_exact)) < 0).all()


def test_without_weights_a_record_stands_for_itself() -> None:
    found = IndividualRisk().assess(make())
    assert found.per_record == pytest.approx([1 / 3, 1, 1 / 3, 1, 1 / 2, 1 / 2, 1, 1 / 3])


def test_household_risk_by_hand() -> None:
    risk = np.array(APPROXIMATE)
    found = HouseholdRisk(method="approximate").assess(make(weight="w", household="h"))
    first = 1 - (1 - risk[0]) * (1 - risk[1])
    assert found.per_record is not None
    assert found.per_record[:2] == pytest.approx([first, first], abs=1e-8)
    assert found.per_record[5] == pytest.approx(risk[5], abs=1e-8)


def test_a_sure_member_makes_the_household_sure() -> None:
    assert grouped_risk(np.array([1.0, 0.1, 0.2]), np.array([0, 0, 1])).tolist() == pytest.approx([1, 1, 0.2])


def test_households_must_be_there() -> None:
    with pytest.raises(MeasureError, match="no household column"):
        HouseholdRisk().assess(make())
