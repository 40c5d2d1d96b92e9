"""Tables as CSV: one row a cell, a column for each dimension, then value, status and further columns.

Codes are text and stay as they are: ``01`` is not ``1``, and blanks before a code are part of it.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import ColumnError, FileError, ParameterError, did_you_mean
from tacita.data.atomic import atomic_file
from tacita.data.formats.csv_form import CsvForm, find_form, open_text
from tacita.tables.files.largest_columns import (
    given_contributions,
    is_largest_column,
    largest_columns,
    largest_numbers,
)
from tacita.tables.files.read_write import TableFile
from tacita.tables.files.unlisted import cells_of_rows, given_by_name, inner_unlisted, with_total, with_unlisted
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.from_cells import table_from_cells
from tacita.tables.model.table import Table
from tacita.tables.rules.unsafe import Unsafe

__all__ = ["as_texts", "check_names", "own_columns", "read_csv_table", "write_csv_table"]


NUMBERS = ("value", "count", "lower", "upper", "shadow", "cost")
LEVELS = ("protect_below", "protect_above", "protect_sliding")
EXTRA = ("published", "rules", "attacker_low", "attacker_high", "audit")
"""Columns for readers, which are not read back."""
WORDS = {
    **dict.fromkeys(("", "published", "safe", "s", "empty"), "published"),
    **dict.fromkeys(("hidden", "secondary", "m", "x", "c", "confidential"), "hidden"),
    **dict.fromkeys(("unsafe", "primary", "u"), "unsafe"),
    **dict.fromkeys(("locked", "z"), "locked"),
    "structural": "structural",
}
"""What the words of the status column mean."""
SIGNS = ("", "x", "c", ":", "..", "*")
"""What published tables have in place of the value of a hidden cell."""
TAKEN = (*NUMBERS, *LEVELS, *EXTRA, "status", "response")
"""Columns that are no dimensions."""
_INCLUDED = {"count": "counts", **{name: name for name in NUMBERS[2:]}, "largest": "units"}
"""What can be written beside the values, and what the table calls it."""


def own_columns(path: Path, *, separator: str | None = None, encoding: str | None = None) -> list[str]:
    """Return the columns of a file that classify: all that have no other meaning."""
    form = find_form(path, separator=separator, encoding=encoding)
    return [name for name in form.names if not _is_taken(name)]


def _is_taken(name: str) -> bool:
    return name in TAKEN or is_largest_column(name)


def check_names(dimensions: Sequence[Dimension]) -> None:
    """Raise when a dimension has the name of another column of the files of a table."""
    clash = [dimension.name for dimension in dimensions if _is_taken(dimension.name)]
    if clash:
        raise ParameterError(f"The dimension '{clash[0]}' has the name of another column of the file; rename it.")


def read_csv_table(
    path: Path,
    dimensions: Sequence[Dimension | str] | None,
    *,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    response: str = "",
    absent_is_empty: bool = False,
    absent_is_hidden: bool = False,
    blank_is_hidden: bool = False,
    totals: Mapping[str, str] | None = None,
) -> TableFile:
    """Read a table of one response. See :func:`tacita.tables.files.read_write.read_table`."""
    form = find_form(path, separator=separator, encoding=encoding)
    own = [name for name in form.names if not _is_taken(name)]
    largest = largest_columns(path, form.names)
    chosen = list(own if dimensions is None else dimensions)
    names = [item.name if isinstance(item, Dimension) else item for item in chosen]
    for name in [*names, "value"]:
        if name not in form.names:
            raise ColumnError(f"Column '{name}' is not in '{path.name}'.{did_you_mean(name, form.names)}")
    if not chosen:
        raise ColumnError(f"'{path.name}' must have a column for each dimension beside 'value'.")
    columns = _fields(path, form)
    if len(set(columns.get("response", ()))) > 1:
        raise FileError(
            f"'{path.name}' has several responses; CSV files of one response can be read, JSON has them all."
        )
    status = _statuses(path, columns.get("status"), len(columns["value"]))
    if blank_is_hidden:
        status = _with_signs(columns, status)
    sign = _decimal(path, form, columns, decimal)
    wanted = [name for name in (*NUMBERS, *LEVELS, *largest) if name in form.names]
    numbers = {name: _numbers(path, name, columns[name], sign) for name in wanted}
    gone = np.isin(status, ("hidden", "unsafe"))
    labels = {name: columns[name] for name in names}
    built = [with_total(path, item, labels, totals or {}) for item in chosen]
    if totals:
        odd = [name for name in totals if name not in names]
        if odd:
            raise ParameterError(f"'totals' names '{odd[0]}', which is no dimension.{did_you_mean(odd[0], names)}")
    table = table_from_cells(
        {**labels, **numbers},
        built,
        **{word: word for word in NUMBERS[1:] if word in numbers},  # type: ignore[arg-type]
        response=response or next(iter(columns.get("response", ())), ""),
        absent_is_empty=absent_is_empty,
        absent_is_hidden=absent_is_hidden,
        unknown=gone,
    )
    if largest:
        cell = cells_of_rows(table, labels)
        table = replace(table, units=given_contributions(path, table, cell, [numbers[name] for name in largest]))
    found = _with_status(
        table, labels, status, {name: numbers[name] for name in LEVELS if name in numbers}, absent_is_hidden
    )
    by_name = given_by_name(dimensions, own) - set(totals or {})
    return with_unlisted(path, found, labels, [item.name for item in built if item.name in by_name], absent_is_empty)


def _fields(path: Path, form: CsvForm) -> dict[str, list[str]]:
    """Return the columns as text."""
    width = len(form.names)
    columns: list[list[str]] = [[] for _ in form.names]
    with open_text(path, form.encoding) as file:
        reader = csv.reader(file, delimiter=form.separator, strict=True)
        try:
            for row in reader:
                if reader.line_num <= form.blank_lines or not row:
                    continue
                if len(row) != width:
                    raise FileError(
                        f"Line {reader.line_num} of '{path.name}' must have {width} fields, got {len(row)}."
                    )
                for column, text in zip(columns, row, strict=True):
                    column.append(text)
        except csv.Error:
            raise FileError(f"Line {reader.line_num} of '{path.name}' has a quotation mark out of place.") from None
    return {name: column[1:] for name, column in zip(form.names, columns, strict=True)}


def _statuses(path: Path, words: Sequence[str] | None, size: int) -> npt.NDArray[np.str_]:
    if words is None:
        return np.full(size, "published")
    plain = [word.strip().lower() for word in words]
    odd = [line for line, word in enumerate(plain, 2) if word not in WORDS]
    if odd:
        allowed = ", ".join(dict.fromkeys(WORDS.values()))
        raise FileError(
            f"The status of {len(odd)} row(s) of '{path.name}' is not known, first on row {odd[0]}; it must be one of "
            f"{allowed}."
        )
    return np.array([WORDS[word] for word in plain] or np.empty(0, "U9"))


def _with_signs(columns: dict[str, list[str]], status: npt.NDArray[np.str_]) -> npt.NDArray[np.str_]:
    """Call cells hidden that have a sign in place of a value; a value that is empty needs an empty status too."""
    words = columns.get("status") or [""] * len(status)
    signs = [text.strip().lower() for text in columns["value"]]
    columns["value"] = ["" if sign in SIGNS else text for sign, text in zip(signs, columns["value"], strict=True)]
    blank = [
        sign in SIGNS and not (sign == "" and word.strip()) and known == "published"
        for sign, word, known in zip(signs, words, status.tolist(), strict=True)
    ]
    return np.where(blank, "hidden", status)


_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?inf")


def _decimal(path: Path, form: CsvForm, columns: dict[str, list[str]], given: str | None) -> str:
    if given not in (None, ".", ","):
        raise ParameterError(f"'decimal' must be '.' or ',', got {given!r}.")
    if given is not None:
        return given
    named = [name for name in columns if name in (*NUMBERS, *LEVELS) or is_largest_column(name)]
    texts = [text for name in named for text in columns[name]]
    comma, point = any("," in text for text in texts), any("." in text for text in texts)
    if comma and point:
        raise FileError(
            f"'{path.name}' has numbers with commas and numbers with points; say which is right with decimal=',' or "
            "decimal='.'."
        )
    return "," if comma and form.separator != "," else "."


def _numbers(path: Path, name: str, texts: Sequence[str], decimal: str) -> FloatArray:
    found = np.full(len(texts), np.nan)
    for place, text in enumerate(texts):
        plain = text.strip()
        if not plain:
            continue
        if decimal == ",":
            plain = "bad" if "." in plain else plain.replace(",", ".")
        if not _NUMBER.fullmatch(plain):
            raise FileError(f"Column '{name}' of '{path.name}' must hold numbers, but row {place + 2} has none.")
        found[place] = float(plain)
    return found


def _with_status(
    table: Table,
    labels: dict[str, list[str]],
    status: npt.NDArray[np.str_],
    levels: dict[str, FloatArray],
    absent_is_hidden: bool,
) -> TableFile:
    """Bring what the rows say into the order of the cells."""
    cell = cells_of_rows(table, labels)

    def marked(*words: str) -> BoolArray:
        found = np.zeros(len(table), bool)
        found[cell[np.isin(status, words)]] = True
        return found

    hidden, primary, locked, structural = (
        marked("hidden", "unsafe"),
        marked("unsafe"),
        marked("locked"),
        marked("structural"),
    )
    if absent_is_hidden:
        listed = np.zeros(len(table), bool)
        listed[cell] = True
        hidden |= inner_unlisted(table, listed)
    if structural.any():
        table = replace(table, structural=structural)
    unsafe, lacks = None, None
    if primary.any() or locked.any():
        sides = [np.full(len(table), np.nan) for _ in LEVELS]
        for side, name in zip(sides, LEVELS, strict=True):
            if name in levels:
                side[cell] = levels[name]
        lacks = primary & np.isnan(sides).all(axis=0)
        below, above, sliding = (np.where(primary, np.nan_to_num(side), 0.0) for side in sides)
        unsafe = Unsafe(primary, below, above, sliding, ("file",), primary[:, None], locked)
    return TableFile(table, hidden if hidden.any() else None, unsafe, lacks)


# --- writing --------------------------------------------------------------------------------------------------------


def write_csv_table(
    table: Table,
    path: Path,
    *,
    hidden: BoolArray | None,
    unsafe: Unsafe | None,
    secret: bool,
    include: Sequence[str],
    separator: str = ",",
    decimal: str = ".",
    decimals: int | None = None,
    extra: Mapping[str, Sequence[str]] | None = None,
) -> Path:
    """Write a table. See :func:`tacita.tables.files.read_write.write_table`; ``extra`` columns are of :data:`EXTRA`.

    With ``decimals`` every value is written with so many, zeros at the end included.
    """
    _check(table, include, separator, decimal)
    if "largest" in include and not secret:
        raise ParameterError("'include': the largest contributions are secret; write them with secret=True.")
    gone = np.zeros(len(table), bool) if hidden is None or secret else hidden
    columns = [table.column(dimension.name) for dimension in table.dimensions]
    header = [dimension.name for dimension in table.dimensions]
    if table.parts is not None:
        header.append("response")
        columns.append([table.responses[part] or "count" for part in table.parts.tolist()])
    numbers: dict[str, FloatArray] = {"value": table.values}
    for name in include:
        if name == "largest":
            numbers.update(largest_numbers(table))
        else:
            numbers[name] = np.asarray(getattr(table, _INCLUDED[name]), np.float64)
    for name, number in numbers.items():
        header.append(name)
        columns.append(as_texts(number, gone, decimal, decimals if name == "value" else None))
    header.append("status")
    columns.append(_status_words(table, hidden, unsafe))
    if unsafe is not None:
        for name, side in zip(LEVELS, (unsafe.below, unsafe.above, unsafe.sliding), strict=True):
            header.append(name)
            columns.append(as_texts(side, ~unsafe.cells, decimal))
    for name, texts in (extra or {}).items():
        header.append(name)
        columns.append(list(texts))
    with atomic_file(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=separator, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(zip(*columns, strict=True))
    return path


def _check(table: Table, include: Sequence[str], separator: str, decimal: str) -> None:
    for name in include:
        if name not in _INCLUDED:
            raise ParameterError(
                f"'include' takes {', '.join(_INCLUDED)}, got '{name}'.{did_you_mean(name, _INCLUDED)}"
            )
        if getattr(table, _INCLUDED[name]) is None:
            raise ParameterError(f"'include': the table has no '{name}'.")
    check_names(table.dimensions)
    if len(separator) != 1 or separator in '"\r\n.-+' or separator.isalnum():
        raise ParameterError(f"'separator' must be one character such as , ; | or a tab, got {separator!r}.")
    if decimal not in (".", ",") or decimal == separator:
        raise ParameterError("'decimal' must be '.' or ',' and another sign than the separator.")


def as_texts(numbers: FloatArray, gone: BoolArray, decimal: str, decimals: int | None = None) -> list[str]:
    """Return the shortest texts that read back the same, or so many decimals; nothing where a number is not known."""
    texts = []
    for number, is_gone in zip(numbers.tolist(), gone.tolist(), strict=True):
        if is_gone or math.isnan(number):
            texts.append("")
        elif decimals is not None:
            texts.append(f"{number:.{decimals}f}".replace(".", decimal))
        else:
            text = str(int(number)) if float(number).is_integer() and abs(number) < 2**53 else repr(float(number))
            texts.append(text if decimal == "." else text.replace(".", decimal))
    return texts


def _status_words(table: Table, hidden: BoolArray | None, unsafe: Unsafe | None) -> list[str]:
    words = np.where(table.is_structural, "structural", np.where(table.is_empty, "empty", "published")).astype("U12")
    if unsafe is not None:
        words[unsafe.locked] = "locked"
    if hidden is not None:
        words[hidden] = "hidden"
    if unsafe is not None:
        words[unsafe.cells] = "unsafe"
    return list(words.tolist())
