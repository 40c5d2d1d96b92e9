"""Groups with a proven bound: a forest of short edges, cut into trees of k to 3k - 3 records.

With r_i the distance of record i from its (k - 1)-th nearest record, every group of s records that contains i has a record
at least r_i away from i, and the sum of squares is the sum of all squared distances over s; so any partition into groups
of k to 2k - 1 has SSE >= sum_i r_i^2 / (2 (2k - 1)). Here every record sends out at most one edge, of length at most
r_i, and the groups are trees of such edges that share no edge. A path in a tree of m records has at most m edges, so
a group has SSE <= m^2 times its squared edges, and altogether

    SSE <= (3k - 3)^2 sum_i r_i^2 <= 18 (2k - 1) (k - 1)^2 * optimum.

References
----------
Domingo-Ferrer, J., Sebe, F., Solanas, A. (2008). A polynomial-time approximation to optimal multivariate
microaggregation. Computers and Mathematics with Applications 55(4), 714-732: algorithm mu-Approx.
Aggarwal, G. et al. (2005). Approximation algorithms for k-anonymity. Journal of Privacy Technology: the forest.
"""

from __future__ import annotations

import heapq

import numpy as np

from tacita.core.arrays import Float2, FloatArray, Int1, Int2, IntArray
from tacita.core.kernel import entry, kernel
from tacita.numeric.microaggregation.fixed_size import split_large
from tacita.numeric.microaggregation.tree import root_tree
from tacita.numeric.nearest.distances import squared_distance

__all__ = ["forest_partition"]


def forest_partition(x: FloatArray, k: int) -> IntArray:
    """Return groups of k to 2k - 1 records whose SSE is at most 18 (2k - 1) (k - 1)^2 times the least possible.

    O(n (log n + k d)) time for few columns (the nearest records), O(n (d + k)) memory.

    Notes
    -----
    As long as a tree has fewer than k records, the record of it that has sent out no edge sends one to the nearest
    record outside, the shortest edge first. The trees are cut from the leaves up: pieces that meet at a record are
    collected until they are k; fewer than k records that are left at the root join the nearest group of their tree that
    touches them. The authors move the root instead until a cut is balanced; the bound has the same order in k.
    A group of 2k records or more is divided, which only lowers its SSE.

    Examples
    --------
    >>> forest_partition(np.array([[0.0], [1.0], [10.0], [11.0], [30.0], [32.0]]), 2).tolist()
    [2, 2, 1, 1, 0, 0]
    """
    x = np.ascontiguousarray(x, dtype=np.float64)
    if len(x) < 2 * k:
        return np.zeros(len(x), dtype=np.int64)
    parent, order = root_tree(_forest(x, _nearest(x, k - 1), k), len(x))
    return split_large(x, _cut_bottom_up(x, parent, order, k), k)


def _nearest(x: FloatArray, count: int) -> IntArray:
    """Return the rows of the `count` nearest other records of each record."""
    from scipy.spatial import cKDTree

    found = cKDTree(x, balanced_tree=False).query(x, count + 1, workers=-1)[1]
    # Among duplicates a record need not stand first in its own list, nor in it at all.
    others = found != np.arange(len(x))[:, None]
    others[others.all(axis=1), -1] = False
    return np.asarray(found[others].reshape(len(x), count), dtype=np.int64)


@entry
def _forest(x: Float2, near: Int2, k: int) -> IntArray:
    """Return the edges of a forest of trees of k records or more, one edge at most from every record."""
    n = len(x)
    parent, sizes, sink = np.arange(n), np.ones(n, np.int64), np.arange(n)  # sink: the record without an edge out
    choice, edges, count = np.zeros(n, np.int64), np.empty((n, 2), np.int64), 0
    heap = [(squared_distance(x[i], x[near[i, 0]]), i) for i in range(n)]
    heapq.heapify(heap)
    while len(heap) > 0:
        _, i = heapq.heappop(heap)
        own = _root(parent, i)
        if sizes[own] >= k:
            continue
        other = _root(parent, near[i, choice[i]])
        if other == own:  # fewer than k - 1 of the k - 1 nearest can be in the tree, so there is a next one
            choice[i] += 1
            heapq.heappush(heap, (squared_distance(x[i], x[near[i, choice[i]]]), i))
            continue
        edges[count, 0], edges[count, 1] = i, near[i, choice[i]]
        count += 1
        parent[own], sink[own] = other, sink[other]
        sizes[other] += sizes[own]
    return edges[:count]


@kernel
def _root(parent: IntArray, i: int) -> int:
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@entry
def _cut_bottom_up(x: Float2, parent: Int1, order: Int1, k: int) -> IntArray:
    """Return groups of k to 3k - 3 records, each a piece of one tree."""
    n = len(parent)
    labels, touches, groups = np.full(n, -1), np.full(n, -1), 0  # touches: a record outside that a group hangs on
    head, tail, following, size = np.full(n, -1), np.full(n, -1), np.full(n, -1), np.zeros(n, np.int64)
    for t in range(n - 1, -1, -1):
        i, above = order[t], parent[order[t]]
        _append(head, tail, following, i, i, i)
        if size[i] + 1 >= k:
            _close(head, following, labels, i, groups)
            touches[groups] = above
            groups += 1
        elif above >= 0:
            _append(head, tail, following, above, head[i], tail[i])
            size[above] += size[i] + 1
            if size[above] >= k:
                _close(head, following, labels, above, groups)
                touches[groups], size[above] = above, 0
                groups += 1
    _join_roots(x, parent, order, labels, touches[:groups])
    return labels


@kernel
def _append(head: IntArray, tail: IntArray, following: IntArray, place: int, first: int, last: int) -> None:
    """Put the list first..last at the end of the list collected at a place."""
    if head[place] < 0:
        head[place] = first
    else:
        following[tail[place]] = first
    tail[place] = last


@kernel
def _close(head: IntArray, following: IntArray, labels: IntArray, place: int, group: int) -> None:
    """Make the records collected at a place a group, and the place empty."""
    i = head[place]
    while i >= 0:
        labels[i] = group
        i = following[i]
    head[place] = -1


@kernel
def _join_roots(x: FloatArray, parent: IntArray, order: IntArray, labels: IntArray, touches: IntArray) -> None:
    """Put the records left at each root into the nearest group of the tree that touches them."""
    n, groups = len(parent), len(touches)
    root = np.arange(n)
    for i in order:
        if parent[i] >= 0:
            root[i] = root[parent[i]]
    centres, sizes = np.zeros((n + groups, x.shape[1])), np.zeros(n + groups)  # first the rests, then the groups
    for i in range(n):
        own = root[i] if labels[i] < 0 else n + labels[i]
        centres[own] += x[i]
        sizes[own] += 1
    chosen, best = np.full(n, -1), np.full(n, np.inf)
    for group in range(groups):
        if touches[group] >= 0 and labels[touches[group]] < 0:
            rest = root[touches[group]]
            distance = squared_distance(centres[n + group] / sizes[n + group], centres[rest] / sizes[rest])
            if distance < best[rest]:
                best[rest], chosen[rest] = distance, group
    for i in range(n):
        if labels[i] < 0:
            labels[i] = chosen[root[i]]
