"""Latent columns: gaps of their own, an order for classes that have none, and correlations over pairs."""

from __future__ import annotations

import numpy as np
from scipy.stats import spearmanr

from tacita.numeric.synthesis.column_values import ColumnValues
from tacita.numeric.synthesis.latent import fit_latent, latent_factor, rank_agreement


def test_wanted_correlations_are_spearman_s() -> None:
    rng = np.random.default_rng(1)
    x = np.round(rng.normal(size=(300, 3)) @ np.array([[1, 0.8, 0], [0, 1, -0.5], [0, 0, 1]]), 1)
    file = fit_latent([ColumnValues.of_numbers(column) for column in x.T], 5)
    np.testing.assert_allclose(file.wanted, spearmanr(x).statistic, atol=1e-12)


def test_pairs_are_over_the_records_that_have_both() -> None:
    ranks = np.array([[-1.0, 1.0], [0.0, np.nan], [1.0, -1.0], [np.nan, 5.0]])
    assert rank_agreement(ranks)[0, 1] == -1
    assert rank_agreement(np.array([[0.0, 1.0], [0.0, -1.0]]))[0, 1] == 0


def test_columns_with_the_same_gaps_share_them() -> None:
    x = np.array([[1.0, np.nan, np.nan], [2, 5, 1], [3, 6, 7], [4, np.nan, np.nan], [np.nan, 3, 2]])
    file = fit_latent([ColumnValues.of_numbers(column) for column in x.T], 2)
    assert file.gap_of[1] == file.gap_of[2] != file.gap_of[0]
    made = file.columns_at(np.random.default_rng(1).random((50, len(file.margins))))
    assert np.array_equal(made[1].gaps, made[2].gaps)
    assert made[0].gaps.any()


def test_unordered_classes_get_the_order_that_tells_most() -> None:
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 4, 500)
    height = np.array([3.0, -1.0, 0.0, 7.0])[codes] + 0.1 * rng.normal(size=500)
    file = fit_latent([ColumnValues.of_classes(codes, 4), ColumnValues.of_numbers(height)], 5)
    order = file.margins[0].order.tolist()  # type: ignore[attr-defined]
    assert order in ([1, 2, 0, 3], [3, 0, 2, 1])
    assert abs(file.wanted[0, 1]) > 0.9


def test_a_column_of_few_numbers_comes_out_empty() -> None:
    x = np.full(20, np.nan)
    x[:3] = [1.0, 2.0, 3.0]
    file = fit_latent([ColumnValues.of_numbers(x), ColumnValues.of_numbers(np.arange(20.0))], 5)
    made = file.columns_at(np.full((4, len(file.margins)), 0.5))
    assert (made[0].gaps == 1).all()
    assert not made[1].gaps.any()


def test_impossible_correlations_are_brought_to_possible_ones() -> None:
    factor = latent_factor(np.array([[1.0, 0.9, -0.9], [0.9, 1.0, 0.9], [-0.9, 0.9, 1.0]]))
    made = factor @ factor.T
    np.testing.assert_allclose(np.diag(made), 1)
    assert np.linalg.eigvalsh(made).min() > -1e-9
