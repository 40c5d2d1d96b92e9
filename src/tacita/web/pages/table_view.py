"""A table as a page shows it: blocks of rows and columns, each cell with its text, its mark and how it is protected."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from tacita.query.answer import Answer
from tacita.query.tables.cell_table import CellTable
from tacita.report.words import NOTHING, fixed, significant
from tacita.web.pages.wording import Labels

__all__ = ["MOST_CELLS_SHOWN", "STATES", "ShownBlock", "ShownCell", "ShownRow", "ShownTable", "shown_table"]

MOST_CELLS_SHOWN = 4000
"""A page shows the first cells of a larger table; a download has all of them."""

NO_VALUE = "·"

STATES: dict[str, tuple[str, str]] = {
    "shown": ("●", "A value is shown, protected as the notes say."),
    "noisy": ("≈", "A value is shown; it carries random noise, or records were left out at random."),
    "caution": ("*", "Shown, but with a relative standard error of 25 % or more: use with care."),
    "unreliable": ("**", "Shown, but with a relative standard error of 50 % or more: not reliable."),
    "empty": ("·", "No value: there is nobody in the cell that could be counted or averaged."),
    "refused": ("×", "Refused: the rules do not allow this part of the table."),
}
"""Sign and meaning of how each cell is protected; the sign makes the map readable without colours."""


@dataclass(frozen=True)
class ShownCell:
    """A cell: its number as text, its standard error, and its state, one of :data:`STATES`."""

    text: str
    error: str
    state: str

    @property
    def mark(self) -> str:
        """The mark of reliability."""
        return STATES[self.state][0] if self.state in ("caution", "unreliable") else ""

    @property
    def sign(self) -> str:
        """The sign of the state on the map of protection."""
        return STATES[self.state][0]


@dataclass(frozen=True)
class ShownRow:
    """The cells of a class of the first variable."""

    head: str
    cells: tuple[ShownCell, ...]


@dataclass(frozen=True)
class ShownBlock:
    """The rows of one combination of classes of the third variable and those after it; no heading where there are none."""

    heading: str
    rows: tuple[ShownRow, ...]


@dataclass(frozen=True, kw_only=True)
class ShownTable:
    """A table as a page shows it.

    Parameters
    ----------
    row_title, column_title
        What the variables of rows and columns are called; no title for columns where there is one variable.
    columns
        Classes of the columns.
    blocks
        The rows.
    states
        Sign, meaning and number of cells of each state that occurs.
    cells
        How many cells the whole table has.
    has_errors
        Whether standard errors are shown.
    """

    row_title: str
    column_title: str
    columns: tuple[str, ...]
    blocks: tuple[ShownBlock, ...]
    states: tuple[tuple[str, str, str, int], ...]
    cells: int
    has_errors: bool

    @property
    def is_whole(self) -> bool:
        """Whether all cells are shown."""
        return sum(len(row.cells) for block in self.blocks for row in block.rows) == self.cells


def shown_table(answer: Answer, labels: Labels) -> ShownTable:
    """Lay a table out: the first variable makes rows, the second columns, all others blocks.

    Parameters
    ----------
    answer
        An answer with a table.
    labels
        What variables are called.
    """
    table: CellTable = answer.table
    states = _states(answer)
    texts, errors = _texts(table), _error_texts(table)
    cells = np.empty(table.values.size, dtype=object)
    cells[:] = [ShownCell(*each) for each in zip(texts, errors, states.ravel().tolist(), strict=True)]
    shaped = cells.reshape(table.values.shape)
    if shaped.ndim == 1:
        shaped = shaped[:, None]
    by = table.by
    return ShownTable(
        row_title=labels[by[0]],
        column_title=labels[by[1]] if len(by) > 1 else "",
        columns=tuple(table.classes[by[1]]) if len(by) > 1 else ("Value",),
        blocks=tuple(_blocks(table, shaped, labels)),
        states=tuple(_counted(states)),
        cells=table.values.size,
        has_errors=table.errors is not None,
    )


def _blocks(table: CellTable, cells: Any, labels: Labels) -> Sequence[ShownBlock]:
    """Cut a table into blocks, as many as a page holds."""
    outer = table.by[2:]
    room, found = MOST_CELLS_SHOWN, []
    for place in product(*(range(len(table.classes[name])) for name in outer)):
        if room <= 0:
            break
        words = [f"{labels[name]}: {table.classes[name][i]}" for name, i in zip(outer, place, strict=True)]
        plane = cells[(slice(None), slice(None), *place)]
        lines = max(room // max(plane.shape[1], 1), 1)
        heads = table.classes[table.by[0]][:lines]
        rows = tuple(ShownRow(head, tuple(row)) for head, row in zip(heads, plane, strict=False))
        found.append(ShownBlock(", ".join(words), rows))
        room -= plane[:lines].size
    return found


def _states(answer: Answer) -> Any:
    """How each cell is protected, by what the answer says of itself."""
    table: CellTable = answer.table
    noisy = any("random noise" in note or "left out at random" in note for note in answer.notes)
    states = np.full(table.values.shape, "noisy" if noisy else "shown", dtype=object)
    if table.flags is not None:
        flags = np.array(table.flags, dtype=object).reshape(table.values.shape)
        states[flags == "*"], states[flags == "**"] = "caution", "unreliable"
    states[np.isnan(table.values)] = "empty"
    parts: Mapping[str, Any] = answer.parts or {}
    if parts.get("each") in table.by:
        axis = table.by.index(parts["each"])
        for place, word in enumerate(table.classes[parts["each"]]):
            if word in parts["refused"]:
                np.moveaxis(states, axis, 0)[place] = "refused"
    return states


def _counted(states: Any) -> Sequence[tuple[str, str, str, int]]:
    found = [(state, *STATES[state], int((states == state).sum())) for state in STATES]
    return [row for row in found if row[-1]]


def _texts(table: CellTable) -> list[str]:
    return [NO_VALUE if math.isnan(value) else _text(value, table.statistic) for value in table.values.ravel().tolist()]


def _text(value: float, statistic: str) -> str:
    if statistic in ("mean", "total"):
        return significant(value, 4)
    return fixed(value, 1 if statistic == "percent" else 0)


def _error_texts(table: CellTable) -> list[str]:
    if table.errors is None:
        return [""] * table.values.size
    pairs = zip(table.values.ravel().tolist(), table.errors.ravel().tolist(), strict=True)
    return ["" if math.isnan(value) else _error(error, table.statistic) for value, error in pairs]


def _error(value: float, statistic: str) -> str:
    if math.isnan(value):
        return NOTHING
    return (
        fixed(value, 1)
        if statistic == "percent" and value >= 0.05
        else significant(value, 2 if statistic == "percent" else 3)
    )
