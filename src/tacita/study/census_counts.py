"""True and published counts side by side: what the census study counts, however the counts were protected."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.data.microdata import Microdata

__all__ = ["CountPairs", "crossed_pairs", "crossings_of"]


@dataclass(frozen=True, eq=False)
class CountPairs:
    """Cells that somebody is in, with what is published of them.

    Parameters
    ----------
    truth
        (n,): true counts, from 1 up.
    shown
        (n,): published counts.
    """

    truth: IntArray = field(repr=False)
    shown: IntArray = field(repr=False)

    @classmethod
    def of(cls, truth: IntArray, shown: IntArray) -> CountPairs:
        """Keep the cells that somebody is in."""
        there = truth > 0
        return cls(truth[there], shown[there])

    @classmethod
    def joined(cls, parts: Iterable[CountPairs]) -> CountPairs:
        """Put cells of several tables or registers together."""
        listed = list(parts)
        return cls(np.concatenate([p.truth for p in listed]), np.concatenate([p.shown for p in listed]))

    def __len__(self) -> int:
        return len(self.truth)

    @property
    def sizes(self) -> IntArray:
        """(n,): absolute deviations."""
        return np.asarray(np.abs(self.shown - self.truth))

    @property
    def mean(self) -> float:
        """Mean absolute deviation."""
        return float(self.sizes.mean()) if len(self) else 0.0

    @property
    def largest(self) -> int:
        """Largest absolute deviation."""
        return int(self.sizes.max(initial=0))

    @property
    def small_shown(self) -> int:
        """How many ones and twos are published."""
        return int(np.isin(self.shown, (1, 2)).sum())

    def within(self, low: int, high: float) -> CountPairs:
        """Return the cells whose true count is from low to high."""
        here = (self.truth >= low) & (self.truth <= high)
        return CountPairs(self.truth[here], self.shown[here])

    def results(self, count: int, most: int) -> FloatArray:
        """Return (most + 2,): shares of the cells of one count that are published as 0, 1, ..., most, and as more."""
        here = np.minimum(self.shown[self.truth == count], most + 1)
        found = np.bincount(here, minlength=most + 2).astype(np.float64)
        return found / max(len(here), 1)

    def deviations(self, reach: int) -> FloatArray:
        """Return (2 reach + 1,): shares of the deviations -reach, ..., reach; what is beyond counts at the ends."""
        off = np.clip(self.shown - self.truth, -reach, reach) + reach
        return np.bincount(off, minlength=2 * reach + 1) / max(len(off), 1)

    def distribution(self, most: int) -> FloatArray:
        """Return (most + 1,): percentages of the absolute deviations 0, ..., most; what is beyond counts as most."""
        found = np.bincount(np.minimum(self.sizes, most), minlength=most + 1)
        return np.asarray(100 * found / max(len(self), 1))


def crossings_of(names: Sequence[str], sizes: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    """Return all tables of so many variables."""
    return tuple(table for size in sizes for table in combinations(names, size))


def crossed_pairs(original: Microdata, masked: Microdata, tables: Sequence[Sequence[str]]) -> CountPairs:
    """Count the inner cells of tables in two files, and pair those that the original has somebody in.

    Notes
    -----
    A missing value is a category of its own. O(n log n) for each table.
    """
    names = dict.fromkeys(name for table in tables for name in table)
    coded = {name: _both(original, masked, name) for name in names}
    found, n = [], len(original)
    for table in tables:
        place, size = np.zeros(n + len(masked), np.int64), 1
        for name in table:
            codes, many = coded[name]
            place, size = place * many + codes, size * many
        cells, at = np.unique(place, return_inverse=True)
        before, after = (np.bincount(part, minlength=len(cells)) for part in (at[:n], at[n:]))
        found.append(CountPairs.of(before, after))
    return CountPairs.joined(found)


def _both(original: Microdata, masked: Microdata, name: str) -> tuple[IntArray, int]:
    """Return the codes of both files, one after the other, in categories that both share; missing is the last."""
    parts = [data.codes(name) for data in (original, masked)]
    known = {value: i for i, value in enumerate(dict.fromkeys(v for part in parts for v in part.categories))}
    codes = [np.array([*(known[v] for v in part.categories), len(known)], np.int64)[part.values] for part in parts]
    return np.concatenate(codes), len(known) + 1
