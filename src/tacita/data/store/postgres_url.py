"""Addresses of PostgreSQL servers: told apart from files, and shown without who logs in and by what password."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from tacita.core.errors import ParameterError

__all__ = ["is_postgres_url", "shown_url", "with_patience"]

_SCHEME = re.compile(r"postgres(ql)?://", re.IGNORECASE)
_SECONDS = 15


def is_postgres_url(source: str) -> bool:
    """Whether a text is the address of a PostgreSQL server.

    Examples
    --------
    >>> is_postgres_url("postgresql://office@db/survey"), is_postgres_url("postgres.parquet")
    (True, False)
    """
    return _SCHEME.match(source) is not None


def shown_url(url: str) -> str:
    """Return an address as messages show it: host, port and database; no user, no password, no options.

    Raises
    ------
    ParameterError
        When it cannot be taken apart; it is not repeated, since nobody knows which part of it is the password.

    Examples
    --------
    >>> shown_url("postgresql://office:secret@db.example:5433/survey?password=secret")
    'postgresql://db.example:5433/survey'
    >>> shown_url("postgresql:///survey?host=/run/postgresql")
    'postgresql:///survey'
    """
    parts = _parts(url)
    # Everything up to the last @ may be credentials, whatever characters a password has.
    host = parts.netloc.rpartition("@")[2]
    return f"postgresql://{host}/{unquote(parts.path.lstrip('/'))}"


def with_patience(url: str) -> str:
    """Return an address that gives up on a silent server after some seconds, unless it says something else itself."""
    parts = _parts(url)
    if "connect_timeout" in parse_qs(parts.query):
        return url
    return f"{url}{'&' if parts.query else '?'}connect_timeout={_SECONDS}"


def _parts(url: str) -> SplitResult:
    problem = ParameterError(
        "The address of a PostgreSQL server must have the form postgresql://user:password@host:port/database, with special "
        "characters of the password written as %XX, but it has another one (it is not repeated here, because of the password)."
    )
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise problem from None
    if "\0" in url or parts.fragment or parts.netloc.count("@") > 1 or "/" in parts.path.lstrip("/"):
        raise problem
    return parts
