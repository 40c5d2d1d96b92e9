"""Attribute disclosure through zeros: groups of which a table tells that everybody has the same attribute."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import DataError
from tacita.tables.model.table import Table

__all__ = ["ZeroDisclosure", "zero_disclosure"]


@dataclass(frozen=True)
class ZeroDisclosure:
    """How many groups a table tells to be all alike.

    Parameters
    ----------
    groups
        Sums of several cells whose total is above 0.
    shown
        Of these, the ones that are published with one cell above 0 and all others 0.
    true
        Of those, the ones that are so: whoever knows that somebody is in the group learns the attribute.
    false
        The ones that are not so: whoever believes them errs.
    persons
        Persons in the groups that are shown and true.
    """

    groups: int
    shown: int
    true: int
    false: int
    persons: int

    @property
    def share(self) -> float:
        """Share of all groups that disclose an attribute."""
        return self.true / self.groups if self.groups else 0.0


def zero_disclosure(table: Table, published: FloatArray | None = None) -> ZeroDisclosure:
    """Count the groups in which all members share an attribute, as a reader of the published values sees it.

    Parameters
    ----------
    table
        A table of counts.
    published
        (n,): what is published; None for the true counts.

    Notes
    -----
    A group is a relation: a total and its parts. Cells that are empty by structure do not count, since everybody knows them.
    O(entries of the relations).

    Raises
    ------
    DataError
        When the table is none of counts.
    """
    if not table.is_frequency or table.counts is None:
        raise DataError("zero_disclosure: the table must be one of counts.")
    seen = table.values if published is None else published
    relations, counts = table.relations, table.counts
    row = np.repeat(np.arange(len(relations)), np.diff(relations.start))
    part = (relations.signs > 0) & ~table.is_structural[relations.cells]
    row, cells = row[part], relations.cells[part]
    m = len(relations)
    parts = np.bincount(row, minlength=m)
    people = np.bincount(row, counts[cells], minlength=m).astype(np.int64)
    is_group = (parts > 1) & (people > 0)
    shown = is_group & (np.bincount(row, seen[cells] > 0, minlength=m) == 1)
    alike = np.bincount(row, counts[cells] > 0, minlength=m) == 1
    # The cell that is shown must be the one where they are.
    same = np.bincount(row, (seen[cells] > 0) & (counts[cells] > 0), minlength=m) == 1
    true = shown & alike & same
    return ZeroDisclosure(
        int(is_group.sum()), int(shown.sum()), int(true.sum()), int((shown & ~true).sum()), int(people[true].sum())
    )
