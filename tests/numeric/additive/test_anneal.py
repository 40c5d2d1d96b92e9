"""Annealing: the cost that it reports is the one that it made, inner cells stay allowed, and the same seed repeats."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.numeric.additive.anneal import anneal, temperatures
from tacita.numeric.additive.goal import VALUE, Holders, add_up, all_costs, holders_of, make_board


def example(seed: int, smallest: int) -> tuple[Holders, np.ndarray, np.ndarray]:
    """A table of 8 x 9 with its margins; noisy counts do not add up."""
    rng = np.random.default_rng(seed)
    rows, columns = np.divmod(np.arange(72), 9)
    cells = np.stack([np.arange(72), 72 + rows, 80 + columns, np.full(72, 89)], axis=1)
    held = holders_of(np.arange(0, 4 * 72 + 1, 4), cells.ravel(), 90)
    inner = rng.integers(1, 9, 72)
    truth = add_up(held, inner)
    noisy = np.maximum(truth + rng.integers(-3, 4, 90), 0)
    ones = np.ones(90, np.int64)
    board = make_board(noisy, truth, 3 * ones, ones, 5 * ones, smallest * ones)
    inner = np.where(inner < smallest, smallest, inner)
    board[:, VALUE] = add_up(held, inner)
    return held, board, inner


@pytest.mark.parametrize("smallest", [1, 3, 4])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_change_is_that_of_the_cost(seed: int, smallest: int) -> None:
    held, board, inner = example(seed, smallest)
    before = all_costs(board).sum()
    every = np.arange(len(inner))
    change = anneal(
        held, board, inner, every, smallest, smallest, temperatures(30, 2.0, 0.2), np.random.default_rng(seed)
    )
    assert change == all_costs(board).sum() - before < 0
    assert np.array_equal(board[:, VALUE], add_up(held, inner))
    assert ((inner == 0) | (inner >= smallest)).all()
    assert not np.isin(board[:, VALUE], np.arange(1, smallest)).any(), "sums of such cells are safe"


def test_nothing_gets_dearer_when_it_is_cold() -> None:
    held, board, inner = example(4, 3)
    costs = []
    for sweep in range(10):
        change = anneal(held, board, inner, np.arange(72), 3, 3, np.zeros(1), np.random.default_rng(sweep))
        costs.append(change)
    assert all(change <= 0 for change in costs)
    assert sum(costs) < 0


def test_only_the_chosen_and_their_partners_move() -> None:
    """The first inner cell alone, in a table where nobody shares a cell with it, is all that changes."""
    held = holders_of(np.array([0, 1, 2]), np.array([0, 1]), 2)
    ones = np.ones(2, np.int64)
    board = make_board(9 * ones, 5 * ones, 9 * ones, ones, ones, ones)
    inner = np.array([5, 5])
    board[:, VALUE] = add_up(held, inner)
    anneal(held, board, inner, np.array([0]), 1, 1, np.zeros(60), np.random.default_rng(1))
    assert inner.tolist() == [9, 5]


def test_a_seed_repeats() -> None:
    made = []
    for seed in (1, 1, 2):
        held, board, inner = example(5, 3)
        anneal(held, board, inner, np.arange(72), 3, 3, temperatures(20, 2.0, 0.2), np.random.default_rng(seed))
        made.append(inner.tolist())
    assert made[0] == made[1] != made[2]


def test_temperatures_fall_by_one_ratio() -> None:
    heats = temperatures(5, 2.0, 0.125)
    assert heats == pytest.approx([2, 1, 0.5, 0.25, 0.125])
    assert temperatures(0, 2.0, 0.1).tolist() == []


def test_a_sum_jumps_over_small_counts() -> None:
    """A sum at 0 of three free inner cells, for which 1 and 2 are far too dear: only a jump brings it to its noisy 3."""
    for jump, reached in ((1, 0), (3, 3)):
        held = holders_of(np.arange(4), np.zeros(3, np.int64), 1)
        ones = np.ones(1, np.int64)
        board = make_board(3 * ones, 3 * ones, 9 * ones, ones, 1000 * ones, 3 * ones)
        inner = np.zeros(3, np.int64)
        anneal(held, board, inner, np.arange(3), 1, jump, np.full(200, 0.2), np.random.default_rng(1))
        assert board[0, VALUE] == inner.sum() == reached
