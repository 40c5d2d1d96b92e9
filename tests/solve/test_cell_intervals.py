"""Intervals of cells: against two plain programmes a cell, parts, floors, and what is impossible."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import linprog

from tacita.solve.cell_intervals import CellSystem, cell_intervals


def sums_of(rows: int, columns: int) -> sp.csr_array:
    """Return the sums of a table with inner cells first, then totals of rows and of columns, then the grand total."""
    cell = np.arange(rows * columns).reshape(rows, columns)
    made = np.zeros((rows + columns + 1, rows * columns + rows + columns + 1))
    for i in range(rows):
        made[i, cell[i]], made[i, rows * columns + i] = 1, -1
    for j in range(columns):
        made[rows + j, cell[:, j]], made[rows + j, rows * columns + rows + j] = 1, -1
    made[-1, rows * columns : rows * columns + rows], made[-1, -1] = 1, -1
    return sp.csr_array(made)


def random_table(seed: int, rows: int = 4, columns: int = 5) -> tuple[sp.csr_array, np.ndarray, np.ndarray]:
    """Return sums, true values and which cells are hidden."""
    rng = np.random.default_rng(seed)
    inner = rng.integers(0, 40, (rows, columns)).astype(float)
    values = np.concatenate([inner.ravel(), inner.sum(1), inner.sum(0), [inner.sum()]])
    hidden = rng.random(len(values)) < 0.5
    hidden[-1] = False
    return sums_of(rows, columns), values, hidden


def plain(rows: sp.csr_array, lower: np.ndarray, upper: np.ndarray, cell: int) -> tuple[float, float]:
    """Return the ends of one cell by two programmes of another solver's face."""
    cost = np.zeros(len(lower))
    cost[cell] = 1.0
    bounds = [(a, None if np.isinf(b) else b) for a, b in zip(lower, upper, strict=True)]
    side = np.zeros(rows.shape[0])
    ends = [linprog(sign * cost, A_eq=rows.toarray(), b_eq=side, bounds=bounds) for sign in (1, -1)]
    return ends[0].fun, -ends[1].fun


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("scale", [1.0, 1e6])
def test_intervals_are_those_of_two_programmes_a_cell(seed: int, scale: float) -> None:
    rows, values, hidden = random_table(seed)
    values = values * scale
    lower, upper = np.where(hidden, 0.0, values), np.where(hidden, np.inf, values)
    cells = np.flatnonzero(hidden)
    found = cell_intervals(rows, lower, upper, cells)
    assert found is not None
    expected = np.array([plain(rows, lower, upper, int(cell)) for cell in cells])
    np.testing.assert_allclose(np.stack(found, 1), expected, atol=1e-5 * scale)


@pytest.mark.parametrize("seed", range(4))
def test_whole_numbers_are_those_of_all_tables(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows, n = sums_of(2, 2), 9
    inner = rng.integers(0, 4, (2, 2)).astype(float)
    shown = np.concatenate([inner.ravel(), inner.sum(1), inner.sum(0), [inner.sum()]]) + rng.integers(-1, 2, n)
    lower, upper = np.maximum(shown - 1.0, 0.0).astype(np.float64), (shown + 1.0).astype(np.float64)
    tables = []
    for inside in itertools.product(range(6), repeat=4):
        a = np.array(inside, float).reshape(2, 2)
        x = np.concatenate([a.ravel(), a.sum(1), a.sum(0), [a.sum()]])
        if (x >= lower).all() and (x <= upper).all():
            tables.append(x)
    found = cell_intervals(rows, lower, upper, np.arange(n), whole=True)
    assert found is not None
    assert tables
    np.testing.assert_allclose(found[0], np.min(tables, axis=0))
    np.testing.assert_allclose(found[1], np.max(tables, axis=0))


def test_a_cell_without_limit_goes_on_for_ever_and_an_impossible_table_is_said() -> None:
    rows = sp.csr_array([[1.0, -1.0, -1.0]])
    found = cell_intervals(rows, np.zeros(3), np.array([np.inf, 5.0, np.inf]), np.arange(3))
    assert found is not None
    assert found[1].tolist() == [np.inf, 5.0, np.inf]
    assert cell_intervals(rows, np.array([1.0, 2, 2]), np.array([1.0, 3, 3]), np.arange(3)) is None
    assert cell_intervals(rows, np.array([1.0, 2, 2]), np.array([1.0, 2, 2]), np.arange(3)) is None
    assert cell_intervals(rows, np.array([2.0, 0, 0]), np.array([1.0, 3, 3]), np.arange(3)) is None


def test_parts_share_no_sum_and_floors_narrow() -> None:
    rows = sp.csr_array([[1.0, -1.0, -1.0, 0, 0, 0], [0, 0, 0, 1.0, -1.0, -1.0]])
    lower, upper = np.array([192.0, 0, 0, 7, 0, 0]), np.array([192.0, np.inf, np.inf, 7, np.inf, np.inf])
    system = CellSystem(rows, lower, upper)
    parts = system.part_of
    assert parts[1] == parts[2] != parts[4]
    assert parts[[0, 3]].tolist() == [-1, -1]
    known = (np.array([1, 4]), np.array([100.0, 3.0]), np.array([np.inf, 3.0]))
    assert system.end_of(2, known) == pytest.approx(92.0)
    assert system.end_of(2) == pytest.approx(192.0)
    assert system.end_of(1, known, least=True) == pytest.approx(100.0)
    assert system.end_of(5, known, least=True) == pytest.approx(4.0)
    assert system.end_of(0) == 192.0


def test_cells_that_are_done_with_are_not_solved_for() -> None:
    rows, values, hidden = random_table(1)
    lower, upper = np.where(hidden, 0.0, values), np.where(hidden, np.inf, values)
    cells = np.flatnonzero(hidden)
    whole = cell_intervals(rows, lower, upper, cells)
    part = cell_intervals(rows, lower, upper, cells, done=lambda low, high: high - low > 1.0)
    assert whole is not None
    assert part is not None
    wide = part[1] - part[0] > 1.0
    assert (whole[1] - whole[0])[wide].min() > 1.0
    np.testing.assert_allclose(part[0][~wide], whole[0][~wide], atol=1e-6)


def test_a_cell_without_any_limit_follows_from_its_sum() -> None:
    """Amounts may be below zero, so that nothing is known of a cell beforehand; its sum tells it all the same."""
    rows = sp.csr_array([[1.0, -1.0, -1.0]])
    low, high = np.array([10.0, 14.0, -np.inf]), np.array([10.0, 14.0, np.inf])
    found = cell_intervals(rows, low, high, np.array([2]))
    assert found is not None
    np.testing.assert_allclose(np.concatenate(found), [-4.0, -4.0])
    free = cell_intervals(rows, np.array([10.0, -np.inf, -np.inf]), np.array([10.0, np.inf, np.inf]), np.array([1, 2]))
    assert free is not None
    assert np.isneginf(free[0]).all()
    assert np.isposinf(free[1]).all()
