"""Minimum and maximum over the set of candidates: a vertex on one side, a small linear programme on the other."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import TacitaError
from tacita.query.camouflage.hull import Hull
from tacita.query.camouflage.outward import SUM_ERROR, Bounds
from tacita.solve import Solver

__all__ = ["least_maximum", "maximum_interval", "minimum_interval"]

ROUNDS = 60


def maximum_interval(hull: Hull, rows: IntArray | slice) -> Bounds:
    """Return the range of the largest value among the members, over all candidates.

    The maximum is convex: largest at a vertex, where it is max_ij P^j_i, and least by a linear programme.

    Parameters
    ----------
    hull
        The candidates.
    rows
        The members, as :meth:`Hull.members` returns them.

    Examples
    --------
    >>> hidden = Hull(np.array([[0.0, 4.0], [3.0, 0.0]]), np.array([0.5, 0.5]))
    >>> [round(end, 9) for end in maximum_interval(hidden, slice(None))]
    [1.714285714, 4.0]
    """
    least, most = hull.least[rows], hull.most[rows]
    error = SUM_ERROR * hull.scale
    return Bounds(least_maximum(hull.points, rows, least, most, error=error), float(most.max()))


def minimum_interval(hull: Hull, rows: IntArray | slice) -> Bounds:
    """Return the range of the smallest value among the members: that of the maximum of all values with the other sign.

    Parameters
    ----------
    hull
        The candidates.
    rows
        The members, as :meth:`Hull.members` returns them.

    Examples
    --------
    >>> hidden = Hull(np.array([[0.0, 4.0], [3.0, 0.0]]), np.array([0.5, 0.5]))
    >>> [round(end, 9) for end in minimum_interval(hidden, slice(None))]
    [0.0, 1.714285714]
    """
    least, most = hull.least[rows], hull.most[rows]
    error = SUM_ERROR * hull.scale
    return Bounds(float(least.min()), -least_maximum(hull.points, rows, -most, -least, error=error, sign=-1.0))


def least_maximum(
    points: FloatArray, rows: IntArray | slice, least: FloatArray, most: FloatArray, *, error: float, sign: float = 1.0
) -> float:
    """Return a number that max_i x_i is not below for any candidate x, as large as it can be.

    The linear programme is: least v with v >= sum_j u_j P^j_i for all i and convex weights u. Only few rows matter: a record
    whose greatest value is below the greatest least value never is the largest, and of the others rows are added while one is
    violated. The dual values y of the rows, made to sum to 1, prove the bound: max_i x_i >= sum_i y_i x_i >= min_j sum_i y_i
    P^j_i.

    Parameters
    ----------
    points
        (k, n): the vertices.
    rows
        The members.
    least, most
        Least and greatest candidate value of each member, with the sign.
    error
        What rounding can have changed.
    sign
        -1 where all values are meant with the other sign.

    Returns
    -------
    float
        The proven bound; it does not depend on the tolerances of the solver.
    """
    floor = float(least.max())
    matter = most > floor
    if not matter.any():
        return floor
    kept = points[:, matter] if isinstance(rows, slice) else points[:, rows[matter]]
    unit = float(most.max()) - floor
    kept = (sign * kept - floor) / unit  # the solver's tolerances are absolute
    try:
        bound = _cutting_planes(kept, most[matter])
    except TacitaError:  # the solver failed; the greatest least value is a bound as well
        return floor
    return max(floor, floor + bound * unit - error - 1e-14 * unit)


def _cutting_planes(kept: FloatArray, most: FloatArray) -> float:
    """Return the best proven bound of max_i over the hull of the rows of a matrix."""
    k = len(kept)
    chosen = np.unique(np.append(kept.argmax(axis=1), most.argmax()))
    one = np.append(np.ones(k), 0.0)[None, :]
    model = Solver(
        np.append(np.zeros(k), 1.0), one, np.ones(1), np.ones(1), np.zeros(k + 1), np.append(np.ones(k), np.inf)
    )
    model.set_bounds(np.array([k]), np.array([-np.inf]), np.array([np.inf]))
    model.add_rows(_cuts(kept, chosen), np.zeros(len(chosen)), np.full(len(chosen), np.inf))
    best = -np.inf
    for _ in range(ROUNDS):
        answer = model.run()
        if answer.status != "optimal":
            break
        prices = np.maximum(answer.duals[1:], 0.0)
        if prices.sum() > 0:
            prices /= prices.sum()
            best = max(best, float((kept[:, chosen] @ prices).min()))
        candidate = np.maximum(answer.values[:k], 0.0) @ kept
        worst = np.argpartition(candidate, -min(k, len(candidate)))[-min(k, len(candidate)) :]
        fresh = np.setdiff1d(worst[candidate[worst] > answer.values[k] + 1e-9], chosen)
        if not len(fresh):
            break
        model.add_rows(_cuts(kept, fresh), np.zeros(len(fresh)), np.full(len(fresh), np.inf))
        chosen = np.append(chosen, fresh)
    return best


def _cuts(kept: FloatArray, chosen: IntArray) -> FloatArray:
    """Write v - sum_j u_j P^j_i >= 0 for some records i."""
    return np.hstack([-kept[:, chosen].T, np.ones((len(chosen), 1))])
