"""Tabular adjustment in squares: the nearest table for given directions, better directions, and a bound.

With the directions fixed the problem is a projection. The bound is that of absolute moves, in squares: under the rows
``cuts v >= 0`` and ``v >= least`` the dual of ``min sum w v^2`` is smooth and its value at any prices is a bound,

    sum over groups of min { w v^2 - (cuts' price) v : least <= v <= most }.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.clock import Clock
from tacita.solve.nearest_table import nearest_in_squares
from tacita.tables.adjustment.core import AdjustmentCore
from tacita.tables.adjustment.model import Moved

__all__ = ["bound_in_squares", "nearest_with_directions", "squared_weights"]


def squared_weights(core: AdjustmentCore, weights: FloatArray) -> FloatArray:
    """Return (g,) what the square of a group's move costs, from the weights of the cells."""
    found: FloatArray = (core.member * core.member).T @ weights
    return found


def nearest_with_directions(core: AdjustmentCore, weight: FloatArray, up: BoolArray) -> FloatArray | None:
    """Return the moves of least weighted squares in these directions; None where there are none."""
    low, high = -core.down, core.up.copy()
    low[core.unsafe] = np.where(up, core.above, low[core.unsafe])
    high[core.unsafe] = np.where(up, high[core.unsafe], -core.below)
    if np.any(low > high):
        return None
    return nearest_in_squares(core.rows, np.zeros(core.rows.shape[0]), np.zeros(core.size), weight, low, high)


def flip_in_squares(core: AdjustmentCore, weight: FloatArray, best: Moved, clock: Clock) -> Moved:
    """Flip directions of groups that stand at their level against the slope, as long as the squares get smaller.

    At the optimum the slope ``2 w z - A' price`` of a group at its level says what it would gain by moving back; those that
    gain most are flipped first, in bulk and then one by one.
    """
    from scipy.sparse.linalg import lsqr

    cost = float(weight @ best.z**2)
    both = core.goes_up & core.goes_down
    size, rows = max(len(best.up) // 20, 1), core.rows
    while clock.left > 0:
        inner = np.ones(core.size, bool)
        inner[core.unsafe] = False
        inner &= (best.z > -core.down) & (best.z < core.up)
        price = lsqr(rows[:, np.flatnonzero(inner)].T, 2 * (weight * best.z)[inner])[0]
        slope = (2 * weight * best.z - rows.T @ price)[core.unsafe]
        length = core.above + core.below
        promise = np.where(both, np.where(best.up, slope, -slope) * length, 0.0)
        likely = np.argsort(-promise, kind="stable")[: int((promise > 1e-9 * cost).sum())]
        better = None
        for start in range(0, len(likely), size):
            up = best.up.copy()
            which = likely[start : start + size]
            up[which] = ~up[which]
            z = nearest_with_directions(core, weight, up)
            if z is not None and float(weight @ z**2) < cost * (1 - 1e-9):
                better = Moved.of(core, z, up)
                break
            if clock.left <= 0:
                return best
        if better is not None:
            best, cost = better, float(weight @ better.z**2)
        elif size == 1:
            return best
        else:
            size = max(size // 4, 1)
    return best


def bound_in_squares(
    core: AdjustmentCore, weight: FloatArray, cuts: Any, cost: float, clock: Clock, *, rounds: int = 8
) -> float:
    """Return a number below which no adjustment has its weighted squares.

    Parameters
    ----------
    core, weight
        The problem and what squares cost.
    cuts
        Rows over absolute moves that every solution meets, to begin with; violated ones are added.
    cost
        Squares of a known solution.
    clock, rounds
        When to stop.
    """
    import scipy.sparse as sp
    from scipy.optimize import minimize

    sizes = abs(core.rows).tocsr()
    relation = np.repeat(np.arange(sizes.shape[0]), np.diff(sizes.indptr))
    least = core.least
    own = float(weight @ least**2)
    most = np.minimum(np.maximum(core.up, core.down), np.sqrt((cost - own) / weight + least**2) * (1 + 1e-6) + 1e-9)
    most = np.maximum(most, least)
    best, price = own, np.zeros(cuts.shape[0])

    def dual(prices: FloatArray, rows: Any) -> tuple[float, FloatArray]:
        pull = rows.T @ prices
        v = np.clip(pull / (2 * weight), least, most)
        return -float(weight @ v**2 - pull @ v), rows @ v

    for _ in range(rounds):
        if cuts.shape[0]:
            answer = minimize(
                dual, price, args=(cuts,), jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(price),
                options={"maxiter": 500, "maxfun": 700},
            )  # fmt: skip
            price, before = answer.x, best
            best = max(best, -float(answer.fun))
            if best - before < 1e-4 * best:
                break
        if clock.left <= 0:
            break
        v = np.clip((cuts.T @ price) / (2 * weight), least, most)
        mine = sizes.data * v[sizes.indices]
        new = np.flatnonzero(2 * mine - (sizes @ v)[relation] > 1e-3 * np.maximum(mine, 1e-9))
        if not len(new):
            break
        double = sp.csr_array(
            (2 * sizes.data[new], (np.arange(len(new)), sizes.indices[new])), shape=(len(new), core.size)
        )
        cuts = sp.vstack([cuts, (sizes[relation[new]] - double)]).tocsr()
        price = np.concatenate([price, np.zeros(len(new))])
    return best
