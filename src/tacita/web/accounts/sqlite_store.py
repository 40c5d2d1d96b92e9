"""Accounts in an SQLite file: one writer at a time, every transaction on the disk before it is acknowledged."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self, TypeVar

from tacita.core.errors import FileError
from tacita.web.accounts.store import (
    PATIENCE,
    AccountsStore,
    Statements,
    check_form,
    make_tables,
    unavailable,
)

__all__ = ["SqliteStatements", "SqliteStore"]

T = TypeVar("T")

_TRIES = 3
_REASONS = {
    sqlite3.SQLITE_BUSY: "somebody else holds it for too long",
    sqlite3.SQLITE_LOCKED: "somebody else holds it for too long",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "it cannot be written to",
    sqlite3.SQLITE_IOERR: "the disk failed or is full",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened",
    sqlite3.SQLITE_CORRUPT: "it is damaged",
    sqlite3.SQLITE_NOTADB: "it is damaged",
}
_DURABLE = ("journal_mode = WAL", "synchronous = FULL", "fullfsync = ON", "checkpoint_fullfsync = ON")
"""Every commit is flushed to the disk; the last two make that true on systems that only pretend otherwise."""


class SqliteStatements:
    """Statements on a connection to an SQLite file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self._connection.execute(statement, values).fetchall()

    def change(self, statement: str, values: Sequence[Any] = ()) -> int:
        return self._connection.execute(statement, values).rowcount

    def change_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        self._connection.executemany(statement, rows)

    def tables(self) -> set[str]:
        return {name for (name,) in self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}


class SqliteStore(AccountsStore):
    """An SQLite file with a log of its own (WAL), for any number of processes of one machine.

    Parameters
    ----------
    path
        The file. A new one can be read by its owner only.
    create
        Whether to make it, and its tables, where there is none.

    Raises
    ------
    FileError
        When it cannot be made, is none of accounts, or of a later form; it is unchanged then.
    AccountsUnavailable
        When it cannot be reached.

    Notes
    -----
    Every transaction looks whether the name still leads to the file that is open. A file that was moved away is not written to
    any more, and no new one is made in its place: an empty one would give all budgets again. Another file that is put there while
    the first is open is refused as long as the log of the first, ``...-wal``, lies beside it: SQLite would take it for its own.
    """

    def __init__(self, path: Path, *, create: bool = True) -> None:
        self.path = Path(path).absolute()
        self._shown = f"The file '{self.path.name}'"
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        self._left: list[sqlite3.Connection] = []
        if create:
            self._make()
        elif not self.path.is_file():
            raise FileError(f"{self._shown} cannot be read: there is none.")
        with self._lock:
            self._tried(lambda: self._connected(makes_tables=create))

    def again(self) -> Self:
        return type(self)(self.path, create=False)

    def close(self) -> None:
        with self._lock:
            self._forget()

    def read(self, work: Callable[[Statements], T]) -> T:
        return self._done("BEGIN", work)

    def write(self, work: Callable[[Statements], T]) -> T:
        return self._done("BEGIN IMMEDIATE", work)

    def _done(self, begin: str, work: Callable[[Statements], T]) -> T:
        self._look_for_fork()
        with self._lock:
            return self._tried(lambda: self._once(begin, work))

    def _tried(self, step: Callable[[], T]) -> T:
        """Do one step, again a few times when somebody else was in the way; every error closes the connection."""
        for left in reversed(range(_TRIES)):
            try:
                return step()
            except sqlite3.Error as error:
                self._forget()
                if not (left and _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)):
                    raise unavailable(_REASONS.get(_code(error), "it gave no reason that is known")) from None
        raise unavailable(_REASONS[sqlite3.SQLITE_BUSY])

    def _once(self, begin: str, work: Callable[[Statements], T]) -> T:
        try:
            connection = self._connected()
        except FileError as error:  # something else stands in its place
            raise unavailable("it is none of accounts") from error
        connection.execute(begin)
        try:
            found = work(SqliteStatements(connection))
            connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            raise
        return found

    # --- the connection --------------------------------------------------------------------------------------------------

    def _make(self) -> None:
        try:
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            if not self.path.is_file():
                raise FileError(f"{self._shown} must be a file, but it is a directory, a device or a pipe.") from None
            return
        except OSError as error:
            raise FileError(f"{self._shown} cannot be made: {os.strerror(error.errno or 0)}.") from None
        with suppress(OSError):  # some systems do not open directories
            folder = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    def _connected(self, *, makes_tables: bool = False) -> sqlite3.Connection:
        """Return a connection to the file that has the name now."""
        try:
            facts = self.path.stat()
        except OSError:
            self._forget()
            raise unavailable("it is gone") from None
        file = (facts.st_dev, facts.st_ino)
        if self._connection is None or self._file != file:
            self._forget()
            self._check_file(file, is_empty=not (facts.st_size or makes_tables))
            connection = sqlite3.connect(
                f"{self.path.as_uri()}?mode=rw",
                uri=True,
                isolation_level=None,
                timeout=PATIENCE,
                check_same_thread=False,
            )
            try:
                self._look_at(connection, makes_tables=makes_tables)
            except BaseException:
                connection.close()
                raise
            self._connection, self._file = connection, file
        return self._connection

    def _check_file(self, file: tuple[int, int], *, is_empty: bool) -> None:
        """Raise when SQLite would spoil something by opening the file.

        It puts a log into whatever file it finds beside it, or removes it; and beside a file that cannot be written to it makes
        a log that cannot be written to either, also when the file can again.
        """
        if not os.access(self.path, os.R_OK | os.W_OK, effective_ids=os.access in os.supports_effective_ids):
            raise unavailable("it cannot be written to")
        if is_empty:
            raise unavailable("it is empty")
        is_other = self._file is not None and self._file != file
        if is_other and self.path.with_name(f"{self.path.name}-wal").exists():
            raise unavailable("another file stands in its place, beside the log of the one that was open")

    def _look_at(self, connection: sqlite3.Connection, *, makes_tables: bool) -> None:
        """See that the file holds accounts, before anything in it is changed; make tables where it is empty."""
        statements = SqliteStatements(connection)
        try:
            there = statements.tables()
        except sqlite3.DatabaseError as error:
            if _code(error) != sqlite3.SQLITE_NOTADB:
                raise
            raise FileError(f"{self._shown} must hold accounts of the server, but it holds something else.") from None
        if "tacita_accounts" in there:
            check_form(statements, self._shown)
        elif there or not makes_tables:
            raise FileError(f"{self._shown} must hold accounts of the server, but it holds something else.")
        for setting in _DURABLE:
            connection.execute(f"PRAGMA {setting}")
        if "tacita_accounts" not in there:
            connection.execute("BEGIN IMMEDIATE")
            if "tacita_accounts" not in statements.tables():  # another process may have been quicker
                make_tables(statements)
            connection.execute("COMMIT")

    def _forget(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()

    def _look_for_fork(self) -> None:
        """After a fork use another connection; that of the parent must not even be closed here."""
        if self._process != os.getpid():
            self._left += [self._connection] if self._connection is not None else []
            self._process, self._lock = os.getpid(), threading.Lock()
            self._connection = None


def _code(error: sqlite3.Error) -> int:
    """Return the kind of an error, without its finer distinctions."""
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
