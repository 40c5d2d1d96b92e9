"""One value for each group of records: means, medians, geometric means, and who dominates a group.

Groups are int64 labels 0, 1, 2, ... as partitions give them (:mod:`tacita.numeric.microaggregation.partition`). All functions
take records in rows and columns in columns, without missing values, and return one row for each group.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray

__all__ = ["dominated_groups", "geometric_means", "group_means", "lower_medians", "medians", "weighted_middles"]

_EXTREME = 0.01


def group_means(x: FloatArray, labels: IntArray, weights: FloatArray | None = None) -> FloatArray:
    """Return the (weighted) mean of each group; where all weights are 0 the plain one. O(n d) time.

    Means are taken of the distances from one record of the group, so that equal values give exactly that value and a
    large common offset costs no digits.

    Examples
    --------
    >>> group_means(np.array([[0.1], [0.1], [5.0], [9.0]]), np.array([0, 0, 1, 1])).tolist()
    [[0.1], [7.0]]
    """
    first = _one_of_each(labels, weights)
    share = _shares(labels, len(first), weights)
    made = np.empty((len(first), x.shape[1]))
    for j in range(x.shape[1]):
        anchor = x[first, j]
        away = anchor[labels]
        np.subtract(x[:, j], away, out=away)
        away *= share
        made[:, j] = anchor + np.bincount(labels, weights=away, minlength=len(first))
    return made


def geometric_means(x: FloatArray, labels: IntArray, weights: FloatArray | None = None) -> FloatArray:
    """Return the (weighted) geometric mean of each group, 0 where a value is 0; values are 0 or more. O(n d) time.

    Examples
    --------
    >>> geometric_means(np.array([[2.0], [8.0], [0.0], [9.0]]), np.array([0, 0, 1, 1])).round(9).tolist()
    [[4.0], [0.0]]
    """
    first = _one_of_each(labels, weights)
    share = _shares(labels, len(first), weights)
    made = np.empty((len(first), x.shape[1]))
    for j in range(x.shape[1]):
        zero = np.bincount(labels, weights=x[:, j] == 0, minlength=len(first)) > 0
        logs = np.log(np.where(x[:, j] > 0, x[:, j], 1.0))
        steps = np.bincount(labels, weights=share * (logs - logs[first][labels]), minlength=len(first))
        made[:, j] = np.where(zero, 0.0, x[first, j] * np.exp(np.where(zero, 0.0, steps)))
    return made


def medians(x: FloatArray, labels: IntArray, weights: FloatArray | None = None) -> FloatArray:
    """Return the median of each group; with weights the smallest value that half of the weight does not exceed.

    Without weights a group of even size gets the middle of its two middle values. O(d n log n) time.

    Examples
    --------
    >>> x = np.array([[1.0], [2.0], [9.0], [4.0]])
    >>> medians(x, np.array([0, 0, 0, 0])).tolist()
    [[3.0]]
    >>> medians(x, np.array([0, 0, 0, 0]), np.array([1.0, 1.0, 5.0, 1.0])).tolist()
    [[9.0]]
    """
    if weights is not None:
        return _taken(x, weighted_middles(x, labels, weights))
    low, high = _middles(x, labels)
    below, above = _taken(x, low), _taken(x, high)
    return below + (above - below) / 2


def lower_medians(x: FloatArray, labels: IntArray) -> IntArray:
    """Return for each group and column the record that has the lower median, a value that occurs. O(d n log n) time.

    Examples
    --------
    >>> lower_medians(np.array([[5.0], [2.0], [9.0], [4.0]]), np.array([0, 0, 0, 0])).tolist()
    [[3]]
    """
    return _middles(x, labels)[0]


def dominated_groups(x: FloatArray, labels: IntArray, share: float, weights: FloatArray | None = None) -> BoolArray:
    """Return for each group and column whether an extreme record has more than ``share`` of the (weighted) sum of its group.

    The contribution of a record is its absolute value, times its weight. Extreme is the largest one percent of the
    contributions, at least one: a smaller one hides among the many sums that others could make up.

    Examples
    --------
    >>> dominated_groups(np.array([[90.0], [5.0], [5.0]]), np.array([0, 0, 0]), 0.8).tolist()
    [[True]]
    >>> dominated_groups(np.array([[5.0], [5.0], [5.0]]), np.array([0, 0, 0]), 0.8, np.array([98.0, 1.0, 1.0])).tolist()
    [[True]]
    """
    groups = int(labels.max()) + 1 if labels.size else 0
    found = np.zeros((groups, x.shape[1]), dtype=np.bool_)
    for j in range(x.shape[1]):
        size = np.abs(x[:, j]) if weights is None else np.abs(x[:, j]) * weights
        largest = np.zeros(groups)
        np.maximum.at(largest, labels, size)
        found[:, j] = largest > share * np.bincount(labels, weights=size, minlength=groups)
        if found[:, j].any():
            last = len(size) - max(1, int(_EXTREME * len(size)))
            found[:, j] &= largest >= np.partition(size, last)[last]
    return found


def weighted_middles(x: FloatArray, labels: IntArray, weights: FloatArray) -> IntArray:
    """Return for each group and column the record at which the weight, summed upwards, reaches half."""
    starts, sizes = _spans(labels)
    chosen = np.empty((len(starts), x.shape[1]), dtype=np.int64)
    for j in range(x.shape[1]):
        order = np.lexsort((x[:, j], labels))
        total = np.concatenate([[0.0], np.cumsum(weights[order])])
        half = (total[starts] + total[starts + sizes]) / 2
        place = np.searchsorted(total[1:], half)
        chosen[:, j] = order[np.clip(place, starts, starts + sizes - 1)]
    return chosen


def _middles(x: FloatArray, labels: IntArray) -> tuple[IntArray, IntArray]:
    """Return for each group and column the records with the lower and the upper median."""
    starts, sizes = _spans(labels)
    low, high = (np.empty((len(starts), x.shape[1]), dtype=np.int64) for _ in range(2))
    for j in range(x.shape[1]):
        order = np.lexsort((x[:, j], labels))
        low[:, j], high[:, j] = order[starts + (sizes - 1) // 2], order[starts + sizes // 2]
    return low, high


def _spans(labels: IntArray) -> tuple[IntArray, IntArray]:
    sizes = np.bincount(labels).astype(np.int64)
    return np.cumsum(sizes) - sizes, sizes


def _one_of_each(labels: IntArray, weights: FloatArray | None = None) -> IntArray:
    """Return for each group the first of its records, of the heaviest ones where there are weights.

    A record without weight may be far from the mean, and distances from it would keep none of its digits.
    """
    first = np.empty(int(labels.max()) + 1 if labels.size else 0, dtype=np.int64)
    last_counts = np.arange(len(labels))[::-1] if weights is None else np.argsort(-weights, kind="stable")[::-1]
    first[labels[last_counts]] = last_counts
    return first


def _shares(labels: IntArray, groups: int, weights: FloatArray | None) -> FloatArray:
    """Return the share of each record in the weight of its group."""
    with np.errstate(divide="ignore"):  # a number that no record has
        equal = 1.0 / np.bincount(labels, minlength=groups)
    if weights is None:
        return np.asarray(equal[labels])
    share = np.asarray(np.bincount(labels, weights=weights, minlength=groups), dtype=np.float64)[labels]
    is_weighed = share > 0
    np.divide(weights, share, out=share, where=is_weighed)
    if not is_weighed.all():
        share[~is_weighed] = equal[labels[~is_weighed]]
    return share


def _taken(x: FloatArray, rows: IntArray) -> FloatArray:
    return np.take_along_axis(x, rows, axis=0)
