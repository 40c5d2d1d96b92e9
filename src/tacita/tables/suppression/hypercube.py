"""The hypercube method: an unsafe cell and its mirror images in every dimension are hidden together."""

from __future__ import annotations

import time
import warnings
from collections import deque
from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ParameterError, TacitaWarning
from tacita.core.progress import task
from tacita.tables.model.table import Table
from tacita.tables.protect.pattern import Pattern
from tacita.tables.protect.problem import Problem
from tacita.tables.suppression.engine import Asked, Engine
from tacita.tables.suppression.fast.demands import rooms
from tacita.tables.suppression.subtables import subtables

__all__ = ["Hypercube", "hypercube"]


FREE = 1e-6
"""What a hidden corner counts in shares of the lowest cost: of equally cheap cubes the one with fewer cells is taken."""


def hypercube(table: Table, problem: Problem, *, time_limit: float | None = None) -> Pattern:
    """Hide for every hidden cell of every subtable the cheapest cube that holds it.

    In a subtable of k dimensions the cell at (i1, ..., ik) and an opposite corner (j1, ..., jk) with j different from i
    everywhere span a cube of 2^k cells. Amounts can be moved between its corners, with signs that alternate from part to part and
    are equal from part to total, and no sum of the table is broken; the smallest room of a corner says how far.
    Among the cubes that reach the levels of the cell, the one with the lowest cost of cells that are still open
    is taken; where none does, one of those that reach farthest. Every hidden cell, secondary ones too, gets a cube in
    every subtable that it stands in, until nothing changes.

    Protects in a single subtable where cubes reach the levels. Does not protect against an attacker who combines
    subtables where no cube could be found, nor from seats: complete the pattern by
    :func:`~tacita.tables.suppression.fast.fast.repair`.

    Parameters
    ----------
    table
        The table, for its dimensions.
    problem
        Levels and costs of its cells.
    time_limit
        Seconds after which no more cubes are looked for.

    Returns
    -------
    Pattern
        Not proven safe; its bound is the cost of the unsafe cells alone.

    Raises
    ------
    ParameterError
        When table and problem have different numbers of cells, or the time limit is negative.

    Complexity
    ----------
    O(h s 2^k) for h pairs of a hidden cell and a subtable of s cells.

    Notes
    -----
    This is the plain method, kept as the pattern to beat: it hides the most of all. It takes one cube for a cell at a
    time and cannot add up the protection of several. An interrupt returns the pattern so far.

    References
    ----------
    Repsilber, D. (1994), Preservation of confidentiality in aggregated data, Second International Seminar on Statistical
    Confidentiality, Luxembourg. Giessing, S. and Repsilber, D. (2002), Tools and strategies to protect multiple tables
    with the GHQUAR cell suppression engine, LNCS 2316, 181-192.
    """
    begin = time.perf_counter()
    if len(table) != problem.size:
        raise ParameterError(f"hypercube: the table has {len(table)} cells, the problem {problem.size}.")
    if time_limit is not None and not time_limit >= 0:
        raise ParameterError(f"hypercube: 'time_limit' must not be negative, got {time_limit}.")
    problem.check()
    until = np.inf if time_limit is None else begin + time_limit
    grids = [subtable.grid for subtable in subtables(table)]
    hidden = problem.unsafe.copy()
    places: list[list[int]] = [[] for _ in range(problem.size)]
    for number, grid in enumerate(grids):
        for cell in grid[grid >= 0].tolist():
            places[cell].append(number)
    waiting = deque((int(cell), number) for cell in np.flatnonzero(hidden) for number in places[cell])
    corners = _Corners(problem)
    try:
        with task("Looking for cubes", None) as running:
            while waiting and time.perf_counter() < until:
                cell, number = waiting.popleft()
                running.advance()
                found = corners.cheapest(grids[number], cell, hidden)
                for new in found[~hidden[found]].tolist():
                    hidden[new] = True
                    waiting.extend((new, other) for other in places[new])
    except KeyboardInterrupt:  # the pattern has to be completed in any case
        warnings.warn(
            f"hypercube: the interrupt left {len(waiting) + 1} hidden cells without a look at their cubes.",
            TacitaWarning,
            stacklevel=3,
        )
    return Pattern.of(problem, hidden, seconds=time.perf_counter() - begin)


@dataclass(frozen=True, kw_only=True)
class Hypercube(Engine, name="hypercube"):
    """Hides cubes of cells, the classical pattern, dear and quick."""

    def find(self, asked: Asked) -> Pattern:
        """Return the pattern of :func:`hypercube`, which the caller must complete."""
        return hypercube(asked.table, asked.problem, time_limit=asked.time_limit)


class _Corners:
    """Costs and rooms of the cells, for cubes."""

    def __init__(self, problem: Problem) -> None:
        self.up, self.down = rooms(problem)
        self.free = problem.can_hide
        self.cost = problem.cost
        self.little = FREE * float(problem.cost.min(initial=np.inf))
        unsafe = problem.unsafe
        self.above = np.where(unsafe, problem.above, 0.0)
        self.below = np.where(unsafe, problem.below, 0.0)
        self.sliding = np.where(unsafe, problem.sliding, 0.0)

    def cheapest(self, grid: IntArray, cell: int, hidden: BoolArray) -> IntArray:
        """Return the corners of the cheapest cube of a cell in a subtable; none where there is no cube."""
        at = tuple(int(place) for place in np.argwhere(grid == cell)[0])
        k = grid.ndim
        others = tuple(np.delete(np.arange(size), place) for size, place in zip(grid.shape, at, strict=True))
        if not all(len(other) for other in others):
            return np.empty(0, np.int64)
        shape = tuple(len(other) for other in others)
        price, is_cube = np.zeros(shape), np.ones(shape, bool)
        rise, fall = np.full(shape, np.inf), np.full(shape, np.inf)
        for corner in range(1, 2**k):
            sides, sign = [], np.ones([1] * k)
            for d in range(k):
                is_there = bool(corner >> d & 1)
                sides.append(others[d] if is_there else np.array([at[d]]))
                if is_there and at[d] != 0:  # a total goes the way of its part, a part the other way than a part
                    sign = sign * np.where(others[d] == 0, 1.0, -1.0).reshape([-1 if a == d else 1 for a in range(k)])
            cells = grid[np.ix_(*sides)]
            is_cube &= (cells >= 0) & self.free[cells]
            price += np.where(hidden[cells], self.little, self.cost[cells])
            rise = np.minimum(rise, np.where(sign > 0, self.up[cells], self.down[cells]))
            fall = np.minimum(fall, np.where(sign > 0, self.down[cells], self.up[cells]))
        rise, fall = np.minimum(rise, self.up[cell]), np.minimum(fall, self.down[cell])
        best = self._best(cell, price, is_cube, rise, fall)
        if best is None:
            return np.empty(0, np.int64)
        opposite = [int(other[b]) for other, b in zip(others, best, strict=True)]
        pick = [np.array([i, j]) for i, j in zip(at, opposite, strict=True)]
        return np.asarray(grid[np.ix_(*pick)].ravel(), np.int64)

    def _best(
        self, cell: int, price: FloatArray, is_cube: BoolArray, rise: FloatArray, fall: FloatArray
    ) -> tuple[int, ...] | None:
        """The cheapest cube that reaches the levels, else the cheapest of those that reach farthest."""
        is_cube = is_cube & ((rise > 0) | (fall > 0))
        if not is_cube.any():
            return None
        reach = np.ones(price.shape)
        for level, got in ((self.above, rise), (self.below, fall), (self.sliding, rise + fall)):
            if level[cell] > 0:
                reach = np.minimum(reach, got / level[cell])
        farthest = reach[is_cube].max()
        wanted = is_cube & (reach >= farthest * (1 - 1e-9))
        best = int(np.argmin(np.where(wanted, price, np.inf)))
        return tuple(int(place) for place in np.unravel_index(best, price.shape))
