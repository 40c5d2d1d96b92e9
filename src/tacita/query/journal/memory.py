"""A journal that is kept in memory: for servers whose answers were all decided beforehand, and for trying things out.

It is not silent: every entry is chained and sealed as in a file, and its head can be anchored. It ends with its process.
"""

from __future__ import annotations

import secrets
import threading
from collections import deque
from collections.abc import Iterator
from typing import Any

from tacita.core.errors import ParameterError
from tacita.core.keyed import Key, KeyLike
from tacita.query.journal.anchor import Anchor
from tacita.query.journal.base import Now, QueryJournal, utc_now
from tacita.query.journal.entry import JournalEntry

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
        self._lock = threading.Lock()
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

    def _add(self, fields: dict[str, Any]) -> JournalEntry:
        with self._lock:
            made, _ = self._next(fields, self._head)
            self._kept.append(made.entry)
            self._head = made.anchor
        return made.entry
