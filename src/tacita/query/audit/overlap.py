"""Overlap control: two answered sets may have few records in common."""

from __future__ import annotations

import numpy as np

from tacita.core.errors import ParameterError
from tacita.query.audit.bitsets import PackedSets
from tacita.query.audit.decision import Decision
from tacita.query.audit.members import MembersLike, check_records, members_mask

__all__ = ["OverlapControl", "queries_needed"]

RULE = "overlap_control"


def queries_needed(k: int, overlap: int) -> int:
    """Return the fewest sums that can determine one record, ``1 + (k - 1) / overlap`` rounded up.

    All sums have at least k records and any two of them have at most ``overlap`` in common. The other k - 1 records
    of the first sum must be taken out by further ones, each of which reaches ``overlap`` of them at most.

    Parameters
    ----------
    k
        Fewest records of a set.
    overlap
        Most records that two sets may have in common, at least 1.

    References
    ----------
    Dobkin, D., Jones, A. K. and Lipton, R. J. (1979), Secure databases: protection against user inference, ACM
    Transactions on Database Systems 4, 97-106.

    Examples
    --------
    >>> queries_needed(10, 3), queries_needed(11, 3)
    (4, 5)
    """
    if k < 1 or overlap < 1:
        raise ParameterError(f"queries_needed: 'k' and 'overlap' must be at least 1, got k={k} and overlap={overlap}.")
    return 1 + -(-(k - 1) // overlap)


class OverlapControl:
    """Refuse a set that has more than ``overlap`` records in common with an answered one; an answered set itself is free.

    **Protects against** attacks with few sums: together with sets of at least k records, fewer than
    :func:`queries_needed` sums determine no record. **Does not protect against** attacks with more of them. Most of
    the tables that statisticians want overlap by far more, so it is a known-weak and known-costly rule, kept for
    comparison.

    Parameters
    ----------
    n_records
        Records of the data set.
    overlap
        Most records that two sets may have in common.

    Complexity
    ----------
    O(n / 64) words for each answered set that is large enough to matter; 1 000 sets of 10^6 records are 125 MB.

    Examples
    --------
    >>> control = OverlapControl(20, overlap=2)
    >>> control.record(range(8))
    >>> [control.judge(range(start, 16)).outcome for start in (5, 6)]
    ['deny', 'allow']
    """

    __slots__ = ("_sets", "n_records", "overlap")

    def __init__(self, n_records: int, *, overlap: int) -> None:
        self.n_records = check_records("OverlapControl", n_records)
        if overlap < 0:
            raise ParameterError(f"OverlapControl: 'overlap' must be at least 0, got {overlap}.")
        self.overlap = int(overlap)
        self._sets = PackedSets(n_records)

    def judge(self, members: MembersLike) -> Decision:
        """Judge a set of records; nothing is changed."""
        mask = members_mask(members, self.n_records)
        size = int(np.count_nonzero(mask))
        rows = np.flatnonzero(self._sets.sizes > self.overlap) if size > self.overlap else np.zeros(0, dtype=np.int64)
        common = self._sets.common(mask, rows)
        if ((common == size) & (self._sets.sizes[rows] == size)).any():
            return Decision("free", RULE, "The set was answered.")
        if (common > self.overlap).any():
            return Decision("deny", RULE, f"It has more than {self.overlap} records in common with an answered set.")
        return Decision("allow", RULE)

    def record(self, members: MembersLike) -> None:
        """Record that a set was answered."""
        self._sets.append(members_mask(members, self.n_records))
