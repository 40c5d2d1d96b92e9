"""Correlated shares: rank correlations of what comes out, also where ties weaken them; slices of a hypercube."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from tacita.numeric.synthesis.column_values import ColumnValues
from tacita.numeric.synthesis.copula import copula_correlations, copula_shares, latin_shares
from tacita.numeric.synthesis.latent import LatentFile, fit_latent, rank_agreement


def mixed_file(n: int = 1500) -> tuple[LatentFile, np.ndarray]:
    """Two numbers, one of them with many zeros, a rare yes or no, and four ordered classes, all correlated."""
    rng = np.random.default_rng(1)
    z = rng.normal(size=(n, 4)) @ np.linalg.cholesky(0.6 * np.ones((4, 4)) + 0.4 * np.eye(4)).T
    x = np.column_stack([np.exp(z[:, 0]), np.maximum(z[:, 1], 0), z[:, 2] > 1.2, np.digitize(z[:, 3], [-1, 0, 1])])
    columns = [ColumnValues.of_numbers(x[:, j]) for j in (0, 1)]
    columns += [ColumnValues.of_classes(x[:, j].astype(int), c, is_ordered=True) for j, c in ((2, 2), (3, 4))]
    return fit_latent(columns, 5), x


def test_ties_do_not_weaken_what_comes_out() -> None:
    """Drawn with the correlations as they are, a rare class would correlate less: the latent ones make up for it."""
    file, x = mixed_file()
    correlations = copula_correlations(file, np.random.default_rng(2))
    shares = copula_shares(correlations, 40000, np.random.default_rng(3))
    drawn = np.column_stack([column.values for column in file.columns_at(shares)])
    np.testing.assert_allclose(spearmanr(drawn).statistic, spearmanr(x).statistic, atol=0.025)
    plain = copula_shares(2 * np.sin(np.pi / 6 * file.wanted), 40000, np.random.default_rng(3))
    lost = file.wanted - rank_agreement(file.ranks_at(plain) - 0.5)
    assert lost.max() > 0.1


def test_a_hypercube_has_one_share_in_each_slice_and_the_ranks() -> None:
    file, x = mixed_file()
    shares, correlations = latin_shares(file, 1000, np.random.default_rng(2))
    assert (np.sort(np.floor(shares * 1000), axis=0) == np.arange(1000)[:, None]).all()
    drawn = np.column_stack([column.values for column in file.columns_at(shares)])
    np.testing.assert_allclose(spearmanr(drawn).statistic, spearmanr(x).statistic, atol=0.02)
    assert correlations.shape == (4, 4)
    np.testing.assert_allclose(drawn.mean(0), x.mean(0), rtol=0.02)


@pytest.mark.parametrize("n", [0, 1, 3, 5])
def test_few_records(n: int) -> None:
    file, _ = mixed_file(200)
    shares, correlations = latin_shares(file, n, np.random.default_rng(2))
    assert shares.shape == (n, 4)
    assert copula_shares(correlations, n, np.random.default_rng(2)).shape == (n, 4)


def test_a_column_that_follows_from_another_nearly_does() -> None:
    x = np.random.default_rng(1).normal(size=400)
    columns = [ColumnValues.of_numbers(x), ColumnValues.of_numbers(np.exp(x)), ColumnValues.of_numbers(np.ones(400))]
    file = fit_latent(columns, 5)
    shares = copula_shares(copula_correlations(file, np.random.default_rng(2)), 1000, np.random.default_rng(3))
    assert spearmanr(shares[:, :2]).statistic > 0.99
    assert file.wanted[0, 2] == 0
