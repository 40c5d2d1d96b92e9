"""Contributions: the largest contributors of each cell, which is all that sensitivity rules look at."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

__all__ = ["Contributions"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Contributions:
    """The largest contributions to each cell, by size without sign.

    Parameters
    ----------
    counts
        (n,): number of contributors with a record in the cell, a zero amount included.
    amounts
        (n, m): the m largest contributions, largest first, unweighted; 0 where there are fewer. The sign is kept.
    weights
        (n, m): the sampling weight of each of them; 1 where the data have none and 0 where there is no contributor.
    owners
        (n, m): number of the contributor, equal over all cells of the table; -1 where there is none.
    asks
        For each contributor whether it asked for protection (the request rule); None where nobody could.
    waives
        For each contributor whether it agreed to be published; None where nobody did.
    """

    counts: IntArray = field(repr=False)
    amounts: FloatArray = field(repr=False)
    weights: FloatArray = field(repr=False)
    owners: IntArray = field(repr=False)
    asks: BoolArray | None = field(default=None, repr=False)
    waives: BoolArray | None = field(default=None, repr=False)

    @property
    def depth(self) -> int:
        """How many contributions are kept for each cell."""
        return int(self.amounts.shape[1])

    @property
    def sole(self) -> IntArray:
        """(n,): the only contributor of a cell, -1 where there is none or more than one.

        A sampled contributor that stands for two or more does not know the cell.
        """
        return np.where((self.counts == 1) & (self.weights[:, 0] < 2.0), self.owners[:, 0], -1).astype(np.int64)

    def expanded(self, most: int) -> FloatArray:
        """Return (n, most): the largest contributions when each counts as often as its weight says.

        Notes
        -----
        A sampled unit of weight w stands for w units of its size, so the largest contribution fills the first
        floor(w) places, and the next one goes on. This is what tau-ARGUS does. A weight below 1 counts as 1: the
        sampled unit itself is there.
        """
        times = np.where(self.owners >= 0, np.maximum(np.floor(self.weights + 1e-9), 1.0), 0.0)
        ends = np.cumsum(times, axis=1)
        found = np.zeros((len(self.counts), most))
        for place in range(most):
            which = (ends <= place).sum(axis=1)
            there = which < self.depth
            found[there, place] = self.amounts[there, which[there]]
        return found
