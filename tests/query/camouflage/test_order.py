"""Quantiles and counts lie between those of all least and all greatest values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.query.camouflage.hull import Hull
from tacita.query.camouflage.order import count_interval, quantile_interval
from tests.effort import examples
from tests.query.camouflage.sets import candidates, hulls

ALL = slice(None)


def test_by_hand() -> None:
    hull = Hull(np.array([[1.0, 5.0, 3.0, 8.0], [2.0, 4.0, 9.0, 8.0]]), np.array([0.5, 0.5]))
    assert quantile_interval(hull, ALL, 0.5) == pytest.approx((3.5, 6.5))  # of 1 3 4 8 and 2 5 8 9
    assert quantile_interval(hull, ALL, 0.0) == (1, 2)
    assert quantile_interval(hull, ALL, 1.0) == (8, 9)
    assert quantile_interval(hull, np.array([0, 1, 2]), 0.25) == pytest.approx((2, 3.5))
    assert count_interval(hull, ALL, 4.0) == (1, 3)
    assert count_interval(hull, np.array([0, 3]), 8.0) == (0, 0)


@settings(max_examples=examples(25), deadline=None)
@given(hulls(), st.floats(0, 1), st.floats(-1e6, 1e6), st.integers(0, 2**32))
def test_every_candidate_is_inside(hull: Hull, q: float, limit: float, seed: int) -> None:
    error = 1e-12 * hull.scale
    found, count = quantile_interval(hull, ALL, q), count_interval(hull, ALL, limit)
    for x in candidates(hull, 50, seed):
        assert found.low - error <= np.quantile(x, q) <= found.high + error
        assert (hull.least - error <= x).all()
    for x in hull.points:
        assert count.low <= (x > limit).sum() <= count.high


@pytest.mark.parametrize("q", [0.1, 0.25, 0.5, 0.9])
def test_a_column_without_camouflage_has_its_own_quantile(q: float) -> None:
    values = np.random.default_rng(1).normal(size=1001)
    low, high = quantile_interval(Hull(values[None, :], np.ones(1)), ALL, q)
    assert low <= np.quantile(values, q) <= high
    assert high - low < 1e-9


def test_zeros_stay_zeros() -> None:
    """The quantile of equal values is that value: no end goes below the bound for the sake of rounding."""
    assert quantile_interval(Hull(np.zeros((2, 6)), np.array([0.5, 0.5])), ALL, 0.3) == (0, 0)
