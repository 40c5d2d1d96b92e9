"""Nearest records between two files, and whether a record's own original is the nearest one.

No distance matrix is ever built: memory is O(n), time near n log n for few columns.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Float1, Float2, FloatArray, Int1, IntArray
from tacita.core.kernel import entry
from tacita.core.progress import task
from tacita.numeric.compiled.threads import in_blocks
from tacita.numeric.nearest.distances import box_distance, push_children, squared_distance
from tacita.numeric.nearest.kd_tree import LEAF_SIZE, build_kd_tree

__all__ = ["nearest_records", "own_is_nearest"]


_TOLERANCE = 1e-9
"""Relative difference below which two squared distances count as equal: a tie must not be decided by rounding."""
_BLOCK = 4096


def nearest_records(originals: FloatArray, queries: FloatArray) -> IntArray:
    """Return for each query the row of the nearest original; of equally near ones the first in the file."""
    tree, queries = build_kd_tree(originals), np.ascontiguousarray(queries)
    result = np.empty(len(queries), dtype=np.int64)

    def block(a: int, b: int) -> None:
        _nearest(queries[a:b], result[a:b], *tree)

    with task("Finding nearest records", len(queries)) as running:
        in_blocks(block, len(queries), block=_BLOCK, done=running.advance)
    return result


def own_is_nearest(originals: FloatArray, masked: FloatArray, own: IntArray, *, overwrite: bool = False) -> FloatArray:
    """Return for each masked record the chance that linking it to the nearest original finds its own.

    Parameters
    ----------
    originals
        All original records.
    masked
        Masked records.
    own
        For each masked record the row of its original.
    overwrite
        Whether the originals may be put in another order where they lie, which needs less memory.

    Returns
    -------
    FloatArray
        0 where another original is nearer; 1/m where the own one and m - 1 others are equally near.

    Notes
    -----
    The nearest original need not be found: the search stops at the first one that beats the own record. With strong
    noise that happens in the first leaf, with weak noise the ball around the record is nearly empty, so the search is
    far cheaper than a nearest-neighbour query.
    """
    theirs = originals[own]
    tree = build_kd_tree(originals, overwrite=overwrite)
    # Records whose originals stand together in the tree walk the same branches: taken in that order, these stay in cache.
    place = np.empty(len(originals), dtype=np.int64)
    place[tree.rows] = np.arange(len(originals))
    order = np.argsort(place[own])
    del place
    masked, theirs = (np.ascontiguousarray(some[order]) for some in (masked, theirs))
    every, found = np.arange(len(masked)), np.empty(len(masked))

    def block(a: int, b: int) -> None:
        _own_is_nearest(masked[a:b], theirs, every[a:b], found[a:b], *tree)

    with task("Linking records", len(masked)) as running:
        in_blocks(block, len(masked), block=_BLOCK, done=running.advance)
    result = np.empty(len(found))
    result[order] = found
    return result


@entry
def _nearest(
    queries: Float2,
    result: Int1,
    points: Float2,
    index: Int1,
    start: Int1,
    stop: Int1,
    left: Int1,
    low: Float2,
    high: Float2,
) -> None:
    stack, bounds = np.empty(128, np.int64), np.empty(128)
    for q in range(len(queries)):
        point = queries[q]
        best, found = np.inf, -1
        stack[0], bounds[0], depth = 0, box_distance(point, low[0], high[0]), 1
        while depth > 0:
            depth -= 1
            node, bound = stack[depth], bounds[depth]
            if bound > best:
                continue
            if left[node] < 0:
                first, last = start[node], stop[node]
                if last - first > LEAF_SIZE:  # equal points, the first of the file in front
                    last = first + 1
                for i in range(first, last):
                    distance = squared_distance(point, points[i])
                    if distance < best or (distance == best and index[i] < found):
                        best, found = distance, index[i]
                continue
            a, b = left[node], left[node] + 1
            near_a, near_b = box_distance(point, low[a], high[a]), box_distance(point, low[b], high[b])
            if near_a > near_b:
                a, b, near_a, near_b = b, a, near_b, near_a
            if near_b <= best:
                stack[depth], bounds[depth] = b, near_b
                depth += 1
            if near_a <= best:
                stack[depth], bounds[depth] = a, near_a
                depth += 1
        result[q] = found


@entry
def _own_is_nearest(
    masked: Float2,
    originals: Float2,
    own: Int1,
    result: Float1,
    points: Float2,
    index: Int1,
    start: Int1,
    stop: Int1,
    left: Int1,
    low: Float2,
    high: Float2,
) -> None:
    stack = np.empty(128, np.int64)
    for q in range(len(masked)):
        point = masked[q]
        mine = squared_distance(point, originals[own[q]])
        beaten, limit = mine * (1 - _TOLERANCE), mine * (1 + _TOLERANCE)
        ties, lost = 0, False
        stack[0], depth = 0, 1
        while depth > 0 and not lost:
            depth -= 1
            node = stack[depth]
            if left[node] < 0:
                first, last, each = start[node], stop[node], 1
                if last - first > LEAF_SIZE:  # equal points: one stands for all
                    last, each = first + 1, last - first
                for i in range(first, last):
                    distance = squared_distance(point, points[i])
                    if distance < beaten:
                        lost = True
                        break
                    ties += each * (distance <= limit)
                continue
            depth = push_children(point, limit, node, left, low, high, stack, depth)
        result[q] = 0.0 if lost or ties == 0 else 1.0 / ties
