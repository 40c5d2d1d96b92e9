"""Squared Euclidean distances of points and boxes, for compiled kernels."""

from __future__ import annotations

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.kernel import kernel

__all__ = ["box_distance", "push_children", "squared_distance"]


@kernel
def squared_distance(a: FloatArray, b: FloatArray) -> float:
    """Return the squared distance of two points, summed in the order of the columns."""
    total = 0.0
    for j in range(len(a)):
        gap = a[j] - b[j]
        total += gap * gap
    return total


@kernel(inline=True)
def box_distance(point: FloatArray, low: FloatArray, high: FloatArray) -> float:
    """Return the squared distance from a point to a box, 0 inside."""
    total = 0.0
    for j in range(len(point)):
        if point[j] < low[j]:
            total += (low[j] - point[j]) ** 2
        elif point[j] > high[j]:
            total += (point[j] - high[j]) ** 2
    return total


@kernel(inline=True)
def push_children(
    point: FloatArray,
    limit: float,
    node: int,
    left: IntArray,
    low: FloatArray,
    high: FloatArray,
    stack: IntArray,
    depth: int,
) -> int:
    """Put those children of a tree's node on the stack that reach within a squared distance of a point; return its new height.

    The nearer one comes on top, so that it is looked at first.
    """
    a, b = left[node], left[node] + 1
    near_a, near_b = box_distance(point, low[a], high[a]), box_distance(point, low[b], high[b])
    if near_a > near_b:
        a, b, near_a, near_b = b, a, near_b, near_a
    if near_b <= limit:
        stack[depth] = b
        depth += 1
    if near_a <= limit:
        stack[depth] = a
        depth += 1
    return depth
