"""Quantiles and counts over the set of candidates, by outer bounds: they only grow when a value grows.

A statistic that does not fall when any value rises lies between its value at all least and at all greatest candidate values. That
is the range over the box around the set: wider than the range over the set, and as safe, because no candidate leaves it.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.query.camouflage.hull import Hull
from tacita.query.camouflage.outward import Bounds

__all__ = ["count_interval", "quantile_interval"]


def quantile_interval(hull: Hull, rows: IntArray | slice, q: float) -> Bounds:
    """Return an interval with the q-quantile of every candidate.

    The quantile of n sorted values lies at the place (n - 1) q, by linear interpolation between neighbours (numpy's default,
    type 7 of Hyndman and Fan); the median is q = 1/2.

    Parameters
    ----------
    hull
        The candidates.
    rows
        The members, as :meth:`Hull.members` returns them.
    q
        From 0 to 1.

    Notes
    -----
    O(n) time by partial sorting.

    Examples
    --------
    >>> hidden = Hull(np.array([[1.0, 5.0, 3.0], [2.0, 4.0, 9.0]]), np.array([0.5, 0.5]))
    >>> quantile_interval(hidden, slice(None), 0.5)
    Bounds(low=3.0, high=5.0)
    """
    return Bounds(_quantile(hull.least[rows], q, -1), _quantile(hull.most[rows], q, 1))


def _quantile(values: FloatArray, q: float, side: int) -> float:
    """Return a quantile, rounded down (side -1) or up (side 1) where it is not one of the values."""
    place = (len(values) - 1) * q
    below = min(int(np.floor(place)), len(values) - 1)
    above = min(below + 1, len(values) - 1)
    ordered = np.partition(values, [below, above])
    low, high = float(ordered[below]), float(ordered[above])
    share = place - below
    if share == 0 or low == high:
        return low
    middle = low + share * (high - low)
    # the place itself is rounded: some steps of the last bit of n, times the gap
    error = 4 * (np.spacing(max(abs(low), abs(high))) + np.spacing(float(len(values))) * (high - low))
    return float(np.clip(middle + side * error, low, high))


def count_interval(hull: Hull, rows: IntArray | slice, limit: float) -> Bounds:
    """Return an interval with the number of members above a limit, for every candidate.

    Parameters
    ----------
    hull
        The candidates.
    rows
        The members, as :meth:`Hull.members` returns them.
    limit
        Values equal to it are not above it.

    Examples
    --------
    >>> hidden = Hull(np.array([[1.0, 5.0, 3.0], [2.0, 4.0, 9.0]]), np.array([0.5, 0.5]))
    >>> count_interval(hidden, slice(None), 3.0)
    Bounds(low=1.0, high=2.0)
    """
    return Bounds(float(np.count_nonzero(hull.least[rows] > limit)), float(np.count_nonzero(hull.most[rows] > limit)))
