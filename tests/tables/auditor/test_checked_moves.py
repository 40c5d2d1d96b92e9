"""Checked moves: nothing counts that does not hold."""

from __future__ import annotations

import numpy as np

from tacita.tables.auditor.checked_moves import CheckedMoves
from tacita.tables.auditor.knowledge import NOTHING, Known
from tacita.tables.auditor.polytope import Polytope
from tests.tables.small_problems import grid

EVERY = np.arange(4)
TURN = np.array([1.0, -1.0, -1.0, 1.0])


def square(*, is_integer: bool = False) -> CheckedMoves:
    """1 2 / 3 4 with the four inner cells hidden, all watched."""
    problem = grid(np.array([[1.0, 2], [3, 4]]), unsafe=[(0, 0)], level=1.0)
    polytope = Polytope.of(problem, np.isin(np.arange(9), [0, 1, 3, 4]))
    return CheckedMoves(polytope, np.ones(4), np.ones(4, bool), is_integer=is_integer)


def test_a_direction_is_stretched_both_ways() -> None:
    seen = square()
    found = seen.add(EVERY, 0.1 * TURN)
    assert found is not None
    assert (found.down, found.up) == (1.0, 2.0)
    assert seen.up.tolist() == [2, 1, 1, 2]
    assert seen.down.tolist() == [1, 2, 2, 1]
    assert found.toward(0, 1) == (2.0, 2.0)
    assert found.toward(1, 1) == (1.0, -1.0)


def test_what_breaks_a_relation_does_not_count() -> None:
    seen = square()
    assert seen.add(EVERY, np.array([1.0, -1.0, -1.0, 1.0 + 1e-6])) is None
    assert seen.add(EVERY, np.zeros(4)) is None
    assert seen.add(EVERY, np.array([np.inf, 0, 0, 0])) is None
    assert not seen.up.any()


def test_a_seat_sees_only_tables_without_its_cells() -> None:
    seen = square()
    seen.add(EVERY, TURN)
    assert seen.without(0, NOTHING) == (1.0, 2.0)
    assert seen.without(0, Known(np.array([3]))) == (0.0, 0.0)
    assert len(seen.kept(0)) == 1
    assert seen.without(0, Known(held=np.array([1, 2]), room=np.array([0.5, 9.0]))) == (1.0, 0.5)


def test_dense_ones_need_not_be_kept() -> None:
    seen = square()
    seen.add(EVERY, TURN, keep=False)
    assert seen.up[0] == 2.0
    assert seen.without(0, NOTHING) == (0.0, 0.0)


def test_whole_tables_only() -> None:
    seen = square(is_integer=True)
    assert seen.add(EVERY, 0.5 * TURN) is None
    found = seen.add(EVERY, 2.0 * TURN)
    assert found is not None
    assert found.moves.tolist() == TURN.tolist()
    assert (found.down, found.up) == (1.0, 2.0)


def test_a_direction_without_end_stops_beyond_what_is_wanted() -> None:
    problem = grid(np.array([[1.0, 2], [3, 4]]), unsafe=[(0, 0)], level=1.0)
    polytope = Polytope.of(problem, np.ones(9, bool))
    seen = CheckedMoves(polytope, np.full(9, 50.0), np.ones(9, bool))
    found = seen.add(np.array([0, 2, 6, 8]), np.ones(4))  # the cell, its margins and the total
    assert found is not None
    assert 50.0 <= found.up < np.inf
    assert found.down == 1.0
