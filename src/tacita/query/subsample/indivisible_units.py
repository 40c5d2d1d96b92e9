"""Indivisible units as a way to cut a universe: groups of records that are analysed together or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import IntArray, WordArray
from tacita.core.constraints import Interval
from tacita.core.keyed import Key
from tacita.core.parameterised import Parameterised
from tacita.query.audit.indivisible import bind_units, whole_units

__all__ = ["IndivisibleUnits"]


@dataclass(frozen=True, kw_only=True)
class IndivisibleUnits(Parameterised):
    """Keep only the groups of records that lie wholly inside a universe.

    All records are bound into groups of k to 2 k - 1, within strata, by a keyed order that nobody knows. A universe
    keeps the groups that it holds as a whole.

    Protects against every difference of universes: whatever is made from answered sets is a union of groups, so it has no record
    or at least k. Does not protect a group as a whole, and costs records where universes are small: a universe that
    holds a share p of a stratum keeps about p^k of its groups.

    Parameters
    ----------
    k
        Fewest records of a group.

    Notes
    -----
    Groups are drawn from record ids and the key, within each stratum; a stratum of fewer than k records is one group
    that is never kept. They are the same for all questions to a data version. O(n log n) time for each universe.

    References
    ----------
    Adam, N. and Worthmann, J. (1989), Security-control methods for statistical databases, ACM Computing Surveys 21, 515-556.

    Examples
    --------
    >>> ids = np.arange(9, dtype=np.uint64)
    >>> kept = IndivisibleUnits(k=3).apply(np.arange(8), None, ids, Key(b"0123456789abcdef"))
    >>> len(kept) in (5, 6)
    True
    """

    k: Annotated[int, Interval(2)] = 3

    def apply(self, members: IntArray, strata: IntArray | None, ids: WordArray, key: Key) -> IntArray:
        """Return the rows that are kept.

        Parameters
        ----------
        members
            Row numbers of the universe.
        strata
            (n,): the stratum of every record of the version; None for one.
        ids
            (n,): what identifies every record of the version.
        key
            The secret of the version.
        """
        order = key.record_order(np.asarray(ids, dtype=np.uint64), "indivisible units")
        layer = np.zeros(len(ids), dtype=np.int64) if strata is None else np.asarray(strata, dtype=np.int64)
        inside = np.zeros(len(ids), dtype=np.bool_)
        inside[members] = True
        kept = np.zeros(len(ids), dtype=np.bool_)
        by_layer = np.argsort(layer, kind="stable")
        for part in np.split(by_layer, np.flatnonzero(np.diff(layer[by_layer])) + 1):
            if len(part) >= self.k:
                kept[part] = whole_units(inside[part], bind_units(order[part], k=self.k))
        return np.flatnonzero(kept)
