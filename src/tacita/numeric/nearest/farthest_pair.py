"""The two records of a file that are farthest apart."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.kernel import kernel
from tacita.numeric.nearest.distances import squared_distance

__all__ = ["farthest_pair"]


_SLACK = 1.0 + 1e-9
"""Covers the rounding of the two radii whose sum bounds a distance."""


@kernel
def farthest_pair(x: FloatArray, members: IntArray) -> tuple[int, int]:
    """Return the two of the rows `members` that are farthest apart; needs two rows or more.

    No two records are farther apart than the sum of their distances from the centre. So records are paired from the
    outermost inwards, and the search ends where that sum falls below the best pair: a few passes over the records
    unless most of them lie on a sphere. O(m^2 d) time at worst, O(m) memory. The pair comes in ascending order; of
    equally distant pairs any may come.

    Examples
    --------
    >>> x = np.array([[0.0, 0.0], [1.0, 1.0], [5.0, 0.0], [2.0, 2.0]])
    >>> [int(i) for i in farthest_pair(x, np.arange(4))]
    [0, 2]
    """
    m, d = len(members), x.shape[1]
    centre = np.zeros(d)
    for i in members:
        centre += x[i] / m
    radius = np.empty(m)
    for t in range(m):
        radius[t] = np.sqrt(squared_distance(x[members[t]], centre))
    order = np.argsort(-radius, kind="mergesort")
    best, a, b = -1.0, order[0], order[1]
    for s in range(m - 1):
        outer = radius[order[s]]
        if (outer + radius[order[s + 1]]) ** 2 * _SLACK < best:
            break
        for t in range(s + 1, m):
            if (outer + radius[order[t]]) ** 2 * _SLACK < best:
                break
            distance = squared_distance(x[members[order[s]]], x[members[order[t]]])
            if distance > best:
                best, a, b = distance, order[s], order[t]
    return min(members[a], members[b]), max(members[a], members[b])
