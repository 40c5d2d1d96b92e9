"""Clusters: clouds are found, sizes hold, and nothing depends on chance or order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.microaggregation.clusters import record_clusters


def test_clouds_are_found() -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 4, 400)
    x = rng.normal(size=(400, 2)) + 20 * np.array([[0, 0], [1, 0], [0, 1], [1, 1]])[truth]
    found = record_clusters(x, 4, 3)
    pairs = set(zip(truth.tolist(), found.tolist(), strict=True))
    assert len(pairs) == 4


@given(st.integers(1, 40), st.integers(1, 10), st.integers(1, 6), st.integers(0, 5))
def test_sizes(n: int, count: int, k: int, seed: int) -> None:
    x = np.random.default_rng(seed).integers(0, 4, (n, 2)).astype(float)
    sizes = np.bincount(record_clusters(x, count, k))
    assert sizes.sum() == n
    assert len(sizes) <= count
    assert sizes.min() >= min(k, n)


def test_no_record_is_nearer_to_another_centre() -> None:
    x = np.random.default_rng(3).normal(size=(300, 3))
    labels = record_clusters(x, 6, 1)
    centres = np.stack([x[labels == c].mean(axis=0) for c in range(labels.max() + 1)])
    distance = ((x[:, None] - centres) ** 2).sum(axis=2)
    assert distance[np.arange(300), labels] == pytest.approx(distance.min(axis=1))


def test_equal_records_are_one_cluster() -> None:
    assert record_clusters(np.ones((9, 2)), 4, 2).tolist() == [0] * 9
