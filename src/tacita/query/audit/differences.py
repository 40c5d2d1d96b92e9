"""Differences of universes: two answered sets that differ in few records give those away.

The quick relative of the sum auditor, for any statistic that can be subtracted or compared: it looks at pairs of sets only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import BoolArray, IntArray
from tacita.core.errors import DataError
from tacita.query.audit.bitsets import PackedSets
from tacita.query.audit.decision import Decision
from tacita.query.audit.members import MembersLike, check_limit, check_records, members_mask

__all__ = ["DifferenceAudit", "SmallDifference", "differences_across"]

RULE = "difference_audit"


class DifferenceAudit:
    """Refuse a set that differs from an answered one, or from the complement of one, in 1 to ``limit - 1`` records.

    With Q the new set, U an answered one and d = |Q less U| + |U less Q|, the query is refused if ``0 < d < limit``:
    nested sets whose difference is small, and sets that exchange few records (one answer less the other is the
    difference of two small sums). If the total is known, an answer for U is one for its complement, and ``0 < n - d <
    limit`` is refused as well, together with ``0 < |Q| < limit`` and ``0 < n - |Q| < limit``: the empty set and the
    set of all records then count as answered. A set that was answered, or the complement of one, is free.

    **Protects against** subtracting one answer from another. **Does not protect against** combinations of three and
    more answers, such as trackers: that is what the sum auditor is for.

    Parameters
    ----------
    n_records
        Records of the data set.
    limit
        Fewest records in which two sets may differ.
    is_total_known
        Whether everybody has the statistic of all records.

    Complexity
    ----------
    O(n) for a new set, and O(n / 64) for each answered one whose size is near enough to matter: |d| is at least the
    difference of the sizes.

    Examples
    --------
    >>> audit = DifferenceAudit(20, limit=3)
    >>> audit.record(range(10))
    >>> [audit.judge(range(size)).outcome for size in (10, 11, 13)]
    ['free', 'deny', 'allow']
    >>> audit.judge(range(9, 20)).outcome, audit.judge(range(10, 20)).outcome
    ('deny', 'free')
    """

    __slots__ = ("_sets", "is_total_known", "limit", "n_records")

    def __init__(self, n_records: int, *, limit: int = 3, is_total_known: bool = True) -> None:
        self.n_records = check_records("DifferenceAudit", n_records)
        self.limit = check_limit("DifferenceAudit", limit)
        self.is_total_known = is_total_known
        self._sets = PackedSets(n_records)
        if is_total_known:
            self._sets.append(np.ones(n_records, dtype=np.bool_))

    def judge(self, members: MembersLike) -> Decision:
        """Judge a set of records; nothing is changed."""
        apart = self._apart(members_mask(members, self.n_records))
        near = [apart, self.n_records - apart] if self.is_total_known else [apart]
        if any((distance == 0).any() for distance in near):
            return Decision("free", RULE, "The set, or its complement, was answered.")
        if any((distance < self.limit).any() for distance in near):
            return Decision("deny", RULE, f"It differs from an answered set in fewer than {self.limit} records.")
        return Decision("allow", RULE)

    def record(self, members: MembersLike) -> None:
        """Record that a set was answered."""
        self._sets.append(members_mask(members, self.n_records))

    def _apart(self, mask: BoolArray) -> IntArray:
        """Return in how many records the set differs from each answered one for which it may be few, or all but few."""
        size, sizes = int(np.count_nonzero(mask)), self._sets.sizes
        is_near = np.abs(sizes - size) < self.limit
        if self.is_total_known:
            is_near |= np.abs(self.n_records - sizes - size) < self.limit
        rows = np.flatnonzero(is_near)
        return size + sizes[rows] - 2 * self._sets.common(mask, rows)


class SmallDifference(NamedTuple):
    """Two sets of two data versions that differ in few records: their numbers, and how many records they are apart."""

    old: int
    new: int
    records: int


def differences_across(
    old: Sequence[npt.ArrayLike], new: Sequence[npt.ArrayLike], *, limit: int = 3
) -> tuple[SmallDifference, ...]:
    """Return the pairs of an old and a new set, by identifiers of records, that differ in 1 to ``limit - 1`` records.

    Records that came, left or moved between two versions of the data make sets of their own: if a universe of the new
    version has all records of one that was answered before and two more, the two answers give the two newcomers away.

    Parameters
    ----------
    old, new
        For each set the identifiers of its members, whole numbers or texts; the same person has the same in both
        versions.
    limit
        Fewest records in which two sets may differ.

    Returns
    -------
    tuple
        Ordered by number of the new set, then of the old one.

    Raises
    ------
    DataError
        When a set names an identifier twice.

    Notes
    -----
    Values that changed between the versions make an answer less useful to the attacker; the rule does not count on
    it. For combinations of more than two sets, give a sum auditor the records of both versions and replay the old
    sets into it. O(N log N) for N members in all, then O(n / 64) for every pair whose sizes are near.

    Examples
    --------
    >>> differences_across([[1, 2, 3, 4]], [[1, 2, 3, 4, 9], [1, 2, 3, 4], [5, 6, 7]], limit=3)
    (SmallDifference(old=0, new=0, records=1),)
    """
    check_limit("differences_across", limit)
    arrays = [np.asarray(ids) for ids in (*old, *new)]
    if not old or not new:
        return ()
    names, places = np.unique(np.concatenate(arrays), return_inverse=True)
    ends = np.cumsum([len(ids) for ids in arrays])
    masks = [
        _mask_of(places[end - len(ids) : end], len(names), ids) for ids, end in zip(arrays, ends.tolist(), strict=True)
    ]
    sets = PackedSets(len(names))
    for mask in masks[: len(old)]:
        sets.append(mask)
    found: list[SmallDifference] = []
    for number, mask in enumerate(masks[len(old) :]):
        size = int(np.count_nonzero(mask))
        rows = np.flatnonzero(np.abs(sets.sizes - size) < limit)
        apart = size + sets.sizes[rows] - 2 * sets.common(mask, rows)
        small = (apart > 0) & (apart < limit)
        found += [SmallDifference(int(r), number, int(a)) for r, a in zip(rows[small], apart[small], strict=True)]
    return tuple(found)


def _mask_of(places: IntArray, count: int, ids: npt.NDArray[Any]) -> BoolArray:
    mask = np.zeros(count, dtype=np.bool_)
    mask[places] = True
    if int(np.count_nonzero(mask)) != len(ids):
        raise DataError("The identifiers of a set must be different; some stand there twice.")
    return mask
