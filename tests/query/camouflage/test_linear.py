"""Sums, means and weighted ones: extreme at a vertex, never narrowed by rounding."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.query.camouflage.hull import Hull
from tacita.query.camouflage.linear import linear_interval
from tests.effort import examples
from tests.query.camouflage.sets import hulls

ALL = slice(None)
BY_HAND = Hull(np.array([[1.0, 5.0, 3.0], [2.0, 4.0, 9.0]]), np.array([0.5, 0.5]))


def test_by_hand() -> None:
    assert linear_interval(BY_HAND, ALL, None) == pytest.approx((9, 15))
    assert linear_interval(BY_HAND, np.array([0, 1]), None) == pytest.approx((6, 6))
    assert linear_interval(BY_HAND, ALL, None, is_mean=True) == pytest.approx((3, 5))
    weights = np.array([2.0, 1.0, 1.0])
    assert linear_interval(BY_HAND, ALL, weights) == pytest.approx((10, 17))
    assert linear_interval(BY_HAND, ALL, weights, is_mean=True) == pytest.approx((2.5, 4.25))
    assert linear_interval(BY_HAND, ALL, np.array([1.0, -1.0, 0.0])) == pytest.approx((-4, -2))


@settings(max_examples=examples(25), deadline=None)
@given(hulls(), st.data())
def test_the_exact_sums_of_all_vertices_are_inside(hull: Hull, data: st.DataObject) -> None:
    n = hull.records
    weights = np.array(data.draw(st.lists(st.floats(0, 100, allow_subnormal=False), min_size=n, max_size=n)))
    plain = [math.fsum(row.tolist()) for row in hull.points]
    found = linear_interval(hull, ALL, None)
    assert found.low <= min(plain) <= max(plain) <= found.high
    assert found.high - found.low <= max(plain) - min(plain) + 1e-6
    weighted = [sum(Fraction(w) * Fraction(v) for w, v in zip(weights, row, strict=True)) for row in hull.points]
    found = linear_interval(hull, ALL, weights)
    assert found.low <= min(weighted) <= max(weighted) <= found.high


def test_the_ends_respect_the_bounds_of_the_variable() -> None:
    hull = Hull(np.array([[0.0, 0.0], [0.0, 3.0]]), np.array([0.5, 0.5]), (0.0, 3.0))
    assert linear_interval(hull, np.array([0]), None).low == 0
    assert linear_interval(hull, ALL, np.array([0.1, 0.2])).low == 0
    assert linear_interval(hull, ALL, None, is_mean=True).low == 0
    top = linear_interval(hull, np.array([1]), None)
    assert 3 <= top.high <= math.nextafter(3, 4)


def test_many_members_add_up_without_loss() -> None:
    """A tenth, a million times: the exact sum is inside, though no float sum is exact."""
    hull = Hull(np.full((1, 1_000_000), 0.1), np.ones(1))
    found = linear_interval(hull, ALL, None)
    exact = math.fsum([0.1] * 1_000_000)
    assert found.low <= exact <= found.high
    assert found.high - found.low < 1e-6
