"""Demands: levels as moves, what sliding levels add, seats that are exempt or believe less."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.tables.model.seats import Seats
from tacita.tables.rules.inside import Inside
from tacita.tables.suppression.fast.demands import Demands, rooms
from tests.tables.small_problems import grid

SQUARE = np.array([[3.0, 20.0], [15.0, 12.0]])


def asked(demands: Demands) -> list[tuple[int, float, int]]:
    return list(zip(demands.cells.tolist(), demands.amounts.tolist(), demands.private.tolist(), strict=True))


def test_levels_become_moves_up_and_down() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0), (1, 1)], level=2.0)
    assert asked(Demands.of(problem)) == [(0, 2.0, -1), (4, 2.0, -1), (0, -2.0, -1), (4, -2.0, -1)]


def test_a_sliding_level_is_asked_on_both_sides_as_far_as_there_is_room() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0)], level=1.0)
    wide = replace(problem, sliding=np.where(problem.unsafe, 5.0, 0.0))
    assert asked(Demands.of(wide)) == [(0, 2.5, -1), (0, -2.5, -1)]
    assert asked(Demands.of(wide, upwards=1.0)) == [(0, 4.0, -1), (0, -1.0, -1)]
    assert asked(Demands.of(wide, upwards=0.0)) == [(0, 2.0, -1), (0, -3.0, -1)]  # no cell goes below 0
    assert asked(Demands.of(wide, upwards=np.full(9, 2 / 3))) == [(0, 3.0, -1), (0, -2.0, -1)]
    tight = replace(wide, upper=np.where(problem.unsafe, 5.0, np.inf))
    assert asked(Demands.of(tight, upwards=1.0)) == [(0, 2.0, -1), (0, -3.0, -1)]


def test_rooms_of_cells_that_cannot_be_hidden_are_zero() -> None:
    problem = replace(grid(SQUARE, unsafe=[(0, 0)], level=1.0), locked=np.arange(9) == 1)
    up, down = rooms(problem)
    assert (up[1], down[1]) == (0.0, 0.0)
    assert (up[0], down[0]) == (np.inf, 3.0)


def test_seats_are_exempt_for_their_own_cells() -> None:
    sole = np.full(9, -1)
    sole[[0, 4]] = [8, 3]
    problem = replace(grid(SQUARE, unsafe=[(0, 0), (1, 1)], level=2.0), seats=Seats.of(sole))
    start, seats = problem.seats.by_cell(problem.size)
    assert seats[start[0] : start[1]].tolist() == [1]
    assert Demands.of(problem).shares == ({1: 0.0}, {0: 0.0}, {1: 0.0}, {0: 0.0})
    assert Demands.of(problem).rest.tolist() == [1.0] * 4


def test_a_seat_with_a_large_part_is_asked_less_below() -> None:
    """Seat 0 is alone in cell 1 and has 11 of the 12 in cell 4: nobody can make it believe less than 11 there."""
    sole = np.full(9, -1)
    sole[1] = 5
    owners = np.full((9, 1), -1)
    owners[4] = 5
    seats = Seats.of(sole, owners, np.where(owners >= 0, 11.0, 0.0))
    problem = replace(grid(SQUARE, unsafe=[(1, 1)], level=2.0), seats=seats)
    made = Demands.of(problem)
    assert asked(made) == [(4, 2.0, -1), (4, -2.0, -1)]
    assert made.shares == ({0: 1.0}, {0: 0.5})
    sliding = replace(problem, sliding=np.where(problem.unsafe, 4.0, 0.0))
    assert Demands.of(sliding).shares == ({0: 1.5}, {0: 0.5})  # the width comes from above


def test_what_is_asked_from_seats() -> None:
    """From most seats half of the upper level, from seat 3 a tenth, and below only from seat 1."""
    most = np.zeros((9, 3))
    most[4, 1] = 1.0
    inside = Inside.of(most, np.array([4, 4]), np.array([1, 3]), np.array([[0.5, 1.0, 0.0], [0.0, 0.2, 0.0]]))
    sole = np.full(9, -1)
    sole[[0, 1, 2, 3]] = [0, 1, 2, 3]
    problem = replace(grid(SQUARE, unsafe=[(1, 1)], level=2.0), seats=Seats.of(sole), inside=inside)
    made = Demands.of(problem)
    assert asked(made) == [(4, 2.0, -1), (4, -2.0, -1)]
    assert made.rest.tolist() == [0.5, 0.0]
    assert made.shares == ({1: 0.5, 3: 0.1}, {1: 0.25, 3: 0.0})
    alone = Demands.of(replace(problem, below=np.zeros(9)))
    assert asked(alone) == [(4, 2.0, -1), (4, -0.5, 1)]


def test_changes() -> None:
    made = Demands.of(grid(SQUARE, unsafe=[(0, 0), (1, 1)], level=2.0))
    assert asked(made.asking(0, (3.0, -0.5))) == [(4, 2.0, -1), (4, -2.0, -1), (0, 3.0, -1), (0, -0.5, -1)]
    split = made.split_off(4, 7, (1.0, 0.0))
    assert asked(split)[-1] == (4, 1.0, 7)
    assert split.shares == ({}, {7: 0.0}, {}, {7: 0.0}, {})
    assert asked(split.split_off(4, 7, (0.0, -1.0)))[-1] == (4, -1.0, 7)
    fewer = made.without({0: {-1}, 1: {2, 3}})
    assert asked(fewer) == asked(made)[1:]
    assert fewer.shares[0] == {2: 0.0, 3: 0.0}
    assert len(fewer) == 3
    assert [len(a) for a in fewer.arrays()] == [3, 3, 3, 3, 4, 2, 2]


def test_an_amount_beyond_its_room_by_rounding_asks_for_the_room() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0)], level=3.0 + 1e-9)
    assert Demands.of(problem).amounts[1] == pytest.approx(-3.0, abs=0)
