"""Whole numbers in memory: those of a large file lie in as few bytes as they need, and are long integers to everybody else.

A field of a table says that its column is kept so. Whatever replaces the column has a field of its own and so says nothing of
the kind; what leaves the room (:meth:`Microdata.column`, :meth:`Microdata.to_arrow`) is made long again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["as_long", "is_shortened", "join_short", "long_table", "long_type", "short_field", "short_whole"]

_KINDS = (pa.int8(), pa.int16(), pa.int32())
_MARK = {b"tacita": b"kept short"}


def short_whole(values: pa.Array, ends: tuple[int | None, int | None] | None = None) -> pa.Array:
    """Return long integers in the narrowest type that holds them all.

    Parameters
    ----------
    values
        The integers, null where missing.
    ends
        The smallest and the largest of them, where these are known.

    Examples
    --------
    >>> short_whole(pa.array([1, None, 300])).type
    DataType(int16)
    """
    if ends is None:
        found = pc.min_max(values).as_py()
        ends = found["min"], found["max"]
    low, high = ends[0] or 0, ends[1] or 0
    for kind in _KINDS:
        reach = 2 ** (kind.bit_width - 1)
        if -reach <= low and high < reach:
            return values.cast(kind, memory_pool=pa.system_memory_pool())
    return values


def join_short(chunks: Sequence[pa.Array]) -> list[pa.Array]:
    """Return integers of several widths in that of the widest."""
    widest = max((chunk.type for chunk in chunks), key=lambda kind: int(kind.bit_width))
    return [
        chunk if chunk.type == widest else chunk.cast(widest, memory_pool=pa.system_memory_pool()) for chunk in chunks
    ]


def short_field(name: str, kind: pa.DataType) -> pa.Field[Any]:
    """Return the field of a column; one of few bytes says that its values are long integers."""
    return pa.field(name, kind, metadata=_MARK if kind in _KINDS else None)


def is_shortened(field: pa.Field[Any]) -> bool:
    """Whether a column is kept in fewer bytes than its values have to others."""
    return field.type in _KINDS and (field.metadata or {}).items() >= _MARK.items()


def long_type(field: pa.Field[Any]) -> pa.DataType:
    """Return the type that the values of a column have to others."""
    return pa.int64() if is_shortened(field) else field.type


def as_long(table: pa.Table, name: str) -> pa.ChunkedArray:
    """Return a column with the type that it has to others."""
    place = table.column_names.index(name)
    column = table.column(place)
    return column.cast(pa.int64()) if is_shortened(table.schema.field(place)) else column


def long_table(table: pa.Table) -> pa.Table:
    """Return a table with the types that its columns have to others; the same one where nothing is kept short."""
    if not any(is_shortened(field) for field in table.schema):
        return table
    fields = [pa.field(field.name, long_type(field)) if is_shortened(field) else field for field in table.schema]
    return pa.Table.from_arrays([as_long(table, name) for name in table.column_names], schema=pa.schema(fields))
