"""The normal form of a column: the same values have the same type, whichever engine or file they came from."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tacita.core.arrays import FloatArray
from tacita.data.columns import take_out_missing
from tacita.data.formats.values import type_table
from tacita.data.schema import Column, Schema

__all__ = ["exact_floats", "is_number", "is_text", "normal_form", "plain_values", "without_missing"]

_EXACT = 2.0**53


def without_missing(column: pa.ChunkedArray, facts: Column) -> pa.ChunkedArray:
    """Return a column as reading a file gives it: text that is declared as numbers or dates is that, missing codes are null.

    Raises
    ------
    SchemaError
        When text is declared as numbers or dates and holds something else; how many values, never which.
    """
    if pa.types.is_dictionary(column.type) and (facts.missing or facts.scale in ("numeric", "date")):
        column = plain_values(column)
    one = pa.table([column], names=[facts.name])
    if is_text(column.type) and facts.scale in ("numeric", "date"):
        one, _ = type_table(one, {facts.name: {"scale": facts.scale, "missing": facts.missing}}, ".")
    alone = Column(name=facts.name, scale=facts.scale, missing=facts.missing)
    return take_out_missing(one, Schema((alone,)))[0].column(0)


def normal_form(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return the values of a category or a date in the one type that stands for all types that can hold them.

    Whole numbers are int64 (also those of a decimal or a double column), other numbers double, text large_string (a dictionary
    of text stays one), days date32, moments microseconds in UTC where these are exact.

    Examples
    --------
    >>> normal_form(pa.chunked_array([pa.array([1.0, 2.0])])).type
    DataType(int64)
    """
    kind = column.type
    if pa.types.is_dictionary(kind):
        if not is_text(kind.value_type):
            return normal_form(plain_values(column))
        return column.cast(pa.dictionary(pa.int32(), pa.large_string(), ordered=kind.ordered))
    if is_text(kind):
        return column.cast(pa.large_string())
    if is_number(kind):
        return _normal_number(column)
    if pa.types.is_date(kind):
        return column.cast(pa.date32())
    for is_kind, target in _MOMENTS:
        if is_kind(kind):
            wanted = pa.timestamp("us", tz="UTC" if kind.tz else None) if target is None else target
            try:
                return column.cast(wanted)
            except pa.ArrowInvalid:  # finer than microseconds
                return column
    return column


_MOMENTS = (
    (pa.types.is_timestamp, None),
    (pa.types.is_time, pa.time64("us")),
    (pa.types.is_duration, pa.duration("us")),
)


def _normal_number(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_integer(column.type):
        try:
            return column.cast(pa.int64())
        except pa.ArrowInvalid:  # beyond what 64 bits with a sign hold
            return column
    values = exact_floats(column) + 0.0  # minus zero is zero
    absent = np.isnan(values)
    there = np.where(absent, 0.0, values)
    if (np.abs(there) < _EXACT).all() and (np.rint(there) == there).all():
        return pa.chunked_array([pa.array(there.astype(np.int64), mask=absent)])
    return pa.chunked_array([pa.array(values, mask=absent)])


def exact_floats(column: pa.ChunkedArray) -> FloatArray:
    """Return numbers as float64, NaN for missing; a decimal number is the double nearest to it, as if it had been read."""
    if pa.types.is_decimal(column.type):
        column = column.cast(pa.string())  # Arrow's own way from decimals divides, and is off by a bit for some
    return np.array(column.cast(pa.float64(), safe=False).to_numpy(), dtype=np.float64)


def plain_values(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column with its values in place of positions in a dictionary."""
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def is_text(kind: pa.DataType) -> bool:
    """Whether a type holds text."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def is_number(kind: pa.DataType) -> bool:
    """Whether a type holds numbers."""
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))
