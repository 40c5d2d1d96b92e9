"""Fixed width: all bins are equally wide, and as narrow as the thinnest part of the data allows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.query.cutpoints.bins import Bins
from tacita.query.cutpoints.distinct import DistinctValues, merged
from tacita.query.cutpoints.grid import DecimalGrid
from tacita.query.cutpoints.method import MadeFromData
from tacita.query.cutpoints.round_numbers import power_below

__all__ = ["FixedWidth", "least_width"]

_NEVER = int(np.iinfo(np.int64).max) // 4
_STARTS = 10


def least_width(steps: IntArray, counts: IntArray, minimum: int, *, below: int = _NEVER) -> int | None:
    """Return the least whole width w such that each bin ``((i-1) w, i w]`` from the first value to the last has enough records.

    Feasibility is not monotone in w, so there is nothing to bisect. But a width that fails says how far one must go: let bin
    i >= 1 begin at L with p records up to L. For every larger width its begin lies no lower, so it has enough records only when
    its end reaches the record number p + minimum, ``w >= x[p + minimum] / i``, or when it begins at or above the last value and
    is needed no longer, ``w >= x[n] / (i - 1)``. The least of these two, the most over all failing bins, is the next
    width to try; no feasible one is skipped. Bins at and below 0 are their mirror image.

    Parameters
    ----------
    steps
        Distinct values, whole and ascending.
    counts
        Records with each.
    minimum
        Least number of records in a bin.
    below
        Widths from here on are of no interest.

    Returns
    -------
    int or None
        The width; None where every one fails, because it is not below the limit, or too few values lie on one side of 0.

    Complexity
    ----------
    O(b log m) for each width tried, with b bins and m distinct values. The first width tried is at least half of the widest
    stretch with fewer than ``minimum`` records.

    Examples
    --------
    >>> least_width(np.array([1, 2, 4, 5, 6]), np.array([2, 2, 2, 1, 1]), 2)
    2
    """
    reached = np.cumsum(counts)
    before = np.concatenate(([0], reached))
    total, smallest, largest = int(reached[-1]), int(steps[0]), int(steps[-1])
    width = int(_least_possible(steps, reached, minimum)) + 1
    while width < below:
        first, last = -(-smallest // width), -(-largest // width)
        number = np.arange(first, last + 1)
        ends = before[np.searchsorted(steps, number[:-1] * width, side="right")]
        up_to = np.concatenate((ends, [total]))
        lower = np.concatenate(([0], ends))
        failing = up_to - lower < minimum
        if not failing.any():
            return width
        number, up_to, lower = number[failing], up_to[failing], lower[failing]
        right, left = number >= 1, number <= 0
        wanted = [
            _to_the_right(number[right], _value_at(steps, reached, lower[right] + minimum), largest),
            _to_the_left(number[left], _value_at(steps, reached, up_to[left] - minimum + 1), smallest),
        ]
        width = max(width + 1, int(np.max(np.concatenate(wanted))))
    return None


def _value_at(steps: IntArray, reached: IntArray, rank: IntArray) -> IntArray:
    """Return the values of records by their rank from 1 on; ranks that do not exist give a value out of reach."""
    place = np.searchsorted(reached, rank)
    exists = (rank >= 1) & (rank <= reached[-1])
    return np.asarray(
        np.where(exists, steps[np.minimum(place, len(steps) - 1)], np.where(rank < 1, -_NEVER, _NEVER)), dtype=np.int64
    )


def _to_the_right(number: IntArray, target: IntArray, largest: int) -> IntArray:
    enough = -(-target // number)
    enough[target >= _NEVER] = _NEVER
    gone = np.where(number > 1, -(-largest // np.maximum(number - 1, 1)), _NEVER)
    return np.asarray(np.minimum(enough, gone), dtype=np.int64)


def _to_the_left(number: IntArray, target: IntArray, smallest: int) -> IntArray:
    enough = -target // (1 - number) + 1
    enough[target <= -_NEVER] = _NEVER
    gone = np.where(number < 0, -smallest // np.maximum(-number, 1) + 1, _NEVER)
    return np.asarray(np.minimum(enough, gone), dtype=np.int64)


def _least_possible(values: IntArray | FloatArray, reached: IntArray, minimum: int) -> float:
    """Return a width that every feasible one is above.

    Fewer than ``minimum`` records lie strictly between one record and the ``minimum``-th after it; a stretch of twice the width
    contains a whole bin. And there are at most n / minimum bins.
    """
    after = np.searchsorted(reached, reached + minimum)
    inside = after < len(values)
    stretch = np.max(values[after[inside]] - values[inside], initial=0)
    span = values[-1] - values[0]
    return max(float(stretch) / 2, float(span) / max(int(reached[-1]) // minimum, 1))


@dataclass(frozen=True, kw_only=True)
class FixedWidth(MadeFromData):
    """Cut a variable into bins of one width, the least that gives every bin at least ``minimum`` records.

    The cutpoints are ``start + i width``. Widths are tried in multiples of the grain and the least that serves is taken, exactly
    (see :func:`least_width`). Where the tails are thin the width is large, and the bins in the centre are dense.

    Protects against small bins. Does not hide in which bin the smallest and the largest value lie: who knows the method
    knows both to within a width.

    Parameters
    ----------
    start
        A number that is a cutpoint or would be one further down. Without it, ten round numbers below the smallest value are tried
        and the one with the least width is taken; they begin at a multiple of the largest power of ten within the span of
        the values, and are tenths of it apart: for values from 18 to 95 they are 10, 11, ..., 17.

    Complexity
    ----------
    O(n log n) for n values to sort them, then O(b log m) for each width tried with b bins and m distinct values.

    Notes
    -----
    The paper leaves start and resolution open. A start at the smallest value would publish this value, as the cutpoints can be
    continued downwards; so it is a round number. Of starts with equal widths the lowest is taken. The exact least width would
    put a cutpoint next to some record's value; so widths have two to three significant digits: without ``grain``, they are
    multiples of a tenth of the power of ten below the least conceivable width, and never finer than the decimals of the
    data. Whole numbers get whole widths. With ``grain=1`` the least whole width is found exactly. Where a ``start`` within the
    data leaves fewer than ``minimum`` records on one side, no width serves and there is one bin.

    References
    ----------
    Lucero, J. et al. (2011), The Microdata Analysis System at the U.S. Census Bureau, SORT special issue,
    section 3.1.3, Table 3.

    Examples
    --------
    >>> FixedWidth(minimum=2).cut(np.array([1.0, 1, 2, 2, 4, 4, 5, 6])).labels
    ('up to 2', '3 to 4', 'above 4')
    """

    name = "fixed"
    start: float | None = None

    def cut_distinct(self, found: DistinctValues) -> Bins:
        """Return the bins."""
        none = np.zeros(0)
        if found.total < 2 * self.minimum or len(found) == 1:
            return self.bins(found, none)
        grain = self.grain if self.grain is not None else self._own_grain(found)
        start = self.start if self.start is not None else found.round_start(grain)
        grid = DecimalGrid(grain, start)
        keys, counts = merged(grid.steps(found.points), found.counts)
        steps = np.asarray(keys, dtype=np.int64)
        best, width = 0, _NEVER
        for offset in self._offsets(found, int(steps[0]), grain):
            less = least_width(steps - offset, counts, self.minimum, below=width)
            if less is not None:
                best, width = offset, less
        if width == _NEVER:
            return self.bins(found, none)
        first, last = -(-(int(steps[0]) - best) // width), -(-(int(steps[-1]) - best) // width)
        return self.bins(found, grid.points(best + np.arange(first, last) * width))

    def _offsets(self, found: DistinctValues, smallest: int, grain: float) -> range:
        """Return the starts to be tried, in grains above the first one."""
        if self.start is not None:
            return range(1)
        apart = max(1, round(power_below(found.span) / _STARTS / grain))
        return range(0, min(smallest, _STARTS * apart), apart)

    def _own_grain(self, found: DistinctValues) -> float:
        least = _least_possible(found.points, found.reached, self.minimum)
        size = float(np.max(np.abs(found.points)))
        # Coarse enough for floating point too: the grid must tell its points apart at the size of the values.
        finest = [power_below(least) / 10, power_below(size) * 1e-10]
        if found.decimals is not None:
            finest.append(float(f"1e-{found.decimals}"))
        return max(finest)
