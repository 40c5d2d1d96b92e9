"""Prediction by the mean or median of the nearest records; equally near records count in equal parts."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Float1, Float2, FloatArray, Int1, IntArray
from tacita.core.kernel import entry, kernel
from tacita.core.progress import task
from tacita.numeric.compiled.threads import in_blocks
from tacita.numeric.nearest.distances import box_distance, squared_distance
from tacita.numeric.nearest.kd_tree import LEAF_SIZE, KdTree, build_kd_tree

__all__ = ["Neighbours"]


_TOLERANCE = 1e-9
_BLOCK = 1024


class Neighbours:
    """A file of records with a value each, ready to predict the value of other records.

    Parameters
    ----------
    points
        The records, without missing values.
    values
        The value of each record.
    """

    def __init__(self, points: FloatArray, values: FloatArray) -> None:
        self.tree: KdTree = build_kd_tree(points)
        self._place = np.empty(len(points), dtype=np.int64)
        self._place[self.tree.rows] = np.arange(len(points))
        # Sums of values near 0 keep more digits.
        self._centre = float(values.mean())
        self._values = values[self.tree.rows] - self._centre
        self._sums = np.concatenate([[0.0], np.cumsum(self._values)])

    def predict(
        self, queries: FloatArray, k: int, left_out: IntArray | None = None, *, median: bool = False
    ) -> FloatArray:
        """Return for each query the mean or median value of its k nearest records. Near n log n time for few columns.

        Records at the distance of the k-th nearest share the places that are left for them, so that the order of the file
        does not matter. ``left_out`` names for each query a record that is passed over, -1 for none. Fewer records than k
        are all used.
        """
        result = np.empty(len(queries))
        skip = np.full(len(queries), -1, dtype=np.int64)
        if left_out is not None:
            skip = np.where(left_out >= 0, self._place[left_out], -1)

        def block(a: int, b: int) -> None:
            _predict(queries[a:b], skip[a:b], k, median, result[a:b], self._values, self._sums, *self.tree)

        with task("Predicting", len(queries)) as running:
            in_blocks(block, len(queries), block=_BLOCK, done=running.advance)
        return result + self._centre


@kernel
def _insert(nearest: FloatArray, distance: float) -> None:
    """Put a distance into the sorted list of the smallest ones; the largest drops out."""
    i = len(nearest) - 1
    while i > 0 and nearest[i - 1] > distance:
        nearest[i] = nearest[i - 1]
        i -= 1
    nearest[i] = distance


@entry
def _predict(
    queries: Float2,
    skip: Int1,
    k: int,
    median: bool,
    result: Float1,
    values: Float1,
    sums: Float1,
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
        wanted = min(k, len(points) - (skip[q] >= 0))
        if wanted == 0:
            result[q] = 0.0  # the mean of the file
            continue
        nearest = np.full(wanted, np.inf)
        _walk(queries[q], skip[q], nearest, points, start, stop, left, low, high, stack, bounds)
        last = nearest[wanted - 1]
        if median:
            result[q] = _median(queries[q], skip[q], wanted, last, values, points, start, stop, left, low, high, stack)
        else:
            result[q] = _mean(
                queries[q], skip[q], wanted, last, values, sums, points, start, stop, left, low, high, stack
            )


@kernel
def _walk(
    point: FloatArray,
    skip: int,
    nearest: FloatArray,
    points: FloatArray,
    start: IntArray,
    stop: IntArray,
    left: IntArray,
    low: FloatArray,
    high: FloatArray,
    stack: IntArray,
    bounds: FloatArray,
) -> None:
    """Find the smallest squared distances."""
    last = len(nearest) - 1
    stack[0], bounds[0], depth = 0, box_distance(point, low[0], high[0]), 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if bounds[depth] >= nearest[last]:
            continue
        if left[node] < 0:
            equal = stop[node] - start[node] > LEAF_SIZE
            seen = 0
            for i in range(start[node], stop[node]):
                if i == skip:
                    continue
                distance = squared_distance(point, points[i])
                if distance < nearest[last]:
                    _insert(nearest, distance)
                seen += 1
                if equal and seen > last:  # equal points: the places are full
                    break
            continue
        a, b = left[node], left[node] + 1
        near_a, near_b = box_distance(point, low[a], high[a]), box_distance(point, low[b], high[b])
        if near_a > near_b:
            a, b, near_a, near_b = b, a, near_b, near_a
        stack[depth], bounds[depth] = b, near_b
        stack[depth + 1], bounds[depth + 1] = a, near_a
        depth += 2


@kernel
def _mean(
    point: FloatArray,
    skip: int,
    wanted: int,
    last: float,
    values: FloatArray,
    sums: FloatArray,
    points: FloatArray,
    start: IntArray,
    stop: IntArray,
    left: IntArray,
    low: FloatArray,
    high: FloatArray,
    stack: IntArray,
) -> float:
    """Average the records nearer than the last one, and those as near as it in equal parts."""
    nearer, limit = last * (1 - _TOLERANCE), last * (1 + _TOLERANCE)
    sum_near, near, sum_tied, tied = 0.0, 0, 0.0, 0
    stack[0], depth = 0, 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        a, b = start[node], stop[node]
        if box_distance(point, low[node], high[node]) > limit:
            continue
        if left[node] >= 0:
            stack[depth], stack[depth + 1] = left[node], left[node] + 1
            depth += 2
            continue
        if b - a > LEAF_SIZE:  # equal points: their sum is known
            distance, whole, count = squared_distance(point, points[a]), sums[b] - sums[a], b - a
            if a <= skip < b:
                whole, count = whole - values[skip], count - 1
            if distance < nearer:
                sum_near, near = sum_near + whole, near + count
            elif distance <= limit:
                sum_tied, tied = sum_tied + whole, tied + count
            continue
        for i in range(a, b):
            distance = squared_distance(point, points[i])
            if i == skip or distance > limit:
                continue
            if distance < nearer:
                sum_near, near = sum_near + values[i], near + 1
            else:
                sum_tied, tied = sum_tied + values[i], tied + 1
    share = (wanted - near) / tied if tied > 0 else 0.0
    return float((sum_near + share * sum_tied) / wanted)


@kernel
def _median(
    point: FloatArray,
    skip: int,
    wanted: int,
    last: float,
    values: FloatArray,
    points: FloatArray,
    start: IntArray,
    stop: IntArray,
    left: IntArray,
    low: FloatArray,
    high: FloatArray,
    stack: IntArray,
) -> float:
    """Return the median of the records nearer than the last one, and of those as near as it in equal parts."""
    nearer, limit = last * (1 - _TOLERANCE), last * (1 + _TOLERANCE)
    near, tied = [0.0][:0], [0.0][:0]  # empty lists of numbers
    stack[0], depth = 0, 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if box_distance(point, low[node], high[node]) > limit:
            continue
        if left[node] >= 0:
            stack[depth], stack[depth + 1] = left[node], left[node] + 1
            depth += 2
            continue
        for i in range(start[node], stop[node]):
            distance = squared_distance(point, points[i])
            if i == skip or distance > limit:
                continue
            if distance < nearer:
                near.append(values[i])
            else:
                tied.append(values[i])
    share = (wanted - len(near)) / len(tied) if len(tied) > 0 else 0.0
    found = np.array(near + tied)
    weights = np.full(len(found), share)
    weights[: len(near)] = 1.0
    return float(_weighted_median(found, weights))


@kernel
def _weighted_median(found: FloatArray, weights: FloatArray) -> float:
    """Return the value that half of the weight lies below; between two such values their mean."""
    order = np.argsort(found)
    half, below = weights.sum() / 2, 0.0
    for t in range(len(order)):
        below += weights[order[t]]
        if below > half * (1 + _TOLERANCE):
            return float(found[order[t]])
        if below >= half * (1 - _TOLERANCE) and t + 1 < len(order):
            return float((found[order[t]] + found[order[t + 1]]) / 2)
    return float(found[order[-1]])
