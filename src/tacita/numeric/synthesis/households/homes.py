"""Homes: persons in the order of their households, the place of each in his household, and one row for each household."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import IntArray
from tacita.numeric.synthesis.column_values import ColumnValues

__all__ = ["Homes"]


@dataclass(frozen=True, eq=False)
class Homes:
    """Households, whose members stand one after the other.

    Parameters
    ----------
    sizes
        (h,): number of members of each household.

    Examples
    --------
    >>> homes = Homes(np.array([2, 1, 3]))
    >>> homes.household.tolist(), homes.place.tolist(), homes.first.tolist()
    ([0, 0, 1, 2, 2, 2], [0, 1, 0, 0, 1, 2], [0, 2, 3])
    """

    sizes: IntArray = field(repr=False)

    @classmethod
    def sorted(cls, labels: IntArray) -> tuple[Homes, IntArray]:
        """Return the households of persons by their labels, and the persons in this order; within a household as they stood."""
        order = np.argsort(labels, kind="stable")
        sizes = np.bincount(np.unique(labels, return_inverse=True)[1].ravel()) if len(labels) else np.zeros(0, np.int64)
        return cls(sizes.astype(np.int64)), order.astype(np.int64)

    def __len__(self) -> int:
        return len(self.sizes)

    @property
    def n(self) -> int:
        """Number of persons."""
        return int(self.sizes.sum())

    @property
    def first(self) -> IntArray:
        """The row of the first member of each household."""
        return np.concatenate([[0], np.cumsum(self.sizes)[:-1]]).astype(np.int64)[: len(self.sizes)]

    @property
    def household(self) -> IntArray:
        """The household of each person."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @property
    def place(self) -> IntArray:
        """Whether a person is the first (0), the second (1) ... of his household."""
        return np.arange(self.n) - np.repeat(self.first, self.sizes)

    def at(self, place: int) -> IntArray:
        """Return the rows of all persons at a place, such as 0 for the first members, in the order of the households."""
        return self.first[self.sizes > place] + place

    def of_households(self, columns: Mapping[str, ColumnValues], names: Iterable[str]) -> dict[str, ColumnValues]:
        """Return columns that all members share, one row a household: the value of the first member who has one."""
        found = {}
        for name in names:
            column, rows = columns[name], self.first.copy()
            known = np.flatnonzero(column.there)
            rows[self.household[known[::-1]]] = known[::-1]
            found[name] = column.of(rows)
        return found
