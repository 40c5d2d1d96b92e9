"""Microaggregation by robust distance: against the search of all records, group by group."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.mask.microaggregation.rmd import Rmd
from tacita.numeric.microaggregation.fixed_size import seeded_partition
from tests.conformance.examples import numbers


def by_search(x: np.ndarray, k: int, order: np.ndarray) -> list[set[int]]:
    """Take the first record left and its k - 1 nearest; the rest is the last group."""
    left, groups = set(range(len(x))), []
    for seed in order.tolist():
        if len(left) < 2 * k:
            break
        if seed in left:
            left.discard(seed)
            near = sorted(left, key=lambda i: (float(((x[i] - x[seed]) ** 2).sum()), i))[: k - 1]
            left -= set(near)
            groups.append({seed, *near})
    return [*groups, left]


@given(st.integers(1, 90), st.integers(1, 5), st.integers(1, 3), st.integers(0, 20))
def test_equals_the_search_of_all_records(n: int, k: int, d: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, order = rng.normal(size=(n, d)), rng.permutation(n)
    labels = seeded_partition(x, k, order)
    found = [set(np.flatnonzero(labels == g).tolist()) for g in range(labels.max() + 1)]
    assert found == by_search(x, k, order)


def test_outliers_are_grouped_first() -> None:
    """Three records far off in one direction and three in another: each three are a group, and the crowd is left alone."""
    rng = np.random.default_rng(4)
    x = rng.normal(size=(60, 2))
    x[:3] = np.array([50, 50]) + rng.normal(size=(3, 2))
    x[3:6] = np.array([-80, 40]) + rng.normal(size=(3, 2))
    masked = Rmd(columns=["a", "b"], k=3, decimals="any", dominance=100).apply(numbers(a=x[:, 0], b=x[:, 1])).float("a")
    assert masked[:3] == pytest.approx(np.full(3, x[:3, 0].mean()))
    assert masked[3:6] == pytest.approx(np.full(3, x[3:6, 0].mean()))
    assert masked[6:].max() < 5
    assert masked.mean() == pytest.approx(x[:, 0].mean())
