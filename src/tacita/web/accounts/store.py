"""What keeps the accounts: statements in one transaction after the other, on SQLite or on PostgreSQL.

Statements are written once, for both: marks are ``?``, types are those that both know. A piece of work is a function of
:class:`Statements`; a store may call it again when nothing of the first time was kept.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, Self, TypeVar

from tacita.core.errors import FileError, TacitaError

__all__ = [
    "FORM",
    "PATIENCE",
    "TABLES",
    "AccountsStore",
    "AccountsUnavailable",
    "Statements",
    "check_form",
    "make_tables",
    "unavailable",
]

T = TypeVar("T")

FORM = 1
"""The form of the tables; a store of a later form is refused."""
PATIENCE = 5.0
"""Seconds to wait for somebody else's transaction; one takes a few milliseconds."""

TABLES: dict[str, tuple[str, ...]] = {
    "tacita_accounts": ("name TEXT NOT NULL PRIMARY KEY", "value TEXT NOT NULL"),
    "tacita_tokens": (
        "id TEXT NOT NULL PRIMARY KEY",
        "user_name TEXT NOT NULL",
        "role TEXT NOT NULL",
        "organisation TEXT NOT NULL",
        "datasets TEXT NOT NULL",
        "created DOUBLE PRECISION NOT NULL",
        "expires DOUBLE PRECISION",
        "revoked DOUBLE PRECISION",
        "digest TEXT NOT NULL",
    ),
    "tacita_sessions": (
        "digest TEXT NOT NULL PRIMARY KEY",
        "token TEXT NOT NULL",
        "expires DOUBLE PRECISION NOT NULL",
    ),
    "tacita_spending": (
        "scope TEXT NOT NULL",
        "subject TEXT NOT NULL",
        "dataset TEXT NOT NULL",
        "per TEXT NOT NULL",
        "period TEXT NOT NULL",
        "spent BIGINT NOT NULL",
        "PRIMARY KEY (scope, subject, dataset, per, period)",
    ),
    "tacita_periods": ("per TEXT NOT NULL PRIMARY KEY", "latest TEXT NOT NULL"),
    "tacita_closures": (
        "dataset TEXT NOT NULL",
        "since DOUBLE PRECISION NOT NULL",
        "closed_by TEXT NOT NULL",
        "why TEXT NOT NULL",
        "ended DOUBLE PRECISION",
        "ended_by TEXT",
    ),
}
"""The tables and their columns. Their names begin alike, so that a PostgreSQL database may have others."""


class AccountsUnavailable(TacitaError):  # noqa: N818 - what it says is that something is so, not that somebody erred
    """The accounts cannot be reached: the disk is full, the file is gone or the server is stopped.

    What was asked for did not happen, unless the store was lost in the very moment in which it was told to keep it: then a
    reservation may have been counted that nobody was granted. The next call tries again.
    """


class Statements(Protocol):
    """Statements within one transaction."""

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""

    def change(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Run a statement; return how many rows it changed."""

    def change_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement for each row of values."""

    def tables(self) -> set[str]:
        """Return the names of the tables that are there."""


class AccountsStore(ABC):
    """One place where accounts are kept, for all threads of a process; other processes may use it too."""

    @abstractmethod
    def read(self, work: Callable[[Statements], T]) -> T:
        """Do some work that changes nothing, on one state of the store.

        Raises
        ------
        AccountsUnavailable
            When the store cannot be reached.
        """

    @abstractmethod
    def write(self, work: Callable[[Statements], T]) -> T:
        """Do some work, wholly or not at all; when this returns, it is safe from a loss of power.

        Nobody else writes meanwhile, so what the work reads is what it changes.

        Raises
        ------
        AccountsUnavailable
            When the store cannot be reached.
        """

    @abstractmethod
    def again(self) -> Self:
        """Return the same place with a connection of its own, for long work."""

    @abstractmethod
    def close(self) -> None:
        """Give up the connection; the next call makes a new one."""


def make_tables(statements: Statements) -> None:
    """Make the tables in a place that has none."""
    for name, columns in TABLES.items():
        statements.change(f"CREATE TABLE {name} ({', '.join(columns)})")
    statements.change("INSERT INTO tacita_accounts (name, value) VALUES (?, ?)", ("form", str(FORM)))


def check_form(statements: Statements, place: str) -> None:
    """Raise unless the tables have a form that is known.

    Raises
    ------
    FileError
        When they have none, or a later one.
    """
    found = statements.rows("SELECT value FROM tacita_accounts WHERE name = ?", ("form",))
    form = str(found[0][0]) if found else ""
    if not form.isdecimal():
        raise FileError(f"{place} must hold accounts of the server, but it holds something else.")
    if int(form) > FORM:
        raise FileError(
            f"{place} holds accounts of form {form}, and this version knows form {FORM} only; install a newer version."
        )


def unavailable(reason: str) -> AccountsUnavailable:
    """Return the error with a reason in our own words: those of a store may quote an address or a value."""
    return AccountsUnavailable(f"The accounts cannot be reached: {reason}. Try again later.")
