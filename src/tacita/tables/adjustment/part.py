"""A part of a tabular adjustment as a whole-number model: some groups move, some directions are open, the rest stands still.

The variables are those of the linear model, ``z = -below + (above + below) y + p - q``, with y whole and ``p <= P y``,
``q <= Q (1 - y)``: excess over the level goes in the direction of the move only. Rows over absolute moves, which hold for
every solution, make the relaxation tight.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.solve import Solution, Solver
from tacita.tables.adjustment.core import AdjustmentCore
from tacita.tables.adjustment.model import Moved

__all__ = ["PartModel", "solve_part"]


class PartModel:
    """The model of one part.

    Parameters
    ----------
    core, best
        The problem, and the solution whose moves and directions hold outside the part.
    cells
        Groups that may move.
    opened
        Which of the unsafe groups may change their direction.
    cuts
        Rows over absolute moves, ``cuts v >= 0``, that every solution meets.
    most
        (g,): how far a group may move at all.
    """

    def __init__(
        self, core: AdjustmentCore, best: Moved, cells: IntArray, opened: IntArray, cuts: Any, most: FloatArray | None
    ) -> None:
        self.core, self.best, self.cells = core, best, cells
        self.place = np.full(core.size, -1)
        self.place[cells] = np.arange(len(cells))
        within = self.place[core.unsafe] >= 0
        self.mine = np.flatnonzero(within)  # unsafe groups of the part
        may = np.zeros(len(core.unsafe), bool)
        may[opened] = True
        self.is_open = (may & core.goes_up & core.goes_down)[self.mine]
        self.at = self.place[core.unsafe[self.mine]]
        self.above, self.below = core.above[self.mine], core.below[self.mine]
        self.up = best.up[self.mine]
        level = float(max(self.above.max(initial=0.0), self.below.max(initial=0.0)))
        reach = np.maximum(3 * level, 2 * np.abs(best.z[cells])) if most is None else most[cells]
        self.most_up = np.minimum(core.up[cells], reach)
        self.most_down = np.minimum(core.down[cells], reach)
        self._cuts = cuts

    def solver(self) -> Solver:
        """Return the whole-number model."""
        import scipy.sparse as sp

        core, n, k = self.core, len(self.cells), len(self.mine)
        rows, sides = self._relations()
        width = sp.csr_array((self.above + self.below, (self.at, np.arange(k))), shape=(n, k))
        base = np.zeros(n)
        base[self.at] = -self.below
        p, q = self.most_up.copy(), self.most_down.copy()
        p[self.at] = np.maximum(p[self.at] - self.above, 0.0)
        q[self.at] = np.maximum(q[self.at] - self.below, 0.0)
        blocks = [sp.hstack([rows, -rows, rows @ width])]
        lows, highs = [sides - rows @ base], [sides - rows @ base]
        one, none = sp.csr_array((np.ones(k), (np.arange(k), self.at)), shape=(k, n)), sp.csr_array((k, n))
        blocks += [
            sp.hstack([one, none, -sp.diags_array(p[self.at])]),
            sp.hstack([none, one, sp.diags_array(q[self.at])]),
        ]
        lows += [np.full(2 * k, -np.inf)]
        highs += [np.zeros(k), q[self.at]]
        cuts, held = self._known_cuts()
        if cuts.shape[0]:
            tilt = sp.csr_array((self.above - self.below, (self.at, np.arange(k))), shape=(n, k))
            own = np.zeros(n)
            own[self.at] = self.below
            blocks.append(sp.hstack([cuts, cuts, cuts @ tilt]))
            lows.append(-held - cuts @ own)
            highs.append(np.full(cuts.shape[0], np.inf))
        weight = core.weight[self.cells]
        tilted = weight[self.at] * (self.above - self.below)
        goes_up, goes_down = self._directions()
        return Solver(
            np.concatenate([weight, weight, tilted]),
            sp.vstack(blocks).tocsr(),
            np.concatenate(lows),
            np.concatenate(highs),
            np.concatenate([np.zeros(2 * n), (~goes_down).astype(float)]),
            np.concatenate([p, q, goes_up.astype(float)]),
            integer=np.concatenate([np.zeros(2 * n, bool), np.ones(k, bool)]),
        )

    def _directions(self) -> tuple[BoolArray, BoolArray]:
        return self.is_open | self.up, self.is_open | ~self.up

    def _relations(self) -> tuple[Any, FloatArray]:
        """Return the relations of the part and what the rest leaves to it."""
        rows = self.core.rows[:, self.cells].tocsr()
        touched = np.flatnonzero(np.diff(rows.indptr) > 0)
        outside = self.best.z.copy()
        outside[self.cells] = 0.0
        return rows[touched], -(self.core.rows @ outside)[touched]

    def _known_cuts(self) -> tuple[Any, FloatArray]:
        """Return the cuts of the part and what the absolute moves outside add to them."""
        cuts = self._cuts[:, self.cells].tocsr()
        touched = np.flatnonzero(np.diff(cuts.indptr) > 0)
        outside = np.abs(self.best.z)
        outside[self.cells] = 0.0
        return cuts[touched], (self._cuts @ outside)[touched]

    def start(self) -> FloatArray | None:
        """Return the variables of the known solution; None where it is not protected."""
        if self.best.short[self.mine].any():
            return None
        z = self.best.z[self.cells]
        p, q = np.maximum(z, 0.0), np.maximum(-z, 0.0)
        p[self.at] = np.where(self.up, np.maximum(z[self.at] - self.above, 0.0), 0.0)
        q[self.at] = np.where(self.up, 0.0, np.maximum(-z[self.at] - self.below, 0.0))
        return np.concatenate([p, q, self.up.astype(float)])

    def directions(self, answer: Solution) -> BoolArray:
        """Return (k,) all directions, with those that the answer chose."""
        up = self.best.up.copy()
        up[self.mine] = answer.values[2 * len(self.cells) :] > 0.5
        return up

    def settled(self, up: BoolArray, *, time_limit: float | None) -> Moved | None:
        """Return the cheapest moves with these directions; the whole-number model's own are a little off."""
        import scipy.sparse as sp

        core, n = self.core, len(self.cells)
        rows, sides = self._relations()
        mine, low, high = up[self.mine], -core.down[self.cells], core.up[self.cells].copy()
        low[self.at] = np.where(mine, self.above, low[self.at])
        high[self.at] = np.where(mine, high[self.at], -self.below)
        least, most = np.maximum(low, 0.0), np.maximum(-high, 0.0)
        weight = core.weight[self.cells]
        answer = Solver(
            np.concatenate([weight, weight]),
            sp.hstack([rows, -rows]).tocsr(),
            sides,
            sides,
            np.concatenate([least, most]),
            np.concatenate([np.maximum(high, 0.0), np.maximum(-low, 0.0)]),
        ).run(time_limit=time_limit)
        if not answer.has_solution:
            return None
        z = self.best.z.copy()
        z[self.cells] = answer.values[:n] - answer.values[n:]
        return Moved.of(core, z, up)


def solve_part(
    core: AdjustmentCore,
    best: Moved,
    cells: IntArray,
    opened: IntArray,
    cuts: Any,
    *,
    time_limit: float | None,
    most: FloatArray | None = None,
    gap: float = 1e-3,
) -> tuple[Moved | None, Solution]:
    """Choose some directions and moves anew while all other groups stand as they are.

    Parameters
    ----------
    core, best, cells, opened, cuts
        The part, as in :class:`PartModel`.
    time_limit, gap
        When to stop.
    most
        (g,): how far a group may move at all; by default some multiples of the levels, which keeps the model tight.

    Returns
    -------
    tuple
        The moves, or None without a solution, and the solver's answer.
    """
    part = PartModel(core, best, cells, opened, cuts, most)
    answer = part.solver().run(time_limit=time_limit, gap=gap, start=part.start())
    if not answer.has_solution:
        return None, answer
    return part.settled(part.directions(answer), time_limit=time_limit), answer
