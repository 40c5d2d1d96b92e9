"""Regression with a camouflaged response is exact by vertices; with a camouflaged predictor, an outer bound."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.query.camouflage.hull import Hull
from tacita.query.camouflage.regression import (
    BLOCK,
    coefficient_intervals,
    predictor_interval,
    residual_variance_interval,
)
from tests.query.camouflage.sets import candidates, hidden


def design(n: int, d: int = 3, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.column_stack([np.ones(n), rng.normal(1e3, 10, size=(n, d - 1))])


def fitted(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, float]:
    found = np.linalg.lstsq(x, y, rcond=None)[0]
    return found, float(np.square(y - x @ found).sum() / (len(x) - x.shape[1]))


def test_by_hand() -> None:
    """1, 2, 3 and 1, 3, 5 on 0, 1, 2: slopes 1 and 2, constant 1, no residuals."""
    hull = Hull(np.array([[1.0, 2.0, 3.0], [1.0, 3.0, 5.0]]), np.array([0.5, 0.5]))
    x = np.column_stack([np.ones(3), np.arange(3.0)])
    constant, slope = coefficient_intervals(hull, x)
    assert constant == pytest.approx((1, 1), abs=1e-8)
    assert slope == pytest.approx((1, 2), abs=1e-8)
    assert residual_variance_interval(hull, x) == pytest.approx((0, 0), abs=1e-8)
    assert coefficient_intervals(hull, x, digits=2)[1] == (0.99, 2.1)


@pytest.mark.parametrize("n", [12, BLOCK + 20])
def test_every_candidate_is_inside_and_vertices_are_the_ends(n: int) -> None:
    _, hull = hidden(n)
    x = design(n)
    bounds, variance = coefficient_intervals(hull, x), residual_variance_interval(hull, x)
    plain = np.array([fitted(x, y)[0] for y in hull.points])
    for j, (low, high) in enumerate(bounds):
        assert (low, high) == pytest.approx((plain[:, j].min(), plain[:, j].max()), rel=1e-5)
    for y in candidates(hull, 60):
        coefficients, left = fitted(x, y)
        for value, (low, high) in zip(coefficients, bounds, strict=True):
            assert low - 1e-9 * abs(low) <= value <= high + 1e-9 * abs(high)
        assert variance.low * (1 - 1e-9) <= left <= variance.high * (1 + 1e-9)
    assert variance.high == pytest.approx(max(fitted(x, y)[1] for y in hull.points), rel=1e-6)


def test_members_and_missing_responses_are_left_out() -> None:
    _, hull = hidden(30)
    x = design(30)
    part = np.arange(0, 30, 2)
    found = coefficient_intervals(hull, x, part)
    alone = coefficient_intervals(Hull(hull.points[:, part], hull.weights), x[part])
    assert np.array(found) == pytest.approx(np.array(alone), rel=1e-6)
    points = hull.points.copy()
    points[:, 1::2] = np.nan
    x[1::2] = np.nan
    assert np.array(coefficient_intervals(Hull(points, hull.weights), x)) == pytest.approx(np.array(alone))


@pytest.mark.parametrize("strength", [-2.0, 0.0, 2.0])
def test_a_camouflaged_predictor_has_an_outer_bound(strength: float) -> None:
    values, hull = hidden(60)
    others = design(60, 2)
    response = others @ [1.0, 0.1] + strength * values + np.random.default_rng(3).normal(size=60)
    found = predictor_interval(hull, response, others)
    for x in candidates(hull, 100):
        assert found.low <= fitted(np.column_stack([x, others]), response)[0][0] <= found.high
    assert np.isfinite(found).all()
    if strength:
        assert np.sign(found.low) == np.sign(found.high) == np.sign(strength)


def test_a_predictor_that_may_be_constant_has_no_bound() -> None:
    hull = Hull(np.array([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]), np.array([0.4, 0.6]))
    assert predictor_interval(hull, np.arange(3.0), np.ones((3, 1))) == (-np.inf, np.inf)


@pytest.mark.parametrize(
    ("x", "error", "words"),
    [
        (np.ones((4, 1)), ParameterError, "one row"),
        (np.ones(5), ParameterError, "matrix"),
        (np.empty((5, 0)), ParameterError, "matrix"),
        (np.ones((5, 2)), DataError, "depend"),
        (np.zeros((5, 1)), DataError, "not 0"),
        (np.full((5, 1), np.nan), DataError, "finite"),
        (np.eye(5), DataError, "more members"),
    ],
)
def test_designs_without_coefficients_are_errors(x: np.ndarray, error: type[Exception], words: str) -> None:
    _, hull = hidden(5)
    with pytest.raises(error, match=words):
        coefficient_intervals(hull, x)


def test_a_wrong_response_is_an_error() -> None:
    _, hull = hidden(5)
    with pytest.raises(ParameterError, match="'response'"):
        predictor_interval(hull, np.ones(4), np.ones((5, 1)))
    with pytest.raises(DataError, match="finite response"):
        predictor_interval(hull, np.full(5, np.nan), np.ones((5, 1)))
    with pytest.raises(DataError, match="at least one member"):
        coefficient_intervals(hull, np.ones((5, 1)), np.zeros(5, bool))
