"""Counting how many of several intervals around a masked value hold the original, by ranks and by distance.

One sort of each column and one walk along the sorted values take the place of a binary search for every value: a search
in a column of a million values misses the cache at nearly every step.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Float1, FloatArray, Int1, IntArray
from tacita.core.kernel import entry
from tacita.numeric.statistics.order import sorting_order

__all__ = ["distance_hits", "rank_hits", "rank_places"]


_ROUNDING = 1e-9
"""A rank distance that is a whole number but for rounding counts as that number."""


def rank_hits(x: FloatArray, y: FloatArray, ordered: FloatArray, reaches: FloatArray) -> FloatArray:
    """Return for each pair of values how many of the rank intervals around y hold x. O(n log n), no missing values.

    Parameters
    ----------
    x, y
        Original and masked values, side by side.
    ordered
        All masked values, sorted; y is among them.
    reaches
        Half-widths of the intervals, in ranks.

    Notes
    -----
    The interval ends at the order statistics ``ceil(r - reach)`` and ``floor(r + reach)``, cut at the ends of the file. With
    ``first`` and ``last`` the first and last ranks at which x could stand, x lies inside when ``ceil(r - reach) <= last`` and
    ``floor(r + reach) >= first``; so no order statistic need be looked up.
    """
    x, y = np.ascontiguousarray(x), np.ascontiguousarray(y)
    first_y, last_y = rank_places(y, sorting_order(y), ordered)
    first_x, last_x = rank_places(x, sorting_order(x), ordered)
    return np.asarray(_count_ranks(first_x, last_x, first_y, last_y, len(ordered), reaches))


@entry
def distance_hits(x: Float1, y: Float1, limits: Float1) -> FloatArray:
    """Return for each pair of values how many limits are at least as large as |x - y|; NaN where one is missing."""
    hits = np.empty(len(x))
    for i in range(len(x)):
        gap = abs(x[i] - y[i]) * (1 - 1e-12)
        count = 0
        for limit in limits:
            count += gap <= limit
        hits[i] = np.nan if np.isnan(gap) else float(count)
    return hits


@entry
def rank_places(values: Float1, order: Int1, ordered: Float1) -> tuple[IntArray, IntArray]:
    """Return how many sorted values are below each value, and the rank of the last one that is not above it."""
    first, last = np.empty(len(values), np.int64), np.empty(len(values), np.int64)
    n, below, upto = len(ordered), 0, 0
    for i in order:
        value = values[i]
        while below < n and ordered[below] < value:
            below += 1
        while upto < n and ordered[upto] <= value:
            upto += 1
        first[i], last[i] = below, upto - 1
    return first, last


@entry
def _count_ranks(first_x: Int1, last_x: Int1, first_y: Int1, last_y: Int1, n: int, reaches: Float1) -> FloatArray:
    hits = np.empty(len(first_x))
    for i in range(len(hits)):
        rank = (first_y[i] + last_y[i]) / 2
        count = 0
        for reach in reaches:
            lower = min(max(np.ceil(rank - reach - _ROUNDING), 0.0), n - 1.0)
            upper = min(max(np.floor(rank + reach + _ROUNDING), 0.0), n - 1.0)
            count += (lower <= last_x[i]) and (upper >= first_x[i])
        hits[i] = count
    return hits
