"""Settling: bounds hold where they can, fixed cells stay, what cannot hold is reported, and a seed repeats."""

from __future__ import annotations

import numpy as np

from tacita.numeric.additive.goal import add_up, holders_of
from tacita.tables.additive.inner_cells import inner_cells
from tacita.tables.additive.settle import board_of, settle
from tests.tables.additive.examples import census_table, noisy_counts


def test_cells_at_fault_are_called_back() -> None:
    table = census_table()
    counts = table.counts
    found = inner_cells(table.relations, counts > 0)
    noisy = noisy_counts(counts)
    fixed = np.zeros(len(table), bool)
    fixed[0] = True
    made = []
    for seed in (1, 1, 2):
        board = board_of(noisy, counts, reach=3, least=3, fixed=fixed)
        made.append(
            settle(found.holders, board, noisy[found.places], smallest=3, sweeps=20, rng=np.random.default_rng(seed))
        )
    for each in made:
        assert not each.at_fault.any()
        assert each.values[0] == counts[0]
        assert np.array_equal(each.values, add_up(found.holders, each.inner))
        assert np.abs(each.values - counts).max() <= 3
    assert np.array_equal(made[0].values, made[1].values)
    assert not np.array_equal(made[0].values, made[2].values)


def test_what_cannot_hold_is_reported() -> None:
    """Two inner cells of one person each and their sum of 2: with 0 and 3 only, the sum is 0, 3 or 6, never 2."""
    held = holders_of(np.array([0, 2, 4]), np.array([0, 1, 0, 2]), 3)
    truth = np.array([2, 1, 1])
    board = board_of(truth, truth, reach=2, least=3, fixed=np.array([True, False, False]))
    made = settle(held, board, truth[1:], smallest=3, sweeps=5, rng=np.random.default_rng(1))
    assert made.at_fault.tolist() == [True, False, False]
    assert made.rounds == 60
