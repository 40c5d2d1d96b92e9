"""The recount: what is promised of additive counts, counted again from the published values and the relations alone."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import BoolArray, IntArray
from tacita.tables.model.relations import Relations

__all__ = ["Recount", "recount_table"]


@dataclass(frozen=True)
class Recount:
    """What of the promises does not hold, as numbers of relations and cells; all empty for a table that keeps them.

    Parameters
    ----------
    broken
        Relations that do not hold exactly.
    small
        Cells with a count from 1 to ``smallest`` - 1, or below 0.
    filled
        Cells that were empty and no longer are.
    beyond
        Cells further than ``D`` from the truth.
    moved
        Cells that were to stay and did not.
    largest, mean
        The largest distance to the truth, and the mean over the cells that somebody is in.
    """

    broken: IntArray = field(repr=False)
    small: IntArray = field(repr=False)
    filled: IntArray = field(repr=False)
    beyond: IntArray = field(repr=False)
    moved: IntArray = field(repr=False)
    largest: int
    mean: float

    @property
    def holds(self) -> bool:
        """Whether everything but the bound of deviations holds: sums, no small counts, zeros, fixed cells."""
        return not any(len(part) for part in (self.broken, self.small, self.filled, self.moved))

    @property
    def is_within(self) -> bool:
        """Whether all that holds, and no cell is further than D from the truth."""
        return self.holds and not len(self.beyond)

    def words(self) -> str:
        """Return the verdict for a report; no value of a cell is in it."""
        faults = {
            "sums do not hold": self.broken,
            "small counts are shown": self.small,
            "empty cells are filled": self.filled,
            "cells that must stay are changed": self.moved,
            "cells are beyond the bound": self.beyond,
        }
        found = [f"{len(cells)} {what}" for what, cells in faults.items() if len(cells)]
        return "; ".join(found) or "sums hold, no small counts, zeros kept, all cells within the bound"


def recount_table(
    relations: Relations, truth: IntArray, values: IntArray, *, D: int, smallest: int, fixed: BoolArray | None = None
) -> Recount:
    """Count again, in whole numbers, what holds of a published table. O(entries of the relations).

    Examples
    --------
    >>> rows = Relations.of([(0, [1, 2])], 3)
    >>> recount_table(rows, np.array([3, 1, 2]), np.array([3, 0, 3]), D=3, smallest=3).is_within
    True
    """
    shown, true = np.asarray(values), np.asarray(truth)
    signs = np.rint(relations.signs).astype(np.int64)
    row = np.repeat(np.arange(len(relations)), np.diff(relations.start))
    sums = np.zeros(len(relations), np.int64)
    np.add.at(sums, row, signs * shown[relations.cells].astype(np.int64))
    distance = np.abs(shown - true)
    there = true > 0
    stay = np.zeros(len(true), bool) if fixed is None else fixed
    return Recount(
        np.flatnonzero(sums),
        np.flatnonzero(((shown > 0) & (shown < smallest)) | (shown < 0)),
        np.flatnonzero((true == 0) & (shown != 0)),
        np.flatnonzero(distance > D),
        np.flatnonzero(stay & (shown != true)),
        int(distance.max(initial=0)),
        float(distance[there].mean()) if there.any() else 0.0,
    )
