"""Groups of exactly k records, taken from the edge of the cloud inwards; what is left joins the nearest groups.

`centroid_partition` takes one group at a time around the record farthest from the centroid of those left,
`diameter_partition` two groups around the two records left that are farthest apart, `seeded_partition` one group around the
first record of a given order that is left. `split_large` divides groups of
2k records or more, which never raises the sum of squares. Records are found in a tree from which they can be taken
(:mod:`tacita.numeric.nearest.deletion_tree`); a new tree is built for each half, because searches in an empty one cost as much.

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

import numpy as np

from tacita.core.arrays import Float1, Float2, FloatArray, Int1, IntArray
from tacita.core.kernel import entry, kernel
from tacita.numeric.microaggregation.remaining import Remaining, set_centre, start_state, take_record
from tacita.numeric.nearest.deletion_tree import DeletionTree, build_tree, delete_record
from tacita.numeric.nearest.distances import squared_distance
from tacita.numeric.nearest.tree_search import TreeSearch, find_records, new_search

__all__ = ["centroid_partition", "diameter_partition", "join_rest", "seeded_partition", "split_large", "take_group"]


_TINY = 64
"""Up to this many records a plain loop beats building a tree."""


def centroid_partition(x: FloatArray, k: int) -> IntArray:
    """Return groups of k records around the records farthest from the centroid of those left.

    As long as k records are left, the one farthest from their centroid and its k - 1 nearest form a group; each of the
    fewer than k others joins the group with the nearest centroid. O(n^2 d / k) time at worst, near O(n log n) for few
    columns; O(n d) memory.

    Examples
    --------
    >>> centroid_partition(np.array([[0.0], [1.0], [10.0], [11.0], [30.0]]), 2).tolist()
    [1, 1, 1, 0, 0]
    """
    x = np.ascontiguousarray(x, dtype=np.float64)
    state, search = start_state(x), new_search(x.shape[1], k)
    while state.left[0] >= k:
        if state.left[0] <= _TINY:
            _scan_by_centroid(x, k, state, np.empty(len(x)))
        else:
            tree = build_tree(x, np.flatnonzero(state.labels < 0), state.centre)
            _by_centroid(tree, x, k, int(state.left[0]) // 2, state, search)
    join_rest(x, state.labels, int(state.groups[0]))
    return np.asarray(state.labels)


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
    x = np.ascontiguousarray(x, dtype=np.float64)
    state, search = start_state(x), new_search(x.shape[1], k)
    centre, partner = state.centre.copy(), np.full(len(x), -1)
    radius = np.sqrt(((x - centre) ** 2).sum(axis=1))
    bounds = (radius + radius.max(initial=0.0)) ** 2 * (1 + 1e-9)
    while state.left[0] >= 2 * k:
        tree = build_tree(x, np.flatnonzero(state.labels < 0), centre)
        _by_diameter(tree, x, k, int(state.left[0]) // 2, state, search, bounds, partner)
    if state.left[0] >= k:
        state.labels[state.labels < 0] = state.groups[0]
    else:
        join_rest(x, state.labels, int(state.groups[0]))
    return np.asarray(state.labels)


def seeded_partition(x: FloatArray, k: int, order: IntArray) -> IntArray:
    """Return groups of k records around the first record of an order that is left, and one of the k to 2k - 1 that remain.

    O(n^2 d / k) time at worst, near O(n log n) for few columns; O(n d) memory. Fewer than 2k records form one group.

    Examples
    --------
    >>> seeded_partition(np.array([[0.0], [1.0], [10.0], [11.0], [30.0]]), 2, np.array([4, 0, 1, 2, 3])).tolist()
    [1, 1, 1, 0, 0]
    """
    x, order = np.ascontiguousarray(x, dtype=np.float64), np.ascontiguousarray(order, dtype=np.int64)
    state, search, at = start_state(x), new_search(x.shape[1], k), np.zeros(1, dtype=np.int64)
    while state.left[0] >= 2 * k:
        tree = build_tree(x, np.flatnonzero(state.labels < 0), state.centre)
        _by_order(tree, x, order, at, k, int(state.left[0]) // 2, state, search)
    state.labels[state.labels < 0] = state.groups[0]
    return np.asarray(state.labels)


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


@kernel
def take_group(tree: DeletionTree, x: FloatArray, seed: int, count: int, state: Remaining, search: TreeSearch) -> None:
    """Group a record, which was taken from the tree before, with the `count` records nearest to it."""
    take_record(x, seed, state.groups[0], state)
    find_records(tree, x[seed], count, False, search)
    for t in range(count):
        take_record(x, search.rows[t], state.groups[0], state)
        delete_record(tree, search.rows[t])
    state.groups[0] += 1


@entry
def _by_centroid(tree: DeletionTree, x: Float2, k: int, stop: int, state: Remaining, search: TreeSearch) -> None:
    """Form groups until at most `stop` or fewer than k records are left."""
    while state.left[0] >= k and state.left[0] > stop:
        find_records(tree, state.centre, 1, True, search)
        seed = search.rows[0]
        delete_record(tree, seed)
        take_group(tree, x, seed, k - 1, state, search)
        if state.left[0] > 0:
            set_centre(state)


@entry
def _by_order(
    tree: DeletionTree, x: Float2, order: Int1, at: Int1, k: int, stop: int, state: Remaining, search: TreeSearch
) -> None:
    """Form groups until at most `stop` or fewer than 2k records are left; `at` is the place in the order."""
    while state.left[0] >= 2 * k and state.left[0] > stop:
        seed = order[at[0]]
        at[0] += 1
        if state.labels[seed] < 0:
            delete_record(tree, seed)
            take_group(tree, x, seed, k - 1, state, search)


@entry
def _scan_by_centroid(x: Float2, k: int, state: Remaining, distance: Float1) -> None:
    """The same without a tree, looking at all records for every question."""
    while state.left[0] >= k:
        seed, far = -1, -1.0
        for i in range(len(x)):
            if state.labels[i] < 0:
                gap = squared_distance(x[i], state.centre)
                if gap > far:
                    seed, far = i, gap
        take_record(x, seed, state.groups[0], state)
        for i in range(len(x)):
            distance[i] = squared_distance(x[i], x[seed])
        for _ in range(k - 1):
            nearest = -1
            for i in range(len(x)):
                if state.labels[i] < 0 and (nearest < 0 or distance[i] < distance[nearest]):
                    nearest = i
            take_record(x, nearest, state.groups[0], state)
        state.groups[0] += 1
        if state.left[0] > 0:
            set_centre(state)


@entry
def _by_diameter(
    tree: DeletionTree,
    x: Float2,
    k: int,
    stop: int,
    state: Remaining,
    search: TreeSearch,
    bounds: Float1,
    partner: Int1,
) -> None:
    """Form pairs of groups until at most `stop` or fewer than 2k records are left.

    The farthest partner of a record only comes nearer as records are taken, so its old distance is a bound; the record with
    the largest bound is the end of the diameter as soon as its partner is there.
    """
    labels = state.labels
    heap = [(-bounds[i], i) for i in range(len(x)) if labels[i] < 0]
    heapq.heapify(heap)
    while state.left[0] >= 2 * k and state.left[0] > stop:
        first = heap[0][1]
        while labels[first] >= 0 or partner[first] < 0 or labels[partner[first]] >= 0:
            heapq.heappop(heap)
            if labels[first] < 0:
                find_records(tree, x[first], 1, True, search)
                partner[first] = search.rows[0]
                bounds[first] = squared_distance(x[first], x[partner[first]])
                heapq.heappush(heap, (-bounds[first], first))
            first = heap[0][1]
        second = partner[first]
        delete_record(tree, first)
        delete_record(tree, second)
        take_group(tree, x, first, k - 1, state, search)
        take_group(tree, x, second, k - 1, state, search)


@entry
def join_rest(x: Float2, labels: Int1, groups: int) -> None:
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
