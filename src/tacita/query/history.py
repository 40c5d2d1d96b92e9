"""What a database has answered, as restrictions see it: one memory for all users, rebuilt from the journal."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from tacita.query.database import Database
    from tacita.query.question import Question
    from tacita.query.restrictions.restriction import Restriction

__all__ = ["History"]

T = TypeVar("T")
_MOST_TIMES = 100_000


@dataclass(eq=False)
class History:
    """What was answered, and the memory of restrictions.

    Notes
    -----
    Restrictions are frozen; what one has to remember lies here, under the restriction itself. Nothing in it is
    written to disk: the journal is, and :meth:`remember` is called again for each of its answered questions.

    It must have what the journal has, no less and no more: a rule that thinks something was answered which never left
    would take for free what is not.
    """

    previous: Database | None = field(default=None, repr=False)
    answered: int = 0
    changes: int = 0
    asked_at: dict[str, deque[float]] = field(default_factory=dict, repr=False)
    _memory: dict[tuple[str, Any, str], Any] = field(default_factory=dict, repr=False)

    def memory(self, restriction: Restriction, version: str, made: Callable[[], T]) -> T:
        """Return the memory of a restriction for one data version; it is made when first asked for."""
        place = (restriction.name, restriction, version)
        if place not in self._memory:
            self._memory[place] = made()
        found: T = self._memory[place]
        return found

    def was_asked(self, user: str, now: float) -> None:
        """Note that a user has asked something, answered or not."""
        self.asked_at.setdefault(user, deque(maxlen=_MOST_TIMES)).append(now)

    def times(self, user: str) -> tuple[float, ...]:
        """Return when a user asked, oldest first; of very many times the last ones."""
        return tuple(self.asked_at.get(user, ()))

    def remember(self, question: Question) -> None:
        """Let all restrictions of the policy remember a question that was answered."""
        self.answered += 1
        self.changes += 1
        for restriction in question.policy.restrictions:
            if restriction.applies(question):
                restriction.record(question)

    def forget(self) -> None:
        """Forget every answer, to be told all of them again: some have never left."""
        self.answered = 0
        self.changes += 1
        self._memory.clear()
        self.asked_at.clear()
