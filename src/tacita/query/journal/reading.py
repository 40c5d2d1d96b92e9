"""Reading a journal: entries by user, time, status, kind and rule, and how often each rule said what.

Reading checks that every line is an entry. Whether the chain is whole is the question of
:func:`tacita.query.journal.verify.verify`.
"""

from __future__ import annotations

import os
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from tacita.core.errors import FileError, ParameterError
from tacita.core.keyed import KeyLike
from tacita.query.journal.chain import JournalKeys, lines, read_line
from tacita.query.journal.entry import JournalEntry
from tacita.query.journal.locked_file import cannot, snapshot
from tacita.query.journal.torn import is_torn, tail_of

__all__ = ["JournalSummary", "last_anchor", "read_entries", "read_entry", "read_held", "summarise"]

_NEAR = 1 << 14
"""Bytes that are read line by line when an entry is looked for."""


def read_entries(
    path: str | Path,
    *,
    user: str | None = None,
    key: KeyLike | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    status: str | None = None,
    kind: str | None = None,
    rule: str | None = None,
) -> Iterator[JournalEntry]:
    """Give the entries of a journal that fit everything that is asked for, in their order.

    Parameters
    ----------
    path
        The journal.
    user
        A pseudonym, or with ``key`` the name of a user.
    key
        The key of the database, which turns a name into its pseudonym.
    since, until
        Times with a time zone: entries from the first on, and before the second.
    status
        ``answered``, ``refused`` or ``review``.
    kind
        ``request``, ``version`` or another kind.
    rule
        Only entries about which this rule said something.

    Raises
    ------
    FileError
        When the file cannot be read, or a line is no entry.
    ParameterError
        When a time has no zone.

    Notes
    -----
    One line at a time is in memory. What is appended while it reads is not seen. An incomplete last line is left out.
    """
    pseudonym = user if user is None or key is None else JournalKeys(key).pseudonym(user)
    begin, end = _moment(since), _moment(until)
    for entry in _all(Path(path)):
        if (
            (pseudonym is None or entry.user == pseudonym)
            and (begin is None or entry.time >= begin)
            and (end is None or entry.time < end)
            and (status is None or entry.status == status)
            and (kind is None or entry.kind == kind)
            and (rule is None or any(said.rule == rule for said in entry.rules))
        ):
            yield entry


def last_anchor(path: str | Path) -> str:
    """Return the anchor of the last entry of a journal as a short text, without reading the others.

    Raises
    ------
    FileError
        When the file cannot be read, is no journal, or its last entry was changed.

    Notes
    -----
    The same time for every length. Verify first: an anchor of a chain that was changed keeps the change.
    """
    path = Path(path)
    with snapshot(path) as (handle, size), os.fdopen(os.dup(handle), "rb") as file:
        start = tail_of(handle, size) if size else None
        if start is not None:
            file.seek(start)
            line = next(lines(file, size), b"")
            if not is_torn(line) and (found := read_line(line)).is_unchanged:
                return str(found.anchor)
    raise FileError(
        f"'{path.name}' must be a journal with a whole last entry, but it is not; 'tacita journal verify' shows more."
    )


def read_entry(path: str | Path, number: int) -> JournalEntry | None:
    """Return the entry of a number, or None where there is none; entries are numbered, so few lines are looked at.

    Raises
    ------
    FileError
        When the file cannot be read, or a line is no entry.

    Notes
    -----
    By bisection: O(log n) lines of a journal with n entries.
    """
    with snapshot(Path(path)) as (handle, size), os.fdopen(os.dup(handle), "rb") as file:
        low, high = 0, size  # the line begins at ``low`` or after it, and before ``high``
        while high - low > _NEAR:
            middle = (low + high) // 2
            file.seek(middle)
            file.readline()  # the rest of a line that began before
            start = file.tell()
            if start >= high:
                break
            if _number_at(file, start, size) <= number:
                low = start
            else:
                high = middle
        file.seek(low)
        for line in lines(file, size):
            if is_torn(line):
                break
            found = read_line(line).entry
            if found.number >= number:
                return found if found.number == number else None
    return None


def _number_at(file: BinaryIO, start: int, size: int) -> int:
    file.seek(start)
    line = next(lines(file, size), b"")
    return sys.maxsize if is_torn(line) else read_line(line).entry.number


@dataclass(frozen=True)
class JournalSummary:
    """What some entries say together.

    Parameters
    ----------
    entries
        How many they are.
    statuses
        How many have each status; those without one are left out.
    rules
        For each rule, by name, how often it said what.
    last
        The last of them, in their order.
    """

    entries: int
    statuses: dict[str, int]
    rules: dict[str, dict[str, int]]
    last: tuple[JournalEntry, ...]

    def to_plain(self) -> dict[str, Any]:
        """Return the plain form."""
        return {
            "count": self.entries,
            "statuses": self.statuses,
            "rules": self.rules,
            "entries": [entry.to_plain() for entry in self.last],
        }


def summarise(entries: Iterable[JournalEntry], *, last: int = 20) -> JournalSummary:
    """Count entries by status and by what each rule said, and keep the last of them.

    Parameters
    ----------
    entries
        The entries, such as :func:`read_entries` gives; each is looked at once.
    last
        How many to keep.

    Examples
    --------
    >>> from tacita.query.journal.memory import MemoryJournal
    >>> journal = MemoryJournal()
    >>> for decision in ("allow", "deny", "allow"):
    ...     entry = journal.append(rules=[("minimum_size", decision, None)])
    >>> summarise(journal.entries()).rules
    {'minimum_size': {'allow': 2, 'deny': 1}}
    """
    number, kept = 0, deque[JournalEntry](maxlen=max(last, 0))
    statuses, said = Counter[str](), Counter[tuple[str, str]]()
    for number, entry in enumerate(entries, 1):  # noqa: B007 - how many there were
        kept.append(entry)
        statuses.update(() if entry.status is None else (entry.status,))
        said.update((outcome.rule, outcome.decision) for outcome in entry.rules)
    rules: dict[str, dict[str, int]] = {}
    for (rule, decision), times in sorted(said.items()):
        rules.setdefault(rule, {})[decision] = times
    return JournalSummary(number, dict(sorted(statuses.items())), rules, tuple(kept))


def read_held(path: Path, size: int) -> Iterator[JournalEntry]:
    """Give the entries up to a place, for who holds the lock of the journal himself.

    Raises
    ------
    FileError
        When the file cannot be read, or a line is no entry.
    """
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError as error:
        raise cannot(path, "opened", error) from error
    with os.fdopen(handle, "rb") as file:
        yield from _lines(path, file, size)


def _all(path: Path) -> Iterator[JournalEntry]:
    with snapshot(path) as (handle, size), os.fdopen(os.dup(handle), "rb") as file:
        yield from _lines(path, file, size)


def _lines(path: Path, file: BinaryIO, size: int) -> Iterator[JournalEntry]:
    place = 0
    for number, line in enumerate(lines(file, size), 1):
        place += len(line)
        if place == size and is_torn(line):
            return
        try:
            yield read_line(line).entry
        except FileError:
            raise FileError(
                f"The journal '{path.name}' is damaged in line {number}, or is no journal; 'tacita journal verify' shows "
                "more."
            ) from None


def _moment(time: datetime | None) -> str | None:
    if time is None:
        return None
    if time.tzinfo is None:
        raise ParameterError("'since' and 'until' must have a time zone; write 2030-01-31T12:00+00:00.")
    return time.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
