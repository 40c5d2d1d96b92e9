"""The linear bound: right where it can be seen, below every additive table, and an error where there is none."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tacita.core.errors import DataError
from tacita.tables.additive.nearest_bound import nearest_bound
from tacita.tables.model.relations import Relations

ROWS = Relations.of([(0, [1, 2])], 3)


@pytest.mark.parametrize("seed", range(10))
def test_it_is_the_best_of_all_tables(seed: int) -> None:
    """One sum is a network, so that whole numbers cost nothing; every table within the bound is tried."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 5, 2)
    truth = np.array([truth.sum(), *truth])
    noisy = np.maximum(truth + rng.integers(-3, 4, 3), 0)
    tables = [
        abs(a + b - noisy[0]) + abs(a - noisy[1]) + abs(b - noisy[2])
        for a, b in itertools.product(range(12), repeat=2)
        if max(abs(a - truth[1]), abs(b - truth[2]), abs(a + b - truth[0])) <= 3
    ]
    assert nearest_bound(ROWS, truth, noisy, D=3) == pytest.approx(min(tables))


def test_a_noisy_count_beyond_the_bound_is_counted() -> None:
    """5 = 3 + 2 is the nearest table within 1 of the truth."""
    truth = np.array([4, 2, 2])
    assert nearest_bound(ROWS, truth, np.array([14, 7, 7]), D=1) == pytest.approx(9 + 4 + 5)


def test_fixed_cells_that_contradict_each_other() -> None:
    with pytest.raises(DataError, match="no additive table"):
        nearest_bound(ROWS, np.array([9, 2, 2]), np.array([9, 2, 2]), D=1)
