"""Reading CSV: every column as text first, then typed as a whole.

Arrow cuts the file into fields, so there is no loop over records here. When it refuses a file, a slow second pass
with the standard library finds the line to name; Arrow's own messages quote the record and are never shown.
"""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as arrow_csv

from tacita.core.errors import FileError, ParameterError
from tacita.data.formats.base import FileContent, ReadRequest
from tacita.data.formats.csv_form import CsvForm, fields_up_to, find_form, open_text
from tacita.data.formats.csv_stream import stream_csv
from tacita.data.formats.values import find_decimal, type_table

__all__ = ["read_csv"]

_FIRST_BLOCK = 1 << 20
_LARGEST_BLOCK = (1 << 31) - 1
_LARGEST_FIELD = (1 << 31) - 1
_LARGE = 1 << 25  # a file of so many bytes is read block by block


def read_csv(path: Path, request: ReadRequest) -> FileContent:
    """Read a CSV file.

    An empty field is missing; two quotation marks with nothing between them are an empty text. The rules for types
    are those of :mod:`tacita.data.formats.values`.
    """
    if request.decimal not in (None, ".", ","):
        raise ParameterError(f"'decimal' must be '.' or ',', got {request.decimal!r}.")
    form = find_form(path, separator=request.separator, encoding=request.encoding)
    decimal = request.decimal or ("." if form.separator == "," else None)
    if path.stat().st_size >= _LARGE:
        streamed = stream_csv(path, form, request.declared, decimal)
        if streamed is not None:
            _check_end(path, form, streamed.last)
            return FileContent(table=streamed.table, user_missing=streamed.codes)
    text = _read_text(path, form)
    _check_end(path, form, text)
    if decimal is None:
        decimal = find_decimal(text, request.declared)
    table, codes = type_table(text, request.declared, decimal)
    return FileContent(table=table, user_missing=codes)


def _check_end(path: Path, form: CsvForm, text: pa.Table) -> None:
    """Raise when a quotation mark opens a field at the end of the file and is never closed."""
    if form.has_quotes and _may_end_in_quotes(path, form, text):
        trouble = _find_trouble(path, form)
        if trouble is not None:
            raise trouble


def _read_text(path: Path, form: CsvForm) -> pa.Table:
    """Return all columns as text, null where a field is empty."""
    one_column = len(form.names) == 1
    places = [str(place) for place in range(len(form.names))]
    parse = arrow_csv.ParseOptions(
        delimiter=form.separator,
        quote_char='"' if form.has_quotes else False,
        newlines_in_values=form.has_quotes,
        # In a file of one column an empty line is a record with a missing value.
        ignore_empty_lines=not one_column,
    )
    convert = arrow_csv.ConvertOptions(
        column_types=dict.fromkeys(places, pa.string()),
        null_values=[""],
        strings_can_be_null=True,
        quoted_strings_can_be_null=False,
    )
    block = _FIRST_BLOCK
    while True:
        read = arrow_csv.ReadOptions(column_names=places, block_size=block, encoding=form.encoding)
        try:
            with pa.OSFile(os.fsencode(path), "rb") as file:
                table = arrow_csv.read_csv(file, read_options=read, parse_options=parse, convert_options=convert)
            break
        except pa.ArrowInvalid as error:
            # A record longer than a block, for instance one with a field of ten million characters.
            if "straddling" not in str(error) or block == _LARGEST_BLOCK:
                raise _find_trouble(path, form) or _unreadable(path) from None
            block = min(block * 16, _LARGEST_BLOCK)
        except (UnicodeError, OSError):
            raise _unreadable(path) from None
    header = 1 + (form.blank_lines if one_column else 0)
    return table.slice(header).rename_columns(list(form.names))


# --- troubles -----------------------------------------------------------------------------------------------------------------


def _unreadable(path: Path) -> FileError:
    return FileError(f"'{path.name}' cannot be cut into records and fields; check its separator and quotation marks.")


def _find_trouble(path: Path, form: CsvForm) -> FileError | None:
    """Look through the file record by record and say what is wrong with the first bad one."""
    with fields_up_to(_LARGEST_FIELD), open_text(path, form.encoding) as file:
        reader = csv.reader(file, delimiter=form.separator, strict=True)
        while True:
            line = reader.line_num + 1
            try:
                row = next(reader)
            except StopIteration:
                return None
            except csv.Error as error:
                if "unexpected end of data" in str(error):
                    return _unclosed(path, line)
                continue  # characters after a closing quotation mark, which are read as part of the field
            if row and len(row) != len(form.names):
                return _wrong_width(path, line, len(row), form)


def _unclosed(path: Path, line: int) -> FileError:
    return FileError(
        f"'{path.name}', line {line}: a quotation mark opens a field of the record that begins here and is never "
        'closed. Close it, or write a quotation mark inside a field twice ("").'
    )


def _wrong_width(path: Path, line: int, found: int, form: CsvForm) -> FileError:
    return FileError(
        f"'{path.name}', line {line}: every record must have {len(form.names)} fields as the header has, but this one "
        f"has {found}. Put fields that contain the separator {form.separator!r} in quotation marks, "
        "or give the right separator=."
    )


def _may_end_in_quotes(path: Path, form: CsvForm, text: pa.Table) -> bool:
    """Whether the last field may be one whose quotation mark was never closed; Arrow takes the end of the file for it.

    The last field, written again with or without quotation marks, must be what the file ends in. If it is not, the
    slow pass has to decide.
    """
    if form.encoding not in ("utf-8", "cp1252") or text.num_rows == 0:
        return True
    value = text.column(text.num_columns - 1)[-1].as_py() or ""
    quoted = '"' + value.replace('"', '""') + '"'
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - 4 * len(quoted) - 4096))
        tail = file.read().decode(form.encoding, errors="replace")
    for ending in (value, quoted):
        ended = tail if ending.endswith(("\r", "\n")) else tail.rstrip("\r\n")
        before = ended.removesuffix(ending) if ended.endswith(ending) else None
        if before is not None and (before == "" or before[-1] in form.separator + "\r\n"):
            return False
    return True
