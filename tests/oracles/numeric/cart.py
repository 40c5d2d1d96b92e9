"""CART the slow way: every division of every node is tried, and its gain computed from the definition."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

__all__ = ["all_divisions", "best_gain", "gain_of", "grow_partition", "impurity"]

NEAR = 1e-9


def impurity(y: np.ndarray, w: np.ndarray, classes: int) -> float:
    """Sum of squares around the mean, or the weight times the Gini index."""
    if len(y) == 0:
        return 0.0
    if classes:
        shares = np.array([w[y == k].sum() for k in range(classes)]) / w.sum()
        return float(w.sum() * (1 - (shares**2).sum()))
    mean = (w * y).sum() / w.sum()
    return float((w * (y - mean) ** 2).sum())


def gain_of(y: np.ndarray, w: np.ndarray, classes: int, left: np.ndarray) -> float:
    """By how much a division lowers the impurity."""
    return impurity(y, w, classes) - impurity(y[left], w[left], classes) - impurity(y[~left], w[~left], classes)


def all_divisions(x: np.ndarray, is_nominal: bool, min_leaf: int) -> Iterator[np.ndarray]:
    """Every way to divide records by one column: at each cut, or each set of classes against the others."""
    values = np.unique(x)
    if is_nominal:  # each pair of a set and its complement once: the set without the first class
        sets = [s for size in range(1, len(values)) for s in combinations(values[1:], size)]
        lefts = [~np.isin(x, s) for s in sets]
    else:
        lefts = [x <= value for value in values[:-1]]
    for left in lefts:
        if min_leaf <= left.sum() <= len(x) - min_leaf:
            yield left


def best_gain(
    x: list[np.ndarray], nominal: list[bool], y: np.ndarray, w: np.ndarray, classes: int, min_leaf: int
) -> tuple[float, np.ndarray | None]:
    """Return the largest gain and its division: the first of equals, by columns and then by cuts."""
    best, chosen = 0.0, None
    for values, is_nominal in zip(x, nominal, strict=True):
        for left in all_divisions(values, is_nominal, min_leaf):
            gain = gain_of(y, w, classes, left)
            if gain > best + NEAR:
                best, chosen = gain, left
    return best, chosen


def grow_partition(
    x: list[np.ndarray],
    nominal: list[bool],
    y: np.ndarray,
    w: np.ndarray,
    classes: int,
    *,
    min_leaf: int,
    min_split: int,
    most_depth: int,
    least_gain: float,
) -> list[list[int]]:
    """Return the records of each leaf, sorted."""
    limit = least_gain * impurity(y, w, classes)

    def divide(rows: np.ndarray, depth: int) -> list[list[int]]:
        if len(rows) < max(min_split, 2) or depth >= most_depth:
            return [rows.tolist()]
        gain, left = best_gain([v[rows] for v in x], nominal, y[rows], w[rows], classes, min_leaf)
        if left is None or gain <= max(limit, NEAR):
            return [rows.tolist()]
        return divide(rows[left], depth + 1) + divide(rows[~left], depth + 1)

    return sorted(divide(np.arange(len(y)), 0))
