"""Increasing width: bins that grow wider with the values, for distributions that thin out towards large ones."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.constraints import Interval
from tacita.core.errors import ParameterError
from tacita.query.cutpoints.bins import Bins
from tacita.query.cutpoints.distinct import DistinctValues
from tacita.query.cutpoints.method import MadeFromData
from tacita.query.cutpoints.round_numbers import decimals_in, two_digits

__all__ = ["IncreasingWidth", "full_bins"]

_MOST_EDGES = 100_000


def full_bins(up_to: IntArray, total: int, minimum: int) -> IntArray:
    """Return which of a row of possible cutpoints stand, when every bin must have enough records.

    From below, a cutpoint stands when ``minimum`` records lie between the last one and it, and as many above it. Once fewer than
    ``2 minimum`` records are left above, no further one can stand: the last bin is open (the infinite width of the paper).

    Parameters
    ----------
    up_to
        Records at or below each possible cutpoint, ascending.
    total
        All records.
    minimum
        Least number of records in a bin.

    Examples
    --------
    >>> full_bins(np.array([1, 4, 5, 8]), 8, 2).tolist()
    [1]
    """
    places: list[int] = []
    done = 0
    while total - done >= 2 * minimum:
        place = int(np.searchsorted(up_to, done + minimum))
        if place == len(up_to) or total - up_to[place] < minimum:
            break
        places.append(place)
        done = int(up_to[place])
    return np.array(places, dtype=np.int64)


@dataclass(frozen=True, kw_only=True)
class IncreasingWidth(MadeFromData):
    """Cut a variable into bins that begin narrow and grow wider as the values grow.

    The first cutpoint is ``start + width``, each further bin is ``growth`` times as wide as the one before; or the widths
    follow ``steps``, such as 25 000 up to 100 000 and 150 000 from there. A cutpoint that would leave a bin with fewer than
    ``minimum`` records is left out. The last bin is open once fewer than ``2 minimum`` records are left.

    Protects against small bins and, by the open last bin, hides the largest values.

    Parameters
    ----------
    width
        Width of the first bin. Without it, the least width of two significant digits that gives the first bin enough records.
    growth
        Factor from one width to the next; widths are rounded up to two significant digits. Not used with ``steps``.
    steps
        Pairs of a cutpoint and the width of the bins above it, ascending.
    start
        Where the first bin begins; without it, a round number below the smallest value, as in
        :class:`~tacita.query.cutpoints.fixed_width.FixedWidth`. Values below it belong to the first bin.

    Raises
    ------
    ParameterError
        When steps do not ascend, or there would be more than 100 000 cutpoints.

    Complexity
    ----------
    O(n log n) time, O(n) memory for n values; O(e log m) for e possible cutpoints and m distinct values.

    Notes
    -----
    The paper gives no rule for the growth. Its Table 3 needs the widths 2 and 4, so the width doubles by default. With a
    grain, widths are rounded up to its multiples.

    References
    ----------
    Lucero, J. et al. (2011), The Microdata Analysis System at the U.S. Census Bureau, SORT special issue,
    section 3.1.3, Table 3.

    Examples
    --------
    >>> IncreasingWidth(minimum=2, width=2).cut(np.array([1.0, 1, 2, 2, 4, 4, 5, 6])).labels
    ('up to 2', 'above 2')
    >>> incomes = np.arange(1.0, 1001.0) * 700
    >>> IncreasingWidth(minimum=10, start=0, width=25_000, steps=[(100_000, 150_000)]).cut(incomes).cuts
    (25000.0, 50000.0, 75000.0, 100000.0, 250000.0, 400000.0, 550000.0)
    """

    name = "increasing"
    width: Annotated[float, Interval(0, None, "neither")] | None = None
    growth: Annotated[float, Interval(1)] = 2.0
    steps: tuple[tuple[float, Annotated[float, Interval(0, None, "neither")]], ...] = ()
    start: float | None = None

    def check(self) -> None:
        """Compare the steps with each other."""
        places = [place for place, _ in self.steps]
        if any(b <= a for a, b in pairwise(places)):
            raise ParameterError("IncreasingWidth: 'steps' must ascend by their cutpoints, got some that do not.")

    def cut_distinct(self, found: DistinctValues) -> Bins:
        """Return the bins."""
        edges = self._edges(found)
        stand = full_bins(found.up_to(edges), found.total, self.minimum)
        return self.bins(found, edges[stand])

    def _edges(self, found: DistinctValues) -> FloatArray:
        """Return all possible cutpoints up to the largest value."""
        start = self.start if self.start is not None else found.round_start(self.grain)
        rank = np.searchsorted(found.reached, self.minimum)
        reach = float(found.points[rank]) - start
        if self.width is not None:
            width = self.width
        else:
            width = two_digits(reach) if reach > 0 else 1.0
            width = math.ceil(width) if found.whole else width
        top = float(found.points[-1])
        edges = list(islice(self._walk(start, self._on_grain(width), top), _MOST_EDGES + 1))
        if len(edges) > _MOST_EDGES:
            raise ParameterError(
                f"IncreasingWidth: 'width' must give at most {_MOST_EDGES} cutpoints, got {width:g}, which gives more; "
                "take a larger one, or a larger 'growth'."
            )
        return np.array(edges)

    def _walk(self, start: float, width: float, top: float) -> Iterator[float]:
        edge, coming = start, list(self.steps)
        decimals = decimals_in(start, width, *(number for step in self.steps for number in step))
        while True:
            while coming and edge >= coming[0][0]:
                width = self._on_grain(coming.pop(0)[1])
            made = edge + width
            if coming and made > coming[0][0] > edge:
                made = coming[0][0]  # a step begins at its own cutpoint, even where the widths do not lead there
            edge = round(made, max(decimals, decimals_in(width)))
            if edge >= top or made <= start:
                return
            yield edge
            if not self.steps and self.growth > 1:
                width = self._on_grain(two_digits(width * self.growth))

    def _on_grain(self, width: float) -> float:
        if self.grain is None:
            return width
        return round(math.ceil(width / self.grain - 1e-9) * self.grain, decimals_in(self.grain))
