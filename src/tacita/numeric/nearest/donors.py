"""Donors: the nearest of some records under Gower's distance, one of several equally near ones at random."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Float1, Float2, FloatArray, IntArray
from tacita.core.kernel import entry

__all__ = ["draw_from_groups", "nearest_donors"]


_TIE = 1e-9
"""Distances that differ by less are equal: they are sums in another order."""


def nearest_donors(
    points: FloatArray, donors: FloatArray, importance: FloatArray, counts: IntArray, chance: FloatArray
) -> IntArray:
    """Return for each record one of its nearest donors. O(m s p) time, no matrix of distances.

    The distance is ``sum_j importance_j min(|a_j - b_j|, 1)`` on points as
    :mod:`tacita.numeric.microaggregation.gower` makes them.

    Parameters
    ----------
    points
        (m, p): the records that look for a donor.
    donors
        (s, p): distinct donors.
    importance
        (p,): factor of each column.
    counts
        (s,): how many records each donor stands for; equally near ones are drawn in proportion.
    chance
        (m,): uniform random numbers in [0, 1).

    Examples
    --------
    >>> import numpy as np
    >>> a, b = np.array([[0.2, 1.0]]), np.array([[0.0, 1.0], [0.3, 1.0], [0.2, 2.0]])
    >>> nearest_donors(a, b, np.ones(2), np.ones(3, dtype=np.int64), np.zeros(1)).tolist()
    [1]
    """
    return np.asarray(
        _nearest(
            np.ascontiguousarray(points), np.ascontiguousarray(donors.T), importance, counts.astype(np.float64), chance
        )
    )


@entry
def _nearest(points: Float2, donors: Float2, importance: Float1, counts: Float1, chance: Float1) -> IntArray:
    m, (p, s) = len(points), donors.shape
    found, distance = np.empty(m, np.int64), np.empty(s)
    for i in range(m):
        distance[:] = 0.0
        for j in range(p):  # column by column, so that the compiler can take several donors at once
            here, factor, column = points[i, j], importance[j], donors[j]
            for d in range(s):
                distance[d] += factor * min(abs(column[d] - here), 1.0)
        least = distance.min() + _TIE
        left = 0.0
        for d in range(s):
            if distance[d] <= least:
                left += counts[d]
        left *= chance[i]
        for d in range(s):
            if distance[d] <= least:
                found[i] = d
                left -= counts[d]
                if left < 0:
                    break
    return found


def draw_from_groups(wanted: IntArray, groups: IntArray, chance: FloatArray) -> IntArray:
    """Return for each wanted group one of its members, all with the same chance. O((n + m) log n).

    Parameters
    ----------
    wanted
        (m,): groups that a member is drawn from; each must have one.
    groups
        (n,): group of each possible member.
    chance
        (m,): uniform random numbers in [0, 1).
    """
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    first, last = np.searchsorted(ordered, wanted, "left"), np.searchsorted(ordered, wanted, "right")
    return np.asarray(order[first + np.minimum((chance * (last - first)).astype(np.int64), last - first - 1)])
