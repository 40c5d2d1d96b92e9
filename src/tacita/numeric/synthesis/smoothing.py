"""Smoothing: a number is drawn between the neighbours of its donor, so that what comes out is nobody's own value.

Let ``y_1 <= ... <= y_m`` be the distinct values of a group: a leaf of a tree, or all values where a model has no leaves. The
value of a donor with ``y_p`` is drawn uniformly between ``y_(p-r)`` and ``y_(p+r)``, cut at the ends of the group. This is a draw
from a kernel estimate of the group's density whose bandwidth is, at each value, the distance to its neighbours (r = 1 in a leaf,
5 among all values): narrow where values are dense, wide in a tail, within the range of the group everywhere. A value that many
records share, such as 0, a round amount or a whole year of age, is nobody's own: it stays.

References
----------
Silverman, B. W. (1986), Density estimation for statistics and data analysis, sections 2.5 and 5.3 (nearest neighbours, variable
kernels), 6.4 (smoothed bootstrap).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray

__all__ = ["COMMON", "SmoothGroups", "Smoothing", "shared_by_many"]

Smoothing: TypeAlias = Literal["density", "none"]
"""How drawn numbers are kept from being somebody's own: moved between neighbours, or not at all."""

COMMON = 10
"""Records that share a value from which on it stays as it is: it is nobody's own."""


def shared_by_many(values: FloatArray, least: int = COMMON) -> BoolArray:
    """Return which values occur at least so often. O(n log n).

    Examples
    --------
    >>> shared_by_many(np.array([0.0, 7.0, 0.0, 3.0]), 2).tolist()
    [True, False, True, False]
    """
    ordered = np.sort(values)
    return np.asarray(np.searchsorted(ordered, values, "right") - np.searchsorted(ordered, values, "left") >= least)


@dataclass(frozen=True)
class SmoothGroups:
    """Between which numbers the value of each donor is drawn.

    Parameters
    ----------
    low, high
        For each donor the ends; both its own value where that stays.
    """

    low: FloatArray
    high: FloatArray

    @classmethod
    def of(cls, values: FloatArray, groups: IntArray | None = None, *, reach: int = 1) -> SmoothGroups:
        """Look at the neighbours of all values in their groups; without groups all are one. O(n log n).

        Examples
        --------
        >>> made = SmoothGroups.of(np.array([1.0, 5.0, 2.0, 2.0, 9.0]), np.array([0, 0, 0, 0, 1]))
        >>> made.low.tolist(), made.high.tolist()
        ([1.0, 2.0, 1.0, 1.0, 9.0], [2.0, 5.0, 5.0, 5.0, 9.0])
        """
        n = len(values)
        order = np.argsort(values, kind="stable")
        if groups is not None:
            order = order[np.argsort(groups[order], kind="stable")]
        value, group = values[order], np.zeros(n, np.int64) if groups is None else groups[order]
        is_new = np.ones(n, np.bool_)
        is_new[1:] = (value[1:] != value[:-1]) | (group[1:] != group[:-1])
        place = np.cumsum(is_new) - 1  # of each value among the distinct ones of its group
        distinct, home = value[is_new], group[is_new]
        starts = np.flatnonzero(np.diff(home, prepend=-1))
        lengths = np.diff(np.append(starts, len(home)))
        first, last = np.repeat(starts, lengths), np.repeat(starts + lengths - 1, lengths)
        here = np.arange(len(home))
        low, high = np.empty(n), np.empty(n)
        low[order] = distinct[np.maximum(here - reach, first)][place]
        high[order] = distinct[np.minimum(here + reach, last)][place]
        stays = shared_by_many(values)
        return cls(np.where(stays, values, low), np.where(stays, values, high))

    def draw(self, donors: IntArray, rng: np.random.Generator) -> FloatArray:
        """Return a value for each donor that gives one."""
        low = self.low[donors]
        return np.asarray(low + rng.random(len(donors)) * (self.high[donors] - low))
