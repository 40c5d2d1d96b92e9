"""A journal that is kept in memory: for servers whose answers were all decided beforehand, and for trying things out.

It is not silent: every entry is chained and sealed as in a file, and its head can be anchored. It ends with its process.
"""

from __future__ import annotations

import secrets
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tacita.core.errors import ParameterError
from tacita.core.keyed import Key, KeyLike
from tacita.query.journal.anchor import Anchor
from tacita.query.journal.base import Now, QueryJournal, utc_now
from tacita.query.journal.entry import JournalEntry
from tacita.query.journal.turn import JournalTurn

__all__ = ["MemoryJournal"]


class MemoryJournal(QueryJournal):
    """A chain of entries in memory, of which the last ones can be read.

    Parameters
    ----------
    key
        The key of the database; None draws one.
    identities
        Whether pseudonyms of users are kept.
    now
        The clock.
    keep
        How many entries can be read; older ones remain in the chain by their hash only, so memory is bounded.

    Examples
    --------
    >>> journal = MemoryJournal(keep=10)
    >>> journal.append(user="ada", request={"type": "tabulate"}, status="refused", rules=[("size", "deny", None)]).number
    1
    >>> [entry.kind for entry in journal.entries()]
    ['journal', 'request']
    """

    def __init__(
        self, *, key: KeyLike | None = None, identities: bool = True, now: Now = utc_now, keep: int = 1000
    ) -> None:
        super().__init__(key=Key.draw() if key is None else key, identities=identities, now=now)
        if keep < 1:
            raise ParameterError(f"MemoryJournal: 'keep' must be at least 1, got {keep}.")
        self._kept: deque[JournalEntry] = deque(maxlen=keep)
        self._turns, self._lock = threading.RLock(), threading.Lock()
        self._head: Anchor | None = None
        self._add(self._first(secrets.token_hex(16)))

    def head(self) -> str:
        """Return the anchor of the last entry."""
        return str(self._head)

    def entries(self) -> Iterator[JournalEntry]:
        """Give the last entries, in their order."""
        with self._lock:
            kept = tuple(self._kept)
        return iter(kept)

    @contextmanager
    def turn(self) -> Iterator[JournalTurn]:
        with self._turns:
            yield JournalTurn(self._since, self._add, self._fields)

    def settle(self, entry: JournalEntry) -> None:
        """Return at once: memory is all that this journal has."""

    def _since(self, number: int) -> list[JournalEntry]:
        if self._head is None or self._head.number == number:
            return []
        return [entry for entry in self.entries() if entry.number > number]

    def _add(self, fields: dict[str, Any]) -> JournalEntry:
        made, _ = self._next(fields, self._head)
        with self._lock:
            self._kept.append(made.entry)
            self._head = made.anchor
        return made.entry
