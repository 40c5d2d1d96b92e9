"""Accounts in a PostgreSQL database: several machines may share them."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Self, TypeAlias, TypeVar

from tacita.core.errors import FileError, ParameterError
from tacita.web.accounts.store import (
    PATIENCE,
    AccountsStore,
    Statements,
    check_form,
    make_tables,
    unavailable,
)

__all__ = ["PostgresStore"]

T = TypeVar("T")
_Connection: TypeAlias = Any
"""A connection of the driver, which is not there until it is used."""

_TURN = 0x7AC17A
"""Number of the lock that whoever writes holds to the end of the transaction."""
_SHOWN = "The PostgreSQL database"


class _PostgresStatements:
    """Statements on a connection to PostgreSQL, whose marks are others."""

    def __init__(self, connection: _Connection) -> None:
        self._connection = connection

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return list(self._connection.execute(_marked(statement), values))

    def change(self, statement: str, values: Sequence[Any] = ()) -> int:
        return int(self._connection.execute(_marked(statement), values).rowcount)

    def change_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        with self._connection.cursor() as cursor:
            cursor.executemany(_marked(statement), rows)

    def tables(self) -> set[str]:
        found = self.rows("SELECT tablename FROM pg_tables WHERE schemaname = ANY (current_schemas(false))")
        return {name for (name,) in found}


class PostgresStore(AccountsStore):
    """A PostgreSQL database.

    Parameters
    ----------
    url
        Its address, ``postgresql://...``; it may hold a password and is never shown.
    create
        Whether to make the tables where there are none; None leaves them to the caller.

    Raises
    ------
    ParameterError
        When the address is none, or the driver is not installed.
    FileError
        When it holds accounts of a later form, or none and ``create`` is false.
    AccountsUnavailable
        When it cannot be reached.

    Notes
    -----
    Writers take turns by an advisory lock, so that what one reads nobody else changes. A connection that was lost is made
    anew; work is repeated once, but never when the loss came while PostgreSQL was told to keep it, for then it may have been
    kept. How safe a transaction is from a loss of power is that of the server: leave its ``fsync`` on.
    """

    def __init__(self, url: str, *, create: bool | None = True) -> None:
        self._url = url
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._connection: _Connection | None = None
        self._left: list[Any] = []
        self._is_committing = False
        if create is not None:
            _ = self.write(_prepare) if create else self.read(_check)

    def __repr__(self) -> str:
        return "PostgresStore(secret)"

    def again(self) -> Self:
        return type(self)(self._url, create=False)

    def close(self) -> None:
        with self._lock:
            self._forget()

    def read(self, work: Callable[[Statements], T]) -> T:
        return self._done(("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",), work)

    def write(self, work: Callable[[Statements], T]) -> T:
        return self._done(("BEGIN", f"SELECT pg_advisory_xact_lock({_TURN})"), work)

    def _done(self, begin: tuple[str, ...], work: Callable[[Statements], T]) -> T:
        psycopg = _driver()
        if self._process != os.getpid():  # after a fork the parent's connection must not be used, nor closed
            self._left += [self._connection]
            self._process, self._lock, self._connection = os.getpid(), threading.Lock(), None
        with self._lock:
            try:
                return self._once(begin, work)
            except (psycopg.OperationalError, psycopg.InterfaceError):
                if self._is_committing:
                    raise unavailable("it was lost while it was told to keep something") from None
            except psycopg.Error:
                raise unavailable("it refused a statement") from None
            try:
                return self._once(begin, work)
            except psycopg.Error:
                raise unavailable("the connection was lost, or somebody else holds it for too long") from None

    def _once(self, begin: tuple[str, ...], work: Callable[[Statements], T]) -> T:
        self._is_committing = False
        connection = self._connected()
        try:
            for statement in begin:
                connection.execute(statement)
            found = work(_PostgresStatements(connection))
            self._is_committing = True
            connection.execute("COMMIT")
        except Exception as error:
            if isinstance(error, _driver().Error):
                self._forget()
            else:  # of the work itself: the connection is in order
                with suppress(_driver().Error):
                    connection.execute("ROLLBACK")
            raise
        except BaseException:
            self._forget()
            raise
        return found

    def _connected(self) -> _Connection:
        psycopg = _driver()
        if self._connection is None or self._connection.closed:
            try:
                connection = psycopg.connect(
                    self._url,
                    autocommit=True,
                    connect_timeout=int(PATIENCE),
                    application_name="tacita",
                    prepare_threshold=None,  # poolers between here and there know no prepared statements
                )
                waits = f"SET lock_timeout = {int(1000 * PATIENCE)}; SET statement_timeout = {int(4000 * PATIENCE)};"
                connection.execute(f"{waits} SET synchronous_commit = on")
            except psycopg.ProgrammingError:
                raise ParameterError("'accounts' must be a file or an address 'postgresql://USER@HOST/NAME'.") from None
            except psycopg.Error:
                raise unavailable("PostgreSQL does not answer, or does not let us in") from None
            self._connection = connection
        return self._connection

    def _forget(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                connection.close()


def _prepare(statements: Statements) -> None:
    if "tacita_accounts" in statements.tables():
        check_form(statements, _SHOWN)
    else:
        make_tables(statements)


def _check(statements: Statements) -> None:
    if "tacita_accounts" not in statements.tables():
        raise FileError(f"{_SHOWN} must hold accounts of the server, but it has none.")
    check_form(statements, _SHOWN)


def _driver() -> Any:
    """Return the driver, which loads when it is used."""
    try:
        import psycopg
    except ImportError:
        raise ParameterError(
            "Accounts in PostgreSQL need the driver psycopg, which is not installed; install 'tacita[server]'."
        ) from None
    return psycopg


def _marked(statement: str) -> str:
    return statement.replace("?", "%s")
