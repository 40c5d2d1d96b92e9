"""Frames of other libraries in and out, through narwhals: the caller gets back the kind that came."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.errors import DataError, SchemaError
from tacita.data.schema import Schema

__all__ = ["arrow_from_frame", "frame_from_arrow", "with_ordered_columns"]


def arrow_from_frame(frame: Any) -> tuple[pa.Table, str]:
    """Return any frame as an Arrow table and the name of the library that it came from."""
    if isinstance(frame, pa.Table):
        return frame, "pyarrow"
    if isinstance(frame, pa.RecordBatch):
        return pa.Table.from_batches([frame]), "pyarrow"
    import narwhals as nw

    # A lazy frame cannot have a name twice, and asking for its names is work.
    names = [] if hasattr(frame, "collect") else [str(name) for name in getattr(frame, "columns", [])]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SchemaError(
            [f"Column '{n}' occurs {names.count(n)} times; every column needs its own name." for n in twice]
        )
    try:
        narwhal = nw.from_native(frame)
    except TypeError:
        raise DataError(
            f"A frame of pandas, polars, pyarrow, DuckDB or another library that narwhals knows is needed, "
            f"got {type(frame).__name__}."
        ) from None
    kind = narwhal.implementation.name.lower()
    eager = narwhal.collect("pyarrow") if isinstance(narwhal, nw.LazyFrame) else narwhal
    table = _to_arrow(eager)
    # The index of a pandas frame is no column; its metadata would bring it back.
    return table.select(names or table.column_names).replace_schema_metadata(None), kind


def _to_arrow(frame: Any) -> pa.Table:
    """Convert a frame of narwhals; the messages of converters quote values, so they go no further."""
    import narwhals as nw

    unfit = [name for name, kind in frame.schema.items() if kind == nw.Object and not _converts(frame.select(name))]
    if unfit:
        raise SchemaError(
            [f"Column '{name}' mixes values of different kinds; make it all numbers or all text." for name in unfit]
        )
    return frame.to_arrow()


def _converts(column: Any) -> bool:
    if column.implementation.is_polars():  # polars hands out addresses in place of objects
        return False
    try:
        column.to_arrow()
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return False
    return True


def frame_from_arrow(table: pa.Table, kind: str) -> Any:
    """Return an Arrow table as a frame of the named library."""
    if kind == "pandas":
        return _to_pandas(table)
    if kind == "polars":
        return _to_polars(table)
    if kind == "duckdb":
        import duckdb

        return duckdb.from_arrow(table)
    if kind == "pyarrow":
        return table
    import narwhals as nw

    try:
        return nw.from_arrow(table, backend=kind).to_native()  # type: ignore[arg-type]
    except (TypeError, ValueError, ImportError):
        return table


def _to_pandas(table: pa.Table) -> Any:
    """Convert to pandas; whole numbers and truth values with gaps get the types of pandas that have room for them.

    The plain types of pandas have none: a whole number with a gap would come back as a float.
    """
    import pandas

    def nullable(kind: pa.DataType) -> Any:
        word = "boolean" if pa.types.is_boolean(kind) else str(kind).replace("uint", "UInt").replace("int", "Int")
        return pandas.api.types.pandas_dtype(word)

    holed = [
        name
        for name, column in zip(table.column_names, table.columns, strict=True)
        if column.null_count and (pa.types.is_integer(column.type) or pa.types.is_boolean(column.type))
    ]
    frame = table.drop_columns(holed).to_pandas()
    for name in holed:  # from left to right, so that those before each are there already
        kept = table.column(name).to_pandas(types_mapper=nullable)
        frame.insert(table.column_names.index(name), name, kept)
    return frame


def _to_polars(table: pa.Table) -> Any:
    """Convert to polars; text in an order becomes an ``Enum``, which knows it."""
    import polars

    orders = {
        field.name: polars.Enum(table.column(field.name).unify_dictionaries().combine_chunks().dictionary.to_pylist())
        for field in table.schema
        if pa.types.is_dictionary(field.type) and field.type.ordered and _is_text(field.type.value_type)
    }
    frame: Any = polars.from_arrow(table)
    return frame.with_columns(polars.col(name).cast(order) for name, order in orders.items()) if orders else frame


# --- ordinals ---------------------------------------------------------------------------------------------------------------


def with_ordered_columns(table: pa.Table, schema: Schema) -> pa.Table:
    """Return a table whose ordinal columns know their order: that of the schema, or that of the sorted values.

    Numbers whose order is their own stay numbers. A column with a value beside its categories, such as a missing code that
    was put back, has no place for it in the order and stays as it is.
    """
    for position, column in enumerate(schema):
        if column.scale != "ordinal":
            continue
        made = _ordered(table.column(position), column.categories)
        if made is not None:
            table = table.set_column(position, column.name, made)
    return table


def _ordered(values: pa.ChunkedArray, categories: Sequence[Any] | None) -> pa.Array | None:
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    if categories is None and not _is_text(values.type):
        return None
    try:
        known = values.unique().drop_null() if categories is None else pa.array(list(categories), type=values.type)
    except (pa.ArrowException, TypeError):  # categories of another kind than the values
        return None
    in_order = known.take(pc.sort_indices(known))
    if not _is_text(values.type) and in_order.equals(known):
        return None
    known = in_order if categories is None else known
    places = pc.index_in(values, known).combine_chunks()
    if places.null_count > values.null_count:
        return None
    return pa.DictionaryArray.from_arrays(places, known, ordered=True)


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))
