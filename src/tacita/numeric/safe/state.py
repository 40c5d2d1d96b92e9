"""The state of a search: counts of elementary cells, deviations of controlled cells, and which of them hang together.

Elementary cell j adds to one cell of every table: ``places[j, t]`` is its number. Cells are numbered so that a sweep stays in
the processor's cache: the variable with most categories (usually the region) is the *block*, elementary cells stand block by
block, and so do the cells of all tables with that variable. The cells of tables that are not controlled but weigh in (*soft*
tables) come after the controlled ones. Last come the *totals* that stay exact: that of the file, or those of the groups that no
record leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import ArrayForm, Int1, IntArray, Place1, Place2
from tacita.core.kernel import entry
from tacita.numeric.keys.frequencies import number_words

__all__ = ["Byte1", "SafeLayout", "SafeState", "Short1", "TableCodes", "deviations_of", "lay_out", "new_state"]

Short1: TypeAlias = Annotated[npt.NDArray[np.int16], ArrayForm("int16", 1)]
Byte1: TypeAlias = Annotated[npt.NDArray[np.uint8], ArrayForm("uint8", 1)]

_MOST_CELLS = 2**31 - 1


class TableCodes(NamedTuple):
    """One table: the code of every elementary cell in each of its variables, and how many codes each variable has.

    Parameters
    ----------
    codes
        For each variable of the table (m,): codes from 0, for example of a coarser level of a hierarchy.
    sizes
        Number of codes of each variable.
    has_block
        Whether the variable with most categories is among them, at its finest level.
    """

    codes: Sequence[IntArray]
    sizes: Sequence[int]
    has_block: bool


class SafeLayout(NamedTuple):
    """Where the cells stand.

    Parameters
    ----------
    places
        (m, t + 1): controlled or soft cell of each elementary cell in each table; the last column is its total.
    starts
        (b + 1,): first elementary cell of each block; elementary cells stand in the order of their block.
    controlled
        Number of cells of controlled tables; their numbers come first.
    cells
        Number of all cells, the totals included.
    """

    places: Place2
    starts: Int1
    controlled: int
    cells: int


class SafeState(NamedTuple):
    """What sweeps read and change.

    Parameters
    ----------
    counts
        (m,): counts of the elementary cells.
    places
        (m, t + 1): cells of each elementary cell.
    deviations
        (c,): count now minus count in the original, of every cell.
    rows
        (t + 1,): row of the potential for each table.
    classes
        (c,): what is added to the row for single cells; empty where all cells of a table are alike.
    """

    counts: Place1
    places: Place2
    deviations: Short1
    rows: Int1
    classes: Byte1


def lay_out(
    block: IntArray, controlled: Sequence[TableCodes], soft: Sequence[TableCodes], groups: IntArray | None = None
) -> SafeLayout:
    """Number the cells of all tables for elementary cells that stand in the order of their block. O(m t) time and memory.

    ``groups`` (m,) are the groups from 0 whose totals stay exact; None for one group.
    """
    m, blocks = len(block), int(block.max(initial=-1)) + 1
    places = np.empty((m, len(controlled) + len(soft) + 1), dtype=np.int32)
    place, column, ends = 0, 0, []
    for zone in (controlled, soft):
        place = _number_zone(zone, places[:, column : column + len(zone)], block, blocks, place)
        column += len(zone)
        ends.append(place)
    if place >= _MOST_CELLS:
        raise ValueError("lay_out: there must be fewer than 2^31 cells.")
    places[:, -1] = place if groups is None else place + groups
    totals = 1 if groups is None else int(groups.max(initial=0)) + 1
    starts = np.searchsorted(block, np.arange(blocks + 1))
    return SafeLayout(places, starts.astype(np.int64), ends[0], place + totals)


def _number_zone(tables: Sequence[TableCodes], places: Place2, block: IntArray, blocks: int, place: int) -> int:
    """Number the cells of some tables from ``place`` on, tables with the block block by block; return the next."""
    inside = [i for i, table in enumerate(tables) if table.has_block]
    folded = {i: _folded(tables[i], len(block)) for i in inside}
    width = sum(size for _, size in folded.values())
    if width * blocks <= 4 * len(block) * max(len(inside), 1) + 2**20:
        offset = place
        for i, (words, size) in folded.items():
            places[:, i] = block * width + words + offset
            offset += size
        place += width * blocks
    else:  # most of them would be empty: number those that occur, still block by block
        offset, words_of = 0, np.empty((len(block), len(inside)), dtype=np.int64)
        for at, (words, size) in enumerate(folded.values()):
            words_of[:, at] = block * width + words + offset
            offset += size
        labels, known, _ = number_words(words_of.ravel(), width * blocks)
        places[:, inside] = labels.reshape(words_of.shape) + place
        place += len(known)
    for i, table in enumerate(tables):
        if not table.has_block:
            words, size = _folded(table, len(block))
            if size > 4 * len(block) + 2**16:
                words, known, _ = number_words(words, size)
                size = len(known)
            places[:, i] = words + place
            place += size
    return place


def _folded(table: TableCodes, m: int) -> tuple[IntArray, int]:
    """Return the combination of codes of each elementary cell as one number, the block left out where it is the first."""
    words, size = np.zeros(m, dtype=np.int64), 1
    skip = 1 if table.has_block else 0
    for codes, many in list(zip(table.codes, table.sizes, strict=True))[skip:]:
        if size * many >= 2**40:
            words, known, _ = number_words(words, size)
            size = len(known)
        words = words * many + codes
        size *= many
    return words, size


def new_state(layout: SafeLayout, counts: IntArray, allowances: IntArray | None) -> tuple[SafeState, IntArray]:
    """Return a state without deviations, and the allowance of each class of cells.

    Parameters
    ----------
    layout
        Where the cells stand.
    counts
        (m,): original counts of the elementary cells.
    allowances
        (controlled,): w of model (1), how much more a cell may deviate than others; None where it is 0 throughout.
    """
    tables = layout.places.shape[1]
    if allowances is None:
        known, classes = np.zeros(1, dtype=np.int64), np.empty(0, dtype=np.uint8)
    else:
        known, labels = np.unique(allowances, return_inverse=True)
        classes = np.zeros(layout.cells, dtype=np.uint8)
        classes[: layout.controlled] = labels
    first_soft = layout.places.max(axis=0, initial=-1) >= layout.controlled
    rows = np.where(first_soft, len(known), 0).astype(np.int64)
    rows[tables - 1] = len(known) + 1
    made = SafeState(counts.astype(np.int32), layout.places, np.zeros(layout.cells, dtype=np.int16), rows, classes)
    return made, np.asarray(known, dtype=np.int64)


@entry
def deviations_of(changes: Place1, places: Place2, deviations: Short1) -> None:
    """Write the deviations of all cells for changes of the elementary cells. O(m t)."""
    deviations[:] = 0
    for j in range(len(changes)):
        if changes[j] != 0:
            for t in range(places.shape[1]):
                deviations[places[j, t]] += changes[j]
