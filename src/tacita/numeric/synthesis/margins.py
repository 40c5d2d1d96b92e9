"""Margins: what a column has, value by value, as a function of a share between 0 and 1; none of its values is one person's.

``Q(u)`` is the value that a share u of the records does not exceed. With u uniform, ``Q(u)`` is a draw of the column.

Numbers. A value that k or more records have is nobody's own and keeps its place and its share. The others are cut, in their
order, into bins of k to 2k - 1 neighbours; within a bin Q runs along two straight lines whose mean is the mean of the bin, from
half-way to the neighbouring bin below to half-way to the one above. In the outermost bins it runs along a power of u, with the
mean of the bin too, as far as the bin's own spread tells (``mean + sqrt(3) sd``), so that no end is that of one person, but not
across zero where all values are on one side of it. Fewer than k values between two common ones become a line between these.

Classes. They have an order, their own or one that :func:`class_margin` is given, and Q is a stair of their shares.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray

__all__ = ["ClassMargin", "Margin", "NumberMargin", "class_margin", "number_margin"]

_STEPS = np.linspace(0.0, 1.0, 17)
"""Knots of an outermost bin."""


class Margin(Protocol):
    """The values of a column by their shares."""

    def values_at(self, shares: FloatArray) -> FloatArray:
        """Return Q(u): the numbers, or the positions of classes."""

    def ranks_at(self, shares: FloatArray) -> FloatArray:
        """Return the middle of the shares that have the same value as u: its tied rank, between 0 and 1."""


@dataclass(frozen=True)
class NumberMargin:
    """A column of numbers: straight lines between knots, level where many records have the same number.

    Parameters
    ----------
    shares, values
        The knots, in their order.
    low, high
        Where the function is level, from share to share.
    """

    shares: FloatArray
    values: FloatArray
    low: FloatArray
    high: FloatArray

    def values_at(self, shares: FloatArray) -> FloatArray:
        """Return Q(u)."""
        return np.asarray(np.interp(shares, self.shares, self.values))

    def ranks_at(self, shares: FloatArray) -> FloatArray:
        """Return tied ranks."""
        if not len(self.low):
            return shares
        place = np.maximum(np.searchsorted(self.low, shares, side="right") - 1, 0)
        level = (shares >= self.low[place]) & (shares < self.high[place])
        return np.where(level, (self.low[place] + self.high[place]) / 2, shares)


@dataclass(frozen=True)
class ClassMargin:
    """A column of classes: a stair.

    Parameters
    ----------
    ends
        The share at which each step of the stair ends.
    order
        The position of the class of each step.
    """

    ends: FloatArray
    order: IntArray

    def values_at(self, shares: FloatArray) -> FloatArray:
        """Return Q(u)."""
        return self.order[self._steps(shares)].astype(np.float64)

    def ranks_at(self, shares: FloatArray) -> FloatArray:
        """Return tied ranks."""
        starts = np.concatenate([[0.0], self.ends[:-1]])
        return np.asarray(((starts + self.ends) / 2)[self._steps(shares)])

    def _steps(self, shares: FloatArray) -> IntArray:
        return np.minimum(np.searchsorted(self.ends, shares, side="right"), len(self.ends) - 1)


def class_margin(codes: IntArray, order: IntArray) -> ClassMargin:
    """Return the margin of classes in an order of theirs; those that do not occur are left out.

    Examples
    --------
    >>> margin = class_margin(np.array([0, 2, 2, 1]), np.array([2, 0, 1]))
    >>> margin.values_at(np.array([0.1, 0.49, 0.6, 0.9])).tolist(), margin.ranks_at(np.array([0.1])).tolist()
    ([2.0, 2.0, 0.0, 1.0], [0.25])
    """
    counts = np.bincount(codes, minlength=len(order))[order]
    found = counts > 0
    ends = np.cumsum(counts[found]) / max(int(counts.sum()), 1)
    return ClassMargin(ends, order[found])


def number_margin(values: FloatArray, k: int) -> NumberMargin:
    """Return the margin of k or more numbers. O(n log n) time.

    Examples
    --------
    >>> margin = number_margin(np.array([0.0, 0.0, 0.0, 0.0, 5.0, 9.0, 11.0, 20.0]), 4)
    >>> margin.values_at(np.array([0.2, 0.49])).tolist()
    [0.0, 0.0]
    >>> float(margin.values_at((np.arange(500) + 0.5) / 1000 + 0.5).mean().round(2))
    11.25
    """
    ordered = np.sort(values)
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    ends = np.append(first[1:], len(ordered))
    runs = _runs(first, ends, k)
    shares, heights, low, high = [], [], [], []
    for number, (start, end, common) in enumerate(runs):
        below = ordered[runs[number - 1][1] - 1] if number else (0.0 if ordered[0] >= 0 else -np.inf)
        above = ordered[runs[number + 1][0]] if number + 1 < len(runs) else (0.0 if ordered[-1] <= 0 else np.inf)
        if common:
            at, height = np.array([start, end], float), ordered[[start, start]]
            low.append(start)
            high.append(end)
        elif end - start < k:
            at, height = np.array([start, end], float), np.array([below, above])
        else:
            at, height = _binned(ordered[start:end], k, float(below), float(above))
            at = at + start
        shares.append(at)
        heights.append(height)
    n = len(ordered)
    ends_of_levels = np.array(low, float) / n, np.array(high, float) / n
    return NumberMargin(np.concatenate(shares) / n, np.concatenate(heights), *ends_of_levels)


def _runs(first: IntArray, ends: IntArray, k: int) -> list[tuple[int, int, bool]]:
    """Return stretches of the ordered values: one common value each, or rare values in a row, not too few at the ends."""
    common: BoolArray = ends - first >= k
    while True:
        cut = np.flatnonzero(common | np.concatenate([[True], common[:-1]]))
        starts, stops = first[cut], np.append(first[cut[1:]], ends[-1])
        is_common = common[cut]
        short = ~is_common & (stops - starts < k)
        if short[0] and len(cut) > 1:
            common[cut[1]] = False  # too few below the lowest common value: it is one of them
        elif short[-1] and len(cut) > 1:
            common[cut[-2]] = False
        else:
            return list(zip(starts.tolist(), stops.tolist(), is_common.tolist(), strict=True))


def _binned(ordered: FloatArray, k: int, below: float, above: float) -> tuple[FloatArray, FloatArray]:
    """Return knots of rare values in a row: at the ends of bins, and in their middles."""
    count = len(ordered) // k
    cuts = np.arange(count + 1) * len(ordered) // count
    sizes = np.diff(cuts)
    means = np.add.reduceat(ordered, cuts[:-1]) / sizes
    away = ordered - np.repeat(means, sizes)
    reach = np.sqrt(3 * np.add.reduceat(away * away, cuts[:-1]) / sizes)
    between = (ordered[cuts[1:-1] - 1] + ordered[cuts[1:-1]]) / 2
    edges = np.concatenate([[max(below, means[0] - reach[0])], between, [min(above, means[-1] + reach[-1])]])
    middles = np.clip((4 * means - edges[:-1] - edges[1:]) / 2, edges[:-1], edges[1:])
    at, height = np.empty(2 * count + 1), np.empty(2 * count + 1)
    at[::2], height[::2] = cuts, edges
    at[1::2], height[1::2] = (cuts[:-1] + cuts[1:]) / 2, middles
    if count == 1:
        return at, height
    low = _tail(edges[1], means[0], edges[0])[::-1]
    high = _tail(edges[-2], means[-1], edges[-1])
    at = np.concatenate([_STEPS * cuts[1], at[3:-3], cuts[-2] + _STEPS * sizes[-1]])
    return at, np.concatenate([low, height[3:-3], high])


def _tail(inner: float, mean: float, outer: float) -> FloatArray:
    """Return heights from the inner edge of an outermost bin to its end: a power of the share, with the mean of the bin."""
    if not abs(mean - inner) > 1e-12 * abs(outer - inner):
        return np.full(len(_STEPS), inner)
    power = max((outer - inner) / (mean - inner) - 1, 0.0)
    return np.asarray(inner + (outer - inner) * _STEPS**power)
