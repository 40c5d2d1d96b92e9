"""Opening a store: what the name of a source means, and what its columns are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pyarrow as pa

from tacita.core.errors import FileError, ParameterError, SchemaError
from tacita.data.columns import infer_schema
from tacita.data.microdata import Microdata
from tacita.data.read import read
from tacita.data.schema import Column, Schema
from tacita.data.schema_file import read_declarations
from tacita.data.store.duckdb_origin import open_duckdb
from tacita.data.store.normal_form import is_number, is_text
from tacita.data.store.origin import MemoryOrigin, Origin
from tacita.data.store.parquet_origin import ParquetOrigin
from tacita.data.store.postgres_origin import open_postgres
from tacita.data.store.postgres_url import is_postgres_url
from tacita.data.store.record_store import RecordStore

__all__ = ["open_store"]

_DUCKDB = (".duckdb", ".db")


def open_store(
    source: Microdata | str | Path,
    *,
    schema: Schema | str | Path | None = None,
    record_id: str | None = None,
    table: str | None = None,
) -> RecordStore:
    """Open the records that a queryable database answers from; nothing is ever written to the source.

    Parameters
    ----------
    source
        Microdata, a file that :func:`tacita.read` knows, or ``postgresql://user:password@host:port/database``. Parquet files and
        DuckDB tables are read column by column when a column is needed, everything else whole.
    schema
        A schema, or a schema file, which may leave out what can be inferred; None infers everything.
    record_id
        The column that identifies each record: whole numbers or text, each once. Left out, it is the only identifier of the
        schema; a file without one has its records in the order of the file, a table of PostgreSQL needs one.
    table
        Which table (or view) of a DuckDB or PostgreSQL database; can be left out when there is one only.

    Returns
    -------
    RecordStore
        The records.

    Raises
    ------
    FileError
        When the source cannot be read.
    SchemaError
        When schema and source contradict each other; all problems are listed.
    ParameterError, ColumnError, DataError
        When ``table`` has no meaning for the source, or the record id is missing, unknown or not unique.

    Notes
    -----
    Columns are loaded in the order of record ids and statistics are computed by one and the same code, so that answers do not
    depend on the engine, its threads or how it cuts its results.

    Examples
    --------
    >>> import pyarrow as pa
    >>> data = Microdata.from_frame(pa.table({"person": ["b", "a"], "age": [31, 47]}), identifiers=["person"])
    >>> open_store(data).floats("age").tolist()
    [47.0, 31.0]
    """
    if isinstance(source, Microdata):
        _no_table(table, "microdata")
        return _of_microdata(source, "microdata in memory", schema, record_id, eager=False)
    if isinstance(source, str) and is_postgres_url(source):
        return _of_origin(open_postgres(source, table), schema, record_id, eager=True)
    if not isinstance(source, str | Path):
        raise ParameterError(f"'source' must be microdata, a file or an address, got {type(source).__name__}.")
    path = Path(source)
    ending = path.suffix.lower()
    if ending in (".parquet", *_DUCKDB):
        _check_there(path)
    if ending == ".parquet":
        _no_table(table, f"'{path.name}'")
        return _of_origin(ParquetOrigin(path), schema, record_id, eager=False)
    if ending in _DUCKDB:
        origin = open_duckdb(path, table)
        return _of_origin(origin, schema, record_id, eager=isinstance(origin, MemoryOrigin))
    _no_table(table, f"'{path.name}'")
    return _of_microdata(read(path, schema=schema), f"'{path.name}'", None, record_id, eager=True)


def _no_table(table: str | None, shown: str) -> None:
    if table is not None:
        raise ParameterError(f"open_store: 'table' has no meaning for {shown}; only databases have tables.")


def _check_there(path: Path) -> None:
    if "\0" in str(path):
        raise FileError("The name of a file must not hold a zero byte.")
    if not path.is_file():
        raise FileError(f"The file '{path}' cannot be read: it is not there, or it is no file.")


def _of_microdata(
    data: Microdata, shown: str, schema: Schema | str | Path | None, record_id: str | None, *, eager: bool
) -> RecordStore:
    if schema is None:
        return RecordStore(
            MemoryOrigin(data.to_arrow(codes=False), shown), data.schema, record_id=record_id, eager=eager
        )
    return _of_origin(MemoryOrigin(data.to_arrow(codes=False), shown), schema, record_id, eager=eager)


def _of_origin(
    origin: Origin, schema: Schema | str | Path | None, record_id: str | None, *, eager: bool
) -> RecordStore:
    try:
        return RecordStore(origin, _fitted(origin, schema), record_id=record_id, eager=eager)
    except BaseException:
        origin.close()
        raise


# --- the schema of columns that are not loaded ----------------------------------------------------------------------------------


def _fitted(origin: Origin, schema: Schema | str | Path | None) -> Schema:
    """Complete the schema by what the types of the columns say, without looking at values."""
    names = origin.types.names
    declared = _declared(schema)
    if isinstance(schema, Schema):
        extra = [name for name in names if name not in schema]
        if extra:
            raise SchemaError([f"Schema and data have different columns (not in the schema: {', '.join(extra)})."])
        names = [name for name in schema.names if name in names]
    for field in origin.types:
        if (
            pa.types.is_dictionary(field.type)
            and field.type.ordered
            and "categories" not in declared.get(field.name, {})
        ):
            values = origin.columns([field.name]).column(0).combine_chunks().dictionary
            declared[field.name] = {**declared.get(field.name, {}), "categories": tuple(values.to_pylist())}
    found = infer_schema(origin.types.empty_table(), declared)
    _check_types(origin, found)
    return found.select(names)


def _declared(schema: Schema | str | Path | None) -> dict[str, Mapping[str, Any]]:
    if schema is None:
        return {}
    if not isinstance(schema, Schema):
        return dict(read_declarations(schema))
    words = [field.name for field in fields(Column) if field.name != "name"]
    return {column.name: {word: getattr(column, word) for word in words} for column in schema}


def _check_types(origin: Origin, schema: Schema) -> None:
    """Raise where a column is declared numeric that can hold no numbers; text may, and is looked at when it is loaded."""
    problems = []
    for field in origin.types:
        kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        if schema[field.name].scale == "numeric" and not (is_number(kind) or is_text(kind) or pa.types.is_null(kind)):
            problems.append(
                f"Column '{field.name}' is declared numeric, but it holds {kind}; declare another scale or convert it."
            )
    if problems:
        raise SchemaError(problems)
