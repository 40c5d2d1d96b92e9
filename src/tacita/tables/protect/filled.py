"""Readers who know that no hidden count is 0, because empty cells are never hidden."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import DataError
from tacita.tables.model.table import Table
from tacita.tables.rules.rule import whole_counts
from tacita.tables.rules.unsafe import Unsafe

__all__ = ["filled_known"]


def filled_known(table: Table, unsafe: Unsafe) -> tuple[Table, Unsafe]:
    """Return a table and its unsafe cells as they are for readers to whom every hidden count is 1 at least.

    They see which cells are empty, so a total is to them as large at least as it has cells that are not.

    Parameters
    ----------
    table
        A table with whole counts; of sums beside them nothing follows.
    unsafe
        Its unsafe cells; where a level asks for more than is left open, it ends there.

    Raises
    ------
    DataError
        When the table has no whole counts, or an empty cell is unsafe and has to be hidden.

    Examples
    --------
    >>> from tacita.tables.model.from_cells import table_from_cells
    >>> from tacita.tables.rules.named_cells import NamedCells
    >>> table = table_from_cells({"g": ["a", "b", "c", "Total"], "value": [1, 5, 0, 6]}, ["g"])
    >>> known, asked = filled_known(table, NamedCells(cells=[{"g": "a"}]).judge(table))
    >>> {table.title(cell): low for cell, low in enumerate(known.bounds[0].tolist())}, float(asked.below.max())
    ({'g=Total': 2.0, 'g=a': 1.0, 'g=b': 1.0, 'g=c': 0.0}, 0.0)
    """
    counts = whole_counts(table)
    if not counts.any():
        raise DataError(
            "'knows_filled' is about whole counts, and the table has none: that a sum is not empty tells nothing of its size."
        )
    empty = counts & (table.values == 0)
    if bool((empty & unsafe.cells).any()):
        raise DataError(
            f"'knows_filled' must not be set where empty cells are unsafe: {int((empty & unsafe.cells).sum())} of them have to "
            "be hidden, so nobody knows that a hidden cell is not empty."
        )
    low, high = table.bounds
    low = _raised(table, np.where(counts & ~empty, np.maximum(low, 1.0), low), empty)
    known = replace(table, lower=low)
    return known, unsafe.bounded(np.maximum(table.values - low, 0.0), np.maximum(high - table.values, 0.0))


def _raised(table: Table, low: FloatArray, empty: BoolArray) -> FloatArray:
    """Raise floors to what follows of them, sum by sum: a total has those of its parts, an only part that of its total.

    O(entries of the relations) for each pass; a pass raises a floor by one at least, and none above its value.
    """
    rows = table.relations.matrix.tocsr()
    sums = rows[np.diff((rows < 0).tocsr().indptr) == 1]
    parts = (sums > 0).astype(np.float64)
    total = (sums < 0).astype(np.float64).indices
    filled = parts @ (~empty).astype(np.float64)
    only = np.flatnonzero(filled == 1)
    lone = np.rint(parts[only] @ np.where(empty, 0.0, np.arange(len(low)))).astype(np.int64)
    while True:
        before, low = low, low.copy()
        np.maximum.at(low, total, parts @ before)
        np.maximum.at(low, lone, low[total[only]])
        if np.array_equal(before, low):
            return low
