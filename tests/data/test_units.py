"""Units: who belongs together, and what belongs to the household."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import ColumnError, DataError
from tacita.data.microdata import Microdata
from tacita.data.units import find_units


def people(household: str | None = "home") -> Microdata:
    table = pa.table(
        {
            "home": [7, 7, 7, 3, 3, None, None],
            "rent": [5.0, None, 5.0, 8.0, 8.0, 1.0, 2.0],
            "place": ["n", "n", "n", None, None, "s", "w"],
            "sex": ["f", "m", "f", "f", "f", "m", "f"],
            "size": [3, 3, None, 2, 2, 1, 1],
        }
    )
    return Microdata.from_frame(table, keys=["rent", "place", "sex", "size"], household=household)


def test_members_and_what_they_share() -> None:
    data = people()
    units = find_units(data, None, owner="Test")
    assert units is not None
    assert sorted(units.sizes.tolist()) == [1, 1, 2, 3], "who has no number stands alone"
    assert units.shared(data, data.schema.keys) == ("rent", "place", "size"), "gaps aside"
    assert units.unequal(data.codes("sex").values) == 1
    assert units.counted(data, data.schema.keys) == ("size",)
    assert units.spread(np.array([0, 1, 0, 0, 0, 1, 0], dtype=bool)).tolist() == [
        True,
        True,
        True,
        False,
        False,
        True,
        False,
    ]


def test_where_units_come_from() -> None:
    assert find_units(people(household=None), None, owner="Test") is None
    assert find_units(people(), False, owner="Test") is None
    named = find_units(people(household=None), "sex", owner="Test")
    assert named is not None
    assert named.is_named
    with pytest.raises(DataError, match="the unit 'home' is missing in 2 records"):
        find_units(people(), "home", owner="Test")
    with pytest.raises(ColumnError, match="Did you mean 'home'"):
        find_units(people(), "homes", owner="Test")


def test_households_of_one_are_none() -> None:
    data = Microdata.from_frame(pa.table({"home": [1, 2, 3], "a": [1, 1, 2]}), keys=["a"], household="home")
    assert find_units(data, None, owner="Test") is None
    assert find_units(data, "home", owner="Test") is not None


def test_empty_file() -> None:
    data = tc.samples.household_survey(10, seed=1).take(np.zeros(0, dtype=np.int64))
    assert find_units(data, None, owner="Test") is None
