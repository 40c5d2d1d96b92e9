"""Where accounts are kept: the name of a file, or the address of a PostgreSQL database."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypeAlias

from tacita.core.errors import ParameterError
from tacita.web.accounts.store import AccountsStore

__all__ = ["Place", "is_postgres", "open_accounts_store"]

Place: TypeAlias = str | Path
"""The name of an SQLite file, or ``postgresql://USER@HOST/NAME``."""


def is_postgres(place: Place) -> bool:
    """Whether a place is a PostgreSQL database.

    Raises
    ------
    ParameterError
        When it is an address of something else. It is not shown: it may hold a password.

    Examples
    --------
    >>> is_postgres("postgresql://server@localhost/accounts"), is_postgres("accounts.sqlite")
    (True, False)
    """
    if isinstance(place, Path):
        return False
    if not isinstance(place, str) or not place:
        raise ParameterError("'accounts' must be the name of a file or an address 'postgresql://USER@HOST/NAME'.")
    if place.startswith(("postgresql://", "postgres://")):
        return True
    if re.match(r"[A-Za-z][\w+.-]*://", place):
        raise ParameterError("'accounts' must be the name of a file or an address 'postgresql://USER@HOST/NAME'.")
    return False


def open_accounts_store(place: Place, *, create: bool) -> AccountsStore:
    """Open the store of a place.

    Parameters
    ----------
    place
        Where the accounts are.
    create
        Whether to make them where there are none.
    """
    if is_postgres(place):
        from tacita.web.accounts.postgres_store import PostgresStore

        return PostgresStore(str(place), create=create)
    from tacita.web.accounts.sqlite_store import SqliteStore

    return SqliteStore(Path(place), create=create)
