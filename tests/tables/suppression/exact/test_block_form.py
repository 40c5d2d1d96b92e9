"""Blocks of a problem: what drops out, which levels stay, who attacks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tacita.tables.model.seats import Seats
from tacita.tables.rules.inside import Inside
from tacita.tables.suppression.exact.block_form import OUTSIDER, cores_of
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
    assert core.sliding.tolist() == [[5.0], [5.0]]
    assert core.down[0] == 3.0
    assert core.up.tolist() == [9.0] * 15
    implied = replace(problem, sliding=np.where(problem.unsafe, 4.0, 0.0))
    assert cores_of(implied)[0].sliding.tolist() == [[0.0], [0.0]], "both sides together reach it already"


def test_seats_attack_once_and_not_their_own_cells() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0), (1, 1)], level=2.0)
    seats = Seats(np.array([0, 2, 3]), np.array([0, 2, 5]), np.array([4, 7]))
    (core,) = cores_of(replace(problem, seats=seats))
    assert core.attackers == 3
    assert core.knows[OUTSIDER].tolist() == []
    assert sorted(own.tolist() for own in core.knows[1:]) == [[0, 2], [5]]
    for level in (core.above, core.below):
        assert level[:, OUTSIDER].tolist() == [2.0, 2.0]
        for who, own in enumerate(core.knows):
            assert level[:, who].tolist() == [0.0 if 0 in own else 2.0, 0.0 if 5 in own else 2.0]
    moves = np.zeros(core.size, bool)
    moves[2] = True
    assert core.touched(moves).tolist() == [2 in own for own in core.knows]


def test_floors_and_what_the_outsider_implies() -> None:
    """Seat 3 has 6 of the 12 in (1, 1), seat 4 has 3 of the 9 in (0, 2): half, and two thirds, of any move are left to them."""
    problem = grid(SQUARE, unsafe=[(0, 0)], level=2.0)
    owners, amounts = np.full((16, 1), -1), np.zeros((16, 1))
    owners[[5, 2], 0], amounts[[5, 2], 0] = [3, 4], [6.0, 3.0]
    seats = Seats.of(np.full(16, -1), owners, amounts)
    most = np.zeros((16, 3))
    most[0, 1] = 1.2
    (core,) = cores_of(
        replace(problem, seats=seats, inside=Inside.of(most, *(np.empty(0, np.int64),) * 2, np.empty(0)))
    )
    assert core.attackers == 2, "1.2 is less than two thirds of 2"
    assert core.above.tolist() == [[2.0, 1.2]]
    assert core.below.tolist() == [[2.0, 0.0]]
    down, up = core.rooms_of(1)
    assert (down[5], core.down[5], up[5]) == (6.0, 12.0, np.inf)
    forth, back = core.lengths(np.array([0, 1, 4, 5]), np.array([-1.0, 1.0, 1.0, -1.0]))
    assert forth.tolist() == [3.0, 3.0]
    assert back.tolist() == [15.0, 15.0]
    forth, _ = core.lengths(np.array([1, 2, 5, 6]), np.array([1.0, -1.0, -1.0, 1.0]))
    assert forth.tolist() == [9.0, 6.0]


def test_blocks_without_levels_are_left_out() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0)], level=0.0)
    assert cores_of(problem) == []
