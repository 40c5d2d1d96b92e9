"""Weighted statistics: a weight of two is the same as a record that occurs twice."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.statistics.regression import least_squares, logistic
from tacita.numeric.statistics.weighted import weighted_least_squares, weighted_logistic, weighted_quantiles


@given(st.integers(0, 10**6), st.integers(1, 30), st.floats(0.01, 1))
def test_quantile_by_counting(seed: int, n: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    values, weights = rng.integers(0, 8, n).astype(float), rng.integers(1, 5, n)
    found = weighted_quantiles(values, weights.astype(float), np.array([share]))[0]
    repeated = np.sort(np.repeat(values, weights))
    below = (repeated <= found).mean()
    assert below >= share - 1e-9
    assert (repeated < found).mean() < share


@pytest.mark.parametrize("seed", range(4))
def test_regressions_by_repetition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 200
    x, weights = rng.standard_normal((n, 2)), rng.integers(1, 4, n)
    design = np.column_stack([np.ones(n), x])
    y = x @ [1.0, -0.5] + rng.standard_normal(n)
    many = np.repeat(x, weights, axis=0)
    plain = least_squares(many, np.repeat(y, weights))
    assert weighted_least_squares(design, y, weights.astype(float)).coefficients == pytest.approx(plain.coefficients)
    hit = (y > 0).astype(float)
    plain = logistic(many, np.repeat(hit, weights))
    assert weighted_logistic(design, hit, weights.astype(float)).coefficients == pytest.approx(
        plain.coefficients, abs=1e-6
    )


def test_standard_errors_cover_the_truth() -> None:
    """400 samples with unequal weights: z-scores have variance 1, +- 5 sd of 0.07; errors 30 % off would give 0.6 or 1.7."""
    rng = np.random.default_rng(5)
    z = []
    for _ in range(400):
        n = 300
        x = np.column_stack([np.ones(n), rng.standard_normal(n)])
        weights = rng.uniform(0.5, 3, n)
        fit = weighted_least_squares(x, x @ [1.0, 2.0] + rng.standard_normal(n), weights)
        z.append((fit.coefficients[1] - 2.0) / fit.errors[1])
    assert abs(np.var(z) - 1) < 0.35
