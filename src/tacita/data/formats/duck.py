"""Tables of DuckDB databases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tacita.core.errors import FileError, ParameterError
from tacita.data.formats.base import FileContent, ReadRequest, WriteRequest, choose, plain_types
from tacita.data.formats.full_disk import full_disk
from tacita.data.formats.outgoing import outgoing
from tacita.data.microdata import Microdata

__all__ = ["check_replaceable", "quiet", "read_duckdb", "write_duckdb"]

_TABLES = """
    select case when table_schema = current_schema() then '' else table_schema || '.' end || table_name
    from information_schema.tables order by 1
"""
_DEFAULT_TABLE = "data"


def read_duckdb(path: Path, request: ReadRequest) -> FileContent:
    """Read one table (or view) of a database; the only one when there is one, else the one named."""
    import duckdb

    connection = _connect(path)
    try:
        name = choose(path, "table", request.table, _table_names(connection), "table")
        query = f"select * from {'.'.join(_quoted(part) for part in _parts(connection, name))}"
        table = connection.sql(query).to_arrow_table()
    except duckdb.Error:
        raise _unreadable(path) from None
    finally:
        connection.close()
    return FileContent(table=plain_types(table))


def write_duckdb(data: Microdata, path: Path, request: WriteRequest) -> None:
    """Write a new database with one table.

    Notes
    -----
    DuckDB draws a random identifier for every database, so two files with the same table differ in some bytes; the
    tables themselves are equal.
    """
    import duckdb

    name = request.table or _DEFAULT_TABLE
    if not name.strip() or "." in name:
        raise ParameterError(f"'table' must be a plain name without a dot, got {name!r}.")
    _check_names(data.names)
    table = outgoing(data, "DuckDB")
    connection = None
    try:
        connection = quiet(duckdb.connect(str(path)))
        connection.register("tacita_incoming", table)
        connection.execute(f"create table {_quoted(name)} as select * from tacita_incoming")
        connection.execute("checkpoint")  # a lack of room shows here, not when the connection is closed
    except duckdb.Error as error:
        reason = full_disk(error, path.parent)
        if reason is not None:
            raise FileError(f"The DuckDB file cannot be written: {reason}. Nothing was changed.") from None
        if isinstance(error, duckdb.IOException):
            raise FileError("The DuckDB file cannot be written: the system refused it. Nothing was changed.") from None
        raise FileError(
            "DuckDB cannot hold this table: its columns must be numbers, text, dates, times or true and false."
        ) from None
    finally:
        if connection is not None:
            connection.close()


def quiet(connection: Any) -> Any:
    """Return a connection that shows no progress bar of its own, which would flood what is read by others."""
    connection.execute("set enable_progress_bar = false")
    return connection


def check_replaceable(path: Path, table: str | None) -> None:
    """Raise when overwriting a database would lose more than the table that is written.

    The whole file is always written anew: values deleted from a table stay in the free blocks of its file, and a
    release must not carry them.
    """
    if path.with_name(path.name + ".wal").exists():
        raise FileError(f"'{path.name}' is in use: its log '{path.name}.wal' is beside it. Close it first.")
    connection = _connect(path)
    try:
        others = [name for name in _table_names(connection) if name != (table or _DEFAULT_TABLE)]
    finally:
        connection.close()
    if others:
        raise FileError(
            f"'{path.name}' holds {len(others)} other table(s), which overwriting the file would delete; "
            "choose another file, or remove this one yourself."
        )


# --- small parts ----------------------------------------------------------------------------------------------------------


def _check_names(names: tuple[str, ...]) -> None:
    """Raise where DuckDB would give a column another name without a word."""
    lower = [name.lower() for name in names]
    alike = [name for name in names if lower.count(name.lower()) > 1]
    if alike:
        raise FileError(
            f"Names of DuckDB columns must differ in more than upper and lower case; rename: {', '.join(alike)}."
        )


def _connect(path: Path) -> Any:
    import duckdb

    try:
        return quiet(duckdb.connect(str(path), read_only=True))
    except duckdb.Error:
        raise _unreadable(path) from None


def _unreadable(path: Path) -> FileError:
    return FileError(
        f"'{path.name}' must be a DuckDB database that no other process has open, but it is damaged, of another "
        "format (such as SQLite), made by another version of DuckDB, or in use."
    )


def _table_names(connection: Any) -> list[str]:
    return [row[0] for row in connection.execute(_TABLES).fetchall()]


def _parts(connection: Any, name: str) -> tuple[str, str]:
    """Return a name as listed cut into schema and table; a table's own name may have a dot in it."""
    # All rows are fetched, because a result that is not read to its end blocks the connection.
    found = connection.execute(
        "select table_schema, table_name from information_schema.tables where table_name = $1 "
        "and table_schema = current_schema() or table_schema || '.' || table_name = $1",
        [name],
    ).fetchall()
    return (str(found[0][0]), str(found[0][1]))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
