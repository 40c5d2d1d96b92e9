"""Tables of DuckDB databases."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tacita.core.errors import FileError, ParameterError
from tacita.data.disk.plain_path import is_plain, plain_database, scratch
from tacita.data.formats.base import FileContent, ReadRequest, WriteRequest, choose_table, plain_types
from tacita.data.formats.full_disk import full_disk
from tacita.data.formats.outgoing import outgoing
from tacita.data.microdata import Microdata

__all__ = ["NO_EXTENSIONS", "check_replaceable", "quiet", "read_duckdb", "write_duckdb"]

NO_EXTENSIONS = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
"""Nothing is fetched from elsewhere to read a file."""

_TABLES = """
    select case when table_schema = current_schema() then '' else table_schema || '.' end || table_name
    from information_schema.tables order by 1
"""
_DEFAULT_TABLE = "data"


def read_duckdb(path: Path, request: ReadRequest) -> FileContent:
    """Read one table (or view) of a database; the only one when there is one, else the one named."""
    import duckdb

    with _connected(path) as connection:
        name = choose_table(path, "table", request.table, _table_names(connection), "table")
        schema, table = _parts(path, connection, name)
        try:
            found = connection.sql(f"select * from {_quoted(schema)}.{_quoted(table)}").to_arrow_table()
        except duckdb.PermissionException:
            raise FileError(
                f"'{path.name}': '{name}' is a view of another file, and only the file that is named is read; "
                "read that one, or store its records in a table."
            ) from None
    return FileContent(table=plain_types(found))


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
    with scratch() as folder:
        # DuckDB takes a question mark for the beginning of options and a backslash for a slash, so it writes elsewhere.
        place = path if is_plain(Path(os.path.realpath(path))) else folder / "file.duckdb"
        connection = None
        try:
            connection = quiet(duckdb.connect(str(place), config=NO_EXTENSIONS))
            connection.register("tacita_incoming", table)
            connection.execute(f"create table main.{_quoted(name)} as select * from temp.tacita_incoming")
            connection.execute("checkpoint")  # a lack of room shows here, not when the connection is closed
        except duckdb.Error as error:
            reason = full_disk(error, path.parent)
            if reason is not None:
                raise FileError(f"The DuckDB file cannot be written: {reason}. Nothing was changed.") from None
            if isinstance(error, duckdb.IOException):
                raise FileError(
                    "The DuckDB file cannot be written: the system refused it. Nothing was changed."
                ) from None
            raise FileError(
                "DuckDB cannot hold this table: its columns must be numbers, text, dates, times or true and false."
            ) from None
        finally:
            if connection is not None:
                connection.close()
        if place != path:
            shutil.copyfile(place, path)


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
    with _connected(path) as connection:
        others = [name for name in _table_names(connection) if name != (table or _DEFAULT_TABLE)]
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


@contextmanager
def _connected(path: Path) -> Iterator[Any]:
    """Open a database to read it alone: what its views say of other files is not followed, and nothing is written to it."""
    import duckdb

    with scratch() as folder:
        settings = {**NO_EXTENSIONS, "enable_external_access": "false", "temp_directory": str(folder / "spill")}
        connection = None
        try:
            connection = quiet(duckdb.connect(str(plain_database(path, folder)), read_only=True, config=settings))
            yield connection
        except duckdb.Error:
            raise _unreadable(path) from None
        finally:
            if connection is not None:
                connection.close()


def _unreadable(path: Path) -> FileError:
    return FileError(
        f"'{path.name}' must be a DuckDB database that no other process has open, but it is damaged, of another "
        "format (such as SQLite), made by another version of DuckDB, or in use."
    )


def _table_names(connection: Any) -> list[str]:
    return [row[0] for row in connection.execute(_TABLES).fetchall()]


def _parts(path: Path, connection: Any, name: str) -> tuple[str, str]:
    """Return a name as listed cut into schema and table; a table's own name may have a dot in it."""
    # All rows are fetched, because a result that is not read to its end blocks the connection.
    found = connection.execute(
        "select table_schema, table_name from information_schema.tables where table_name = $1 "
        "and table_schema = current_schema() or table_schema || '.' || table_name = $1",
        [name],
    ).fetchall()
    if len(found) > 1:
        raise FileError(f"'{path.name}': '{name}' names two tables, one of them in a schema; rename one of them.")
    return (str(found[0][0]), str(found[0][1]))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
