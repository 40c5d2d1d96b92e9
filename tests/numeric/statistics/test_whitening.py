"""Whitening: uncorrelated columns of variance 1; directions without variance are left out."""

from __future__ import annotations

import numpy as np

from tacita.numeric.statistics.moments import standardise
from tacita.numeric.statistics.whitening import NULL_VARIANCE, whitening


def test_turned_columns_are_uncorrelated_with_variance_one() -> None:
    rng = np.random.default_rng(1)
    x = standardise(rng.normal(size=(400, 4)) @ rng.normal(size=(4, 4)))
    turned = x @ whitening(x)
    assert np.allclose(turned.T @ turned / 400, np.eye(4), atol=1e-9)


def test_an_accounting_identity_takes_one_direction_away() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(2, 300))
    x = standardise(np.column_stack([a, b, a + b]))
    assert whitening(x).shape == (3, 2)


def test_nearly_no_variance_counts_as_none() -> None:
    rng = np.random.default_rng(3)
    a = rng.normal(size=500)
    for noise, kept in ((np.sqrt(NULL_VARIANCE) / 100, 1), (np.sqrt(NULL_VARIANCE) * 100, 2)):
        x = standardise(np.column_stack([a, a + noise * rng.normal(size=500)]))
        assert whitening(x).shape[1] == kept


def test_constants_become_one_column_of_zeros() -> None:
    assert whitening(np.zeros((5, 3))).tolist() == [[0.0], [0.0], [0.0]]
