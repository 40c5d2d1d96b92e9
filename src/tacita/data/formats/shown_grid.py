"""Figures with labels, as people show them: frames with an index, frames and CSV files with labels in their first columns."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import DataError, FileError
from tacita.data.frames import arrow_from_frame

__all__ = ["ShownGrid", "grid_names", "read_shown", "shown_label"]

MOST_BYTES = 50_000_000

SIGNS = frozenset(
    (
        "",
        "x",
        "c",
        "s",
        ":",
        "*",
        "-",
        "–",
        ".",
        "..",
        "...",
        "na",
        "n/a",
        "nan",
        "none",
        "null",
        "<na>",
        "suppressed",
        "hidden",
    )
)
"""What people write in place of a hidden figure, in small letters."""


@dataclass(frozen=True, eq=False)
class ShownGrid:
    """A grid of figures with labels.

    Parameters
    ----------
    rows, columns
        Labels of each row and of each column, several where the frame has several levels.
    values
        (r, c): the figures; NaN where none is shown.
    steps
        (r, c): the unit of the last digit that is shown.
    texts
        (r, c): cells with a text that is neither a figure nor a usual sign of a hidden one.
    is_long
        Whether the rows have the labels of all dimensions, and the columns are statistics.
    """

    rows: tuple[tuple[str, ...], ...] = field(repr=False)
    columns: tuple[tuple[str, ...], ...] = field(repr=False)
    values: FloatArray = field(repr=False)
    steps: FloatArray = field(repr=False)
    texts: BoolArray = field(repr=False)
    is_long: bool


def read_shown(shown: Any, rows: Sequence[str], columns: Sequence[str]) -> ShownGrid:
    """Bring shown figures into one form.

    Parameters
    ----------
    shown
        A frame of pandas with an index, any other frame, or the path of a CSV file; a frame without an index, and a file,
        has the labels of the rows in its first columns.
    rows, columns
        Names of the dimensions. Where the frame has a column for each of them, every line of it is one cell.

    Raises
    ------
    DataError
        When it is no frame, or has no figures beside its labels.
    FileError
        When the file cannot be read.

    Notes
    -----
    What is no number counts as hidden: an empty cell, ``x``, ``c``, ``..``, ``<10``. Any other text is told, because it could say
    anything.
    """
    if isinstance(shown, (str, Path)):
        return _from_lines(*_lines(Path(shown)), rows, columns)
    if hasattr(shown, "to_frame") and hasattr(shown, "index") and not hasattr(shown, "columns"):
        shown = shown.to_frame()
    if hasattr(shown, "index") and hasattr(shown, "columns") and hasattr(shown, "itertuples"):
        names = [str(name) for name in shown.columns]
        if not {*rows, *columns} <= set(names):
            body = [[shown.iat[i, j] for j in range(shown.shape[1])] for i in range(shown.shape[0])]
            return _grid(
                [_tuple(one) for one in shown.index], [_tuple(one) for one in shown.columns], body, is_long=False
            )
    table, _ = arrow_from_frame(shown)
    lines = [list(line) for line in zip(*(column.to_pylist() for column in table.columns), strict=True)]
    return _from_lines(table.column_names, lines, rows, columns)


def grid_names(shown: Any) -> tuple[list[str], list[str]]:
    """Return the names that a frame of pandas has for the levels of its index and of its columns; empty where it has none."""
    found = []
    for part in (getattr(shown, "index", None), getattr(shown, "columns", None)):
        names = list(getattr(part, "names", []) or [])
        found.append([str(name) for name in names] if names and all(name is not None for name in names) else [])
    return found[0], found[1]


def _lines(path: Path) -> tuple[list[str], list[list[Any]]]:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise FileError(f"'{path.name}' is too large for a table that is to leave.")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise FileError(f"The figures '{path.name}' cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError:
        raise FileError(f"The figures '{path.name}' must be UTF-8 text.") from None
    first = text.partition("\n")[0]
    mark = max((",", ";", "\t"), key=first.count)
    try:
        lines = [line for line in csv.reader(io.StringIO(text), delimiter=mark) if any(cell.strip() for cell in line)]
    except csv.Error:
        raise FileError(f"The figures '{path.name}' are not a CSV file.") from None
    if len(lines) < 2:
        raise FileError(f"The figures '{path.name}' need a line of names and at least one line of figures.")
    width = len(lines[0])
    if any(len(line) != width for line in lines):
        raise FileError(f"The lines of '{path.name}' differ in length.")
    return [name.strip() for name in lines[0]], [list(line) for line in lines[1:]]


def _from_lines(names: list[str], lines: list[list[Any]], rows: Sequence[str], columns: Sequence[str]) -> ShownGrid:
    by = (*rows, *columns)
    is_long = bool(by) and set(by) <= set(names)
    labels = [names.index(name) for name in by] if is_long else list(range(len(rows)))
    figures = [place for place in range(len(names)) if place not in labels]
    if not figures:
        raise DataError("The shown figures have labels only: no column is left for the figures.")
    return _grid(
        [tuple(shown_label(line[place]) for place in labels) for line in lines],
        [(names[place],) for place in figures],
        [[line[place] for place in figures] for line in lines],
        is_long=is_long,
    )


def _grid(rows: list[Any], columns: list[Any], body: list[list[Any]], *, is_long: bool) -> ShownGrid:
    read = [[_figure(cell) for cell in line] for line in body]
    shape = (len(rows), len(columns))
    values = np.array([[cell[0] for cell in line] for line in read], np.float64).reshape(shape)
    steps = np.array([[cell[1] for cell in line] for line in read], np.float64).reshape(shape)
    texts = np.array([[_is_text(cell) for cell in line] for line in body], bool).reshape(shape)
    return ShownGrid(
        tuple(map(tuple, rows)), tuple(map(tuple, columns)), values, steps, texts & np.isnan(values), is_long
    )


def _is_text(cell: Any) -> bool:
    text = "" if cell is None else str(cell).strip().lower()
    return text not in SIGNS and re.fullmatch(r"[<≤]\s*\d{1,4}", text) is None


def _tuple(label: Any) -> tuple[str, ...]:
    return tuple(shown_label(one) for one in label) if isinstance(label, tuple) else (shown_label(label),)


def shown_label(value: Any) -> str:
    """Write a label; a whole number has no decimals, whatever the type of its column.

    Examples
    --------
    >>> shown_label(1.0), shown_label(" North "), shown_label("2.0")
    ('1', 'North', '2')
    """
    text = str(value).strip()
    try:
        number = float(text)
    except ValueError:
        return text
    return str(int(number)) if math.isfinite(number) and number.is_integer() and abs(number) < 1e15 else text


def _figure(cell: Any) -> tuple[float, float]:
    """Return a figure and the unit of its last digit."""
    if cell is None or isinstance(cell, bool):
        return math.nan, 0.0
    text = str(cell).strip().rstrip("%").strip()
    try:
        number = float(text)
    except ValueError:
        return math.nan, 0.0
    if not math.isfinite(number):
        return math.nan, 0.0
    digits = text.lower().partition("e")[0].partition(".")[2]
    if "e" in text.lower() or len(digits) > 6:
        return number, 1e-9 * abs(number)
    if not isinstance(cell, str):
        digits = digits.rstrip("0")
    return number, 10.0 ** -len(digits)
