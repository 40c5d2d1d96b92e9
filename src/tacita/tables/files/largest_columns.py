"""Cells with their largest contributions: the columns largest_1, largest_2, ... of a CSV file, so that rules have what they need.

They are the MAXSCORE variables of tau-ARGUS: of each cell the largest contribution, the second largest, and so on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError, FileError
from tacita.tables.model.contributions import Contributions
from tacita.tables.model.table import Table

__all__ = ["given_contributions", "is_largest_column", "largest_columns", "largest_numbers"]

_NAME = re.compile(r"largest_([1-9]\d?)")
_TOLERANCE = 1e-3
"""Share by which contributions may be off what they are part of: files of others are rounded."""


def is_largest_column(name: str) -> bool:
    """Whether a column holds the largest contributions of some place."""
    return _NAME.fullmatch(name) is not None


def largest_columns(path: Path, names: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of largest contributions in their order; one that is left out is an error."""
    places = sorted(int(found[1]) for name in names if (found := _NAME.fullmatch(name)) is not None)
    if places != list(range(1, len(places) + 1)):
        raise FileError(
            f"'{path.name}' must have largest_1, largest_2 and so on without a gap; largest_{places[-1]} is there and "
            f"largest_{next(i for i in range(1, 100) if i not in places)} is not."
        )
    return tuple(f"largest_{place}" for place in places)


def largest_numbers(table: Table) -> dict[str, FloatArray]:
    """Return the largest contributions of a table as columns, each as often as its weight says; the sign is kept."""
    if table.units is None:
        return {}
    amounts = table.units.expanded(table.units.depth)
    return {f"largest_{place}": amounts[:, place - 1].copy() for place in range(1, amounts.shape[1] + 1)}


def given_contributions(path: Path, table: Table, cell: IntArray, rows: Sequence[FloatArray]) -> Contributions:
    """Return the largest contributions of a table of cells that came with them.

    Parameters
    ----------
    path
        The file, for messages.
    table
        The cells.
    cell
        (rows,): the cell of each row of the file.
    rows
        For each place (rows,): the contributions, NaN where the file has none.

    Raises
    ------
    DataError
        When contributions are not in order, exceed the cell, or are missing; all problems at once.

    Notes
    -----
    A file does not say who is behind a contribution, so contributors of different cells count as different. What one of them
    knows of a cell holds for the totals above it through their sums; only of somebody who is in several inner cells less is
    known than there is. With a shadow variable the contributions are those of the shadow, as in tau-ARGUS. A total that is not
    listed is refused: its largest contributor need not be one of a part, because somebody may be in several.
    """
    amounts = np.zeros((len(table), len(rows)))
    for place, column in enumerate(rows):
        amounts[cell, place] = np.nan_to_num(column)
    listed = np.zeros(len(table), bool)
    listed[cell] = True
    total = np.nan_to_num(table.values if table.shadow is None else table.shadow)
    size = np.abs(total)
    problems = _problems(table, amounts, listed, size)
    if problems:
        raise DataError(
            f"The largest contributions of '{path.name}' do not fit its cells ({len(problems)} problem(s)):\n  - "
            + "\n  - ".join(problems)
        )
    there = amounts != 0
    kept = there.sum(axis=1)
    # What the given ones leave is somebody's, be it a contributor that one of them stands for by its weight.
    rest = np.abs(total - amounts.sum(axis=1)) > _TOLERANCE * size
    counts = kept + rest if table.counts is None else np.maximum(table.counts, kept + rest)
    owners = np.where(there, np.arange(amounts.size).reshape(amounts.shape), -1).astype(np.int64)
    return Contributions(counts.astype(np.int64), amounts, there.astype(np.float64), owners)


def _problems(table: Table, amounts: FloatArray, listed: BoolArray, size: FloatArray) -> list[str]:
    sizes = np.abs(amounts)
    sums, room = sizes.sum(axis=1), _TOLERANCE * size
    # With negative contributions a cell may be less than what some have in it.
    is_plain = bool((amounts >= 0).all()) and bool((table.bounds[0] >= 0).all())
    found = [
        (
            ~listed & (size > 0),
            "are not listed, so that their largest contributions are not known; list the totals too",
        ),
        ((np.diff(sizes, axis=1) > 0).any(axis=1), "have contributions that are not in order, the largest first"),
        ((sums > size + room) & is_plain, "have contributions that are more than the cell"),
        (
            listed & is_plain & (sizes[:, -1] == 0) & (sums < size - room),
            "have a place without a contribution, though those that are given are less than the cell",
        ),
    ]
    return [
        f"{int(cells.sum())} cell(s) {words}, such as {table.title(int(np.flatnonzero(cells)[0]))}."
        for cells, words in found
        if cells.any()
    ]
