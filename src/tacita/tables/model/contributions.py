"""Contributions: the largest contributors of each cell, which is all that sensitivity rules look at."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray

__all__ = ["Contributions", "Expansion"]


Expansion: TypeAlias = Literal["part", "whole", "once"]
"""How often a rule counts a sampled contributor: as its weight says, the rest in part; as its rounded weight says; once."""

NEAR = 1e-9
"""Weights this near to a whole number are whole."""


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

        A sampled contributor whose weight is above 1 stands for others too, so it does not know the cell.
        """
        alone = (self.counts == 1) & (self.weights[:, 0] <= 1.0 + NEAR)
        return np.where(alone, self.owners[:, 0], -1).astype(np.int64)

    @property
    def all_waive(self) -> BoolArray:
        """(n,): cells in which every contributor agreed to be published, as far as the table keeps them all."""
        if self.waives is None:
            return np.zeros(len(self.counts), bool)
        agreed = (self.owners < 0) | self.waives[np.maximum(self.owners, 0)]
        return np.asarray((self.counts > 0) & (self.counts <= self.depth) & agreed.all(axis=1), bool)

    def counted_by(self, expansion: Expansion) -> Contributions:
        """Return the contributions with weights as a convention takes them in rules: in parts, as whole numbers, not at all."""
        if expansion == "part":
            return self
        there = self.owners >= 0
        whole = np.maximum(np.rint(self.weights), 1.0) if expansion == "whole" else np.ones_like(self.weights)
        return replace(self, weights=np.where(there, whole, 0.0))

    def expanded(self, most: int) -> FloatArray:
        """Return (n, most): the largest contributions when each counts as often as its weight says.

        Notes
        -----
        A sampled unit of weight w stands for w units of its size; this is the expansion of the field and of tau-ARGUS, which
        takes w as a whole number. Here the rest counts as a part contribution: x with weight 2.6 stands for x, x and
        0.6 x. So a cell does not become unsafe and safe again as a weight grows. A weight below 1 counts as 1: the
        sampled unit itself is there.
        """
        return self.expanded_with_owners(most)[0]

    def expanded_with_owners(self, most: int) -> tuple[FloatArray, IntArray]:
        """Return what :meth:`expanded` does, and whose each is: a contributor itself, -1 for those that it stands for."""
        first = slice(None, min(most, self.depth))  # smaller ones come after as many whole contributions already
        there = self.owners[:, first] >= 0
        amounts, weights = np.where(there, self.amounts[:, first], 0.0), np.maximum(self.weights[:, first], 1.0)
        whole = np.floor(weights + NEAR)
        rest = np.maximum(weights - whole, 0.0)
        copies = [amounts * (whole > place) for place in range(most)]
        pool = np.concatenate([*copies, amounts * rest], axis=1)
        order = np.argsort(-np.abs(pool), axis=1, kind="stable")[:, :most]
        owners = np.full(pool.shape, -1, np.int64)
        owners[:, : amounts.shape[1]] = self.owners[:, first]
        return np.take_along_axis(pool, order, axis=1), np.take_along_axis(owners, order, axis=1)
