"""Excel workbooks (.xlsx), read only: one sheet, its first row the header."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from tacita.core.errors import FileError
from tacita.data.formats.base import (
    FileContent,
    ReadRequest,
    check_column_names,
    choose_table,
    damaged,
    optional_package,
)

__all__ = ["read_excel"]

_ERRORS = frozenset(["#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"])


def read_excel(path: Path, request: ReadRequest) -> FileContent:
    """Read a sheet: the first one, or the one named.

    A column whose cells are all numbers, all dates or all true or false is taken as that; any other is turned into
    text, to be typed by the rules of :mod:`tacita.data.formats.values`, so that ``01`` stays ``01``. Error cells such
    as ``#N/A`` are missing. Formulas count by the value that was stored with them.
    """
    rows = _rows(path, request.sheet)
    names, columns = _columns(path, rows)
    made: list[pa.Array] = []
    for name, cells in zip(names, columns, strict=True):
        native = None if name in request.texts else _native(cells)
        made.append(pa.array([_text(cell) for cell in cells], pa.string()) if native is None else native)
    return FileContent(table=pa.table(made, names=names))


def _rows(path: Path, sheet: str | None) -> list[tuple[Any, ...]]:
    openpyxl = optional_package("openpyxl", "Excel")
    workbook = None
    try:
        workbook = openpyxl.load_workbook(path, read_only=True, data_only=True)
        titles = [found.title for found in workbook.worksheets]
        title = choose_table(path, "sheet", sheet if sheet is not None or not titles else titles[0], titles, "sheet")
        return list(workbook[title].iter_rows(values_only=True))
    except (FileError, MemoryError):
        raise
    except Exception:  # noqa: BLE001 - a damaged file makes the library raise almost anything
        raise damaged(path, "Excel (.xlsx)") from None
    finally:
        if workbook is not None:
            workbook.close()


def _columns(path: Path, rows: list[tuple[Any, ...]]) -> tuple[list[str], list[list[Any]]]:
    """Return header and columns, without the formatted but empty cells at the right and at the bottom."""
    while rows and all(cell is None for cell in rows[-1]):
        rows.pop()
    if not rows:
        raise FileError(f"The sheet of '{path.name}' must begin with a header row, but it is empty.")
    width = max(place + 1 for row in rows for place, cell in enumerate(row) if cell is not None)
    columns = [[row[place] if place < len(row) else None for row in rows] for place in range(width)]
    names = ["" if column[0] is None else str(column[0]).strip() for column in columns]
    check_column_names(names)
    _check_header(path, [column[0] for column in columns])
    return names, [[None if cell in _ERRORS else cell for cell in column[1:]] for column in columns]


def _check_header(path: Path, cells: list[Any]) -> None:
    """Raise when the first row is a record; years and numbers of questions may be names beside others."""
    values = [cell for cell in cells if isinstance(cell, int | float | datetime.date)]
    if values and (len(values) == len(cells) or not all(isinstance(v, int) and 0 <= v <= 9999 for v in values)):
        raise FileError(
            f"The first row of the sheet of '{path.name}' must have the names of the columns, but {len(values)} of its "
            f"{len(cells)} cells are numbers or dates, so it looks like a record. Put a row with names before it, as text."
        )


def _native(cells: list[Any]) -> pa.Array | None:
    """Return cells of one kind as an array of that kind; None says: treat them as text."""
    kinds = {type(cell) for cell in cells if cell is not None}
    if not kinds:
        return None
    if kinds == {bool}:
        return pa.array(cells, pa.bool_())
    if kinds == {int}:
        try:
            return pa.array(cells, pa.int64())
        except (OverflowError, pa.ArrowInvalid):
            return None
    if kinds <= {int, float}:
        return pa.array([None if cell is None else float(cell) for cell in cells], pa.float64())
    if kinds <= {datetime.datetime, datetime.date}:
        if all(_is_day(cell) for cell in cells if cell is not None):
            return pa.array(
                [cell.date() if isinstance(cell, datetime.datetime) else cell for cell in cells], pa.date32()
            )
        return pa.array(cells, pa.timestamp("us"))
    return None


def _is_day(cell: datetime.date) -> bool:
    return not isinstance(cell, datetime.datetime) or cell.time() == datetime.time.min


def _text(cell: Any) -> str | None:
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, datetime.datetime) and _is_day(cell):
        return cell.date().isoformat()
    if isinstance(cell, datetime.date | datetime.time):
        return cell.isoformat()
    return repr(cell) if isinstance(cell, int | float) else str(cell)
