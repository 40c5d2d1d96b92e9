"""Some relations of the attacker's polytope with every cell they touch, and the linear programmes on them.

Relations that are left out are forgotten, so a region is an outer approximation: what it excludes is excluded. With
all relations of a block it is the block itself, and its answers are exact.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.solve import Solver
from tacita.solve.solver import Method
from tacita.tables.auditor.knowledge import Known
from tacita.tables.auditor.polytope import Polytope

__all__ = ["Farthest", "Region", "whole_block"]


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
    afresh
        Whether each farthest move is looked for from the start, which is better for single questions about a large
        region: its model is made small first. Otherwise the search goes on from the last cell's.
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
        afresh: bool = False,
    ) -> None:
        part = polytope.by_row[rows]
        self.rows = rows
        self.cells = np.unique(np.append(part.indices, cell)).astype(np.int64)
        self._matrix = part[:, self.cells].tocsr()
        self.is_integer, self._endless, self._loose, self._afresh = is_integer, endless, loose, afresh
        self._down, self._up = polytope.down[self.cells], polytope.up[self.cells]
        self._scale = 1.0 if is_integer else scale
        self._last: tuple[int, int, bool] | None = None
        self._near: dict[bool, Solver] = {}
        self._far: dict[bool, Solver] = {}
        self._told: dict[bool, tuple[FloatArray, FloatArray]] = {}
        self._goal: dict[bool, int] = {}

    def place(self, cells: IntArray) -> IntArray:
        """Return where cells of the polytope stand in the region; those that are not in it are left out."""
        at = np.searchsorted(self.cells, cells)
        at[at == len(self.cells)] = 0
        return np.asarray(at[self.cells[at] == cells], np.int64)

    # --- the nearest move that takes a cell as far as it should ---------------------------------------

    def move(self, cell: int, sign: int, amount: float, known: Known, *, whole: bool = False) -> FloatArray | None:
        """Return the moves of the region's cells that shift one cell by an amount at the least total move, if any.

        Whole moves shift it by the amount or more: what whole numbers can reach has holes.

        A run for another cell starts from the true table, for the search then stays near the cell; the basis of the
        last cell would lead it astray. For the same cell with others fixed it goes on from the last basis.
        """
        at, n = int(self.place(np.array([cell]))[0]), len(self.cells)
        self._set_scale(amount)
        model = self._nearest(whole)
        up, down = self._room(known)
        goal = amount / self._scale
        low = np.zeros(2 * n)
        low[at if sign > 0 else at + n] = goal
        high = np.concatenate([up, down])
        most = goal if not whole else float(high[at if sign > 0 else at + n])
        high[at], high[at + n] = (most, 0.0) if sign > 0 else (0.0, most)
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

    def farthest(self, cell: int, sign: int, amount: float, known: Known, *, whole: bool = False) -> Farthest:
        """Return how far a cell moves at most, no farther than an amount.

        Parameters
        ----------
        cell, sign
            Which cell, as a position in the polytope, and whether up (1) or down (-1).
        amount
            No need to go farther than this; may be infinite.
        known
            What is known of cells beside.
        whole
            Whether moves are whole numbers.
        """
        at = int(self.place(np.array([cell]))[0])
        self._set_scale(amount if np.isfinite(amount) else self._scale)
        model = self._longest(whole)
        up, down = self._room(known)
        if sign > 0:
            up[at] = min(up[at], amount / self._scale)
        else:
            down[at] = min(down[at], amount / self._scale)
        self._bound(model, whole, -down, up)
        model.set_cost(np.array([self._goal.get(whole, at)]), np.zeros(1))
        model.set_cost(np.array([at]), np.array([float(sign)]))
        self._goal[whole] = at
        if self._afresh:
            model.forget()
        answer = model.run(maximise=True)
        if answer.status == "unbounded":
            return Farthest(np.inf, np.zeros(len(self.cells)), np.empty(0))
        paid = 0.0 if whole else self._loose * float(np.abs(answer.duals).sum())
        return Farthest((answer.objective - paid) * self._scale, answer.values * self._scale, answer.duals)

    def _bound(self, model: Solver, whole: bool, low: FloatArray, high: FloatArray) -> None:
        """Tell the model the bounds that are different from those of the last run."""
        old = self._told.get(whole, (np.zeros(len(low)), np.zeros(len(low))))
        change = np.flatnonzero((old[0] != low) | (old[1] != high))
        model.set_bounds(change, low[change], high[change])
        self._told[whole] = low, high

    def _longest(self, whole: bool) -> Solver:
        if whole not in self._far:
            off, none = np.full(len(self.rows), 0.0 if whole else self._loose), np.zeros(len(self.cells))
            kind = np.ones(len(self.cells), bool) if whole else None
            way: Method = "auto" if whole or self._afresh else "primal"
            self._far[whole] = Solver(none, self._matrix, -off, off, none, none, integer=kind, method=way)
        return self._far[whole]

    # --- bounds --------------------------------------------------------------------------------------------------------

    def _room(self, known: Known) -> tuple[FloatArray, FloatArray]:
        rooms, held = [], self.place(known.fixed)
        for room in (self._up, self._down):
            count = np.floor(room + 1e-6) if self.is_integer else room / self._scale
            count[count > self._endless] = np.inf
            count[held] = 0.0
            rooms.append(count)
        if len(known.held):
            at = np.searchsorted(self.cells, known.held)
            at[at == len(self.cells)] = 0
            there = self.cells[at] == known.held
            floor = np.floor(known.room + 1e-6) if self.is_integer else known.room / self._scale
            rooms[1][at[there]] = np.minimum(rooms[1][at[there]], floor[there])
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
