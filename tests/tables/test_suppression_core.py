"""Blocks of a problem: what drops out, which levels stay, who attacks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tacita.tables.seats import Seats
from tacita.tables.suppression_core import OUTSIDER, cores_of
from tests.tables.small_problems import grid
from tests.tables.suppression_cases import SQUARE


def test_rooms_levels_and_cells_that_drop_out() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0), (1, 1)], level=2.0)
    locked = np.zeros(problem.size, bool)
    locked[15] = True
    problem = replace(problem, locked=locked, sliding=np.where(problem.unsafe, 5.0, 0.0), upper=problem.values + 9.0)
    (core,) = cores_of(problem)
    assert core.size == 15
    assert core.cells[core.guarded].tolist() == [0, 5]
    assert core.sliding.tolist() == [5.0, 5.0]
    assert core.down[0] == 3.0
    assert core.up.tolist() == [9.0] * 15
    implied = replace(problem, sliding=np.where(problem.unsafe, 4.0, 0.0))
    assert cores_of(implied)[0].sliding.tolist() == [0.0, 0.0], "both sides together reach it already"


def test_seats_attack_once_and_not_their_own_cells() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0), (1, 1)], level=2.0)
    seats = Seats(np.array([0, 2, 3]), np.array([0, 2, 5]), np.array([4, 7]))
    (core,) = cores_of(replace(problem, seats=seats))
    assert core.attackers == 3
    assert core.knows[OUTSIDER].tolist() == []
    assert sorted(own.tolist() for own in core.knows[1:]) == [[0, 2], [5]]
    assert core.excused[:, OUTSIDER].tolist() == [False, False]
    for who, own in enumerate(core.knows):
        assert core.excused[:, who].tolist() == [0 in own, 5 in own]
    moves = np.zeros(core.size, bool)
    moves[2] = True
    assert core.touched(moves).tolist() == [2 in own for own in core.knows]


def test_blocks_without_levels_are_left_out() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0)], level=0.0)
    assert cores_of(problem) == []
