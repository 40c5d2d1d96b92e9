"""Which entries of a journal are answers that left: what a database has to remember when it is opened again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tacita.query.journal.entry import JournalEntry

__all__ = ["REPEATED", "answers_that_left"]

REPEATED = "answered_before"
"""What the journal says of a question that was answered before, and got the same answer again."""


def answers_that_left(entries: Iterable[JournalEntry], version: str) -> Iterator[JournalEntry]:
    """Give the entries of answers to a data version, each answer once.

    Parameters
    ----------
    entries
        Entries of a journal, in their order.
    version
        The id of the data version.

    Notes
    -----
    Answers that were given again add nothing, and with a budget would be paid for twice. Which policy gave an answer
    does not matter: what left has left.
    """
    for entry in entries:
        is_answer = entry.kind == "request" and entry.status == "answered" and entry.versions.get("data") == version
        if is_answer and all(said.rule != REPEATED for said in entry.rules):
            yield entry
