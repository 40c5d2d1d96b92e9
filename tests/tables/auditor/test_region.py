"""Regions: nearest and farthest moves on some or all relations of a polytope."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.tables.auditor.knowledge import NOTHING, Known
from tacita.tables.auditor.polytope import Polytope
from tacita.tables.auditor.region import Region, whole_block
from tests.tables.small_problems import grid


def square() -> Polytope:
    """1 2 / 3 4 with the four inner cells hidden."""
    problem = grid(np.array([[1.0, 2], [3, 4]]), unsafe=[(0, 0)], level=1.0)
    return Polytope.of(problem, np.isin(np.arange(9), [0, 1, 3, 4]))


def test_the_block_is_exact() -> None:
    block = whole_block(square(), 0, scale=1.0)
    far = block.farthest(0, 1, 10.0, NOTHING)
    assert far.amount == pytest.approx(2.0)
    assert block.farthest(0, -1, 10.0, NOTHING).amount == pytest.approx(1.0)
    assert block.farthest(0, 1, 0.5, NOTHING).amount == pytest.approx(0.5)
    assert block.farthest(0, 1, 10.0, Known(np.array([3]))).amount == pytest.approx(0.0)
    assert block.farthest(0, 1, 10.0, Known(held=np.array([1]), room=np.array([0.5]))).amount == pytest.approx(0.5)
    assert block.farthest(0, 1, 10.0, NOTHING).amount == pytest.approx(2.0)


def test_the_nearest_table() -> None:
    block = whole_block(square(), 0, scale=1.0)
    moves = block.move(0, 1, 1.5, NOTHING)
    assert moves is not None
    assert moves.tolist() == pytest.approx([1.5, -1.5, -1.5, 1.5])
    assert block.move(0, 1, 2.5, NOTHING) is None
    assert block.move(0, 1, 1.0, Known(np.array([3]))) is None
    again = block.move(0, -1, 1.0, NOTHING)
    assert again is not None
    assert again.tolist() == pytest.approx([-1, 1, 1, -1])


def test_fewer_relations_exclude_less() -> None:
    polytope = square()
    row = Region(polytope, np.array([0]), 0, scale=1.0)
    assert row.cells.tolist() == [0, 1]
    assert row.farthest(0, 1, 10.0, NOTHING).amount == pytest.approx(2.0)
    column = Region(polytope, np.array([2]), 0, scale=1.0)
    assert column.cells.tolist() == [0, 2]
    assert column.farthest(0, 1, 10.0, NOTHING).amount == pytest.approx(3.0)
    assert Region(polytope, np.empty(0, np.int64), 0, scale=1.0).farthest(0, 1, 10.0, NOTHING).amount == pytest.approx(
        10.0
    )


def test_amounts_out_of_proportion() -> None:
    """Amounts far from the scale are counted in their own unit."""
    block = whole_block(square(), 0, scale=1e6)
    assert block.farthest(0, 1, 1e-4, NOTHING).amount == pytest.approx(1e-4)
    moves = block.move(0, 1, 1e-5, NOTHING)
    assert moves is not None
    assert moves[0] == pytest.approx(1e-5)


def test_whole_moves() -> None:
    block = whole_block(square(), 0, scale=1.0, is_integer=True)
    assert block.farthest(0, 1, 10.0, NOTHING, whole=True).amount == 2
    moves = block.move(0, 1, 2.0, NOTHING, whole=True)
    assert moves is not None
    assert moves.tolist() == [2, -2, -2, 2]
    assert block.farthest(0, 1, np.inf, NOTHING).amount == pytest.approx(2.0)
