"""The nearest original of one record that has just changed, inside compiled loops.

A search that changes one value at a time knows a good candidate already: the original that was nearest before the change.
Starting from its distance cuts nearly every branch of the tree.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Float1, Float2, FloatArray, Int1, IntArray
from tacita.core.kernel import entry, kernel
from tacita.numeric.nearest.distances import box_distance
from tacita.numeric.nearest.kd_tree import LEAF_SIZE, KdTree

__all__ = ["TIE", "after_move", "is_nearest", "leading_distance", "nearest_from", "renew_nearest"]


TIE = 1e-9
"""Relative difference below which two squared distances count as equal, as in ``numeric.nearest``."""


@kernel
def leading_distance(a: FloatArray, b: FloatArray, d: int) -> float:
    """Return the squared distance of two points in their first ``d`` columns."""
    total = 0.0
    for j in range(d):
        total += (a[j] - b[j]) ** 2
    return total


@kernel
def nearest_from(
    point: FloatArray, originals: FloatArray, candidate: int, tree: KdTree, stack: IntArray, bounds: FloatArray
) -> tuple[int, float]:
    """Return the row of the original nearest to ``point`` and how far the next one is.

    Of equally near ones the first in the file counts as nearest. ``candidate`` is any original, best one that is near;
    ``stack`` and ``bounds`` are room for 128 branches.

    Notes
    -----
    The second distance saves later searches: after a move of length t every other original is at least that distance less
    t away.
    """
    best, found, second = leading_distance(point, originals[candidate], len(point)), candidate, np.inf
    stack[0], bounds[0], depth = 0, 0.0, 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if bounds[depth] > second:
            continue
        if tree.left[node] < 0:
            last = tree.stop[node]
            if last - tree.start[node] > LEAF_SIZE:  # equal points, the first of the file in front: two say all
                last = tree.start[node] + 2
            for i in range(tree.start[node], last):
                row = tree.rows[i]
                if row == found:
                    continue
                distance = leading_distance(point, tree.points[i], len(point))
                if distance < best or (distance == best and row < found):
                    best, found, second = distance, row, best
                elif distance < second and row != candidate:
                    second = distance
            continue
        a = tree.left[node]
        b = a + 1
        near_a, near_b = box_distance(point, tree.low[a], tree.high[a]), box_distance(point, tree.low[b], tree.high[b])
        if near_a > near_b:
            a, b, near_a, near_b = b, a, near_b, near_a
        if near_b <= second:
            stack[depth], bounds[depth] = b, near_b
            depth += 1
        if near_a <= second:
            stack[depth], bounds[depth] = a, near_a
            depth += 1
    return found, np.sqrt(second)


@kernel
def after_move(
    point: FloatArray,
    before: FloatArray,
    originals: FloatArray,
    candidate: int,
    gap: float,
    tree: KdTree,
    stack: IntArray,
    bounds: FloatArray,
) -> tuple[int, float]:
    """Return the nearest original of a record that moved from ``before`` to ``point``, and its new gap.

    ``candidate`` was nearest before, and no other original was nearer than ``gap``. Searches only where the triangle inequality
    leaves a doubt.
    """
    moved = leading_distance(point, before, len(point))
    if moved == 0.0:
        return candidate, gap
    left = gap - np.sqrt(moved)
    if left > 0 and leading_distance(point, originals[candidate], len(point)) < left * left * (1 - TIE):
        return candidate, left
    found, second = nearest_from(point, originals, candidate, tree, stack, bounds)
    return found, second


@entry
def renew_nearest(points: Float2, before: Float2, originals: Float2, nearest: Int1, gap: Float1, tree: KdTree) -> None:
    """Find the nearest originals of records that moved; ``nearest`` and ``gap`` change in place."""
    stack, bounds = np.empty(128, np.int64), np.empty(128)
    for i in range(len(points)):
        nearest[i], gap[i] = after_move(points[i], before[i], originals, nearest[i], gap[i], tree, stack, bounds)


@kernel
def is_nearest(point: FloatArray, originals: FloatArray, own: int, known: int, tree: KdTree, stack: IntArray) -> float:
    """Return the chance that linking ``point`` by its first ``known`` columns finds the original ``own``.

    0 where another is nearer, 1/m where it and m - 1 others are equally near; ``tree`` holds those columns only.
    """
    mine = leading_distance(point, originals[own], known)
    beaten, limit, ties = mine * (1 - TIE), mine * (1 + TIE), 0
    stack[0], depth = 0, 1
    head = point[:known]
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if tree.left[node] < 0:
            last, each = tree.stop[node], 1
            if last - tree.start[node] > LEAF_SIZE:  # equal points: one stands for all
                last, each = tree.start[node] + 1, last - tree.start[node]
            for i in range(tree.start[node], last):
                distance = leading_distance(point, tree.points[i], known)
                if distance < beaten:
                    return 0.0
                ties += each * (distance <= limit)
            continue
        a = tree.left[node]
        b = a + 1
        near_a, near_b = box_distance(head, tree.low[a], tree.high[a]), box_distance(head, tree.low[b], tree.high[b])
        if near_a > near_b:
            a, b, near_a, near_b = b, a, near_b, near_a
        if near_b <= limit:
            stack[depth] = b
            depth += 1
        if near_a <= limit:
            stack[depth] = a
            depth += 1
    return 1.0 / max(ties, 1)
