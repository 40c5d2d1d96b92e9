"""The attacker's linear programme on one block: how far a hidden cell can move while all published sums stay."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.solve import Solver
from tacita.tables.suppression.exact.block_form import Core

__all__ = ["BlockAttack", "Stretch"]


_STILL = 1e-7
"""Moves up to this share of the level are rounding of the solver."""
_THRIFT = 2e-3
"""Price of moving another cell by the level, as a share of what reaching the level is worth."""


@dataclass(frozen=True, eq=False)
class Stretch:
    """How far a cell moves at most.

    Parameters
    ----------
    share
        The largest move, 1 for the whole level.
    move
        (m,): a move of all cells that attains it, in units of the level.
    weights
        (q,): multipliers of the relations that prove that there is no larger one.
    """

    share: float
    move: FloatArray = field(repr=False)
    weights: FloatArray = field(repr=False)


class BlockAttack:
    """One model for all attacks on a core; each run starts from the basis of the one before.

    Parameters
    ----------
    core
        The cells and their relations.
    movable
        (m,): cells that may move in any of the attacks; None for all. Fewer cells make a smaller model.
    """

    def __init__(self, core: Core, movable: BoolArray | None = None) -> None:
        self.core = core
        self._cells = np.arange(core.size) if movable is None else np.flatnonzero(movable)
        self._place = np.full(core.size, -1)
        self._place[self._cells] = np.arange(len(self._cells))
        part = core.rows[:, self._cells].tocsr()
        self._rows = np.flatnonzero(np.diff(part.indptr))
        none, sides = np.zeros(len(self._cells)), np.zeros(len(self._rows))
        self._model = Solver(none, part[self._rows], sides, sides, none, none, method="primal")
        self._all = np.arange(len(self._cells))
        self._aim = -1
        self._part = part[self._rows]
        self._thrifty: Solver | None = None
        self.solves = 0

    def stretch(self, cell: int, side: int, down: FloatArray, up: FloatArray, *, stop: float = 1.0) -> Stretch:
        """Move one cell up (side 1) or down (side -1) as far as it goes, at most to ``stop``.

        ``down`` and ``up`` say how far each cell can move, in units of the level; they are not changed.
        """
        low, high, place = -down[self._cells], up[self._cells], int(self._place[cell])
        if side > 0:
            high[place] = min(high[place], stop)
        else:
            low[place] = max(low[place], -stop)
        if self._aim >= 0 and self._aim != place:
            self._model.set_cost(np.array([self._aim]), np.zeros(1))
        self._model.set_cost(np.array([place]), np.array([-float(side)]))
        self._aim = place
        self._model.set_bounds(self._all, low, high)
        answer = self._model.run()
        self.solves += 1
        move, weights = np.zeros(self.core.size), np.zeros(self.core.rows.shape[0])
        if answer.status != "optimal":
            return Stretch(0.0, move, weights)
        move[self._cells] = np.where((np.abs(answer.values) > _STILL) & (low < high), answer.values, 0.0)
        weights[self._rows] = answer.duals
        return Stretch(side * float(move[cell]), move, weights)

    def move(self, cell: int, side: int, down: FloatArray, up: FloatArray) -> Stretch | None:
        """Return a move of one cell by the whole level that moves few others; None where it finds none.

        Seats look away from moves that leave their cells alone, so these cells are avoided most.
        """
        n, place = len(self._cells), int(self._place[cell])
        if self._thrifty is None:
            self._thrifty = self._split()
        here, there = (place, n + place) if side > 0 else (n + place, place)
        high = np.concatenate([up[self._cells], down[self._cells]])
        high[here], high[there] = min(high[here], 1.0), 0.0
        self._thrifty.set_bounds(np.arange(2 * n), np.zeros(2 * n), high)
        self._thrifty.set_cost(np.array([here]), np.array([-1.0]))
        self._thrifty.forget()  # with all cells at rest only one wants to move: nearly solved
        answer = self._thrifty.run(prices=False)
        self._thrifty.set_cost(np.array([here]), np.array([_THRIFT]))
        self.solves += 1
        if answer.status != "optimal" or answer.values[here] < 1.0 - _STILL:
            return None
        move, found = np.zeros(self.core.size), answer.values[:n] - answer.values[n:]
        room = high[:n] + high[n:] > 0
        move[self._cells] = np.where((np.abs(found) > _STILL) & room, found, 0.0)
        return Stretch(1.0, move, np.zeros(0))

    def _split(self) -> Solver:
        """The same model with a variable for each direction, so that every move has a price."""
        import scipy.sparse as sp

        core, n = self.core, len(self._cells)
        alone = np.zeros(core.size, bool)
        for own in core.knows:
            alone[own] = True
        price = np.where(alone[self._cells], 4 * _THRIFT, _THRIFT)
        sides, none = np.zeros(len(self._rows)), np.zeros(2 * n)
        rows = sp.hstack([self._part, -self._part], format="csr")
        return Solver(np.tile(price, 2), rows, sides, sides, none, none, method="primal")
