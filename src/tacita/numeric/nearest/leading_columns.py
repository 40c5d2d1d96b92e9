"""Leading columns: for each row the row of another table that agrees with it from the first column on as far as possible."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import IntArray

__all__ = ["longest_common_start"]


def longest_common_start(x: IntArray, y: IntArray) -> IntArray:
    """Return for each row of y the row of x that shares the longest start with it. O((n + m)(d + log n)).

    In sorted order such a row is a neighbour: the next row of x above or below. Of two that share as much the
    first of x is taken.

    Examples
    --------
    >>> x = np.array([[0, 0], [0, 1], [2, 2]])
    >>> longest_common_start(x, np.array([[0, 1], [2, 0], [1, 1]])).tolist()
    [1, 2, 1]
    """
    n, both = len(x), np.vstack([x, y])
    order = np.lexsort(both.T[::-1])  # the first column decides first; rows of x stand before equal ones of y
    is_x = order < n
    places = np.arange(len(order))
    above = np.maximum.accumulate(np.where(is_x, places, -1))
    below = np.minimum.accumulate(np.where(is_x, places, len(order))[::-1])[::-1]
    mine = np.flatnonzero(~is_x)
    best, start = np.full(len(y), n), np.full(len(y), -1)
    for near in (above, below):
        there = (near[mine] >= 0) & (near[mine] < len(order))
        found, here = order[near[mine[there]]], order[mine[there]] - n
        shared = np.cumprod(x[found] == y[here], axis=1).sum(axis=1)
        is_better = (shared > start[here]) | ((shared == start[here]) & (found < best[here]))
        best[here[is_better]], start[here[is_better]] = found[is_better], shared[is_better]
    return best
