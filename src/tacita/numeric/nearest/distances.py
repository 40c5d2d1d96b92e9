"""Squared Euclidean distances of points and boxes, for compiled kernels."""

from __future__ import annotations

from tacita.core.arrays import FloatArray
from tacita.core.kernel import kernel

__all__ = ["box_distance", "squared_distance"]


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
