"""Frames of other libraries in and out, through narwhals: the caller gets back the kind that came."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from tacita.core.errors import DataError, SchemaError

__all__ = ["arrow_from_frame", "frame_from_arrow"]


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
        return table.to_pandas()
    if kind == "polars":
        import polars

        return polars.from_arrow(table)
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
