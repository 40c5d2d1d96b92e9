"""Decimals: counted as they are written, rounded without leaving the grid."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.statistics.decimals import ceiled, decimals_of, floored, rounded


@given(st.lists(st.decimals(-(10**9), 10**9, places=4), min_size=1, max_size=20))
def test_as_many_as_are_written(values: list[Decimal]) -> None:
    places = max(max(0, -value.normalize().as_tuple().exponent) for value in values)  # type: ignore[operator]
    assert decimals_of(np.array([float(value) for value in values])) == places


@given(st.lists(st.decimals(-(10**9), 10**9, places=6), min_size=1, max_size=20), st.integers(0, 6))
def test_rounded_values_have_so_many(values: list[Decimal], places: int) -> None:
    x = np.array([float(value) for value in values])
    for rule in (rounded, floored, ceiled):
        made = rule(x, places)
        assert (decimals_of(made) or 0) <= places
        assert (np.abs(made - x) <= 10.0**-places).all()
    assert (floored(x, places) <= x).all()
    assert (ceiled(x, places) >= x).all()


def test_strange_columns() -> None:
    assert decimals_of(np.array([np.nan])) is None
    assert decimals_of(np.array([])) is None
    assert decimals_of(np.array([1e-200, 1.0])) is None
    assert decimals_of(np.array([1e300])) == 0
    assert decimals_of(np.array([0.1, 2.5], dtype=np.float32).astype(np.float64), single=True) == 1
    long = np.zeros(5000)
    long[-1] = 0.25
    assert decimals_of(long) == 2
    assert rounded(np.array([1e305, np.nan]), 9)[0] == 1e305


@pytest.mark.parametrize("places", [0, 2])
def test_bounds_on_the_grid_stay(places: int) -> None:
    x = np.array([0.0, 99.0, 0.29, 4.35])
    assert np.array_equal(floored(x[:2], places), x[:2])
    assert np.array_equal(ceiled(x[:2], places), x[:2])
    assert floored(x, 2).tolist() == x.tolist()
