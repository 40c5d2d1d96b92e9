"""Questions by the ids of their answers: what has an address can be fetched again."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from tacita.query.journal.base import QueryJournal
from tacita.query.journal.entry import JournalEntry

__all__ = ["AskedQuestions"]


class AskedQuestions:
    """The questions of a data version that were answered or wait for a person, by the id of the answer.

    Parameters
    ----------
    most
        Questions whose text is kept in memory. Of others the number of their entry is, and the journal is read.

    Notes
    -----
    An id that no question has is answered from memory: whoever tries ids makes nobody read the journal.
    """

    def __init__(self, *, most: int = 4096) -> None:
        self.most = most
        self._numbers: dict[str, int] = {}
        self._texts: OrderedDict[str, str] = OrderedDict()

    def __len__(self) -> int:
        return len(self._numbers)

    def knows(self, id: str) -> bool:
        """Whether a question has this id."""
        return id in self._numbers

    def note(self, id: str, entry: JournalEntry) -> None:
        """Keep a question by the id of its answer."""
        if id in self._numbers:
            return
        self._numbers[id] = entry.number
        self._texts[id] = json.dumps(entry.request, ensure_ascii=False, separators=(",", ":"))
        if len(self._texts) > self.most:
            self._texts.popitem(last=False)

    def request(self, id: str, journal: QueryJournal) -> Mapping[str, Any] | None:
        """Return the question with this id; None where there is none."""
        number, text = self._numbers.get(id), self._texts.get(id)
        if number is None:
            return None
        if text is not None:
            found: Mapping[str, Any] = json.loads(text)
            return found
        found_again = journal.entry(number)
        return None if found_again is None else found_again.request
