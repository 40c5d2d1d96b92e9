"""Records of a PostgreSQL table: read once, in one snapshot, in a session that can only read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, NamedTuple

import pyarrow as pa

from tacita.core.errors import FileError, ParameterError, SchemaError, did_you_mean
from tacita.data.file_query import quoted
from tacita.data.formats.base import plain_types
from tacita.data.store.normal_form import is_text
from tacita.data.store.origin import MemoryOrigin
from tacita.data.store.postgres_url import shown_url, with_patience

__all__ = ["open_postgres"]

_SESSION = (
    "set default_transaction_read_only = on",
    "set search_path = pg_catalog, public",  # nothing of somebody else stands in for PostgreSQL's own functions
    "set client_encoding = 'UTF8'",
    "set timezone = 'UTC'",
    "set row_security = off",  # a policy that would hide records is an error, not a smaller table
    "set statement_timeout = '30min'",
    "set lock_timeout = '15s'",
    "begin isolation level repeatable read read only",
)
_TABLES = """
    select n.nspname, c.relname, n.nspname = 'public'
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'v', 'm', 'p', 'f') and not c.relispartition
      and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and n.nspname !~ '^pg_(toast_)?temp_'
    order by 1, 2
"""
_COLUMNS = """
    select n.nspname, c.relname, a.attname, t.typname, t.typcategory::text, t.typtype::text
    from pg_catalog.pg_attribute a
    join pg_catalog.pg_class c on c.oid = a.attrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_type d on d.oid = a.atttypid
    join pg_catalog.pg_type t on t.oid = case when d.typtype = 'd' then d.typbasetype else d.oid end
    where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'v', 'm', 'p', 'f')
      and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
    order by a.attnum
"""
_AS_IT_IS = {
    "int2",
    "int4",
    "int8",
    "float4",
    "float8",
    "bool",
    "text",
    "varchar",
    "date",
    "timestamp",
    "timestamptz",
    "time",
}
_AS_DOUBLE = {"numeric": "::float8", "money": "::numeric::float8", "oid": "::int8"}
_AS_TEXT = {"bpchar", "uuid", "name", "char", "inet", "cidr", "macaddr", "macaddr8", "timetz", "interval", "citext"}


class _Relation(NamedTuple):
    """A table or view: its schema and its name."""

    schema: str
    name: str

    @property
    def shown(self) -> str:
        return self.name if self.schema == "public" else f"{self.schema}.{self.name}"


def open_postgres(url: str, table: str | None) -> MemoryOrigin:
    """Read one table or view of a PostgreSQL database.

    Parameters
    ----------
    url
        ``postgresql://user:password@host:port/database``; messages never show who logs in, nor the password.
    table
        Its name, with ``schema.`` before it where that is not ``public``; can be left out when there is one only.

    Returns
    -------
    MemoryOrigin
        Its columns, without an order.

    Raises
    ------
    ParameterError
        When the address is none.
    FileError
        When the driver is missing, the server does not answer or refuses, or there is no such table.
    SchemaError
        When a column holds something that is neither a number, text, a date nor true and false; all are listed.

    Notes
    -----
    Everything is read in one statement, so that all columns are of one state of the table, and the session ends: a transaction
    that stays open for the life of a database keeps its server from tidying up. Decimal numbers are rounded by the server to the
    nearest double. O(n) time; text is kept as positions in a dictionary while it comes in.
    """
    shown = shown_url(url)
    with _session(url, shown) as cursor:
        relation = _chosen(shown, table, [_Relation(*row[:2]) for row in _rows(cursor, _TABLES)])
        columns = [row[2:] for row in _rows(cursor, _COLUMNS) if row[:2] == tuple(relation)]
        wanted = ", ".join(_expressions(columns))
        cursor.execute(f"select {wanted} from {quoted(relation.schema)}.{quoted(relation.name)}")
        try:
            read = _collected(cursor.fetch_record_batch())
        except (pa.ArrowException, OSError):  # what comes while records stream in may quote a value
            raise FileError(
                f"{shown} cannot be read to the end: the server broke off, or a number is too large for a double."
            ) from None
    return MemoryOrigin(plain_types(read), f"the table '{relation.shown}' of {shown}", has_order=False)


def _chosen(shown: str, wanted: str | None, found: list[_Relation]) -> _Relation:
    """Return which table is meant; a name alone is one of the schema ``public``."""
    matches = [relation for relation in found if wanted in (relation.shown, f"{relation.schema}.{relation.name}")]
    names = [relation.shown for relation in found]
    if wanted is None:
        matches = found
    if len(matches) == 1:
        return matches[0]
    if wanted is None:
        listed = f"; name one of them with table=: {', '.join(names)}" if found else "; there is nothing to read"
        raise ParameterError(f"{shown} has {len(found) or 'no'} tables{listed}.")
    if matches:
        raise FileError(f"{shown}: '{wanted}' names two tables, one of them in a schema; rename one of them.")
    raise FileError(f"{shown} has no table '{wanted}' that this user may see.{did_you_mean(wanted, names)}")


def _expressions(columns: list[tuple[Any, ...]]) -> list[str]:
    """Return how each column is asked for, in a type that Arrow has."""
    made, problems = [], []
    for name, kind, category, sort in columns:
        if kind in _AS_IT_IS:
            made.append(quoted(name))
        elif kind in _AS_DOUBLE:
            made.append(f"{quoted(name)}{_AS_DOUBLE[kind]} as {quoted(name)}")
        elif kind in _AS_TEXT or sort == "e" or category == "E":
            made.append(f"{quoted(name)}::text as {quoted(name)}")
        else:
            problems.append(
                f"Column '{name}' holds values of the type {kind}, which are neither numbers, text, dates nor true and false; "
                "leave it out by a view."
            )
    if not columns:
        problems.append("The table has no columns.")
    if problems:
        raise SchemaError(problems)
    return made


def _collected(reader: Any) -> pa.Table:
    """Return all records; text becomes a dictionary batch by batch, so that repeated text needs no room."""
    text = [place for place, field in enumerate(reader.schema) if is_text(field.type)]
    kept: list[pa.Table] = []
    for batch in reader:
        part = pa.Table.from_batches([batch])
        for place in text:
            part = part.set_column(place, part.column_names[place], part.column(place).dictionary_encode())
        kept.append(part)
    if not kept:
        return reader.schema.empty_table()
    return pa.concat_tables(kept, promote_options="default").unify_dictionaries()


# --- the session ------------------------------------------------------------------------------------------------------------


@contextmanager
def _session(url: str, shown: str) -> Iterator[Any]:
    """Open a session that can only read and sees one state of the database; errors say nothing that the server quotes."""
    if find_spec("adbc_driver_postgresql") is None:
        raise FileError(
            "PostgreSQL needs the package 'adbc-driver-postgresql', which is not installed; run: pip install tacita[postgres]"
        )
    from adbc_driver_manager import Error
    from adbc_driver_postgresql import dbapi

    try:
        connection = dbapi.connect(with_patience(url), autocommit=True)
    except Error as error:
        raise FileError(_why_not(str(error), shown)) from None
    try:
        with connection, connection.cursor() as cursor:
            for statement in _SESSION:
                cursor.execute(statement)
            yield cursor
            cursor.execute("rollback")
    except Error as error:
        raise FileError(f"{shown} cannot be read: {_reason(getattr(error, 'sqlstate', None))}.") from None


def _why_not(words: str, shown: str) -> str:
    """Say why there is no connection; the driver's own words name the user, so they go no further."""
    if "authentication failed" in words or "no password" in words or "pg_hba.conf" in words:
        return f"{shown} refuses the login; check user and password (they are not shown here)."
    if "does not exist" in words:
        return f"{shown} refuses the login: there is no such database or user."
    return f"{shown} does not answer; check host and port, and that the server runs and takes connections from here."


def _reason(state: str | None) -> str:
    return next(
        (words for begin, words in _REASONS.items() if (state or "").startswith(begin)),
        "the server ended the work" + (f" (SQLSTATE {state})" if state else ""),
    )


_REASONS = {
    "42501": "this user may not read all records of the table, or a policy of row security hides some of them",
    "57014": "it took longer than the half hour that one statement may take",
    "55P03": "somebody has locked the table",
}


def _rows(cursor: Any, statement: str) -> list[tuple[Any, ...]]:
    cursor.execute(statement)
    return [tuple(row) for row in cursor.fetchall()]
