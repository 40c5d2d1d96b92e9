"""Groups of records with columns of any scale: MDAV on Gower's distance.

Records come as points whose distance is one formula for all scales,

    d(a, b) = sum_j min(|a_j - b_j|, 1).

A numeric column is scaled to [0, 1] by its range, an ordinal one holds position / (categories - 1), a nominal one
holds category numbers, so that different categories are 1 apart. A missing value is a value of its own: `ABSENT` lies
more than 1 from every scaled value, and a nominal column gives missing a number of its own. Up to the factor
1 / (number of columns) this is Gower's coefficient.

References
----------
Gower, J. C. (1971). A general coefficient of similarity and some of its properties. Biometrics 27, 857-871.
Domingo-Ferrer, J., Torra, V. (2005). Ordinal, continuous and heterogeneous k-anonymity through microaggregation. Data
Mining and Knowledge Discovery 11(2), 195-212: MDAV-generic.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacita.core.arrays import BoolArray, Float2, FloatArray, Int1, Int2, IntArray
from tacita.core.kernel import entry, kernel

__all__ = [
    "ABSENT",
    "MixedPoints",
    "gower_partition",
    "nominal_points",
    "numeric_points",
    "ordinal_points",
    "stack_points",
]


ABSENT = 3.0
"""Coordinate of a missing value of a numeric or ordinal column; all others are in [0, 1]."""
_NUMERIC, _ORDINAL, _NOMINAL = 0, 1, 2
_COMPACT = 8
"""Records that were taken are swept out when they are more than one in this many."""


class MixedPoints(NamedTuple):
    """Records as points, and what their average needs."""

    points: FloatArray
    """(p, n): coordinates, column by column."""
    codes: IntArray
    """(p, n): category of ordinal and nominal columns, 0 for missing and for numeric columns."""
    kinds: IntArray
    """(p,): numeric 0, ordinal 1, nominal 2."""
    levels: FloatArray
    """(p, categories + 1): coordinate of each category."""


def numeric_points(values: FloatArray) -> MixedPoints:
    """Return a numeric column, NaN where missing, as points: value / range."""
    gone = np.isnan(values)
    there = values[~gone]
    low, high = (float(there.min()), float(there.max())) if there.size else (0.0, 0.0)
    width = high / 2 - low / 2  # halves, because the range of huge values is beyond the largest number
    scaled = (np.where(gone, low, values) / 2 - low / 2) / (width if width > 0 else 1.0)
    points = np.where(gone, ABSENT, scaled)
    return MixedPoints(points[None], np.zeros((1, len(values)), np.int64), np.array([_NUMERIC]), np.zeros((1, 1)))


def ordinal_points(codes: IntArray, categories: int) -> MixedPoints:
    """Return an ordinal column, -1 where missing, as points: position / (categories - 1)."""
    levels = np.concatenate([[ABSENT], np.arange(categories) / max(categories - 1, 1)])
    return MixedPoints(levels[codes + 1][None], codes[None] + 1, np.array([_ORDINAL]), levels[None])


def nominal_points(codes: IntArray, categories: int) -> MixedPoints:
    """Return a nominal column, -1 where missing, as points: the number of the category, missing 0."""
    levels = np.arange(categories + 1, dtype=np.float64)
    return MixedPoints(levels[codes + 1][None], codes[None] + 1, np.array([_NOMINAL]), levels[None])


def stack_points(columns: list[MixedPoints]) -> MixedPoints:
    """Return the points of several columns."""
    longest = max(column.levels.shape[1] for column in columns)
    levels = [np.pad(column.levels, ((0, 0), (0, longest - column.levels.shape[1]))) for column in columns]
    return MixedPoints(
        np.concatenate([column.points for column in columns]),
        np.concatenate([column.codes for column in columns]),
        np.concatenate([column.kinds for column in columns]),
        np.concatenate(levels),
    )


def gower_partition(mixed: MixedPoints, k: int) -> IntArray:
    """Return groups of k to 2k - 1 records by MDAV. O(n^2 p / k) time, O(n p) memory.

    The average record has the mean of a numeric column, the median of an ordinal one (the lower of two), the mode of a
    nominal one (the first of equals); missing values count for the mode only. Of equally distant records the first in the
    file is taken.

    Examples
    --------
    >>> age = numeric_points(np.array([20.0, 21.0, 60.0, 61.0]))
    >>> sex = nominal_points(np.array([0, 1, 0, 1]), 2)
    >>> gower_partition(stack_points([age, sex]), 2).tolist()
    [1, 0, 1, 0]
    """
    return np.asarray(_mdav(mixed.points.copy(), mixed.codes, mixed.kinds, mixed.levels, k))


@entry
def _mdav(points: Float2, codes: Int2, kinds: Int1, levels: Float2, k: int) -> IntArray:
    p, n = points.shape
    labels = np.full(n, -1)
    counts = _count(codes, levels.shape[1])
    rows, free = np.arange(n), np.ones(n, dtype=np.bool_)  # the first `width` places hold the records not swept out
    centre, distance = np.empty(p), np.empty(n)
    near, members, seeds = np.empty(k), np.empty(k, np.int64), np.empty(2, np.int64)
    width, left, group = n, n, 0
    while left >= 2 * k:
        if (width - left) * _COMPACT > width:
            width = _sweep(points, rows, free, width)
        _average(points, free, width, counts, kinds, levels, left, centre)
        _measure(points, width, centre, distance)
        pair = 2 if left >= 3 * k else 1
        seeds[0] = _farthest(distance, free, width)
        free[seeds[0]] = False
        _measure_from(points, width, seeds[0], centre, distance)
        if pair == 2:
            seeds[1] = _farthest(distance, free, width)
            free[seeds[1]] = False
        for t in range(pair):
            if t == 1:
                _measure_from(points, width, seeds[1], centre, distance)
            _nearest(distance, free, width, near, members, k - 1)
            members[k - 1] = seeds[t]
            for place in members:
                free[place] = False
                labels[rows[place]] = group
                for j in range(p):
                    counts[j, codes[j, rows[place]]] -= 1
            group += 1
        left -= pair * k
        if pair == 1:
            break
    for i in range(n):
        if labels[i] < 0:
            labels[i] = group
    return labels


@kernel
def _count(codes: IntArray, categories: int) -> IntArray:
    counts = np.zeros((codes.shape[0], categories), np.int64)
    for j in range(codes.shape[0]):
        for i in range(codes.shape[1]):
            counts[j, codes[j, i]] += 1
    return counts


@kernel
def _sweep(points: FloatArray, rows: IntArray, free: BoolArray, width: int) -> int:
    """Move the free records to the front, in their order."""
    kept = 0
    for i in range(width):
        if free[i]:
            rows[kept] = rows[i]
            for j in range(points.shape[0]):
                points[j, kept] = points[j, i]
            kept += 1
    free[:kept] = True
    return kept


@kernel
def _average(
    points: FloatArray,
    free: BoolArray,
    width: int,
    counts: IntArray,
    kinds: IntArray,
    levels: FloatArray,
    left: int,
    centre: FloatArray,
) -> None:
    for j in range(len(kinds)):
        if kinds[j] == _NOMINAL:
            centre[j] = levels[j, np.argmax(counts[j])]
        elif kinds[j] == _ORDINAL:
            there, category = left - counts[j, 0], 0
            half = (there + 1) // 2
            while half > 0:
                category += 1
                half -= counts[j, category]
            centre[j] = levels[j, category]
        else:
            total, there = 0.0, 0
            for i in range(width):
                if free[i] and points[j, i] != ABSENT:
                    total += points[j, i]
                    there += 1
            centre[j] = total / there if there > 0 else ABSENT


@kernel
def _measure(points: FloatArray, width: int, q: FloatArray, distance: FloatArray) -> None:
    """Distances of all places from q, column by column, so that the compiler can take several records at once."""
    distance[:width] = 0.0
    for j in range(len(q)):
        column, here = points[j, :width], q[j]
        for i in range(width):
            distance[i] += min(abs(column[i] - here), 1.0)


@kernel
def _measure_from(points: FloatArray, width: int, place: int, q: FloatArray, distance: FloatArray) -> None:
    for j in range(len(q)):
        q[j] = points[j, place]
    _measure(points, width, q, distance)


@kernel
def _farthest(distance: FloatArray, free: BoolArray, width: int) -> int:
    best, found = -1.0, -1
    for i in range(width):
        if distance[i] > best and free[i]:
            best, found = distance[i], i
    return found


@kernel
def _nearest(distance: FloatArray, free: BoolArray, width: int, near: FloatArray, places: IntArray, count: int) -> None:
    """Put the places of the nearest free records first into `places`, earlier records first among equals."""
    near[:count] = np.inf
    for i in range(width):
        if distance[i] < near[count - 1] and free[i]:
            t = count - 1
            while t > 0 and near[t - 1] > distance[i]:
                near[t], places[t] = near[t - 1], places[t - 1]
                t -= 1
            near[t], places[t] = distance[i], i
