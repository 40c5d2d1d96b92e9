"""Smoothing: values of donors are moved within their group, so that what comes out is nobody's own value.

A drawn value y of a group (a leaf of a tree, or a stretch of neighbouring ranks) with m values, mean a and standard deviation s
becomes

    a + (y + h e - a) / sqrt(1 + h^2 / s^2),   h = 0.9 s m^(-1/5),   e standard normal,

a draw from a kernel estimate of the group's density with Silverman's bandwidth, shrunk so that the group keeps its variance. What
would leave the range of the group is mirrored at its ends. A value that many records share, such as 0, a round amount or a whole
year of age, is nobody's own: it stays.

References
----------
Silverman, B. W. (1986), Density estimation for statistics and data analysis, equations (3.31) and (6.4) (smoothed bootstrap with
variance correction).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray

__all__ = ["COMMON", "SmoothGroups", "Smoothing", "mirrored", "rank_groups", "shared_by_many"]

Smoothing: TypeAlias = Literal["density", "none"]
"""How drawn numbers are kept from being somebody's own: moved within their group by a kernel, or not at all."""

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


def mirrored(values: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """Return values with what lies outside mirrored at the ends; what is still outside becomes the end.

    Examples
    --------
    >>> mirrored(np.array([-1.0, 4.0, 12.0]), np.zeros(3), np.full(3, 10.0)).tolist()
    [1.0, 4.0, 8.0]
    """
    made = np.where(values < low, 2 * low - values, np.where(values > high, 2 * high - values, values))
    return np.asarray(np.clip(made, low, high))


@dataclass(frozen=True)
class SmoothGroups:
    """What smoothing needs to know of the groups that donors come from.

    Parameters
    ----------
    middle, spread, width
        For each group mean, standard deviation and bandwidth.
    low, high
        For each group its smallest and largest value.
    stays
        For each donor whether its value is shared by many.
    """

    middle: FloatArray
    spread: FloatArray
    width: FloatArray
    low: FloatArray
    high: FloatArray
    stays: BoolArray

    @classmethod
    def of(cls, values: FloatArray, groups: IntArray) -> SmoothGroups:
        """Look at the values of all groups. O(n log n)."""
        count = int(groups.max(initial=-1)) + 1
        sizes = np.maximum(np.bincount(groups, minlength=count), 1)
        middle = np.bincount(groups, values, count) / sizes
        away = values - middle[groups]
        spread = np.sqrt(np.bincount(groups, away * away, count) / sizes)
        low, high = np.full(count, np.inf), np.full(count, -np.inf)
        np.minimum.at(low, groups, values)
        np.maximum.at(high, groups, values)
        return cls(middle, spread, 0.9 * spread * sizes**-0.2, low, high, shared_by_many(values))

    def move(self, values: FloatArray, groups: IntArray, donors: IntArray, rng: np.random.Generator) -> FloatArray:
        """Return the values of donors, moved within their groups."""
        moved = values + self.width[groups] * rng.standard_normal(len(values))
        middle, spread = self.middle[groups], self.spread[groups]
        with np.errstate(invalid="ignore", divide="ignore"):
            shrunk = middle + (moved - middle) / np.sqrt(1 + (self.width[groups] / spread) ** 2)
        shrunk = np.where(spread > 0, shrunk, values)
        return np.where(self.stays[donors], values, mirrored(shrunk, self.low[groups], self.high[groups]))
