"""Bounds narrowed by sums: never beyond what is possible, and as far as single sums go."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.solve.cell_intervals import cell_intervals
from tacita.solve.narrowed_sums import narrowed_by_sums
from tests.solve.test_cell_intervals import random_table


@pytest.mark.parametrize("seed", range(5))
def test_bounds_are_no_narrower_than_those_of_programmes(seed: int) -> None:
    rows, values, _ = random_table(seed)
    rng = np.random.default_rng(seed)
    inner = np.arange(len(values)) < 20
    wide = np.where(inner, 20.0, 1.0)
    shown = values + np.where(inner, rng.integers(-20, 21, len(values)), 0)
    lower, upper = np.maximum(shown - wide, 0.0), shown + wide
    low, high = narrowed_by_sums(rows.indptr, rows.indices, rows.data, lower, upper, change=0.0)
    exact = cell_intervals(rows, lower, upper, np.arange(len(values)))
    assert exact is not None
    assert (low <= exact[0] + 1e-6).all()
    assert (high >= exact[1] - 1e-6).all()
    assert (high - low).sum() < (upper - lower).sum()


def test_whole_numbers_are_rounded_inwards() -> None:
    start, cells, signs = np.array([0, 3]), np.arange(3), np.array([1.0, -1, -1])
    ends = np.array([2.5, 0.0, 0.0]), np.array([7.5, 2.5, 2.5])
    low, high = narrowed_by_sums(start, cells, signs, *ends, change=0.0, whole=True)
    assert low.tolist() == [3.0, 1.0, 1.0]
    assert high.tolist() == [4.0, 2.0, 2.0]


def test_without_sums_nothing_changes() -> None:
    low, high = narrowed_by_sums(
        np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0), *np.ones((2, 3)), change=0.0
    )
    assert low.tolist() == high.tolist() == [1.0, 1.0, 1.0]
