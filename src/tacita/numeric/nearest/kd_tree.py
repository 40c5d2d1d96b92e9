"""A k-d tree with bounding boxes, as flat arrays that compiled kernels can walk."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacita.core.arrays import Float2, FloatArray, Int1, IntArray, Whole
from tacita.core.kernel import entry, kernel

__all__ = ["KdTree", "build_kd_tree"]


LEAF_SIZE = 12


class KdTree(NamedTuple):
    """Points in tree order, and for each node its range of points, children and bounding box."""

    points: Float2
    rows: Int1
    start: Int1
    stop: Int1
    left: Int1
    low: Float2
    high: Float2


def build_kd_tree(points: FloatArray, *, overwrite: bool = False) -> KdTree:
    """Build the tree. O(n log n) time; memory about 1.5 times the points, beside these unless they may be overwritten.

    A node is halved at the median of its widest dimension; the right child stands behind the left one, a leaf has
    ``left = -1``. A leaf with more than ``LEAF_SIZE`` points has equal points only, in the order of the file.
    """
    # The rows are put in tree order: in a copy, or where they lie.
    moved = np.require(points, np.float64, ["C", "W"]) if overwrite else np.array(points, dtype=np.float64, order="C")
    return KdTree(moved, *_build(moved, LEAF_SIZE))


@entry
def _build(points: Float2, leaf_size: int) -> tuple[IntArray, IntArray, IntArray, IntArray, FloatArray, FloatArray]:
    """Put the points in tree order, in place, and return their rows and the nodes."""
    n, d = points.shape
    index = np.arange(n)
    most = 2 * (2 * n // leaf_size + 2)
    start, stop, left = np.zeros(most, np.int64), np.zeros(most, np.int64), np.full(most, -1, np.int64)
    low, high = np.empty((most, d)), np.empty((most, d))
    stop[0] = n
    nodes, stack, depth = 1, np.zeros(128, np.int64), 1
    while depth > 0:  # depth first: a branch that fits into the cache is finished there
        depth -= 1
        node = stack[depth]
        a, b = start[node], stop[node]
        _bound(points, a, b, low[node], high[node])
        axis = np.argmax(high[node] - low[node]) if b > a else 0
        if b - a > leaf_size and high[node, axis] > low[node, axis]:
            middle = (a + b) // 2
            _select(points, index, a, b - 1, middle, axis)
            left[node] = nodes
            start[nodes], stop[nodes] = a, middle
            start[nodes + 1], stop[nodes + 1] = middle, b
            stack[depth], stack[depth + 1] = nodes + 1, nodes
            depth += 2
            nodes += 2
        elif b - a > leaf_size:
            index[a:b] = np.sort(index[a:b])  # equal points: the first of the leaf is the first of the file
    return index, start[:nodes], stop[:nodes], left[:nodes], low[:nodes], high[:nodes]


@kernel
def _bound(points: FloatArray, a: int, b: int, low: FloatArray, high: FloatArray) -> None:
    for j in range(points.shape[1]):
        low[j], high[j] = np.inf, -np.inf
    for i in range(a, b):
        for j in range(points.shape[1]):
            value = points[i, j]
            low[j] = min(low[j], value)
            high[j] = max(high[j], value)


@kernel
def _select(points: FloatArray, index: IntArray, a: int, b: int, middle: int, axis: Whole) -> None:
    """Move the median into its place (Hoare's quickselect), smaller values before it; whole points are moved."""
    while a < b:
        pivot = points[(a + b) // 2, axis]
        i, j = a, b
        while i <= j:
            while points[i, axis] < pivot:
                i += 1
            while points[j, axis] > pivot:
                j -= 1
            if i <= j:
                index[i], index[j] = index[j], index[i]
                for c in range(points.shape[1]):
                    points[i, c], points[j, c] = points[j, c], points[i, c]
                i += 1
                j -= 1
        if middle <= j:
            b = j
        elif middle >= i:
            a = i
        else:
            return
