"""Variance: the programme below is proven, and agrees with a general solver."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from tacita.core.errors import DataError
from tacita.query.camouflage.hull import Hull
from tacita.query.camouflage.outward import Bounds
from tacita.query.camouflage.quadratic import BLOCK, form_interval, least_form, root, variance_interval
from tests.effort import examples
from tests.query.camouflage.sets import candidates, hidden, hulls

ALL = slice(None)


def test_by_hand() -> None:
    """(0, 2) and (2, 1): the middle of both that has equal entries, v = (1/3, 2/3), has no variance; the first vertex has 2."""
    found = variance_interval(Hull(np.array([[0.0, 2.0], [2.0, 1.0]]), np.array([0.5, 0.5])), ALL)
    assert found == pytest.approx((0, 2), abs=1e-9)
    weights, bound = least_form(np.array([[1.0, 0.0], [0.0, 3.0]]))
    assert weights == pytest.approx([0.75, 0.25])
    assert bound == pytest.approx(0.75)
    assert root(Bounds(4.0, 9.0)) == pytest.approx((2, 3))


@pytest.mark.parametrize("seed", range(12))
def test_the_least_form_agrees_with_a_general_solver(seed: int) -> None:
    rng = np.random.default_rng(seed)
    k, rank = int(rng.integers(2, 9)), int(rng.integers(1, 9))
    images = rng.normal(size=(k, rank)) + rng.normal(size=rank)
    gram = images @ images.T
    weights, bound = least_form(gram)
    assert weights.sum() == pytest.approx(1)
    assert (weights >= 0).all()
    best = min(
        float(
            minimize(
                lambda v: v @ gram @ v,
                start,
                jac=lambda v: 2 * gram @ v,
                bounds=[(0, 1)] * k,
                constraints={"type": "eq", "fun": lambda v: v.sum() - 1, "jac": np.ones_like},
                method="SLSQP",
                options={"ftol": 1e-14, "maxiter": 500},
            ).fun
        )
        for start in (np.full(k, 1 / k), rng.dirichlet(np.ones(k)))
    )
    assert bound <= best + 1e-9
    assert bound == pytest.approx(best, abs=1e-6 * np.trace(gram))
    assert weights @ gram @ weights == pytest.approx(bound, abs=1e-9 * np.trace(gram))


@settings(max_examples=examples(25), deadline=None)
@given(hulls(), st.integers(0, 2**32))
def test_every_candidate_is_inside(hull: Hull, seed: int) -> None:
    if hull.records < 2:
        with pytest.raises(DataError, match="two members"):
            variance_interval(hull, ALL)
        return
    found = variance_interval(hull, ALL)
    assert found.low >= 0
    for row in hull.points:  # exactly, by rational numbers
        exact = [Fraction(v) for v in row.tolist()]
        mean = sum(exact) / len(exact)
        assert found.low <= sum((v - mean) ** 2 for v in exact) / (len(exact) - 1) <= found.high
    error = 1e-9 * (1 + hull.scale**2)
    for x in candidates(hull, 50, seed):
        assert found.low - error <= x.var(ddof=1) <= found.high + error


def test_dense_sampling_reaches_both_ends() -> None:
    _, hull = hidden(9)
    found = variance_interval(hull, ALL)
    seen = [float(x.var(ddof=1)) for x in candidates(hull, 20_000)]
    assert found.low <= min(seen) <= found.low + 0.05 * (found.high - found.low)
    assert max(seen) == pytest.approx(found.high)


def test_a_constant_has_no_variance_at_all() -> None:
    assert variance_interval(Hull(np.full((3, 5), 0.1), np.full(3, 1 / 3)), ALL) == (0, 0)
    assert root(Bounds(0.0, 0.0)) == (0, 0)
    tiny = variance_interval(Hull(np.array([[0.0, 1e-200]]), np.ones(1)), ALL)
    assert tiny.low == 0 < tiny.high  # its square is too small for a float, but it is not 0


def test_a_large_mean_does_not_swallow_the_spread() -> None:
    points = np.array([[1e9, 1e9 + 1, 1e9 + 2], [1e9, 1e9 + 2, 1e9 + 4]])
    found = variance_interval(Hull(points, np.array([0.5, 0.5])), ALL)
    assert found.low <= 1
    assert found.high >= 4
    assert found == pytest.approx((1, 4), rel=1e-3)


def test_blocks_do_not_show() -> None:
    _, hull = hidden(BLOCK + 50)
    rows = np.arange(hull.records)
    assert variance_interval(hull, ALL) == pytest.approx(variance_interval(hull, rows), rel=1e-9)
    top = max(float(row.var(ddof=1)) for row in hull.points)
    assert variance_interval(hull, ALL).high == pytest.approx(top, rel=1e-8)


def test_a_bound_that_fails_would_still_be_a_bound() -> None:
    """A wrong Gram matrix below 0 never gives an end below 0, and roots of ends are outside."""
    assert form_interval(np.array([[1e-20]]), 1e-5).low == 0
    low, high = root(Bounds(2.0, 2.0))
    assert low < math.sqrt(2) < high
