"""Principal components: definition, dropped components, alignment."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.numeric.statistics.factors import Factors, align, correlation_of, principal_components


def test_two_columns_by_hand() -> None:
    """Correlation 0.6: eigenvalues 1.6 and 0.4 with (1, 1) and (1, -1) over the square root of 2."""
    found = principal_components(np.array([[1.0, 0.6], [0.6, 1.0]]), 1e-8)
    assert found.eigenvalues == pytest.approx([1.6, 0.4])
    assert np.abs(found.loadings) == pytest.approx(np.sqrt([[0.8, 0.2], [0.8, 0.2]]))
    assert found.communalities == pytest.approx([0.8, 0.8])
    assert np.abs(found.coefficients) == pytest.approx(np.sqrt([[0.5 / 1.6, 0.5 / 0.4]] * 2))


def test_loadings_are_correlations_and_coefficients_give_scores_of_variance_one() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200, 4)) @ rng.normal(size=(4, 4))
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    found = principal_components(np.corrcoef(x.T), 1e-8)
    scores = z @ found.coefficients
    assert scores.var(axis=0) == pytest.approx(np.ones(4))
    assert found.loadings == pytest.approx(z.T @ scores / 200)


def test_components_without_variance_are_dropped() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(2, 50))
    found = principal_components(np.corrcoef([a, b, a + b]), 1e-8)
    assert found.vectors.shape == (3, 2)
    indefinite = np.array([[1.0, 0.9, -0.9], [0.9, 1.0, 0.9], [-0.9, 0.9, 1.0]])
    assert (principal_components(indefinite, 1e-8).eigenvalues > 0).all()


def test_alignment_undoes_order_and_signs() -> None:
    rng = np.random.default_rng(3)
    found = principal_components(np.corrcoef(rng.normal(size=(5, 100))), 1e-8)
    turn, sign = np.array([3, 0, 4, 1, 2]), np.array([1, -1, -1, 1, -1])
    mixed = Factors(found.eigenvalues[turn], found.vectors[:, turn] * sign)
    back = align(found, mixed)
    assert back.vectors == pytest.approx(found.vectors)
    assert back.eigenvalues == pytest.approx(found.eigenvalues)


def test_alignment_of_unequal_numbers() -> None:
    first = Factors(np.array([2.0, 1.0]), np.eye(3)[:, :2])
    fewer = align(first, Factors(np.array([3.0]), np.eye(3)[:, 1:2]))
    assert fewer.eigenvalues.tolist() == [0, 3]
    assert fewer.coefficients[:, 0].tolist() == [0, 0, 0]
    more = align(first, Factors(np.array([2.0, 1.5, 1.0]), -np.eye(3)[:, ::-1]))
    assert more.eigenvalues.tolist() == [1.0, 1.5]
    assert more.vectors.tolist() == np.eye(3)[:, :2].tolist()


def test_a_column_without_spread_has_no_correlation() -> None:
    r = correlation_of(np.array([[4.0, 0.0], [0.0, 0.0]]))
    assert r[0, 0] == 1
    assert np.isnan(r[1]).all()
    assert np.isnan(r[0, 1])
