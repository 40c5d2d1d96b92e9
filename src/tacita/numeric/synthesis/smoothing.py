"""Smoothing: values of donors are moved within their group, so that what comes out is nobody's own value.

The values of a group (a leaf of a tree, or a stretch of neighbouring ranks), in order, are y_1 < ... < y_m. In place of y_i comes
a uniform draw between the middles to its neighbours, ``(y_(i-1) + y_i) / 2`` and ``(y_i + y_(i+1)) / 2``; the ends of the group
are ends. That is a draw from a density that is constant between these middles, with as much weight on each stretch as one record
has. It fits itself to the data: narrow where values are dense, wide in a tail. A group keeps its range, and its mean: what y_i
gains at one middle, y_(i+1) loses. A normal kernel does not (its mass beyond the end of a skewed group comes back inside).

A value that many records share, such as 0, a round amount or a whole year of age, is nobody's own: it stays.

References
----------
Silverman, B. W. (1986), Density estimation for statistics and data analysis, sections 2.5 and 6.4 (densities that adapt to the
data; smoothed bootstrap).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray

__all__ = ["COMMON", "SmoothGroups", "Smoothing", "rank_groups", "shared_by_many"]

Smoothing: TypeAlias = Literal["density", "none"]
"""How drawn numbers are kept from being somebody's own: moved towards their neighbours, or not at all."""

COMMON = 10
"""Records that share a value from which on it stays as it is: it is nobody's own."""

_NEIGHBOURS = 10
"""Values in a stretch of ranks, where a model has no leaves."""


def shared_by_many(values: FloatArray, least: int = COMMON) -> BoolArray:
    """Return which values occur at least so often. O(n log n).

    Examples
    --------
    >>> shared_by_many(np.array([0.0, 7.0, 0.0, 3.0]), 2).tolist()
    [True, False, True, False]
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray(counts[place.ravel()] >= least)


def rank_groups(values: FloatArray, size: int = _NEIGHBOURS) -> IntArray:
    """Return groups of neighbouring values, of about equal size and none smaller than ``size`` where there are enough.

    Examples
    --------
    >>> rank_groups(np.array([5.0, 1.0, 9.0, 2.0]), 2).tolist()
    [1, 0, 1, 0]
    """
    n = len(values)
    groups = np.empty(n, np.int64)
    groups[np.argsort(values, kind="stable")] = np.arange(n) * max(n // size, 1) // max(n, 1)
    return groups


@dataclass(frozen=True)
class SmoothGroups:
    """Where the value of each donor can be moved to.

    Parameters
    ----------
    low, high
        (n,): ends of the stretch of each donor; both its own value where it stays.

    Examples
    --------
    >>> found = SmoothGroups.of(np.array([0.0, 10.0, 2.0, 7.0]), np.array([0, 0, 0, 1]))
    >>> found.low.tolist(), found.high.tolist()
    ([0.0, 6.0, 1.0, 7.0], [1.0, 10.0, 6.0, 7.0])
    """

    low: FloatArray
    high: FloatArray

    @classmethod
    def of(cls, values: FloatArray, groups: IntArray) -> SmoothGroups:
        """Look at the values of all groups; equal values of a group have one stretch. O(n log n)."""
        order = np.lexsort((values, groups))
        y, group, n = values[order], groups[order], len(values)
        is_new = np.ones(n, np.bool_)
        is_new[1:] = (y[1:] != y[:-1]) | (group[1:] != group[:-1])
        first = np.flatnonzero(is_new)
        run = np.cumsum(is_new) - 1
        after = np.append(first[1:], n - 1)[run] if n else run
        before = np.maximum(first - 1, 0)[run] if n else run
        low, high = np.empty(n), np.empty(n)
        low[order] = np.where(group[before] == group, (y + y[before]) / 2, y)
        high[order] = np.where(group[after] == group, (y + y[after]) / 2, y)
        stays = shared_by_many(values)
        return cls(np.where(stays, values, low), np.where(stays, values, high))

    def move(self, donors: IntArray, rng: np.random.Generator) -> FloatArray:
        """Return the values of donors, moved within their stretches."""
        low = self.low[donors]
        return np.asarray(low + rng.random(len(donors)) * (self.high[donors] - low))
