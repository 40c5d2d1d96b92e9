"""Questions that wait for a person, and what was decided about them: all of it from the journal, none of it lost."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from tacita.core.errors import ParameterError
from tacita.query.journal.entry import JournalEntry
from tacita.query.outcome import Outcome
from tacita.query.restrictions.restriction import ALLOW, deny

__all__ = ["DECISION", "DENIED", "Review", "Reviews"]

DECISION = "decision"
"""Kind of the entries that say what a steward decided."""

DENIED = "denied_by_review"
"""The rule that a question meets which a steward has refused."""


@dataclass(frozen=True, kw_only=True)
class Review:
    """A question that a rule left to a person.

    Parameters
    ----------
    number
        Number of the entry of the journal where it was first asked.
    time
        When, in UTC.
    user
        Pseudonym of who asked; None where the journal keeps none.
    request
        The question in canonical form.
    rules
        The rules that left it to a person, each with its detail.
    state
        ``waiting``, ``allowed`` or ``denied``.
    """

    number: int
    time: str
    user: str | None
    request: Mapping[str, Any]
    rules: tuple[tuple[str, str], ...]
    state: Literal["waiting", "allowed", "denied"] = "waiting"

    def to_plain(self) -> dict[str, Any]:
        """Return the review ready for JSON."""
        rules = [{"rule": rule, "detail": detail} for rule, detail in self.rules]
        return {
            "number": self.number,
            "time": self.time,
            "user": self.user,
            "request": dict(self.request),
            "rules": rules,
            "state": self.state,
        }


class Reviews:
    """What waits for a person, and what was decided, by the question."""

    def __init__(self) -> None:
        self._found: dict[str, Review] = {}

    def __len__(self) -> int:
        return sum(review.state == "waiting" for review in self._found.values())

    def listed(self, state: Literal["waiting", "allowed", "denied"] = "waiting") -> tuple[Review, ...]:
        """Return the reviews in a state, oldest first."""
        return tuple(sorted((r for r in self._found.values() if r.state == state), key=lambda review: review.number))

    def waiting(self, number: int) -> Review:
        """Return the review of a number that waits.

        Raises
        ------
        ParameterError
            When there is none.
        """
        for review in self.listed():
            if review.number == number:
                return review
        raise ParameterError(f"'number' must be that of a question that waits for a person, got {number}.")

    def note(self, entry: JournalEntry) -> None:
        """Take from an entry of the journal whether something waits, or was decided."""
        if entry.kind == "request" and entry.status == "review" and entry.request is not None:
            rules = tuple((said.rule, str(said.detail or "")) for said in entry.rules if said.decision == "review")
            made = Review(number=entry.number, time=entry.time, user=entry.user, request=entry.request, rules=rules)
            self._found.setdefault(_text(entry.request), made)
        elif entry.kind == DECISION:
            self.decided(entry)

    def decided(self, entry: JournalEntry) -> Review | None:
        """Note a decision; return the review that it is about."""
        place = _text(entry.request or {})
        if place not in self._found or entry.status not in ("allowed", "denied"):
            return None
        self._found[place] = replace(self._found[place], state=entry.status)  # type: ignore[arg-type]
        return self._found[place]

    def settled(self, question: str, outcomes: tuple[Outcome, ...]) -> tuple[Outcome, ...]:
        """Return what rules said of a question after what a person said of it: what was left to him is allowed or refused.

        Parameters
        ----------
        question
            The canonical question as JSON.
        outcomes
            What the rules said.
        """
        state = self._found[question].state if question in self._found else "waiting"
        if state == "waiting":
            return outcomes
        if state == "denied":
            return (*outcomes, Outcome(DENIED, deny("a steward has refused it")))
        return tuple(Outcome(o.rule, ALLOW) if o.ruling.decision == "review" else o for o in outcomes)


def _text(request: Mapping[str, Any]) -> str:
    return json.dumps(request, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
