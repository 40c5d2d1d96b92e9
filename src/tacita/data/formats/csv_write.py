"""Writing CSV: UTF-8, line feeds, shortest numbers that read back the same, quotation marks only where needed.

Each column is turned into text as a whole, and Arrow joins the columns to lines, so there is no loop over records.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import IntArray
from tacita.core.errors import FileError, ParameterError
from tacita.data.formats.base import WriteRequest
from tacita.data.formats.csv_form import looks_like_value
from tacita.data.formats.formulas import check_formulas, holds_text, neutral
from tacita.data.formats.outgoing import text_codes
from tacita.data.microdata import Microdata

__all__ = ["check_csv_options", "write_csv"]

_ROWS_AT_ONCE = 1 << 15
_TEXT = pa.large_string()


def write_csv(data: Microdata, path: Path, request: WriteRequest) -> None:
    """Write a CSV file.

    A missing value is an empty field, an empty text is two quotation marks. Missing codes are put back, also those
    of text in columns of numbers. Floats always have a decimal sign or an exponent, so that they are read as floats.
    """
    table = data.to_arrow(codes=True, is_long=bool(data.user_missing))  # a number has the same digits in any width
    codes = text_codes(data, table)
    check_formulas(table, request.formulas)
    titles = pa.array(table.column_names, _TEXT)
    if request.formulas == "neutralise":
        titles = neutral(titles)
    names = [_quoted_name(name, request.separator) for name in titles.to_pylist()]
    with path.open("wb") as file:
        file.write((request.separator.join(names) + "\n").encode())
        for start in range(0, table.num_rows if request.rows is None else len(request.rows), _ROWS_AT_ONCE):
            part = _part(table, start, request.rows)
            columns = []
            for name in part.column_names:
                text = _as_text(part.column(name), name, request.decimal)
                if name in codes:
                    text = pc.coalesce(text, _part(codes[name], start, request.rows).cast(_TEXT))
                if request.formulas == "neutralise" and holds_text(part.schema.field(name).type):
                    text = neutral(text)
                columns.append(_quoted(text, request.separator))
            file.write(_lines(columns, request.separator))


def _part(whole: Any, start: int, rows: IntArray | None) -> Any:
    """Return the next rows of a table or an array, of those that were asked for."""
    if rows is None:
        return whole.slice(start, _ROWS_AT_ONCE)
    return whole.take(pa.array(rows[start : start + _ROWS_AT_ONCE]))


def check_csv_options(request: WriteRequest) -> None:
    """Raise when separator and decimal sign cannot be used, or not together."""
    separator, decimal = request.separator, request.decimal
    if len(separator) != 1 or not separator.isascii() or separator.isalnum() or separator in '"\r\n.-+':
        raise ParameterError(f"'separator' must be one character such as , ; | or a tab, got {separator!r}.")
    if decimal not in (".", ","):
        raise ParameterError(f"'decimal' must be '.' or ',', got {decimal!r}.")
    if decimal == separator:
        raise ParameterError("A decimal comma needs another separator than the comma; give separator=';'.")


# --- columns to text --------------------------------------------------------------------------------------------------------


def _as_text(column: pa.ChunkedArray, name: str, decimal: str) -> pa.Array:
    """Return a column as text, null where it is missing."""
    array = column.combine_chunks()
    if isinstance(array, pa.ChunkedArray):  # more text than one array holds
        array = column.cast(_TEXT).combine_chunks()
    if pa.types.is_dictionary(array.type):
        array = array.cast(array.type.value_type)
    if pa.types.is_null(array.type):
        return pa.nulls(len(array), _TEXT)
    try:
        text = array.cast(_TEXT)
    except pa.ArrowException:
        raise FileError(
            f"Column '{name}' holds {array.type}, which CSV cannot hold; convert it or leave it out."
        ) from None
    if pa.types.is_floating(array.type):
        # Arrow writes 1.0 as 1, which would be read as an integer.
        text = pc.replace_substring_regex(text, r"^(-?[0-9]+)$", r"\1.0")
    if decimal != "." and (pa.types.is_floating(array.type) or pa.types.is_decimal(array.type)):
        text = pc.replace_substring(text, ".", decimal)
    return text


def _quoted(text: pa.Array, separator: str) -> pa.Array:
    """Put quotation marks around texts that would be read as something else without them."""
    special = pc.match_substring_regex(text, '["\r\n' + ("\\" if separator in "^]\\" else "") + separator + "]")
    needs = pc.or_(special, pc.equal(text, ""))
    if not pc.any(needs).as_py():
        return text
    mark = pa.scalar('"', _TEXT)
    inside = pc.replace_substring(text, '"', '""')
    return pc.if_else(needs, pc.binary_join_element_wise(mark, inside, mark, pa.scalar("", _TEXT)), text)


def _quoted_name(name: str, separator: str) -> str:
    # A number or date as a name would be taken for a value of a first record.
    return f'"{name}"' if looks_like_value(name) else str(_quoted(pa.array([name], _TEXT), separator)[0])


def _lines(columns: list[pa.Array], separator: str) -> memoryview:
    """Join columns to lines; the result is the text of one array, lying in one piece."""
    fields = [column.fill_null("") for column in columns]
    line = fields[0] if len(fields) == 1 else pc.binary_join_element_wise(*fields, pa.scalar(separator, _TEXT))
    ended = pc.binary_join_element_wise(line, pa.scalar("\n", _TEXT), pa.scalar("", _TEXT))
    size = int(pc.sum(pc.binary_length(ended)).as_py())
    return memoryview(ended.buffers()[2])[:size]
