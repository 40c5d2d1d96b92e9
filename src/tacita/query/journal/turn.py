"""A turn at a journal: for as long as it lasts nobody else writes, so what is judged and what is entered fit together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tacita.query.journal.entry import JournalEntry, RuleOutcome

__all__ = ["JournalTurn"]


@dataclass(frozen=True, eq=False)
class JournalTurn:
    """The right to write into a journal, held for a moment.

    Parameters
    ----------
    since
        Gives the entries after a number, whoever wrote them, in their order.
    put
        Writes an entry of these fields at the end of the chain.
    fields
        Makes the fields of an entry.
    cuts
        For each time that the disk failed and entries were taken back: the number of the first of them. Others may have
        these numbers now, so whoever remembers such entries has to forget them.

    Notes
    -----
    What is written in a turn is in its place in the chain, but perhaps not on the disk yet: nothing may leave before
    ``settle`` of the journal has returned.
    """

    since: Callable[[int], list[JournalEntry]]
    put: Callable[[dict[str, Any]], JournalEntry]
    fields: Callable[..., dict[str, Any]]
    cuts: tuple[int, ...] = ()

    def write(
        self,
        kind: str = "request",
        *,
        user: str | None = None,
        request: Mapping[str, Any] | None = None,
        status: str | None = None,
        rules: Iterable[RuleOutcome | tuple[str, str, Any]] = (),
        answer: Any = None,
        versions: Mapping[str, str] | None = None,
    ) -> JournalEntry:
        """Write an entry; see :meth:`tacita.query.journal.base.QueryJournal.append` for what it takes."""
        return self.put(
            self.fields(kind, user=user, request=request, status=status, rules=rules, answer=answer, versions=versions)
        )
