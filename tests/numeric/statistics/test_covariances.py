"""Covariance matrices for noise and their factors."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.numeric.statistics.covariances import factor, sample_covariance


def test_every_entry_has_the_denominator_of_its_own_records() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(50, 3))
    np.testing.assert_allclose(sample_covariance(x), np.cov(x.T))
    x[2:, 0] = np.nan
    found = sample_covariance(x)
    assert found[0, 0] == pytest.approx(np.var(x[:2, 0], ddof=1))
    assert found[1, 2] == pytest.approx(np.cov(x[:, 1], x[:, 2])[0, 1])


@pytest.mark.parametrize("units", [(1.0, 1.0, 1.0), (1e-2, 1.0, 1e12), (1e150, 1e-100, 1.0)])
def test_a_factor_gives_the_matrix_back_in_any_units(units: tuple[float, ...]) -> None:
    correlation = np.array([[1.0, 0.7, 0.7], [0.7, 1.0, 0.9], [0.7, 0.9, 1.0]])
    sd = np.array(units)
    made = factor(correlation * np.outer(sd, sd)) / sd[:, None]
    np.testing.assert_allclose(made @ made.T, correlation, atol=1e-12)


def test_a_singular_matrix_and_a_constant_column_are_no_obstacle() -> None:
    cov = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
    np.testing.assert_allclose(factor(cov) @ factor(cov).T, cov, atol=1e-12)
