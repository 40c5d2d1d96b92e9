"""The journal in a file: one line an entry, on the disk before the answer leaves, by however many processes.

The file only grows. Whoever appends holds a lock, has looked at everything that others appended since, and cuts back to
where the file ended when the disk is full: a line is there as a whole, or not at all. Lines are written one by one and
brought to the disk together: who waits for his entry waits for those of the others as well.
"""

from __future__ import annotations

import os
import secrets
import threading
import warnings
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacita.core.errors import FileError, TacitaError, TacitaWarning
from tacita.core.keyed import KeyLike
from tacita.query.journal.anchor import Anchor
from tacita.query.journal.base import Now, QueryJournal, utc_now
from tacita.query.journal.chain import LONGEST, ChainedLine, flaws, lines, read_line
from tacita.query.journal.entry import JournalEntry
from tacita.query.journal.locked_file import cannot, locked, put
from tacita.query.journal.memory import MemoryJournal
from tacita.query.journal.reading import read_entries, read_entry, read_held
from tacita.query.journal.safe import SafeEntries
from tacita.query.journal.torn import flush_directory, is_torn, move_torn_line, recorded, tail_of, unrecorded
from tacita.query.journal.turn import JournalTurn

__all__ = ["FileJournal", "open_journal"]

_RECENT = 1024
"""Entries that are remembered, so that who asks what others wrote meanwhile need not read the file."""


@dataclass(frozen=True)
class _Seen:
    """How far a file was looked at: its identity, where the last entry ends, and the anchor of that entry."""

    file: tuple[int, int]
    end: int
    head: Anchor


class FileJournal(QueryJournal):
    """A journal in a file, one line an entry.

    Parameters
    ----------
    path
        The file; it is made where there is none, for its owner only (0600).
    key
        The key of the database. An existing journal must have been written with the same one.
    identities
        Whether pseudonyms of users are kept.
    now
        The clock.

    Raises
    ------
    FileError
        When the file cannot be written, is no journal, is damaged at its end, or was written with another key.

    Notes
    -----
    Opening looks at the first and the last entry only, and takes the same time however long the journal is;
    :func:`tacita.query.journal.verify.verify` looks at all. From then on every entry that another process appended is checked
    when it is met, and a file that was cut, replaced or removed stops the journal: no answer leaves unrecorded.

    An incomplete last line, which a killed process leaves, is set aside with a warning and an entry ``recovery``
    (:mod:`tacita.query.journal.torn`). An entry may be there whose answer never left; never the other way round.

    Complexity: one write an entry, and one ``fsync`` for all entries that wait for it, about as long as the disk needs.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     journal = FileJournal(f"{folder}/journal.jsonl", key=b"0123456789abcdef")
    ...     entry = journal.append(user="ada", request={"type": "tabulate"}, status="answered", answer=[3, 5])
    ...     journal.head() == f"1:{entry.hash}"
    True
    """

    def __init__(self, path: str | Path, *, key: KeyLike, identities: bool = True, now: Now = utc_now) -> None:
        super().__init__(key=key, identities=identities, now=now)
        self.path = Path(path).absolute()
        self._seen: _Seen | None = None  # read and changed only by whoever holds the lock of the file
        self._recent: deque[JournalEntry] = deque(maxlen=_RECENT)
        self._safe = SafeEntries(self.path)
        self._cuts: tuple[int, ...] = ()
        # threads wait for each other here, not by trying the lock of the file again and again
        self._turns = threading.RLock()
        with locked(self.path, create=True) as handle:
            self._catch_up(handle)

    def __repr__(self) -> str:
        return f"FileJournal({self.path.name!r})"

    def head(self) -> str:
        """Return the anchor of the last entry, whoever wrote it."""
        with self._turns, locked(self.path) as handle:
            return str(self._catch_up(handle).head)

    def entries(self) -> Iterator[JournalEntry]:
        """Give all entries, one after the other from the file."""
        return read_entries(self.path)

    def entry(self, number: int) -> JournalEntry | None:
        """Return the entry of a number, after a look at a few lines of the file."""
        return read_entry(self.path, number)

    @contextmanager
    def turn(self) -> Iterator[JournalTurn]:
        with self._turns, locked(self.path) as handle:
            self._catch_up(handle)
            yield JournalTurn(self._since, lambda fields: self._write(handle, fields), self._fields, self._cuts)

    def settle(self, entry: JournalEntry) -> None:
        self._safe.settle(entry, self._cut_back)

    def _since(self, number: int) -> list[JournalEntry]:
        """Entries after a number: from memory where they are recent, else from the file."""
        if self._seen is None or self._seen.head.number <= number:
            return []
        if self._recent and self._recent[0].number <= number + 1:
            return [entry for entry in self._recent if entry.number > number]
        return [entry for entry in read_held(self.path, self._seen.end) if entry.number > number]

    # --- writing -----------------------------------------------------------------------------------------------------------

    def _write(self, handle: int, fields: dict[str, Any], *, at_once: bool = False) -> JournalEntry:
        """Append an entry to a file that was looked at up to its end; ``at_once`` also has it on the disk."""
        seen = self._seen
        end, before = (0, None) if seen is None else (seen.end, seen.head)
        made, line = self._next(fields, before)
        try:
            put(handle, line, end, sync=at_once)
        except OSError as error:
            raise cannot(self.path, "written", error) from error
        self._seen = _Seen(_identity(handle), end + len(line), made.anchor)
        self._recent.append(made.entry)
        if not at_once:
            self._safe.wrote(made.entry, end)
        return made.entry

    def _cut_back(self, handle: int, end: int, number: int) -> None:
        """Take back entries that could not be brought to the disk, as long as nobody has written after them."""
        if self._seen is not None and os.fstat(handle).st_size == self._seen.end:
            os.ftruncate(handle, end)
            self._seen = None
            self._recent.clear()
            self._cuts = (*self._cuts, number)

    # --- looking at what others wrote ----------------------------------------------------------------------------------------

    def _catch_up(self, handle: int) -> _Seen:
        """Look at everything that was appended since; begin the journal where there is none."""
        size, is_cut = os.fstat(handle).st_size, False
        is_new = self._seen is None
        if self._seen is None:
            start = self._start(handle, size)
        else:
            start = self._seen.end
            if _identity(handle) != self._seen.file or size < start:
                raise FileError(
                    f"The journal '{self.path.name}' must only grow, but it was cut or replaced; stop the database and run "
                    "'tacita journal verify' with the last anchor."
                )
        if size > start:
            is_cut = self._look(handle, start, size)
        if self._seen is None:
            self._write(handle, self._first(secrets.token_hex(16)), at_once=True)
            flush_directory(self.path.parent)
        if is_new or is_cut:
            self._record(handle)
        if self._seen is None:  # only for the type: an entry has been read or written by now
            raise self._damaged()
        return self._seen

    def _start(self, handle: int, size: int) -> int:
        """Return where looking begins when a journal is opened: at the last whole line."""
        if not size:
            return 0
        start = tail_of(handle, size)
        if start is None:
            raise FileError(f"'{self.path.name}' is no journal of a database, or is damaged; choose another file.")
        if start:  # the first entry, too, so that a wrong key is called a wrong key
            first = os.pread(handle, LONGEST, 0)
            self._check(first[: first.find(b"\n") + 1], None, is_first=True)
        return start

    def _look(self, handle: int, start: int, size: int) -> bool:
        """Check the lines from a place on; set an incomplete last one aside and say whether there was one."""
        with os.fdopen(os.dup(handle), "rb") as file:
            file.seek(start)
            for line in lines(file, size):
                if start + len(line) == size and is_torn(line):
                    self._cut(handle, start, size)
                    return True
                before = None if self._seen is None else self._seen.head
                found = self._check(line, before, is_first=start == 0)
                start += len(line)
                self._seen = _Seen(_identity(handle), start, found.anchor)
                self._recent.append(found.entry)
        return False

    def _check(self, line: bytes, before: Anchor | None, *, is_first: bool) -> ChainedLine:
        """Check a line, and that it follows another one where that is known."""
        try:
            found = read_line(line)
        except TacitaError:
            raise self._damaged() from None
        if is_first and found.is_unchanged and not found.is_sealed_by(self._keys):
            raise FileError(
                f"The journal '{self.path.name}' was written with another key; give that key, or choose another file."
            )
        if before is None and not is_first:  # the last entry of a journal that is being opened
            before = Anchor(found.entry.number - 1, found.entry.previous)
        if flaws(found, before, self._keys):
            raise self._damaged()
        return found

    def _cut(self, handle: int, start: int, size: int) -> None:
        try:
            move_torn_line(self.path, handle, start, size)
        except OSError as error:
            raise cannot(self.path, "repaired after an interruption", error) from error

    def _record(self, handle: int) -> None:
        """Let the chain, and a warning, tell of every incomplete line that was set aside."""
        try:
            for piece, said in unrecorded(self.path):
                self._write(handle, self._fields_of("recovery", said), at_once=True)
                recorded(piece)
                warnings.warn(
                    TacitaWarning(
                        f"The journal '{self.path.name}' ended with an incomplete line, whose answer never left; it was moved "
                        f"to '{said['file']}'."
                    ),
                    stacklevel=2,
                )
        except FileError:
            raise
        except OSError as error:
            raise cannot(self.path, "repaired after an interruption", error) from error

    def _damaged(self) -> FileError:
        return FileError(
            f"The journal '{self.path.name}' must be a whole chain, but it is damaged or was changed; 'tacita journal verify' "
            "shows where. Keep it, and begin a new one."
        )


def _identity(handle: int) -> tuple[int, int]:
    found = os.fstat(handle)
    return found.st_dev, found.st_ino


def open_journal(
    journal: QueryJournal | str | Path | None, *, key: KeyLike, identities: bool = True, now: Now = utc_now
) -> QueryJournal:
    """Return a journal from what a user may give: a journal, a file, or None for one in memory.

    Raises
    ------
    FileError
        When the file is no journal, or cannot be written.
    """
    if isinstance(journal, QueryJournal):
        return journal
    if journal is None:
        return MemoryJournal(key=key, identities=identities, now=now)
    return FileJournal(journal, key=key, identities=identities, now=now)
