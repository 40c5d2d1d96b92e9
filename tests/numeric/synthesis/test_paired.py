"""Pairs of original and synthetic records: nearest by search of all, and both mixtures."""

from __future__ import annotations

import numpy as np
from scipy.stats import spearmanr

from tacita.numeric.synthesis.paired import hypercube_of, mixed, nearest_synthetic


def test_the_nearest_is_the_nearest_of_all() -> None:
    rng = np.random.default_rng(1)
    x, s = rng.normal(size=(80, 3)) * [1, 100, 0.01], rng.normal(size=(90, 3)) * [1, 100, 0.01]
    sd = x.std(axis=0, ddof=1)
    gaps = (((x[:, None] - s[None]) / sd) ** 2).sum(axis=2)
    assert np.array_equal(nearest_synthetic(x, s, x), s[gaps.argmin(axis=1)])


def test_a_synthetic_file_has_the_ranks_and_none_of_the_values() -> None:
    rng = np.random.default_rng(1)
    x = np.exp(rng.normal(size=(400, 3)) @ np.array([[1, 0.8, 0], [0, 1, -0.5], [0, 0, 1]]))
    made = hypercube_of(x, 5, 500, rng)
    assert made.shape == (500, 3)
    np.testing.assert_allclose(spearmanr(made).statistic, spearmanr(x).statistic, atol=0.03)
    assert not np.isin(made, x).any()
    assert (made > 0).all()


def test_mixtures() -> None:
    x, s = np.array([[2.0, 8.0]]), np.array([[4.0, 2.0]])
    assert mixed(x, s, 0.25, "additive").tolist() == [[3.5, 3.5]]
    np.testing.assert_allclose(mixed(x, s, 0.5, "multiplicative"), [[8**0.5, 4]])
