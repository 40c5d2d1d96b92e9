"""Robust covariance: against all halves of small files, against planted outliers, and for normal data."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tacita.numeric.statistics.robust_covariance import (
    _covariance,
    _settled,
    _size,
    _starts,
    chi_square_quantile,
    robust_covariance,
    robust_distances,
)


@pytest.mark.parametrize("seed", range(6))
def test_the_half_with_the_smallest_determinant(seed: int) -> None:
    """Twelve records in the plane, three of them far off: all 792 halves of seven are tried."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(12, 2))
    z[:3] += 20
    best = min(_size(np.cov(z[list(rows)].T)) for rows in itertools.combinations(range(12), 7))
    found = min(_size(_covariance(z[_settled(z, start, 7, 100)])) for start in _starts(z, 7))
    assert found == pytest.approx(best)
    assert robust_covariance(z)[0] == pytest.approx(z[3:].mean(axis=0), abs=1.0)


def test_normal_data_are_met() -> None:
    rng = np.random.default_rng(1)
    cov = np.array([[4.0, 1.5, 0.0], [1.5, 1.0, 0.2], [0.0, 0.2, 9.0]])
    x = rng.multivariate_normal([10, -5, 3], cov, 20_000)
    centre, found = robust_covariance(x)
    assert centre == pytest.approx(np.array([10, -5, 3]), abs=0.1)
    assert found == pytest.approx(cov, abs=0.25)
    beyond = robust_distances(x, centre, found) > chi_square_quantile(0.975, 3)
    assert beyond.mean() == pytest.approx(0.025, abs=0.006)


@pytest.mark.parametrize("share", [0.1, 0.3])
def test_outliers_have_no_influence(share: float) -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(1000, 3))
    far = int(1000 * share)
    x[:far] = 30 + 0.1 * rng.normal(size=(far, 3))
    centre, cov = robust_covariance(x)
    assert centre == pytest.approx(np.zeros(3), abs=0.2)
    assert np.diag(cov) == pytest.approx(np.ones(3), abs=0.25)
    assert (robust_distances(x, centre, cov)[:far] > 100).all()


def test_equal_under_scale_and_shift() -> None:
    x = np.random.default_rng(3).normal(size=(200, 2)) ** 3
    centre, cov = robust_covariance(x)
    scaled = robust_covariance(x * [1000, 0.01] + [5, -7])
    assert scaled[0] == pytest.approx(centre * [1000, 0.01] + [5, -7])
    assert scaled[1] == pytest.approx(cov * np.outer([1000, 0.01], [1000, 0.01]))


def test_few_records_and_flat_columns() -> None:
    few = np.array([[1.0, 2.0], [3.0, 5.0], [2.0, 2.0]])
    assert robust_covariance(few)[1] == pytest.approx(np.cov(few.T))
    assert robust_covariance(np.zeros((0, 2)))[0].tolist() == [0, 0]
    flat = np.column_stack([np.arange(30.0), np.ones(30), np.arange(30.0)])
    centre, cov = robust_covariance(flat)
    assert np.isfinite(robust_distances(flat, centre, cov)).all()
    assert robust_distances(np.ones((5, 2)), np.ones(2), np.zeros((2, 2))).tolist() == [0] * 5
