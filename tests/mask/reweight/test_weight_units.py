"""Records that share one weight, held against a loop over households."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tacita.data.microdata import Microdata
from tacita.mask.reweight.weight_units import weight_units

HOUSES = [7, 7, 3, None, 3, None, 9]


def file(weights: list[float], *, household: str | None = "house") -> Microdata:
    table = pa.table({"house": pa.array(HOUSES, pa.int64()), "w": weights})
    return Microdata.from_frame(table, weight="w", household=household)


def partners(units: np.ndarray) -> list[set[int]]:
    return [set(np.flatnonzero(units == unit).tolist()) for unit in units]


def test_members_of_a_household_with_equal_weights_share_them() -> None:
    units, name = weight_units(file([2.0, 2, 5, 1, 5, 1, 4]), None)
    assert name == "house"
    assert partners(units) == [{0, 1}, {0, 1}, {2, 4}, {3}, {2, 4}, {5}, {6}], "no household, no partner"
    assert set(units.tolist()) == set(range(5))


def test_households_with_different_weights_stand_record_by_record() -> None:
    units, name = weight_units(file([2.0, 3, 5, 1, 5, 1, 4]), None)
    assert (units.tolist(), name) == (list(range(7)), None)


def test_a_unit_that_is_asked_for_counts_whatever_the_weights() -> None:
    units, name = weight_units(file([2.0, 3, 5, 1, 5, 1, 4], household=None), "house")
    assert name == "house"
    assert partners(units)[0] == {0, 1}


@pytest.mark.parametrize("household", ["house", None])
def test_nobody_and_no_household(household: str | None) -> None:
    data = file([1.0] * 7, household=household).take(np.arange(0))
    units, name = weight_units(data, None)
    assert (len(units), name) == (0, None)
