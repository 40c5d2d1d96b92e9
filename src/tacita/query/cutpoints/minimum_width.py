"""Minimum width: every bin as close to the minimum number of records as ties allow, so bins are narrow where data are dense."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import IntArray
from tacita.query.cutpoints.bins import Bins
from tacita.query.cutpoints.distinct import DistinctValues
from tacita.query.cutpoints.method import MadeFromData

__all__ = ["MinimumWidth", "fewest_records"]


def fewest_records(reached: IntArray, minimum: int) -> IntArray:
    """Return the places after which to cut, so that each bin is full as soon as it has ``minimum`` records.

    From below, a bin takes distinct values until it has enough records; what is too little for a bin of its own at the end joins
    the last one. Each bin ends as early as it can, so no other cutting has more bins, and the records above ``minimum``,
    ``n - minimum * bins``, are the fewest.

    Parameters
    ----------
    reached
        Records up to and with each distinct value.
    minimum
        Least number of records in a bin.

    Complexity
    ----------
    O(m log m) for m distinct values; one step for each bin.

    Examples
    --------
    >>> fewest_records(np.array([2, 4, 6, 7, 8]), 2).tolist()
    [0, 1, 2]
    """
    total = int(reached[-1])
    # For every value at once: where the bin that begins after it is full.
    full_at = np.searchsorted(reached, reached + minimum).tolist()
    room = int(np.searchsorted(reached, total - minimum, side="right"))  # cuts from here on leave too few behind them
    places: list[int] = []
    place = int(np.searchsorted(reached, minimum))
    while place < room:
        places.append(place)
        place = full_at[place]
    return np.array(places, dtype=np.int64)


@dataclass(frozen=True, kw_only=True)
class MinimumWidth(MadeFromData):
    """Cut a variable so that every bin has as close to ``minimum`` records as possible, never fewer.

    Bins are filled from below with whole groups of equal values; see :func:`fewest_records`. A cutpoint is the number with the
    fewest digits between the values on its two sides.

    Protects against small bins. Where the data are dense the bins may be so narrow that they show the values: see
    :func:`~tacita.query.cutpoints.fineness.too_fine`.

    Complexity
    ----------
    O(n log n) time, O(n) memory for n values.

    Notes
    -----
    The paper says "as close as possible"; here the number of records above the minimum, added up over all bins, is the least that
    is possible. The rest at the upper end joins the last bin, which is open.

    References
    ----------
    Lucero, J. et al. (2011), The Microdata Analysis System at the U.S. Census Bureau, SORT special issue,
    section 3.1.3, Table 3.

    Examples
    --------
    >>> MinimumWidth(minimum=2).cut(np.array([1.0, 1, 2, 2, 4, 4, 5, 6])).labels
    ('up to 1', '2 to 3', 'exactly 4', 'above 4')
    """

    name = "minimum"

    def cut_distinct(self, found: DistinctValues) -> Bins:
        """Return the bins."""
        seen = self.seen(found)
        return self.bins(found, self.cuts_after(seen, fewest_records(seen.reached, self.minimum)))
