"""Partitioned: the data are halved again and again, and every part of the binary tree can be chosen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import IntArray
from tacita.query.cutpoints.bins import Bins
from tacita.query.cutpoints.distinct import DistinctValues
from tacita.query.cutpoints.method import MadeFromData

__all__ = ["Partitioned", "halvings"]


def halvings(reached: IntArray, minimum: int) -> tuple[IntArray, IntArray]:
    """Halve a row of distinct values as long as both halves have enough records.

    A part is cut after the value at which the number of records is nearest to half; of two that are equally near, the lower
    one. This makes the smaller half as large as it can be, so where it is below ``minimum`` no other cut would do.

    Parameters
    ----------
    reached
        Records up to and with each distinct value.
    minimum
        Least number of records in a part.

    Returns
    -------
    parts, leaves
        The parts that were halved and those that were not, each as rows of (first place, last place).

    Complexity
    ----------
    O(m log m) for m distinct values: all parts of one level are halved together, and there are O(log n) levels.

    Examples
    --------
    >>> parts, leaves = halvings(np.array([2, 4, 6, 7, 8]), 2)
    >>> parts.tolist(), leaves.tolist()
    ([[0, 4], [0, 1], [2, 4]], [[0, 0], [1, 1], [2, 2], [3, 4]])
    """
    before = np.concatenate(([0], reached))
    level = np.array([[0, len(reached) - 1]])
    halved: list[IntArray] = []
    kept: list[IntArray] = []
    while len(level):
        first, last = level[:, 0], level[:, 1]
        low, high = before[first], before[last + 1]
        # Twice the records, so that half of an odd number is whole.
        at = np.searchsorted(2 * reached, low + high)
        at = np.clip(at, first, last)
        nearer = (at > first) & (low + high - 2 * before[at] <= 2 * reached[at] - low - high)
        at = at - nearer
        splits = (at < last) & (np.minimum(reached[at] - low, high - reached[at]) >= minimum)
        halved.append(level[splits])
        kept.append(level[~splits])
        at, first, last = at[splits], first[splits], last[splits]
        level = np.column_stack((np.concatenate((first, at + 1)), np.concatenate((at, last))))
        level = level[np.argsort(level[:, 0])]
    leaves = np.concatenate(kept)
    return np.concatenate(halved), leaves[np.argsort(leaves[:, 0])]


@dataclass(frozen=True, kw_only=True)
class Partitioned(MadeFromData):
    """Cut a variable into halves of about equally many records, these into halves again, while both have ``minimum`` records.

    The smallest parts are the bins. The parts that were halved are the tree of the bins: users may choose each of them, coarse or
    fine. Equal values are never parted; a cutpoint is the number with the fewest digits between its two sides.

    Protects against small bins. Where the data are dense the bins may be so narrow that they show the values: see
    :func:`~tacita.query.cutpoints.fineness.too_fine`.

    Complexity
    ----------
    O(n log n) time, O(n) memory for n values.

    Notes
    -----
    The paper stops "as long as there are at least beta observations in each bin": a part stays whole when its best halves, the
    most equal ones, are not both large enough.

    References
    ----------
    Lucero, J. et al. (2011), The Microdata Analysis System at the U.S. Census Bureau, SORT special issue,
    section 3.1.3, Figure 4.

    Examples
    --------
    >>> bins = Partitioned(minimum=2).cut(np.array([1.0, 1, 2, 2, 4, 4, 5, 6]))
    >>> [node.label for node in bins.nodes if node.number >= bins.n_bins]
    ['all values', 'up to 3', 'above 3']
    """

    name = "partitioned"

    def cut_distinct(self, found: DistinctValues) -> Bins:
        """Return the bins with their tree."""
        seen = self.seen(found)
        parts, leaves = halvings(seen.reached, self.minimum)
        first = np.searchsorted(leaves[:, 0], parts[:, 0])
        last = np.searchsorted(leaves[:, 1], parts[:, 1])
        tree = tuple(zip(first.tolist(), last.tolist(), strict=True))
        return self.bins(found, self.cuts_after(seen, leaves[:-1, 1]), tree)
