"""The records of each stratum in one order: a place in it names a record, whatever row the record stands in."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import IntArray, PlaceArray, WordArray

__all__ = ["StratumRows"]


@dataclass(frozen=True, eq=False)
class StratumRows:
    """All records of a data version, stratum by stratum, within each by their ids.

    Parameters
    ----------
    codes
        (s,): the strata that have records, increasing.
    starts
        (s + 1,): where each begins in the list, and the end.
    order
        (n,): the rows; None where they are listed as they stand.

    Examples
    --------
    >>> found = StratumRows.of(np.array([1, 0, 1]), np.array([9, 8, 7], dtype=np.uint64))
    >>> found.rows(np.array([0, 1, 2])).tolist(), found.sizes.tolist()
    ([1, 2, 0], [1, 2])
    """

    codes: IntArray
    starts: IntArray
    order: PlaceArray | None = field(repr=False)

    @classmethod
    def of(cls, strata: IntArray | None, ids: WordArray) -> StratumRows:
        """List the records of a version.

        Parameters
        ----------
        strata
            (n,): the stratum of each record; None puts all into one.
        ids
            (n,): what identifies each record, no two the same.

        Notes
        -----
        O(n) where ids increase already and there is one stratum, as for row numbers; otherwise O(n log n), once for a version.
        """
        is_sorted = bool(np.all(ids[1:] > ids[:-1]))
        if strata is None:
            order = None if is_sorted else np.argsort(ids, kind="stable").astype(np.int32)
            return cls(np.zeros(1, dtype=np.int64), np.array([0, len(ids)]), order)
        codes, place = np.unique(strata, return_inverse=True)
        narrow = place.astype(np.min_scalar_type(max(len(codes) - 1, 0)))
        found = np.argsort(narrow, kind="stable") if is_sorted else np.lexsort((ids, narrow))
        sizes = np.bincount(place, minlength=len(codes))
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        return cls(np.asarray(codes, dtype=np.int64), starts, found.astype(np.int32))

    @property
    def sizes(self) -> IntArray:
        """Records of each stratum."""
        return np.diff(self.starts)

    def rows(self, places: IntArray) -> IntArray:
        """Return the rows at some places of the list."""
        return places if self.order is None else self.order[places].astype(np.int64)
