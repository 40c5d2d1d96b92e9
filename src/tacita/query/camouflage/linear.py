"""Linear statistics over the set of candidates: sums, means and weighted ones are extreme at a vertex."""

from __future__ import annotations

import math

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.query.camouflage.hull import Hull
from tacita.query.camouflage.outward import SUM_ERROR, Bounds, widened

__all__ = ["linear_interval"]


def linear_interval(hull: Hull, rows: IntArray | slice, weights: FloatArray | None, *, is_mean: bool = False) -> Bounds:
    """Return the range of sum_i c_i x_i, or of its quotient by sum_i c_i, over all candidates x.

    A linear function on a hull is extreme at a vertex: the ends are min_j and max_j of sum_i c_i P^j_i.

    Parameters
    ----------
    hull
        The candidates.
    rows
        The members, as :meth:`Hull.members` returns them.
    weights
        c, one for each member; None for ones.
    is_mean
        Whether the sum is divided by the sum of the weights, which must not be 0 then.

    Returns
    -------
    Bounds
        The range, wider by what rounding can have changed.

    Notes
    -----
    O(k n) time, O(n) memory. Where all weights are positive the ends respect the bounds of the variable.

    Examples
    --------
    >>> hidden = Hull(np.array([[1.0, 2.0], [3.0, 1.0]]), np.array([0.5, 0.5]))
    >>> [round(end, 9) for end in linear_interval(hidden, slice(None), None)]
    [3.0, 4.0]
    """
    if weights is None:
        sums = [float(row[rows].sum()) for row in hull.points]
        count = hull.records if isinstance(rows, slice) else len(rows)
        mass = total = float(count)
    else:
        sums = [float((weights * row[rows]).sum()) for row in hull.points]
        mass, total = float(np.abs(weights).sum()), float(weights.sum())
    bounds = widened(min(sums), max(sums), SUM_ERROR * mass * hull.scale)
    if mass == total:  # no weight is negative
        # a product of two rounded factors; the bound itself times 1 is exact
        low, high = (limit * total for limit in hull.bounds) if total else (0.0, 0.0)
        error = 0.0 if weights is None else SUM_ERROR * mass
        bounds = Bounds(max(bounds.low, _less(low, error)), min(bounds.high, -_less(-high, error)))
    return _divided(bounds, total, hull.bounds) if is_mean else bounds


def _less(value: float, error: float) -> float:
    """Return a number that is surely not above the exact product; 0 and infinities are exact."""
    return value if value == 0 or math.isinf(value) else math.nextafter(value - abs(value) * error, -math.inf)


def _divided(bounds: Bounds, total: float, limits: tuple[float, float]) -> Bounds:
    low, high = sorted((bounds.low / total, bounds.high / total))
    wider = widened(low, high, SUM_ERROR * max(abs(low), abs(high)))
    low, high = (0.0 if end == 0 else wide for end, wide in zip((low, high), wider, strict=True))
    return Bounds(max(low, limits[0]), min(high, limits[1])) if total > 0 else Bounds(low, high)
