"""What every journal does, wherever it is kept: it takes what happened and gives back the entry once that is safe."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Any, TypeAlias

from tacita._version import __version__
from tacita.core.errors import ParameterError
from tacita.core.keyed import KeyLike
from tacita.query.journal.anchor import Anchor
from tacita.query.journal.chain import FORM, ChainedLine, JournalKeys
from tacita.query.journal.entry import JournalEntry, RuleOutcome
from tacita.query.journal.turn import JournalTurn

__all__ = ["Now", "QueryJournal", "utc_now"]

Now: TypeAlias = Callable[[], datetime]
"""A clock: it says what time it is, with its time zone."""


def utc_now() -> datetime:
    """Return the time of the system, in UTC."""
    return datetime.now(UTC)


class QueryJournal(ABC):
    """A chain of entries that only grows.

    Parameters
    ----------
    key
        The key of the database; the journal derives its own from it.
    identities
        Whether pseudonyms of users are kept. When not, two entries of one user cannot be told from those of two.
    now
        The clock.

    Notes
    -----
    An entry has a pseudonym instead of the user's name, and a keyed digest instead of the answer, so a journal can be given to
    an auditor without the key. It must stay inside all the same: requests and refusals tell about the data.
    """

    def __init__(self, *, key: KeyLike, identities: bool = True, now: Now = utc_now) -> None:
        self._keys = JournalKeys(key)
        self._identities = identities
        self._now = now

    def append(
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
        """Write an entry; when this returns, it is as safe as this journal keeps things, and the answer may leave.

        Parameters
        ----------
        kind
            What happened: ``request``, ``version`` or another word.
        user
            Name of who asked; only its pseudonym is kept.
        request
            The canonical request in plain values.
        status
            ``answered``, ``refused`` or ``review``.
        rules
            What the rules said: name of the rule, decision, detail.
        answer
            What leaves, in plain values; only its keyed digest is kept. None when nothing leaves.
        versions
            What the answer was made of, such as ``data`` and ``policy``; the version of the package is added.

        Returns
        -------
        JournalEntry
            The entry as it was written.

        Raises
        ------
        ParameterError
            When something is not plain, or too large for an entry.
        FileError
            When it cannot be written, on a full disk for instance; the answer must not leave then.

        Notes
        -----
        O(size of the entry and the answer).
        """
        with self.turn() as turn:
            entry = turn.write(
                kind, user=user, request=request, status=status, rules=rules, answer=answer, versions=versions
            )
        self.settle(entry)
        return entry

    @abstractmethod
    def turn(self) -> AbstractContextManager[JournalTurn]:
        """Hold the journal for a moment: read what others entered, judge by it, and write.

        Raises
        ------
        FileError
            When the journal cannot be opened, or is not the one that it was.
        """

    @abstractmethod
    def settle(self, entry: JournalEntry) -> None:
        """Return when an entry that was written in a turn is as safe as this journal keeps things; then its answer may leave.

        Raises
        ------
        FileError
            When that fails; the answer must not leave then.
        """

    def _fields(
        self,
        kind: str,
        *,
        user: str | None,
        request: Mapping[str, Any] | None,
        status: str | None,
        rules: Iterable[RuleOutcome | tuple[str, str, Any]],
        answer: Any,
        versions: Mapping[str, str] | None,
    ) -> dict[str, Any]:
        asked = None if request is None else dict(request)
        return {
            "answer": None if answer is None else self._keys.answer_digest(asked, answer),
            "kind": kind,
            "request": asked,
            "rules": [_listed(said) for said in rules],
            "status": status,
            "user": None if user is None else self.pseudonym(user),
            "versions": {**(versions or {}), "package": __version__},
        }

    def pseudonym(self, user: str) -> str | None:
        """Return what stands for a user in this journal; None when it keeps no identities."""
        return self._keys.pseudonym(user) if self._identities else None

    def answer_digest(self, request: Mapping[str, Any] | None, answer: Any) -> str:
        """Return what stands for an answer to a request, to see whether it is the one that left."""
        return self._keys.answer_digest(None if request is None else dict(request), answer)

    @abstractmethod
    def head(self) -> str:
        """Return the anchor of the last entry as a short text, to be kept where nobody can change it."""

    @abstractmethod
    def entries(self) -> Iterator[JournalEntry]:
        """Give the entries that are kept, from the first to the last."""

    def entry(self, number: int) -> JournalEntry | None:
        """Return the entry of a number; None where there is none."""
        return next((entry for entry in self.entries() if entry.number == number), None)

    # --- for the kinds of journal ----------------------------------------------------------------------------------------

    def _next(self, fields: dict[str, Any], before: Anchor | None) -> tuple[ChainedLine, bytes]:
        """Seal an entry that follows another one, with the time of this moment."""
        now = self._now()
        if now.tzinfo is None:
            raise ParameterError("The clock of a journal must give times with a time zone; use datetime.now(UTC).")
        moment = now.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
        number, previous = (0, "0" * 64) if before is None else (before.number + 1, before.hash)
        return ChainedLine.make({**fields, "number": number, "previous": previous, "time": moment}, self._keys)

    @staticmethod
    def _fields_of(kind: str, request: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of an entry that the journal writes about itself."""
        return {
            "answer": None,
            "kind": kind,
            "request": request,
            "rules": [],
            "status": None,
            "user": None,
            "versions": {"package": __version__},
        }

    def _first(self, name: str) -> dict[str, Any]:
        """Return the fields of the first entry; its random name makes every chain one of its own."""
        return self._fields_of("journal", {"form": FORM, "identities": self._identities, "name": name})


def _listed(said: RuleOutcome | tuple[str, str, Any]) -> list[Any]:
    return [said.rule, said.decision, said.detail] if isinstance(said, RuleOutcome) else list(said)
