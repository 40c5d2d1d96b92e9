"""Versions: what was answered to the old data is looked at again when new data come, because differences are universes too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tacita.query.audit.differences import differences_across
from tacita.query.database import Database
from tacita.query.restrictions.across_versions import AnsweredSet, answered_sets, check_same_people

__all__ = ["ClosePair", "VersionAudit", "audit_versions"]


@dataclass(frozen=True)
class ClosePair:
    """Two answered questions, of two versions, whose records differ by few.

    Parameters
    ----------
    old, new
        The questions in canonical form.
    old_cell, new_cell
        The cells of their tables, by number; -1 for the whole universe.
    records
        By how many records they differ: their answers, subtracted, are about these.
    """

    old: dict[str, Any]
    new: dict[str, Any]
    old_cell: int
    new_cell: int
    records: int

    def to_plain(self) -> dict[str, Any]:
        """Return the pair ready for JSON; no value of a record is in it."""
        return {
            "old": self.old,
            "new": self.new,
            "old_cell": self.old_cell,
            "new_cell": self.new_cell,
            "records": self.records,
        }


@dataclass(frozen=True)
class VersionAudit:
    """What answers to two versions give away together, for the steward.

    Parameters
    ----------
    old_sets, new_sets
        How many sets of records were answered.
    limit
        Fewest records that two of them should differ by.
    pairs
        Those that differ by fewer.
    """

    old_sets: int
    new_sets: int
    limit: int
    pairs: tuple[ClosePair, ...]

    @property
    def is_clean(self) -> bool:
        """Whether no two answered sets are too close."""
        return not self.pairs

    def to_plain(self) -> dict[str, Any]:
        """Return the audit ready for JSON."""
        pairs = [pair.to_plain() for pair in self.pairs]
        return {"old_sets": self.old_sets, "new_sets": self.new_sets, "limit": self.limit, "pairs": pairs}


def audit_versions(old: Database, new: Database, *, limit: int = 3, is_by_cell: bool = False) -> VersionAudit:
    """Look at everything that two versions answered, by their journals, for sets of records that differ by few.

    Parameters
    ----------
    old, new
        The databases of the two versions, each opened with its journal.
    limit
        Fewest records that sets should differ by.
    is_by_cell
        Whether every cell of a table counts as a set, not the universe alone.

    Returns
    -------
    VersionAudit
        Pairs of questions and by how many records they differ; no values.

    Raises
    ------
    DataError
        When the versions have no record ids that are the same for the same person, or a question of a journal cannot be
        understood any more.

    Complexity
    ----------
    O(N log N) for N members of all sets, and O(n / 64) for each pair of nearly the same size.

    Notes
    -----
    What has left cannot be called back: the audit tells the steward what to know. The rule ``across_versions`` refuses
    such questions before they are answered. Only pairs are looked at, not sums of several differences. Of a journal in
    memory the last entries are kept.

    Examples
    --------
    >>> import numpy as np
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(500, seed=1)
    >>> old = tc.query.open(data.take(np.arange(499)), policy="tables", key=b"an example's key")
    >>> new = tc.query.open(data, policy="tables", key=b"an example's key", catalogue=old.catalogue)
    >>> for db in (old, new):
    ...     answer = db.ask(tc.query.Tabulate(by=["sex"]))
    >>> [pair.records for pair in audit_versions(old, new).pairs]
    [1]
    """
    check_same_people(old.version, new.version)
    before = list(answered_sets(old, is_by_cell=is_by_cell))
    after = list(answered_sets(new, is_by_cell=is_by_cell))
    found = differences_across([s.ids for s in before], [s.ids for s in after], limit=limit)
    pairs = tuple(_pair(before[close.old], after[close.new], close.records) for close in found)
    return VersionAudit(len(before), len(after), limit, pairs)


def _pair(old: AnsweredSet, new: AnsweredSet, records: int) -> ClosePair:
    return ClosePair(old.request, new.request, old.cell, new.cell, records)
