"""What is left to decide: fixed cells, pairs, levels, bounds, blocks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.core.errors import DataError
from tacita.tables.adjustment.core import adjustment_core
from tacita.tables.model.relations import Relations
from tacita.tables.protect.problem import Problem
from tests.tables.small_problems import grid


def problem(sums: list[tuple[int, list[int]]], values: list[float], unsafe: list[int], level: float = 2.0) -> Problem:
    n = len(values)
    mark = np.zeros(n, bool)
    mark[unsafe] = True
    levels = np.where(mark, level, 0.0)
    none = np.zeros(n)
    return Problem(
        Relations.of(sums, n),
        np.array(values),
        none,
        np.full(n, np.inf),
        mark,
        levels,
        levels,
        none,
        np.ones(n),
        none > 0,
    )


def test_pairs_become_one_group() -> None:
    """Cell 1 is the only part of 0: they move together, and a move costs both weights."""
    core, unit = adjustment_core(problem([(0, [1])], [5.0, 5.0], [1]), np.array([1.0, 3.0]))
    assert (core.size, core.rows.shape[0]) == (1, 0)
    assert core.weight.tolist() == [4.0 * unit]
    assert core.above.tolist() == [2.0 / unit]
    np.testing.assert_allclose(core.moves(np.array([2.0 / unit])), [2, 2])


def test_pairs_through_a_known_cell_go_opposite_ways() -> None:
    """With the total locked, 3 + 7 = 10 leaves two parts that move against each other; each level counts on its side."""
    base = problem([(0, [1, 2])], [10.0, 3.0, 7.0], [1, 2])
    base = replace(
        base, locked=np.array([True, False, False]), above=np.array([0.0, 1.0, 4.0]), below=np.array([0.0, 2.0, 3.0])
    )
    core, unit = adjustment_core(base, np.ones(3))
    assert core.size == 1
    sign = core.moves(np.ones(1))[1]
    up, down = (core.above, core.below) if sign > 0 else (core.below, core.above)
    assert up * unit == pytest.approx([3.0])  # cell 1 up by 1, cell 2 down by 3
    assert down * unit == pytest.approx([4.0])  # cell 1 down by 2, cell 2 up by 4
    room = (core.up if sign > 0 else core.down) * unit
    assert room == pytest.approx([7.0])  # cell 2 can go down to 0


def test_one_cell_left_is_fixed() -> None:
    base = replace(problem([(0, [1, 2])], [10.0, 3.0, 7.0], []), locked=np.array([True, True, False]))
    core, _ = adjustment_core(base, np.ones(3))
    assert core.size == 0


def test_cells_without_room_are_named() -> None:
    base = replace(problem([(0, [1, 2])], [10.0, 3.0, 7.0], [2]), locked=np.array([True, True, False]))
    with pytest.raises(DataError, match="leave them no room") as caught:
        adjustment_core(base, np.ones(3))
    assert caught.value.details["cells"] == [2]
    tight = replace(
        problem([(0, [1, 2])], [10.0, 3.0, 7.0], [1]), lower=np.array([9.0, 2, 6]), upper=np.array([11.0, 4, 8])
    )
    with pytest.raises(DataError, match="no room on either side") as caught:
        adjustment_core(tight, np.ones(3))
    assert caught.value.details["cells"] == [1]


def test_levels_on_one_side_are_no_group() -> None:
    """Either may stand still; as one group they would have three choices."""
    base = problem([(0, [1, 2])], [10.0, 3.0, 7.0], [1, 2])
    base = replace(base, locked=np.array([True, False, False]), below=np.zeros(3))
    core, _ = adjustment_core(base, np.ones(3))
    assert core.size == 2
    assert core.rows.shape[0] == 1


def test_forced_directions() -> None:
    base = replace(problem([(0, [1, 2])], [10.0, 1.0, 9.0], [1]), upper=np.array([20.0, 20.0, 20.0]))
    core, _ = adjustment_core(base, np.ones(3))
    assert core.goes_up.tolist() == [True]
    assert core.goes_down.tolist() == [False]
    assert core.least[core.unsafe] == pytest.approx(core.above)


def test_moves_keep_the_relations_of_the_table() -> None:
    """Whatever meets the rows of the core meets those of the table."""
    base = grid(np.random.default_rng(1).poisson(9, (4, 5)) + 1.0, unsafe=[(0, 0), (2, 3)], level=2)
    locked = np.zeros(base.size, bool)
    locked[-1] = True
    base = replace(base, locked=locked)
    core, _ = adjustment_core(base, np.ones(base.size))
    dense = core.rows.toarray()
    _, sizes, basis = np.linalg.svd(dense)
    free = basis[int((sizes > 1e-9).sum()) :]
    z = free.T @ np.random.default_rng(2).normal(size=len(free))
    moves = core.moves(z)
    np.testing.assert_allclose(base.relations.residuals(moves), 0, atol=1e-9 * np.abs(moves).max())
    assert moves[-1] == 0


def test_blocks() -> None:
    base = problem([(0, [1, 2]), (3, [4, 5]), (6, [7, 8])], [10.0, 3, 7, 9, 4, 5, 2, 1, 1], [1, 4])
    core, _ = adjustment_core(base, np.ones(9))
    parts = core.blocks()
    assert [len(part.unsafe) for _, part in parts] == [1, 1]
    assert sorted(np.concatenate([cells for cells, _ in parts]).tolist()) == [0, 1, 2, 3, 4, 5]
    for cells, part in parts:
        np.testing.assert_array_equal(part.weight, core.weight[cells])
        assert part.unsafe.max() < part.size


def test_units_suit_the_levels() -> None:
    for size in (1e-4, 1.0, 1e8):
        core, unit = adjustment_core(
            problem([(0, [1, 2])], [100.0 * size] + [50.0 * size] * 2, [1], 7 * size), np.ones(3)
        )
        assert 500 < core.above.max() < 2000
        assert core.above.max() * unit == pytest.approx(7 * size)
