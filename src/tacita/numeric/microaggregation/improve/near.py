"""Lists of near records: the partners among which a partition search looks for exchanges.

Up to `EXACT_ROWS` records the lists are the exact nearest neighbours (k-d tree). Above, they come from a small forest
of random projection trees: each tree halves the records at the median of their projection on the line through two
random records of the node, down to leaves of bounded size, and the records of one leaf are compared with each other.
A near record of a near record is likely near, so two passes over those complete the lists. The cost does not depend
on the data, where exact search degrades towards O(n^2 d) for a dozen noisy columns.

References
----------
Dong, W., Moses, C., Li, K. (2011). Efficient k-nearest neighbor graph construction for generic similarity measures.
WWW 2011, 577-586: neighbours of neighbours.
Dasgupta, S., Freund, Y. (2008). Random projection trees and low dimensional manifolds. STOC 2008, 537-546.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from tacita.core.arrays import Float1, Float2, FloatArray, Int1, IntArray, Place1, Place2, PlaceArray, Word1
from tacita.core.kernel import entry, kernel
from tacita.numeric.compiled.random import LOW_WORD, draw_below, next_word, stream_state
from tacita.numeric.microaggregation.partition import group_centroids

__all__ = ["EXACT_ROWS", "forest_lists", "group_lists", "leaf_order", "near_lists"]


EXACT_ROWS = 20_000
"""Most records for which exact lists are worth their time (a few seconds in the worst case)."""
_FOREST_SEED = 0x7AC17A
"""The forest is part of the deterministic set-up, not of the random search: one fixed seed."""
_PRODUCT = 400_000
"""Multiplications in a block of products."""
_SHIFT_32 = np.uint64(32)


def near_lists(x: FloatArray, m: int) -> PlaceArray:
    """Return for each record the m nearest other records, nearest first; fewer columns when n <= m.

    Above `EXACT_ROWS` records the lists are approximate and an entry may be -1 (no further record was met).
    """
    n = len(x)
    m = min(m, n - 1)
    if m < 1:
        return np.empty((n, 0), dtype=np.int32)
    if n > EXACT_ROWS:
        return forest_lists(x, m, trees=6, leaf=max(48, 2 * m), passes=2)
    found = cKDTree(x, balanced_tree=False).query(x, m + 1, workers=-1)[1]
    # Among duplicates a record need not come first in its own list: drop it wherever it stands.
    keep = found != np.arange(n)[:, None]
    keep[keep.all(axis=1), -1] = False
    near: PlaceArray = found[keep].reshape(n, m).astype(np.int32)
    return near


def forest_lists(x: FloatArray, m: int, *, trees: int, leaf: int, passes: int = 0) -> PlaceArray:
    """Return approximate lists of m near records from `trees` random projection trees with leaves of `leaf` records.

    Each of the `passes` then looks at the near records of near records. Entries are nearest first; -1 where fewer than m
    other records were met. O(trees n d (log n + leaf) + passes n d m^2) time, O(n m) memory, and the same lists for
    the same records.
    """
    n = len(x)
    near = np.full((n, m), -1, dtype=np.int32)
    far = np.full((n, m), np.inf)
    for tree in range(trees):
        order, bounds = _projection_tree(x, leaf, stream_state(_FOREST_SEED, tree))
        _compare_leaves(x, order, bounds, near, far)
    for _ in range(passes):
        _look_further(x, near, far)
    return near


def group_lists(x: FloatArray, labels: IntArray, m: int) -> PlaceArray:
    """Return for each record one member of each of the m other groups whose centroids are nearest to it.

    O(n g d) time for g groups, in blocks that stay in the cache and below the size from which a product is worth a
    second thread: waking one costs more than a small file takes.
    """
    n, centroids = len(x), group_centroids(x, labels)
    groups = len(centroids)
    member = np.empty(groups, dtype=np.int32)
    member[labels] = np.arange(n, dtype=np.int32)
    near = np.full((n, min(m, groups - 1)), -1, dtype=np.int32)
    squares = (centroids * centroids).sum(axis=1)
    rows = max(_PRODUCT // max(centroids.size, 1), 8)
    for start in range(0, n, rows):
        block = slice(start, start + rows)
        _nearest_groups(x[block] @ centroids.T, squares, labels[block], member, near[block])
    return near


@entry
def _nearest_groups(products: Float2, squares: Float1, own: Int1, member: Place1, near: Place2) -> None:
    """Keep the nearest groups of each record by |c|^2 - 2 x c, nearest first, as one member each."""
    m = near.shape[1]
    far, which = np.empty(m), np.empty(m, dtype=np.int64)
    for i in range(len(products)):
        far[:] = np.inf
        for g in range(len(squares)):
            value = squares[g] - 2.0 * products[i, g]
            if value < far[m - 1] and g != own[i]:
                p = m - 1
                while p > 0 and far[p - 1] > value:
                    far[p], which[p] = far[p - 1], which[p - 1]
                    p -= 1
                far[p], which[p] = value, g
        for p in range(m):
            if far[p] < np.inf:
                near[i, p] = member[which[p]]


def leaf_order(x: FloatArray) -> IntArray:
    """Return the records in the order of one tree's leaves: records near in space stand near in memory."""
    order: IntArray = _projection_tree(x, 8, stream_state(_FOREST_SEED))[0]
    return order


@entry
def _projection_tree(x: Float2, leaf: int, state: Word1) -> tuple[IntArray, IntArray]:
    """Return the records in leaf order and the bounds of the leaves; halving keeps every leaf below `leaf`."""
    n, d = x.shape
    order, key = np.arange(n), np.empty(n)
    line = np.empty(d)
    stack = np.empty((80, 2), dtype=np.int64)
    stack[0, 0], stack[0, 1], height = 0, n, 1
    bounds = np.empty(2 * (n // max(leaf // 2, 1)) + 3, dtype=np.int64)
    bounds[0], leaves = 0, 0
    while height > 0:
        height -= 1
        a, b = stack[height, 0], stack[height, 1]
        if b - a <= leaf:
            leaves += 1
            bounds[leaves] = b
            continue
        word = next_word(state)
        p = order[a + draw_below(word & LOW_WORD, b - a)]
        q = order[a + draw_below(word >> _SHIFT_32, b - a)]
        for c in range(d):
            line[c] = x[p, c] - x[q, c]
        for i in range(a, b):
            total = 0.0
            for c in range(d):
                total += x[order[i], c] * line[c]
            key[i] = total
        middle = (a + b) // 2
        _split_at(key, order, a, b - 1, middle)
        stack[height, 0], stack[height, 1] = middle, b
        stack[height + 1, 0], stack[height + 1, 1] = a, middle
        height += 2
    return order, bounds[: leaves + 1]


@kernel
def _split_at(key: FloatArray, order: IntArray, a: int, b: int, middle: int) -> None:
    """Reorder a..b so that no key before `middle` is above a key from it on (Hoare's quickselect)."""
    while a < b:
        pivot = key[(a + b) // 2]
        i, j = a, b
        while i <= j:
            while key[i] < pivot:
                i += 1
            while key[j] > pivot:
                j -= 1
            if i <= j:
                key[i], key[j] = key[j], key[i]
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if middle <= j:
            b = j
        elif middle >= i:
            a = i
        else:
            return


@kernel(sums_in_any_order=True)
def _squared(x: FloatArray, i: int, j: int) -> float:
    total = 0.0
    for c in range(x.shape[1]):
        gap = x[i, c] - x[j, c]
        total += gap * gap
    return total


@entry
def _compare_leaves(x: Float2, order: Int1, bounds: Int1, near: Place2, far: Float2) -> None:
    """Compare all pairs within each leaf and keep the nearest in both records' lists."""
    last = near.shape[1] - 1
    for t in range(len(bounds) - 1):
        for p in range(bounds[t], bounds[t + 1]):
            for q in range(bounds[t], p):
                i, j = order[p], order[q]
                distance = _squared(x, i, j)
                if distance < far[i, last]:
                    _insert(near[i], far[i], j, distance)
                if distance < far[j, last]:
                    _insert(near[j], far[j], i, distance)


@entry
def _look_further(x: Float2, near: Place2, far: Float2) -> None:
    """Compare each record with the near records of its near records, and keep the nearest."""
    n, m = near.shape
    steps = np.empty(m, dtype=np.int32)
    for i in range(n):
        for r in range(m):
            steps[r] = near[i, r]
        for j in steps:
            for s in range(m):
                other = near[j, s] if j >= 0 else -1
                if other < 0 or other == i:
                    continue
                distance = _squared(x, i, other)
                if distance < far[i, m - 1]:
                    _insert(near[i], far[i], other, distance)


@kernel
def _insert(near: PlaceArray, far: FloatArray, j: int, distance: float) -> None:
    """Put j into a list sorted by distance, unless another tree put it there before."""
    place = len(near) - 1
    while place > 0 and far[place - 1] > distance:
        place -= 1
    # Equal distances stand before `place`; the same pair gives the same distance in every tree.
    r = place - 1
    while r >= 0 and far[r] == distance:
        if near[r] == j:
            return
        r -= 1
    for r in range(len(near) - 1, place, -1):
        near[r], far[r] = near[r - 1], far[r - 1]
    near[place], far[place] = j, distance
