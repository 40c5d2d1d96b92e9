"""Costs of cells, and of steps, against the definition; lists of cells against loops."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.additive.goal import (
    PULL,
    VALUE,
    Holders,
    add_up,
    all_costs,
    faults,
    holders_of,
    make_board,
    make_step,
    price_of,
    price_of_two,
)
from tests.oracles.numeric.additive_costs import Cell, cost_by_hand, price_by_hand, sums_by_hand

CELLS = 6


def holders(members: list[list[int]]) -> Holders:
    start = np.cumsum([0, *map(len, members)])
    return holders_of(start, np.array([cell for cells in members for cell in cells], np.int64), CELLS)


def board_of(cells: list[Cell]) -> np.ndarray:
    names = ("aim", "truth", "reach", "weight", "steep", "least")
    board = make_board(*(np.array([cell[name] for cell in cells]) for name in names))
    board[:, PULL] = [cell["pull"] for cell in cells]
    return board


number = st.integers(0, 9)
cell = st.fixed_dictionaries(
    dict.fromkeys(("aim", "truth", "reach", "weight", "steep", "pull"), number) | {"least": st.integers(1, 5)}
)
members = st.lists(st.sets(st.integers(0, CELLS - 1), min_size=1).map(sorted), min_size=1, max_size=5)


@given(members, st.lists(cell, min_size=CELLS, max_size=CELLS), st.data())
def test_the_price_of_a_step_is_the_change_of_the_cost(
    lists: list[list[int]], cells: list[Cell], data: st.DataObject
) -> None:
    inner = data.draw(st.lists(st.integers(0, 8), min_size=len(lists), max_size=len(lists)))
    which = data.draw(st.integers(0, len(lists) - 1))
    step = data.draw(st.integers(-inner[which], 4))
    held, board = holders(lists), board_of(cells)
    board[:, VALUE] = add_up(held, np.array(inner))
    assert board[:, VALUE].tolist() == sums_by_hand(lists, inner, CELLS)
    assert all_costs(board).sum() == cost_by_hand(cells, board[:, VALUE].tolist())
    assert price_of(held, board, which, step) == price_by_hand(lists, cells, inner, which, step)
    make_step(held, board, which, step)
    inner[which] += step
    assert board[:, VALUE].tolist() == sums_by_hand(lists, inner, CELLS)


@given(members, st.lists(cell, min_size=CELLS, max_size=CELLS), st.data())
def test_the_price_of_two_steps_that_make_up_for_each_other(
    lists: list[list[int]], cells: list[Cell], data: st.DataObject
) -> None:
    inner = data.draw(st.lists(st.integers(3, 8), min_size=len(lists), max_size=len(lists)))
    one, other = (data.draw(st.integers(0, len(lists) - 1)) for _ in range(2))
    step = data.draw(st.integers(-3, 3))
    held, board = holders(lists), board_of(cells)
    board[:, VALUE] = add_up(held, np.array(inner))
    before = cost_by_hand(cells, board[:, VALUE].tolist())
    price = price_of_two(held, board, one, other, step)
    inner[one] += step
    inner[other] -= step
    assert before + price == cost_by_hand(cells, sums_by_hand(lists, inner, CELLS))


@given(members)
def test_holders_know_both_ways(lists: list[list[int]]) -> None:
    held = holders(lists)
    for place, cells in enumerate(lists):
        assert held.cells[held.start[place] : held.start[place + 1]].tolist() == sorted(cells)
    for number in range(CELLS):
        inside = held.inner[held.first[number] : held.first[number + 1]].tolist()
        assert inside == [place for place, cells in enumerate(lists) if number in cells]


def test_faults_are_distance_and_smallness() -> None:
    ones = np.ones(4, np.int64)
    board = make_board(4 * ones, 4 * ones, 2 * ones, ones, ones, 3 * ones)
    board[:, VALUE] = [0, 1, 2, 7]
    assert faults(board).tolist() == [2, 1 + 1, 0 + 1, 1]
