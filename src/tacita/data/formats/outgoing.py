"""Tables as they are written: missing codes put back, and nothing in the file that is not in the data.

An Arrow array can carry more than its values: what lay under a value that was made missing, and in a dictionary the
categories that no record has any more. A file that holds such remains gives away what a mask has taken out, so every
binary format is written from the cleaned table. It also makes the same data give the same bytes.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.errors import FileError, TacitaWarning
from tacita.data.microdata import Microdata

__all__ = ["cleaned_table", "is_number", "is_text", "outgoing", "text_codes"]


def is_text(kind: pa.DataType) -> bool:
    """Whether a type holds text."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def is_number(kind: pa.DataType) -> bool:
    """Whether a type holds numbers."""
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def outgoing(data: Microdata, kind: str, *, keeps: Callable[[pa.Array], pa.Array] | None = None) -> pa.Table:
    """Return the cleaned table with missing codes put back where the type of their column holds them.

    Parameters
    ----------
    data
        The data.
    kind
        Name of the format, for the warning about codes that are lost.
    keeps
        Which text codes of numeric columns the format can keep in a way of its own.

    Warns
    -----
    TacitaWarning
        When a column of numbers or dates has codes of text, which become plain missing values in this format.
    """
    table = data.to_arrow(codes=True)
    for name, codes in text_codes(data, table).items():
        position = table.column_names.index(name)
        column = table.column(position)
        numbers = _as_numbers(codes, column.type)
        lost = pc.and_(pc.is_valid(codes), pc.is_null(numbers))
        if keeps is not None:
            lost = pc.and_(lost, pc.invert(pc.fill_null(keeps(codes), False)))
        if pc.any(lost).as_py():
            warnings.warn(
                f"Column '{name}': {kind} cannot hold codes of text among other values, so {pc.sum(lost).as_py()} "
                "of them are written as plain missing values. Write CSV to keep them.",
                TacitaWarning,
                stacklevel=4,
            )
        table = table.set_column(position, name, pc.coalesce(column, numbers))
    return cleaned_table(table)


def text_codes(data: Microdata, table: pa.Table) -> dict[str, pa.Array]:
    """Return the missing codes of text that stand beside columns of another type."""
    return {
        name: codes
        for name, codes in data.user_missing.items()
        if is_text(codes.type) and not is_text(_value_type(table.schema.field(name).type))
    }


def _as_numbers(codes: pa.Array, kind: pa.DataType) -> pa.Array:
    """Return those codes that are numbers a column can hold (``"-9"`` beside ``"refused"``), null for the others."""
    nothing = pa.nulls(len(codes), kind)
    if not is_number(kind):
        return nothing
    pattern = r"^-?[0-9]{1,15}$" if pa.types.is_integer(kind) else r"^-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?$"
    numbers = pc.if_else(pc.match_substring_regex(codes, pattern), codes, pa.scalar(None, codes.type))
    try:
        return numbers.cast(kind)
    except pa.ArrowInvalid:  # a narrow type such as int8
        return nothing


# --- cleaning ---------------------------------------------------------------------------------------------------------------


def cleaned_table(table: pa.Table) -> pa.Table:
    """Return the table without dictionaries, metadata and anything under its missing values, each column in one piece."""
    fields, columns = [], []
    for column, values in zip(table.schema, table.columns, strict=True):
        kind = _value_type(column.type)
        whole = _one_piece(values.cast(kind) if kind != column.type else values, column.name)
        fields.append(pa.field(column.name, whole.type))
        columns.append(_without_remains(whole, column.name))
    return pa.Table.from_arrays(columns, schema=pa.schema(fields))


def _value_type(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _one_piece(values: pa.ChunkedArray, name: str) -> pa.Array:
    # More than 2 GB of text need 64-bit offsets to be in one piece.
    if is_text(values.type) and values.nbytes >= 2**31 - 1:
        values = values.cast(pa.large_string())
    try:
        whole = values.combine_chunks()
    except pa.ArrowException:
        raise FileError(f"Column '{name}' is too large to be written in one file; split the data.") from None
    return whole.chunk(0) if isinstance(whole, pa.ChunkedArray) else whole


def _without_remains(array: pa.Array, name: str) -> pa.Array:
    """Return a fresh array with zeros or empty text under its missing values."""
    kind = array.type
    if pa.types.is_null(kind):
        return pa.nulls(len(array))
    try:
        filled = array.fill_null(_nothing(kind)) if array.null_count else array
        # Taking every value copies them, so that nothing before or after a slice comes along.
        fresh = pa.concat_arrays([filled, filled.slice(0, 0)])
    except (pa.ArrowException, TypeError, ValueError):  # also a type without a width, such as a list
        raise FileError(f"Column '{name}' holds {kind}, which cannot be written; convert it or leave it out.") from None
    if not array.null_count:
        return fresh
    there = pc.is_valid(array).buffers()[1]
    return pa.Array.from_buffers(kind, len(array), [there, *fresh.buffers()[1:]], null_count=array.null_count)


def _nothing(kind: pa.DataType) -> pa.Scalar[Any]:
    if is_text(kind):
        return pa.scalar("", kind)
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return pa.scalar(b"", kind)
    if pa.types.is_boolean(kind):
        return pa.scalar(False)
    return pa.scalar(0, pa.int64()).cast(kind) if is_number(kind) else _zero_time(kind)


def _zero_time(kind: pa.DataType) -> pa.Scalar[Any]:
    width = pa.int32() if kind.bit_width == 32 else pa.int64()
    return pa.array([0], width).view(kind)[0]
