"""Which entries of a journal are answers that left: what a database has to remember when it is opened again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tacita.query.journal.entry import JournalEntry

__all__ = ["REPEATED", "WITHDRAWN", "answers_that_left", "withdrawn"]

REPEATED = "answered_before"
"""What the journal says of a question that was answered before, and got the same answer again."""

WITHDRAWN = "withdrawn"
"""What the journal says where an answer was entered and then held back; the detail is the number of that entry."""


def withdrawn(entries: Iterable[JournalEntry]) -> frozenset[int]:
    """Return the numbers of the entries whose answers were held back."""
    said = (said for entry in entries for said in entry.rules if said.rule == WITHDRAWN)
    return frozenset(int(one.detail) for one in said if str(one.detail).isdecimal())


def answers_that_left(
    entries: Iterable[JournalEntry], version: str, held_back: frozenset[int] = frozenset()
) -> Iterator[JournalEntry]:
    """Give the entries of answers to a data version, each answer once.

    Parameters
    ----------
    entries
        Entries of a journal, in their order.
    version
        The id of the data version.
    held_back
        Numbers of entries whose answers never left.

    Notes
    -----
    Answers that were given again add nothing, and with a budget would be paid for twice. Which policy gave an answer
    does not matter: what left has left.
    """
    for entry in entries:
        is_answer = entry.kind == "request" and entry.status == "answered" and entry.versions.get("data") == version
        if is_answer and entry.number not in held_back and all(said.rule != REPEATED for said in entry.rules):
            yield entry
