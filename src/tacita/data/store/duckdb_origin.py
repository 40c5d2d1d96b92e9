"""Columns of a DuckDB table, read one by one when they are needed; a view is read whole."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from tacita.core.errors import FileError
from tacita.data.disk.plain_path import plain_database, scratch
from tacita.data.file_query import quoted
from tacita.data.formats.base import ReadRequest, choose_table, plain_types
from tacita.data.formats.duck import NO_EXTENSIONS, quiet, read_duckdb
from tacita.data.store.origin import FileState, MemoryOrigin, Origin

__all__ = ["DuckdbOrigin", "open_duckdb"]

_RELATIONS = """
    select case when table_schema = current_schema() then '' else table_schema || '.' end || table_name,
           table_schema, table_name, table_type
    from information_schema.tables order by 1
"""
_ONE_AT_A_TIME = threading.Lock()
"""Within a process DuckDB opens a file twice only with the same settings; each reading has its own scratch directory."""


def open_duckdb(path: Path, table: str | None) -> Origin:
    """Return the columns of one table or view of a DuckDB database.

    Parameters
    ----------
    path
        The database; it is opened to be read only, and nothing outside it can be reached.
    table
        The table or view; can be left out when there is one only.

    Raises
    ------
    FileError
        When the database cannot be read, the table is not there, or a view reaches for another file.

    Notes
    -----
    A base table gives its records as they were put in, every time. A view may give them in another order each time, so it is
    read once and whole, and counts as without order.
    """
    # A folder or a missing file is told by the reader of files, before this is called.
    with _reading(path) as connection:
        found = connection.execute(_RELATIONS).fetchall()
        shown = choose_table(path, "table", table, [row[0] for row in found], "table")
        places = [row[1:] for row in found if row[0] == shown]
        if len(places) > 1:
            raise FileError(f"'{path.name}': '{shown}' names two tables, one of them in a schema; rename one of them.")
        if places[0][2] == "BASE TABLE":
            return DuckdbOrigin(path, connection, places[0][0], places[0][1])
    content = read_duckdb(path, ReadRequest(table=shown))
    return MemoryOrigin(content.table, f"the view '{shown}' of '{path.name}'", has_order=False)


class DuckdbOrigin:
    """The columns of one base table.

    The database is open only while a column is read, so that its file is not locked in between; a file that was changed
    meanwhile is an error.

    Parameters
    ----------
    path
        The database.
    connection
        An open connection to it, to look at the table.
    schema, table
        Where the table is.
    """

    has_order = True

    def __init__(self, path: Path, connection: Any, schema: str, table: str) -> None:
        self.shown = f"the table '{table}' of '{path.name}'"
        self._path = path.absolute()
        self._state = FileState(self._path)
        self._closed = False
        self._from = f"{quoted(schema)}.{quoted(table)}"
        self.types = plain_types(connection.sql(f"select * from {self._from} limit 0").to_arrow_table()).schema
        self.n_records = int(connection.execute(f"select count(*) from {self._from}").fetchall()[0][0])

    def columns(self, names: Sequence[str], *, encoded: bool = True) -> pa.Table:
        """Read some columns, in the order in which the records were put in."""
        del encoded  # DuckDB gives text as text
        if self._closed:
            raise FileError(f"{self.shown[0].upper()}{self.shown[1:]} was closed; open it again.")
        self._state.check()
        with _reading(self._path) as connection:
            chosen = ", ".join(map(quoted, names))
            return plain_types(connection.sql(f"select {chosen} from {self._from}").to_arrow_table())

    def close(self) -> None:
        """Read no more."""
        self._closed = True


@contextmanager
def _reading(path: Path) -> Iterator[Any]:
    """Open a database for a moment: to be read only, with no way out of it, and with settings that nothing can change."""
    import duckdb

    closed_in = {**NO_EXTENSIONS, "enable_external_access": "false", "preserve_insertion_order": "true"}
    with _ONE_AT_A_TIME, scratch() as folder:
        try:
            settings = {**closed_in, "temp_directory": str(folder / "spill")}
            place = str(plain_database(path, folder))
            with quiet(duckdb.connect(place, read_only=True, config=settings)) as connection:
                connection.execute("set lock_configuration = true")
                yield connection
        except duckdb.Error:  # its own words may quote what stands in the file
            raise FileError(
                f"'{path.name}' must be a DuckDB database that no other process has open, but it is damaged, of another format, "
                "made by another version of DuckDB, or in use."
            ) from None
