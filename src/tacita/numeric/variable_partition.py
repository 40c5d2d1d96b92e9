"""V-MDAV: groups of k records that take in near neighbours, up to 2k - 1.

References
----------
Solanas, A., Martinez-Balleste, A. (2006). V-MDAV: a multivariate microaggregation with variable group size. COMPSTAT 2006,
917-925.
"""

from __future__ import annotations

import numba as nb
import numpy as np
import numpy.typing as npt

from tacita.numeric.deletion_tree import NOBODY, DeletionTree, build_tree, delete_record
from tacita.numeric.farthest_pair import squared_distance
from tacita.numeric.fixed_partition import join_rest, split_large, take_group
from tacita.numeric.mdav_search import Search, find_records, new_search

__all__ = ["variable_partition"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


def variable_partition(x: FloatArray, k: int, gamma: float) -> IntArray:
    """Return groups of k to 2k - 1 records.

    As long as k records are left, the one farthest from the centroid of the file and its k - 1 nearest form a group. Then
    the record left that is nearest to any member is looked at: with d_in its distance from that member and d_out its
    distance from the nearest other record left, it joins if d_in < gamma d_out, and the next is looked at, until one
    does not join or the group has 2k - 1. Fewer than k records that are left join the groups with the nearest
    centroids; a group that has 2k then is divided.

    O(n^2 d) time at worst, near O(n log n) for few columns; O(n d) memory.

    Examples
    --------
    >>> x = np.array([[0.0], [1.0], [1.5], [30.0], [31.0], [60.0], [61.0]])
    >>> variable_partition(x, 2, 0.2).tolist()
    [1, 1, 1, 2, 2, 0, 0]
    """
    x = np.ascontiguousarray(x, dtype=np.float64)
    return split_large(x, _grow_groups(x, k, gamma), k)


@nb.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _grow_groups(x: FloatArray, k: int, gamma: float) -> IntArray:
    n, d = x.shape
    labels, centre, distance = np.full(n, -1), np.zeros(d), np.empty(n)
    for i in range(n):
        centre += x[i] / n
    for i in range(n):
        distance[i] = squared_distance(x[i], centre)
    tree, built, left, group = build_tree(x, np.arange(n), centre), n, n, 0
    search, members = new_search(d, max(k, 2)), np.empty(2 * k, np.int64)
    for seed in np.argsort(-distance, kind="mergesort"):
        if labels[seed] >= 0:
            continue
        if left < k:
            break
        if 2 * left < built:
            tree, built = build_tree(x, np.flatnonzero(labels < 0), centre), left
        delete_record(tree, seed)
        take_group(x, tree, search, seed, k - 1, labels, group)
        members[0] = seed
        members[1:k] = search.rows[: k - 1]
        left -= k + _extend(x, tree, search, members, k, gamma, labels, group, left - k)
        group += 1
    join_rest(x, labels, group)
    return labels


@nb.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _extend(
    x: FloatArray,
    tree: DeletionTree,
    search: Search,
    members: IntArray,
    k: int,
    gamma: float,
    labels: IntArray,
    group: int,
    left: int,
) -> int:
    """Let near records join the k members; return how many did."""
    nearest, away = np.full(2 * k, -1), np.full(2 * k, np.inf)
    size = k
    while size < 2 * k - 1 and size - k < left:
        for m in range(size):
            if nearest[m] < 0 or labels[nearest[m]] >= 0:
                find_records(tree, x[members[m]], 1, False, search)
                nearest[m], away[m] = search.rows[0], search.keys[0]
        closest = nearest[np.argmin(away[:size])]
        inside = away[:size].min()
        find_records(tree, x[closest], 2, False, search)
        other = 1 if search.rows[0] == closest else 0
        outside = np.inf if search.rows[other] == NOBODY else search.keys[other]
        if not np.sqrt(inside) < gamma * np.sqrt(outside):
            break
        delete_record(tree, closest)
        labels[closest], members[size] = group, closest
        size += 1
    return size - k
