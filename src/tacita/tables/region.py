"""Some relations of the attacker's polytope with every cell they touch, and the linear programmes on them.

Relations that are left out are forgotten, so a region is an outer approximation: what it excludes is excluded. With
all relations of a block it is the block itself, and its answers are exact.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tacita.solve import Solver
from tacita.tables.polytope import Polytope

__all__ = ["Farthest", "Region", "grow", "whole_block"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

_ENDLESS = 1e7
_LOOSE = 1e-5
_TIGHT, _WIDE = 1e-2, 1e4


@dataclass(frozen=True, eq=False)
class Farthest:
    """How far one cell moves in a region, with the prices of the region's relations.

    Parameters
    ----------
    amount
        Largest move, up to what was asked for.
    moves
        The move of each cell of the region.
    prices
        y with ``sign e - A' y`` paid by bounds alone; empty for whole cells.

    Notes
    -----
    The amount is the bound that the prices prove, also where the relations were loosened a little to get short prices.
    """

    amount: float
    moves: FloatArray = field(repr=False)
    prices: FloatArray = field(repr=False)


class Region:
    """Some relations of a polytope, all cells they touch, and the models on them.

    Parameters
    ----------
    polytope
        The attacker's polytope.
    rows
        Relations of the region, as positions in the polytope.
    cell
        A cell that belongs to it even without a relation.
    scale
        Typical amount asked for; the models count in it.
    is_integer
        Whether cells are whole numbers.
    endless
        Bounds beyond so many times the scale count as none.
    loose
        How much each relation may be off, in units of the scale, when the farthest move is looked for; 0 makes the
        moves of the answer a table. Prices are paid for looseness, so the answer combines few relations.
    """

    def __init__(
        self,
        polytope: Polytope,
        rows: IntArray,
        cell: int,
        *,
        scale: float,
        is_integer: bool = False,
        endless: float = _ENDLESS,
        loose: float = _LOOSE,
    ) -> None:
        part = polytope.by_row[rows]
        self.rows = rows
        self.cells = np.unique(np.append(part.indices, cell)).astype(np.int64)
        self._matrix = part[:, self.cells].tocsr()
        self.is_integer, self._endless, self._loose = is_integer, endless, loose
        self._down, self._up = polytope.down[self.cells], polytope.up[self.cells]
        self._scale = 1.0 if is_integer else scale
        self._last: tuple[int, int, bool] | None = None
        self._near: dict[bool, Solver] = {}
        self._far: dict[bool, Solver] = {}

    def place(self, cells: IntArray) -> IntArray:
        """Return where cells of the polytope stand in the region; those that are not in it are left out."""
        at = np.searchsorted(self.cells, cells)
        at[at == len(self.cells)] = 0
        return at[self.cells[at] == cells].astype(np.int64)

    # --- the nearest alternative table in which a cell moves as far as it should ---------------------------------------

    def witness(
        self, cell: int, sign: int, amount: float, fixed: IntArray, *, whole: bool = False
    ) -> FloatArray | None:
        """Return the moves of the region's cells that shift one cell by an amount at the least total move, if any.

        A run for another cell starts from the true table, for the search then stays near the cell; the basis of the
        last cell would lead it astray. For the same cell with others fixed it goes on from the last basis.
        """
        at, n = int(self.place(np.array([cell]))[0]), len(self.cells)
        self._set_scale(amount)
        model = self._nearest(whole)
        up, down = self._room(fixed)
        goal = amount / self._scale
        low = np.zeros(2 * n)
        low[at if sign > 0 else at + n] = goal
        high = np.concatenate([up, down])
        high[at], high[at + n] = (goal, 0.0) if sign > 0 else (0.0, goal)
        model.set_bounds(np.arange(2 * n), low, high)
        if self._last != (cell, sign, whole):
            model.forget()
        self._last = (cell, sign, whole)
        answer = model.run(prices=False)
        if not answer.has_solution:
            return None
        moves: FloatArray = (answer.values[:n] - answer.values[n:]) * self._scale
        return moves

    def _nearest(self, whole: bool) -> Solver:
        if whole not in self._near:
            from scipy.sparse import hstack

            n, still = len(self.cells), np.zeros(len(self.rows))
            self._near[whole] = Solver(
                1.0 + 0.01 * np.random.default_rng(0).random(2 * n),  # different prices break ties
                hstack([self._matrix, -self._matrix]).tocsr(),
                still,
                still,
                np.zeros(2 * n),
                np.zeros(2 * n),
                integer=np.ones(2 * n, bool) if whole else None,
                method="auto" if whole else "dual",
            )
        return self._near[whole]

    # --- how far a cell can go -----------------------------------------------------------------------------------------

    def farthest(self, cell: int, sign: int, amount: float, fixed: IntArray, *, whole: bool = False) -> Farthest:
        """Return how far a cell moves at most, no farther than an amount.

        Parameters
        ----------
        cell, sign
            Which cell, as a position in the polytope, and whether up (1) or down (-1).
        amount
            No need to go farther than this; may be infinite.
        fixed
            Cells that do not move.
        whole
            Whether moves are whole numbers.
        """
        at = int(self.place(np.array([cell]))[0])
        self._set_scale(amount if np.isfinite(amount) else self._scale)
        model = self._longest(whole)
        up, down = self._room(fixed)
        if sign > 0:
            up[at] = min(up[at], amount / self._scale)
        else:
            down[at] = min(down[at], amount / self._scale)
        every = np.arange(len(self.cells))
        model.set_bounds(every, -down, up)
        cost = np.zeros(len(every))
        cost[at] = sign
        model.set_cost(every, cost)
        answer = model.run(maximise=True)
        if answer.status == "unbounded":
            return Farthest(np.inf, np.zeros(len(every)), np.empty(0))
        paid = 0.0 if whole else self._loose * float(np.abs(answer.duals).sum())
        return Farthest((answer.objective - paid) * self._scale, answer.values * self._scale, answer.duals)

    def _longest(self, whole: bool) -> Solver:
        if whole not in self._far:
            off, none = np.full(len(self.rows), 0.0 if whole else self._loose), np.zeros(len(self.cells))
            kind = np.ones(len(self.cells), bool) if whole else None
            self._far[whole] = Solver(
                none, self._matrix, -off, off, none, none, integer=kind, method="auto" if whole else "primal"
            )
        return self._far[whole]

    # --- bounds --------------------------------------------------------------------------------------------------------

    def _room(self, fixed: IntArray) -> tuple[FloatArray, FloatArray]:
        rooms, held = [], self.place(fixed)
        for room in (self._up, self._down):
            count = np.floor(room + 1e-6) if self.is_integer else room / self._scale
            count[count > self._endless] = np.inf
            count[held] = 0.0
            rooms.append(count)
        return rooms[0], rooms[1]

    def _set_scale(self, amount: float) -> None:
        """Count in another unit when the amount is out of proportion, for the solver's tolerances are absolute."""
        if not self.is_integer and amount > 0 and not _TIGHT < amount / self._scale < _WIDE:
            self._scale = amount


def whole_block(polytope: Polytope, cell: int, **settings: float | bool) -> Region:
    """Return the region of all relations of a cell's block."""
    inside = np.flatnonzero(polytope.block == polytope.block[cell])
    rows = np.unique(polytope.by_cell[:, inside].indices).astype(np.int64)
    return Region(polytope, rows, cell, **settings)  # type: ignore[arg-type]


def grow(polytope: Polytope, cell: int, size: int) -> IntArray:
    """Return the relations around a cell that close up best, until they touch about so many cells.

    The next relation is always the one with the largest share of its cells inside already: relations that bound a cell
    run inside small sub-tables, and this fills one sub-table after the other.
    """
    by_row, by_cell = polytope.by_row, polytope.by_cell
    row_start, row_cells = by_row.indptr, by_row.indices
    cell_start, cell_rows = by_cell.indptr, by_cell.indices
    cells, taken, count = {cell}, set[int](), dict[int, int]()
    heap: list[tuple[float, int]] = []
    new = [cell]
    while len(cells) < size:
        for c in new:
            for r in cell_rows[cell_start[c] : cell_start[c + 1]].tolist():
                if r not in taken:
                    count[r] = count.get(r, 0) + 1
                    heapq.heappush(heap, (-count[r] / (row_start[r + 1] - row_start[r]), r))
        while heap and heap[0][1] in taken:
            heapq.heappop(heap)
        if not heap:
            break
        row = heapq.heappop(heap)[1]
        taken.add(row)
        new = [c for c in row_cells[row_start[row] : row_start[row + 1]].tolist() if c not in cells]
        cells.update(new)
    return np.array(sorted(taken), np.int64)
