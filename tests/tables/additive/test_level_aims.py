"""Levels: the least that is possible against all choices, and pulls that rise and fall."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tacita.numeric.additive.goal import PULL, VALUE, holders_of, make_board
from tacita.tables.additive.level_aims import is_balanced, least_distance, level_aims


@pytest.mark.parametrize("counts", [[1, 1, 1], [1, 1, 2, 5], [2, 2, 2, 7], [1, 2, 2, 2, 1], [1, 1, 1, 1, 9], [4, 6]])
@pytest.mark.parametrize("balanced", [True, False])
def test_the_least_is_below_every_choice(counts: list[int], balanced: bool) -> None:
    """All tables without ones and twos are tried; the bound is below the best, and near where a larger count can balance."""
    choices = [[x for x in (0, *range(3, count + 4)) if abs(x - count) <= 4] for count in counts]
    tables = (x for x in product(*choices) if not balanced or sum(x) == sum(counts))
    best = min(sum(abs(x - t) for x, t in zip(table, counts, strict=True)) for table in tables)
    bound = least_distance(np.array(counts), 3, balanced=balanced)
    assert bound <= best + 1e-9
    if not balanced or max(counts) > 3:
        assert best - bound < (1 + 1e-9 if balanced else 1e-9)


def test_no_small_counts_no_bound() -> None:
    assert least_distance(np.array([1, 2, 9]), 1, balanced=True) == 0


def test_balance_is_that_of_the_lists() -> None:
    held = holders_of(np.array([0, 2, 3]), np.array([0, 1, 0]), 2)
    assert is_balanced(held, np.array([True, False]))
    assert not is_balanced(held, np.array([True, True]))


def test_pulls_rise_where_a_level_is_too_far_and_fall_again() -> None:
    ones = np.ones(5, np.int64)
    board = make_board(9 * ones, 9 * ones, 3 * ones, np.array([8, 8, 8, 0, 8]), ones, ones)
    aims = level_aims([np.array([0, 1, 2, 3]), np.array([4])], [0.0, 0.0], mean=1.1)
    assert aims.most.tolist() == [4, 1]
    board[:, VALUE] = [12, 11, 10, 9, 9]
    assert aims.excess(board).tolist() == [2, 0]
    assert aims.too_far(board).tolist() == [True, True, False, False, False]
    aims.adjust(board)
    assert board[:, PULL].tolist() == [1, 1, 1, 0, 0], "what is fixed is not pulled"
    board[:, VALUE] = 9
    aims.adjust(board)
    assert not board[:, PULL].any()


def test_what_cannot_be_is_not_asked_for() -> None:
    aims = level_aims([np.arange(30)], [40.0], mean=1.1)
    assert aims.most.tolist() == [40]
