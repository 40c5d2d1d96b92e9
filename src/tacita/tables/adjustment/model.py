"""The linear model of a tabular adjustment with directions: some fixed, the others open.

An unsafe group moves by ``-below + (above + below) y + p - q`` with p, q >= 0, where y = 1 means up and y = 0 down; any
other group by ``p - q``. The cost is ``w (p + q)``, and for an unsafe group ``w (below + (above - below) y)`` besides. With y
open in [0, 1] this is the convex hull of one group's choice, so the model is a relaxation. Once a direction is fixed, only
a shortfall leads back into the interval; it costs much more than any move, so that the model never becomes infeasible and
says which groups cannot be protected with these directions. Fixing and flipping change bounds only: the last basis stays
of use to the dual simplex method.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.solve import Solution, Solver
from tacita.tables.adjustment.core import AdjustmentCore

__all__ = ["DirectionModel", "Moved"]


PENALTY = 1000.0
"""Price of a unit of shortfall, in units of the largest weight."""


@dataclass(frozen=True, eq=False)
class Moved:
    """Moves of the groups with a direction for each unsafe one.

    Parameters
    ----------
    z
        (g,): moves.
    up
        (k,): directions.
    cost
        Weighted sum of the moves.
    short
        (k,): how much of its level each unsafe group misses; all 0 where the table is protected.
    """

    z: FloatArray = field(repr=False)
    up: BoolArray = field(repr=False)
    cost: float
    short: FloatArray = field(repr=False)

    @classmethod
    def of(cls, core: AdjustmentCore, z: FloatArray, up: BoolArray) -> Moved:
        """Add up costs and shortfalls."""
        mine = z[core.unsafe]
        short = np.maximum(np.where(up, core.above - mine, core.below + mine), 0.0)
        short[short <= 1e-7 * np.maximum(1.0, np.where(up, core.above, core.below))] = 0.0
        return cls(z, up, core.cost(z), short)

    @property
    def is_safe(self) -> bool:
        """Whether every unsafe group has moved far enough."""
        return not self.short.any()

    def price(self, core: AdjustmentCore) -> float:
        """Return the cost with shortfalls at their price: what a search compares."""
        return self.cost + float(PENALTY * core.weight.max(initial=0.0) * self.short.sum())


class DirectionModel:
    """The linear model of one core; it keeps its basis while directions are fixed, opened and flipped."""

    def __init__(self, core: AdjustmentCore) -> None:
        import scipy.sparse as sp

        self.core = core
        n, k, u = core.size, len(core.unsafe), core.unsafe
        width = sp.csr_array((core.above + core.below, (u, np.arange(k))), shape=(n, k))
        one = sp.csr_array((np.ones(k), (u, np.arange(k))), shape=(n, k))
        rows = core.rows
        columns = sp.hstack([rows, -rows, rows @ width, -(rows @ one), rows @ one]).tocsr()
        base = np.zeros(n)
        base[u] = -core.below
        sides = -(rows @ base)
        self.most_up, self.most_down = core.up.copy(), core.down.copy()
        self.most_up[u] = np.where(core.goes_up, np.maximum(core.up[u] - core.above, 0.0), 0.0)
        self.most_down[u] = np.where(core.goes_down, np.maximum(core.down[u] - core.below, 0.0), 0.0)
        tilt = core.weight[u] * (core.above - core.below)
        price = np.full(2 * k, PENALTY * float(core.weight.max(initial=1.0)))
        upper = np.concatenate([self.most_up, self.most_down, np.ones(k), np.zeros(2 * k)])
        cost = np.concatenate([core.weight, core.weight, tilt, price])
        self.solver = Solver(cost, columns, sides, sides, np.zeros(len(cost)), upper)
        self.up = np.zeros(k, bool)
        self.is_fixed = np.zeros(k, bool)
        forced = np.flatnonzero(core.goes_up != core.goes_down)
        if len(forced):
            self.fix(forced, core.goes_up[forced])

    def fix(self, which: IntArray, up: BoolArray) -> None:
        """Fix the directions of some unsafe groups; a group may be fixed anew the other way."""
        core, n, k = self.core, self.core.size, len(self.core.unsafe)
        cells = core.unsafe[which]
        columns = np.concatenate([cells, n + cells, 2 * n + which, 2 * n + k + which, 2 * n + 2 * k + which])
        zero = np.zeros(len(which))
        most = [np.where(up, self.most_up[cells], 0.0), np.where(up, 0.0, self.most_down[cells])]
        short = [np.where(up, core.above[which], 0.0), np.where(up, 0.0, core.below[which])]
        self.solver.set_bounds(
            columns,
            np.concatenate([zero, zero, up.astype(float), zero, zero]),
            np.concatenate([*most, up.astype(float), *short]),
        )
        self.up[which], self.is_fixed[which] = up, True

    def run(self, *, time_limit: float | None = None) -> Solution:
        """Solve with the directions as they are."""
        return self.solver.run(time_limit=time_limit)

    def leaning(self, answer: Solution) -> FloatArray:
        """Return (k,) where the open directions lean: above 0.5 is up."""
        n, k = self.core.size, len(self.core.unsafe)
        return answer.values[2 * n : 2 * n + k]

    def gains(self, answer: Solution) -> FloatArray:
        """Return (k,) the largest possible gain of flipping each direction, by the prices of the answer."""
        n, k = self.core.size, len(self.core.unsafe)
        return answer.reduced[2 * n : 2 * n + k] * np.where(self.up, 1.0, -1.0)

    def moved(self, answer: Solution) -> Moved:
        """Return the moves of an answer in which all directions are fixed."""
        core, n, k = self.core, self.core.size, len(self.core.unsafe)
        x = answer.values
        z = x[:n] - x[n : 2 * n]
        z[core.unsafe] += np.where(self.up, core.above, -core.below) - x[2 * n + k : 2 * n + 2 * k] + x[2 * n + 2 * k :]
        return Moved.of(core, z, self.up.copy())
