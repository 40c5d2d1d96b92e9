"""Copies of accounts: one consistent state, in one SQLite file, whatever keeps the accounts.

Sessions are left out: somebody who has left must not be there again after a restoration.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from tacita.core.errors import FileError
from tacita.data.atomic import atomic_file
from tacita.web.accounts.place import Place, is_postgres
from tacita.web.accounts.sqlite_store import SqliteStatements
from tacita.web.accounts.store import TABLES, AccountsStore, Statements, check_form, make_tables

__all__ = ["copy_accounts", "restore_accounts"]

_COPIED = [name for name in TABLES if name not in ("tacita_accounts", "tacita_sessions")]
_WAL = b"\2\2"
_Rows = dict[str, list[tuple[Any, ...]]]


def copy_accounts(store: AccountsStore, path: str | Path) -> Path:
    """Write a copy of accounts that may be in use meanwhile.

    Parameters
    ----------
    store
        Where the accounts are; the copy is made over a connection of its own.
    path
        The file to write; only its owner can read it.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    FileError
        When there is such a file already, or it cannot be written.
    AccountsUnavailable
        When the store cannot be reached.

    Notes
    -----
    O(rows) time and memory.
    """
    own = store.again()
    try:
        rows = own.read(_read)
    finally:
        own.close()
    return _write_file(Path(path), rows)


def restore_accounts(path: str | Path, into: Place) -> Place:
    """Put a copy of accounts where a server finds them.

    Parameters
    ----------
    path
        A file that ``Accounts.backup`` wrote; it is not changed.
    into
        A new file, or a PostgreSQL database that has no accounts.

    Returns
    -------
    str or Path
        Where the accounts are now.

    Raises
    ------
    FileError
        When the copy cannot be read or is damaged, or accounts are there already.
    AccountsUnavailable
        When PostgreSQL cannot be reached.

    Notes
    -----
    What happened since the copy was made is forgotten: questions that were spent may be asked again, tokens that were revoked
    open again, and those made since are gone.
    """
    rows = _read_file(Path(path))
    if not is_postgres(into):
        return _write_file(Path(into), rows)
    from tacita.web.accounts.postgres_store import PostgresStore

    def filled(statements: Statements) -> None:
        if "tacita_accounts" in statements.tables():
            raise FileError("The PostgreSQL database must have no accounts, but it has; take another one.")
        _fill(statements, rows)

    store = PostgresStore(str(into), create=None)
    try:
        store.write(filled)
    finally:
        store.close()
    return into


def _read(statements: Statements) -> _Rows:
    return {name: statements.rows(f"SELECT {', '.join(_columns(name))} FROM {name}") for name in _COPIED}


def _fill(statements: Statements, rows: _Rows) -> None:
    make_tables(statements)
    for name, some in rows.items():
        columns = _columns(name)
        marks = ", ".join("?" * len(columns))
        statements.change_many(f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({marks})", some)


def _columns(name: str) -> list[str]:
    return [column.split()[0] for column in TABLES[name] if not column.startswith("PRIMARY KEY")]


def _write_file(path: Path, rows: _Rows) -> Path:
    """Write a file that is complete in itself, without a log beside it."""
    if os.path.lexists(path):
        raise FileError(f"'{path.name}' must be a new file, but there is one of that name; choose another.")
    with atomic_file(path, private=True) as temporary:
        try:
            with closing(sqlite3.connect(temporary, isolation_level=None)) as connection:
                connection.execute("BEGIN")
                _fill(SqliteStatements(connection), rows)
                connection.execute("COMMIT")
        except sqlite3.Error:
            raise FileError(f"'{path.name}' cannot be written: the disk failed or is full.") from None
    return path


def _read_file(path: Path) -> _Rows:
    """Read a copy without changing a byte of it, nor of its directory."""
    shown = f"The copy '{path.name}'"
    try:
        with path.open("rb") as file:
            begin = file.read(100)
    except OSError as error:
        raise FileError(f"{shown} cannot be read: {os.strerror(error.errno or 0)}.") from None
    if not begin.startswith(b"SQLite format 3\0"):
        raise FileError(f"{shown} must be one that a backup of accounts wrote, but it is something else.")
    if begin[18:20] == _WAL:
        raise FileError(f"{shown} must be one that a backup wrote, but it is a file in use; make a backup of it first.")
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            statements = SqliteStatements(connection)
            if statements.rows("PRAGMA integrity_check") != [("ok",)]:
                raise FileError(f"{shown} is damaged; take another one.")
            if "tacita_accounts" not in statements.tables():
                raise FileError(f"{shown} must be one that a backup of accounts wrote, but it is something else.")
            check_form(statements, shown)
            return _read(statements)
    except sqlite3.Error:
        raise FileError(f"{shown} is damaged; take another one.") from None
