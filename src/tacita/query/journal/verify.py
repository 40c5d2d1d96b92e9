"""Verifying a journal: whether anything in it was changed, removed, put in, moved or cut off.

==================================== ======= ====== ============ ===========
what was done, by whom               nothing ``key`` ``anchor``   both
==================================== ======= ====== ============ ===========
a careless change, loss or exchange  seen    seen   seen         seen
a chain computed anew without key            seen   seen         seen
a line put at the end without key            seen                seen
the end cut off                                     seen up to   seen up to
                                                    the anchor   the anchor
a chain computed anew with the key                  seen up to   seen up to
                                                    the anchor   the anchor
==================================== ======= ====== ============ ===========
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from tacita.core.errors import FileError
from tacita.core.keyed import KeyLike
from tacita.core.progress import task
from tacita.query.journal.anchor import Anchor
from tacita.query.journal.chain import WRONG_SEAL, ChainedLine, JournalKeys, flaws, lines, read_line
from tacita.query.journal.locked_file import snapshot
from tacita.query.journal.torn import is_torn

__all__ = ["JournalFlaw", "Verification", "verify"]

_MOST = 20


@dataclass(frozen=True)
class JournalFlaw:
    """Something that is wrong with a journal.

    Parameters
    ----------
    line
        Line of the file, from 1.
    what
        What is wrong there.
    """

    line: int
    what: str


@dataclass(frozen=True)
class Verification:
    """What was found about a journal.

    Parameters
    ----------
    state
        ``verified``: nothing was changed, as far as the key or the anchor tells. ``consistent``: the chain is whole, but
        without key and anchor nobody can tell whether somebody computed all of it anew. ``broken``: something is wrong.
    entries
        Entries that were read.
    head
        Anchor of the last of them.
    flaws
        What is wrong, at most 20.
    more
        How many further flaws there are.
    notes
        What else one should know.
    """

    state: Literal["verified", "consistent", "broken"]
    entries: int
    head: str | None
    flaws: tuple[JournalFlaw, ...] = ()
    more: int = 0
    notes: tuple[str, ...] = ()

    def to_plain(self) -> dict[str, Any]:
        """Return the plain form."""
        return {
            "state": self.state,
            "entries": self.entries,
            "head": self.head,
            "flaws": [{"line": flaw.line, "what": flaw.what} for flaw in self.flaws],
            "more": self.more,
            "notes": list(self.notes),
        }


def verify(path: str | Path, *, key: KeyLike | None = None, anchor: str | Anchor | None = None) -> Verification:
    """Look at every entry of a journal and at how they hang together.

    Each entry must have the hash of its content, name the hash of the entry before it and have the next number; with the key
    its seal must be right; with an anchor the entry of that number must be there and have that hash.

    Parameters
    ----------
    path
        The journal.
    key
        The key of the database. With it, nobody who has no key could have written an entry.
    anchor
        What :func:`tacita.query.journal.reading.last_anchor` gave at an earlier time. Only an anchor shows that the end
        was cut off, or that somebody with the key wrote another chain.

    Returns
    -------
    Verification
        The state, and what is wrong.

    Raises
    ------
    FileError
        When the file cannot be read.
    ParameterError
        When the anchor or the key is none.

    Notes
    -----
    Whatever the file holds, one line of bounded length is in memory and every line is read once: O(bytes of the file). After
    a flaw the chain is taken up again with the entry as it stands, so that one change is one flaw. An incomplete last line
    is a flaw until the journal is next opened for writing, which sets it aside.

    Examples
    --------
    >>> import tempfile
    >>> from tacita.query.journal.journal import FileJournal
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     journal = FileJournal(f"{folder}/journal.jsonl", key=b"0123456789abcdef")
    ...     verify(journal.path, key=b"0123456789abcdef", anchor=journal.head()).state
    'verified'
    """
    path = Path(path)
    walk = _ChainWalk(
        keys=None if key is None else JournalKeys(key), anchor=None if anchor is None else Anchor.of(anchor)
    )
    with snapshot(path) as (handle, size), os.fdopen(os.dup(handle), "rb") as file, task("Verifying", size) as running:
        place = waiting = 0
        for number, line in enumerate(lines(file, size), 1):
            place, waiting = place + len(line), waiting + len(line)
            walk.step(number, line, is_last=place == size)
            if waiting > 1 << 20:
                running.advance(waiting)
                waiting = 0
    return walk.result()


@dataclass
class _ChainWalk:
    """What is known while the lines of a journal pass by."""

    keys: JournalKeys | None
    anchor: Anchor | None
    line: int = 0
    entries: int = 0
    before: Anchor | None = None
    time: str = ""
    steps_back: int = 0
    unsealed: int = 0
    is_anchored: bool = False
    flaws: list[JournalFlaw] = field(default_factory=list)
    more: int = 0
    notes: list[str] = field(default_factory=list)

    def step(self, number: int, line: bytes, *, is_last: bool) -> None:
        self.line = number
        if is_last and is_torn(line):
            self.add(
                "the last line is incomplete: a process was stopped while it wrote, or the end was cut off; opening the "
                "journal for writing sets it aside"
            )
            return
        try:
            found = read_line(line)
        except FileError:
            self.add("it is no entry")
            return
        self.look(found)

    def look(self, found: ChainedLine) -> None:
        entry = found.entry
        wrong = flaws(found, self.before, self.keys)
        if self.before is None and entry.kind != "journal" and not wrong:
            wrong.append("it is not the first entry of a journal")
        if wrong:
            self.add(f"entry {entry.number}: {', and '.join(wrong)}")
        self.unsealed += WRONG_SEAL in wrong
        self.steps_back += entry.time < self.time
        self.entries, self.before, self.time = self.entries + 1, found.anchor, entry.time
        if self.anchor is not None and entry.number == self.anchor.number and not self.is_anchored:
            self.is_anchored = found.anchor == self.anchor
            if not self.is_anchored:
                self.add(f"entry {entry.number}: it is another one than the anchor names")

    def add(self, what: str) -> None:
        if len(self.flaws) < _MOST:
            self.flaws.append(JournalFlaw(self.line, what))
        else:
            self.more += 1

    def result(self) -> Verification:
        if not self.entries and not self.flaws:
            self.add("the file has no entry")
        last = -1 if self.before is None else self.before.number
        if self.anchor is not None and last < self.anchor.number:
            self.add(
                f"the journal ends with entry {last}, but the anchor names entry {self.anchor.number}: it was cut off"
            )
        is_proven = self.keys is not None or self.is_anchored
        state: Literal["verified", "consistent", "broken"] = "verified" if is_proven else "consistent"
        return Verification(
            state="broken" if self.flaws else state,
            entries=self.entries,
            head=None if self.before is None else str(self.before),
            flaws=tuple(self.flaws),
            more=self.more,
            notes=tuple(self.remarks(last)),
        )

    def remarks(self, last: int) -> list[str]:
        found = []
        if self.entries and self.unsealed == self.entries:
            found.append("No seal was made with this key: it is probably the key of another database.")
        if self.keys is None and self.anchor is None:
            found.append("Without a key or an anchor, a chain that somebody computed anew looks the same.")
        elif self.anchor is None:
            found.append("Without an anchor nobody can tell whether entries at the end were cut off.")
        elif self.keys is None and last > self.anchor.number:
            found.append(f"Entries after the anchor are proven only with the key: {last - self.anchor.number}.")
        if self.steps_back:
            found.append(
                f"Entries that are dated before the one that they follow, as when a clock is put back: {self.steps_back}."
            )
        return found
