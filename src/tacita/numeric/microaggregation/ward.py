"""k-Ward: Ward's hierarchical clustering, kept from joining two groups that are large enough already.

Ward's method joins the two clusters whose union raises the within-group sum of squares least,

    D(A, B) = |A| |B| / (|A| + |B|) * |c_A - c_B|^2.

k-Ward starts from two groups of k records around the two records that are farthest apart and from single records,
joins until every cluster has k records, but never two that have, and starts again inside each cluster of 2k or more.

References
----------
Domingo-Ferrer, J., Mateo-Sanz, J. M. (2002). Practical data-oriented microaggregation for statistical disclosure control.
IEEE TKDE 14(1), 189-201: algorithm k-Ward.
Ward, J. H. (1963). Hierarchical grouping to optimize an objective function. JASA 58, 236-244.
"""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np

from tacita.core.arrays import Float2, FloatArray, Int1, IntArray
from tacita.core.kernel import entry, kernel
from tacita.numeric.nearest.distances import squared_distance
from tacita.numeric.nearest.farthest_pair import farthest_pair

__all__ = ["ward_partition"]


def ward_partition(x: FloatArray, k: int) -> IntArray:
    """Return groups of k to 2k - 1 records. About O(n^2 d) time, O(n d) memory: no matrix of distances.

    Notes
    -----
    Every cluster below size k knows the cluster nearest to it. Ward's distance is reducible: a union is never nearer to a
    third cluster than the nearer of its parts, so a nearest cluster stays nearest until it is itself joined, and only
    then is it searched anew.

    Examples
    --------
    >>> ward_partition(np.array([[0.0], [1.0], [2.0], [50.0], [51.0], [99.0], [100.0]]), 2).tolist()
    [0, 0, 0, 1, 1, 2, 2]
    """
    from scipy.spatial import cKDTree

    x = np.ascontiguousarray(x, dtype=np.float64)
    labels = np.zeros(len(x), dtype=np.int64)
    waiting, groups = [np.arange(len(x))], 0
    while waiting:
        rows = waiting.pop()
        if len(rows) < 2 * k:
            labels[rows] = groups
            groups += 1
            continue
        part = x[rows]
        neighbour = cKDTree(part, balanced_tree=False).query(part, 2)[1]
        # Among duplicates a record need not stand first in its own list.
        nearest = np.where(neighbour[:, 0] == np.arange(len(rows)), neighbour[:, 1], neighbour[:, 0])
        clusters = _ward(part, k, nearest)
        order = np.argsort(clusters, kind="stable")
        cuts = np.flatnonzero(np.diff(clusters[order])) + 1
        waiting += [rows[some] for some in reversed(np.split(order, cuts))]
    return labels


class _Clusters(NamedTuple):
    """The clusters under way; one is named by a record of it, and stands in one of the first `len(names)` places."""

    parent: IntArray
    """(n,): the cluster that a cluster was joined to, or itself."""
    sizes: IntArray
    """(n,): number of records."""
    place: IntArray
    """(n,): where its centre stands."""
    centres: FloatArray
    """(d, n): centres, column by column, so that a search can take several at once."""
    names: IntArray
    """(n,): the cluster in a place."""
    total: IntArray
    """(1,): number of clusters."""


@entry
def _ward(x: Float2, k: int, nearest: Int1) -> IntArray:
    """Return the cluster of each record, named by one of its records; `nearest` is used up."""
    n = len(x)
    clusters = _Clusters(
        parent=np.arange(n),
        sizes=np.ones(n, np.int64),
        place=np.arange(n),
        centres=np.ascontiguousarray(x.T),
        names=np.arange(n),
        total=np.array([n]),
    )
    parent, sizes = clusters.parent, clusters.sizes
    _start(x, k, clusters)
    away, seen, buffer = np.full(n, np.inf), np.ones(n, np.int64), np.empty(n)  # seen: size of the nearest when found
    heap = [(np.inf, -1)]
    for i in clusters.names[: clusters.total[0]].copy():
        if sizes[i] < k:
            if parent[nearest[i]] == nearest[i] and sizes[nearest[i]] == 1:
                away[i] = squared_distance(x[i], x[nearest[i]]) / 2
            else:
                nearest[i], away[i] = _find_nearest(clusters, i, buffer)
                seen[i] = sizes[nearest[i]]
            heap.append((away[i], i))
    heapq.heapify(heap)
    while heap[0][1] >= 0:
        distance, i = heapq.heappop(heap)
        if parent[i] != i or sizes[i] >= k or distance != away[i]:
            continue
        j = nearest[i]
        if parent[j] == j and sizes[j] == seen[i]:
            _join(clusters, i, j)
            away[i] = np.inf
        if sizes[i] < k:
            nearest[i], away[i] = _find_nearest(clusters, i, buffer)
            seen[i] = sizes[nearest[i]]
            heapq.heappush(heap, (away[i], i))
    for i in range(n):
        root = i
        while parent[root] != root:
            root = parent[root]
        parent[i] = root
    return parent


@kernel
def _start(x: FloatArray, k: int, clusters: _Clusters) -> None:
    """Join the two records that are farthest apart with k - 1 nearest records each."""
    first, second = farthest_pair(x, np.arange(len(x)))
    taken = np.zeros(len(x), dtype=np.bool_)
    taken[first] = taken[second] = True
    for seed in (first, second):
        distance = np.empty(len(x))
        for i in range(len(x)):
            distance[i] = np.inf if taken[i] else squared_distance(x[i], x[seed])
        for i in np.argsort(distance, kind="mergesort")[: k - 1]:
            taken[i] = True
            _join(clusters, seed, i)


@kernel
def _join(clusters: _Clusters, i: int, j: int) -> None:
    """Join cluster j to cluster i; the last place moves into the gap."""
    parent, sizes, place, centres, names, total = clusters
    share = sizes[j] / (sizes[i] + sizes[j])
    gap, last = place[j], total[0] - 1
    for c in range(len(centres)):
        centres[c, place[i]] += share * (centres[c, gap] - centres[c, place[i]])
        centres[c, gap] = centres[c, last]
    names[gap] = names[last]
    place[names[last]] = gap
    total[0] = last
    sizes[i] += sizes[j]
    parent[j] = i


@kernel
def _find_nearest(clusters: _Clusters, i: int, buffer: FloatArray) -> tuple[int, float]:
    """Return the cluster nearest to cluster i and its distance."""
    sizes, centres, names, count = clusters.sizes, clusters.centres, clusters.names, clusters.total[0]
    here, best, found = clusters.place[i], np.inf, -1
    buffer[:count] = 0.0
    for c in range(len(centres)):
        centre = centres[c, here]
        for p in range(count):
            buffer[p] += (centres[c, p] - centre) ** 2
    for p in range(count):
        # A cluster weighs at least a half against a single record: most are out of the race without a division.
        if buffer[p] < 2.0 * best and p != here:
            size = sizes[names[p]]
            distance = sizes[i] * size / (sizes[i] + size) * buffer[p]
            if distance < best or (distance == best and names[p] < found):
                best, found = distance, names[p]
    return found, best
