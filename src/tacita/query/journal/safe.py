"""Which entries of a journal are on the disk: whoever waits for one brings all that were written meanwhile there with it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tacita.core.errors import FileError
from tacita.query.journal.entry import JournalEntry
from tacita.query.journal.locked_file import cannot, locked

__all__ = ["SafeEntries"]


class SafeEntries:
    """The entries of this process that were written and are not known to be on the disk.

    Parameters
    ----------
    path
        The journal.

    Notes
    -----
    Threads that wait take turns: the first one has the disk write everything that was entered until then, and the
    others find their entries there. So many answers at once cost one ``fsync``, and none leaves before it.

    When the disk fails, the entries that wait are cut off again and each of their answers is held back. A system may say
    only once that it could not write, so nothing that was written before that is taken for safe.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._waiting: dict[str, tuple[int, int]] = {}  # where the file ended before, and the number of the entry
        self._lost: set[str] = set()
        self._lock, self._syncing = threading.Lock(), threading.Lock()

    def wrote(self, entry: JournalEntry, end: int) -> None:
        """Note that an entry was written behind what the file had before."""
        with self._lock:
            self._waiting[entry.hash] = (end, entry.number)

    def settle(self, entry: JournalEntry, cut_back: Callable[[int, int, int], None]) -> None:
        """Return when an entry is on the disk.

        Parameters
        ----------
        entry
            The entry.
        cut_back
            Takes the open, locked file, the place where it shall end and the number of the first entry after it, and forgets
            what came after.

        Raises
        ------
        FileError
            When it could not be brought there.
        """
        with self._syncing:
            with self._lock:
                if entry.hash in self._lost:
                    self._lost.discard(entry.hash)
                    raise FileError(
                        f"The journal '{self._path.name}' could not be brought to the disk, so no answer leaves."
                    )
                if entry.hash not in self._waiting:
                    return
                taken = list(self._waiting)
            try:
                self._sync()
            except BaseException as error:
                self._give_up(entry, cut_back)
                if isinstance(error, OSError):
                    raise cannot(self._path, "brought to the disk", error) from error
                raise
            with self._lock:
                for name in taken:
                    self._waiting.pop(name, None)

    def _sync(self) -> None:
        handle = os.open(self._path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def _give_up(self, entry: JournalEntry, cut_back: Callable[[int, int, int], None]) -> None:
        """Hold back everything that waits; where the file cannot even be locked or cut, what was written stays in it."""
        with suppress(OSError, FileError), locked(self._path) as handle:
            cut_back(handle, *self._hold_back(entry))
            return
        self._hold_back(entry)

    def _hold_back(self, entry: JournalEntry) -> tuple[int, int]:
        """Take nothing that waits for safe; return where the first of it begins, and its number."""
        with self._lock:
            first = min(self._waiting.values(), default=(0, entry.number))
            self._lost |= set(self._waiting) - {entry.hash}
            self._waiting.clear()
            return first
