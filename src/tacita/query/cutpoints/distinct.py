"""Distinct values with their counts: all that a method of cutting needs to know of a variable.

Whoever cuts between distinct values never splits ties.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError
from tacita.numeric.statistics.decimals import decimals_of
from tacita.query.cutpoints.grid import DecimalGrid
from tacita.query.cutpoints.round_numbers import decimals_in, power_below, simplest_between

__all__ = ["DistinctValues", "merged"]


def merged(keys: FloatArray | IntArray, counts: IntArray) -> tuple[FloatArray | IntArray, IntArray]:
    """Add up the counts of equal neighbours in a sorted array.

    Examples
    --------
    >>> keys, counts = merged(np.array([1, 1, 3]), np.array([2, 1, 4]))
    >>> keys.tolist(), counts.tolist()
    ([1, 3], [3, 4])
    """
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    return keys[first], np.add.reduceat(counts, first)


@dataclass(frozen=True, eq=False)
class DistinctValues:
    """The distinct values of a variable in ascending order, with the number of records that have each.

    Parameters
    ----------
    points
        Distinct finite values, ascending, at least one.
    counts
        Records with each value.

    Examples
    --------
    >>> found = DistinctValues.of(np.array([2.0, 1.0, np.nan, 1.0]))
    >>> found.points.tolist(), found.counts.tolist(), found.total
    ([1.0, 2.0], [2, 1], 3)
    """

    points: FloatArray
    counts: IntArray

    @classmethod
    def of(cls, values: FloatArray) -> DistinctValues:
        """Sort the values of a variable once; missing ones are left out.

        Raises
        ------
        DataError
            When there is nothing but missing values, or an infinite one.

        Complexity
        ----------
        O(n log n) time, O(n) memory.
        """
        try:
            known = np.asarray(values, dtype=np.float64).ravel()
        except (TypeError, ValueError):
            raise DataError("Cutpoints: the values must be numbers; code the variable as numbers first.") from None
        known = np.sort(known)  # missing values go to the end
        known = known[: np.searchsorted(known, np.nan)]
        if not len(known):
            raise DataError("Cutpoints: there must be a value that is not missing, got none.")
        if not (np.isfinite(known[0]) and np.isfinite(known[-1])):
            raise DataError("Cutpoints: values must be finite or missing, got an infinite one; code it as missing.")
        known += 0.0  # zero has no sign
        points, counts = merged(known, np.ones(len(known), dtype=np.int64))
        return cls(np.asarray(points, dtype=np.float64), counts)

    def __len__(self) -> int:
        return len(self.points)

    @functools.cached_property
    def reached(self) -> IntArray:
        """Number of records up to and with each value."""
        return np.cumsum(self.counts)

    @property
    def total(self) -> int:
        """Number of records."""
        return int(self.reached[-1])

    @property
    def span(self) -> float:
        """Distance from the smallest to the largest value."""
        return float(self.points[-1] - self.points[0])

    @functools.cached_property
    def decimals(self) -> int | None:
        """How many decimals the values have; None for a continuous scale."""
        return decimals_of(self.points)

    @property
    def whole(self) -> bool:
        """Whether all values are whole numbers."""
        return self.decimals == 0

    def up_to(self, cuts: FloatArray) -> IntArray:
        """Return how many records are at or below each cutpoint."""
        return np.concatenate(([0], self.reached))[np.searchsorted(self.points, cuts, side="right")]

    def on_grid(self, grid: DecimalGrid) -> DistinctValues:
        """Return the values moved up to the next points of a grid; those between two points become ties."""
        points, counts = merged(grid.points(grid.steps(self.points)), self.counts)
        return DistinctValues(np.asarray(points, dtype=np.float64), counts)

    def cuts_after(self, places: IntArray) -> FloatArray:
        """Return the simplest cutpoints between the values at these places and the next ones."""
        return simplest_between(self.points[places], self.points[places + 1], whole=self.whole)

    def round_start(self, grain: float | None) -> float:
        """Return a round number below the smallest value, from which equal widths are counted.

        It is a multiple of the largest power of ten within the span of the values, so that it says next to nothing about the
        smallest value itself; with a grain, it is a multiple of this one.
        """
        coarse = power_below(self.span) if self.span > 0 else 1.0
        step = coarse if grain is None else max(coarse, grain)
        below = (math.ceil(float(self.points[0]) / step) - 1) * step
        if grain is not None and grain < coarse:
            below, step = math.floor(below / grain) * grain, grain
        return round(below, decimals_in(step))
