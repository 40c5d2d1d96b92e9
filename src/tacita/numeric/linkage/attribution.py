"""Attribution: what records of one file say of a value of the records with the same keys in another file."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray

__all__ = ["ValuesByCell", "around"]

_ROUNDING = 1e-12
"""Ends of intervals are wider by this share, so that equal numbers are equal after an operation."""


def around(values: FloatArray, share: float) -> tuple[FloatArray, FloatArray]:
    """Return for each value v the ends of all x with ``|v - x| <= share |x|``: who has x calls v right.

    Examples
    --------
    >>> low, high = around(np.array([110.0, -110.0, 0.0]), 0.1)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([100.0, -122.222, 0.0], [122.222, -100.0, 0.0])
    """
    near, far = values / (1 + share), values / (1 - share)
    wide = _ROUNDING * np.abs(values)
    return np.minimum(near, far) - wide, np.maximum(near, far) + wide


@dataclass(frozen=True, eq=False)
class ValuesByCell:
    """The values of a file, sorted within the cells of its keys: how many lie in an interval is looked up.

    Parameters
    ----------
    cells
        Sorted cell of each record.
    places
        For each record, in that order, a number that sorts by cell and, within it, by value.
    values
        The values in that order; NaN, last within its cell, where it is missing.
    ordered
        All values that are there, sorted.
    """

    cells: IntArray = field(repr=False)
    places: IntArray = field(repr=False)
    values: FloatArray = field(repr=False)
    ordered: FloatArray = field(repr=False)

    @classmethod
    def of(cls, cells: IntArray, values: FloatArray) -> ValuesByCell:
        """Sort a file. O(n log n) time, O(n) memory."""
        ordered = np.sort(values[~np.isnan(values)])
        order = np.lexsort((values, cells))
        known = np.searchsorted(ordered, values, side="left")
        known[np.isnan(values)] = len(ordered)
        places = cells.astype(np.int64) * (len(ordered) + 1) + known
        return cls(cells[order], places[order], values[order], ordered)

    def sizes(self, cells: IntArray) -> IntArray:
        """Return how many records each cell has, those without a value among them."""
        first, last = (np.searchsorted(self.cells, cells, side=side) for side in ("left", "right"))
        return np.asarray(last - first)

    def within(self, cells: IntArray, low: FloatArray, high: FloatArray) -> IntArray:
        """Return how many records of each cell have a value between the ends; none where an end is missing. O(m log n).

        Examples
        --------
        >>> file = ValuesByCell.of(np.array([0, 0, 0, 1]), np.array([5.0, 7.0, np.nan, 6.0]))
        >>> file.within(np.array([0, 1, 2]), np.full(3, 5.0), np.full(3, 6.0)).tolist()
        [1, 1, 0]
        """
        base = cells.astype(np.int64) * (len(self.ordered) + 1)
        least = np.searchsorted(self.ordered, low, side="left")
        most = np.searchsorted(self.ordered, high, side="right")
        found = np.searchsorted(self.places, base + most, side="left") - np.searchsorted(
            self.places, base + least, side="left"
        )
        return np.where(np.isnan(low) | np.isnan(high), 0, np.maximum(found, 0))

    def anywhere(self, low: FloatArray, high: FloatArray) -> IntArray:
        """Return how many records of the whole file have a value between the ends; none where an end is missing."""
        least = np.searchsorted(self.ordered, low, side="left")
        most = np.searchsorted(self.ordered, high, side="right")
        return np.where(np.isnan(low) | np.isnan(high), 0, np.maximum(most - least, 0))

    def ends(self, cells: IntArray) -> tuple[FloatArray, FloatArray, BoolArray]:
        """Return the least and the largest value of each cell, and whether all its records have one.

        Examples
        --------
        >>> file = ValuesByCell.of(np.array([0, 0, 1]), np.array([5.0, 7.0, np.nan]))
        >>> file.ends(np.array([0, 1, 2]))
        (array([ 5., nan, nan]), array([ 7., nan, nan]), array([ True, False, False]))
        """
        first, last = (np.searchsorted(self.cells, cells, side=side) for side in ("left", "right"))
        there = last > first
        low, high = np.full(len(cells), np.nan), np.full(len(cells), np.nan)
        low[there], high[there] = self.values[first[there]], self.values[last[there] - 1]
        complete = there & ~np.isnan(high)
        return low, high, np.asarray(complete)
