"""Groups of exactly k records, taken from the edge of the cloud inwards; what is left joins the nearest groups.

`centroid_partition` takes one group at a time around the record farthest from the centroid of those left,
`diameter_partition` two groups around the two records left that are farthest apart. `split_large` divides groups of
2k records or more, which never raises the sum of squares.

References
----------
Laszlo, M., Mukherjee, S. (2005). Minimum spanning tree partitioning algorithm for microaggregation. IEEE TKDE 17(7),
902-911: centroid-based and diameter-based fixed-size partitions.
Domingo-Ferrer, J., Mateo-Sanz, J. M. (2002). Practical data-oriented microaggregation for statistical disclosure control.
IEEE TKDE 14(1), 189-201: multivariate fixed-size microaggregation by maximum distance (MD).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable

import numba as nb
import numpy as np
import numpy.typing as npt

from tacita.numeric.deletion_tree import DeletionTree, build_tree, delete_record
from tacita.numeric.farthest_pair import squared_distance
from tacita.numeric.mdav_search import Search, find_records, new_search

__all__ = ["centroid_partition", "diameter_partition", "join_rest", "split_large", "take_group"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


def centroid_partition(x: FloatArray, k: int) -> IntArray:
    """Return groups of k records around the records farthest from the centroid of those left.

    As long as k records are left, the one farthest from their centroid and its k - 1 nearest form a group; each of the
    fewer than k others joins the group with the nearest centroid. O(n^2 d / k) time at worst, near O(n log n) for few
    columns; O(n d) memory.

    Examples
    --------
    >>> centroid_partition(np.array([[0.0], [1.0], [10.0], [11.0], [30.0]]), 2).tolist()
    [1, 1, 0, 0, 0]
    """
    return np.asarray(_by_centroid(np.ascontiguousarray(x, dtype=np.float64), k))


def diameter_partition(x: FloatArray, k: int) -> IntArray:
    """Return groups of k records around the records that are farthest apart.

    As long as 2k records are left, the two farthest apart form a group each with their k - 1 nearest; k to 2k - 1 records
    that are left form a group, fewer join the groups with the nearest centroids. O(n^2 d) time and more where many
    records lie on a sphere; O(n d) memory.

    Examples
    --------
    >>> diameter_partition(np.array([[0.0], [1.0], [10.0], [11.0], [30.0]]), 2).tolist()
    [0, 0, 0, 1, 1]
    """
    return np.asarray(_by_diameter(np.ascontiguousarray(x, dtype=np.float64), k))


def split_large(
    x: FloatArray, labels: IntArray, k: int, divide: Callable[[FloatArray, int], IntArray] = centroid_partition
) -> IntArray:
    """Return the partition with every group of 2k records or more divided; groups are numbered 0, 1, 2, ..."""
    labels = np.unique(labels, return_inverse=True)[1].reshape(-1).astype(np.int64)
    sizes = np.bincount(labels)
    order = np.argsort(labels, kind="stable")
    starts, top = np.cumsum(sizes) - sizes, len(sizes)
    for group in np.flatnonzero(sizes >= 2 * k):
        rows = order[starts[group] : starts[group] + sizes[group]]
        parts = divide(x[rows], k)
        labels[rows] = np.where(parts == 0, group, top + parts - 1)
        top += int(parts.max())
    return labels


@nb.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def take_group(
    x: FloatArray, tree: DeletionTree, search: Search, seed: int, count: int, labels: IntArray, group: int
) -> None:
    """Put the `count` records nearest to the record `seed`, which was taken before, into its group; take them."""
    labels[seed] = group
    find_records(tree, x[seed], count, False, search)
    for t in range(count):
        labels[search.rows[t]] = group
        delete_record(tree, search.rows[t])


@nb.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _by_centroid(x: FloatArray, k: int) -> IntArray:
    n, d = x.shape
    labels, members = np.full(n, -1), np.arange(n)
    centre, total, search = np.empty(d), _sum(x, members), new_search(d, k)
    tree, built, left, group = build_tree(x, members, total / n), n, n, 0
    while left >= k:
        if 2 * left < built:  # searches in a tree that is half empty cost twice
            members = np.flatnonzero(labels < 0)
            total, built = _sum(x, members), left
            tree = build_tree(x, members, total / left)
        for j in range(d):
            centre[j] = total[j] / left
        find_records(tree, centre, 1, True, search)
        seed = search.rows[0]
        delete_record(tree, seed)
        take_group(x, tree, search, seed, k - 1, labels, group)
        for j in range(d):
            total[j] -= x[seed, j]
            for t in range(k - 1):
                total[j] -= x[search.rows[t], j]
        left -= k
        group += 1
    join_rest(x, labels, group)
    return labels


@nb.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _by_diameter(x: FloatArray, k: int) -> IntArray:
    """Farthest partners only come nearer as records are taken, so an old distance is a bound; a heap holds the bounds."""
    n, d = x.shape
    labels, members = np.full(n, -1), np.arange(n)
    centre, search = _sum(x, members) / n, new_search(d, k)
    tree, built, left, group = build_tree(x, members, centre), n, n, 0
    partner, heap = np.full(n, -1), _outer_bounds(x, centre)
    while left >= 2 * k:
        if 2 * left < built:
            tree, built = build_tree(x, np.flatnonzero(labels < 0), centre), left
        first = heap[0][1]
        while labels[first] >= 0 or partner[first] < 0 or labels[partner[first]] >= 0:
            heapq.heappop(heap)
            if labels[first] < 0:
                find_records(tree, x[first], 1, True, search)
                partner[first] = search.rows[0]
                heapq.heappush(heap, (-squared_distance(x[first], x[partner[first]]), first))
            first = heap[0][1]
        second = partner[first]
        delete_record(tree, first)
        delete_record(tree, second)
        take_group(x, tree, search, first, k - 1, labels, group)
        take_group(x, tree, search, second, k - 1, labels, group + 1)
        left -= 2 * k
        group += 2
    if left >= k:
        labels[labels < 0] = group
    else:
        join_rest(x, labels, group)
    return labels


@nb.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _outer_bounds(x: FloatArray, centre: FloatArray) -> list[tuple[float, int]]:
    """Return a heap of (minus a bound of the squared distance to its farthest partner, record)."""
    radius = np.empty(len(x))
    for i in range(len(x)):
        radius[i] = np.sqrt(squared_distance(x[i], centre))
    most = radius.max()
    heap = [(-((radius[i] + most) ** 2) * (1.0 + 1e-9), i) for i in range(len(x))]
    heapq.heapify(heap)
    return heap


@nb.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _sum(x: FloatArray, members: IntArray) -> FloatArray:
    total = np.zeros(x.shape[1])
    for i in members:
        total += x[i]
    return total


@nb.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def join_rest(x: FloatArray, labels: IntArray, groups: int) -> None:
    """Put each record without a group into the one of groups 0..groups-1 that has the nearest centroid."""
    rest = np.flatnonzero(labels < 0)
    if len(rest) == 0:
        return
    centres, sizes = np.zeros((groups, x.shape[1])), np.zeros(groups)
    for i in range(len(x)):
        if labels[i] >= 0:
            centres[labels[i]] += x[i]
            sizes[labels[i]] += 1
    for group in range(groups):
        centres[group] /= sizes[group]
    for row in rest:
        best = np.inf
        for group in range(groups):
            distance = squared_distance(x[row], centres[group])
            if distance < best:
                best, labels[row] = distance, group
