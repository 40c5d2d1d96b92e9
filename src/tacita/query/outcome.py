"""What restrictions said about a question, and what follows from it: any deny wins, then any review."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tacita.query.answer import Answer, Status
from tacita.query.question import RefusalError
from tacita.query.restrictions.restriction import Ruling

__all__ = ["Explanation", "Outcome", "decided", "refusal"]


@dataclass(frozen=True)
class Outcome:
    """What one restriction said about a question.

    Parameters
    ----------
    rule
        Its name, which is all that a user learns.
    ruling
        Its decision, with the reason for the journal.
    """

    rule: str
    ruling: Ruling

    @classmethod
    def of_refusal(cls, refused: RefusalError) -> Outcome:
        """Return what a question that was not understood, or not computed, is entered as."""
        return cls(refused.rule, Ruling("deny", refused.detail))


@dataclass(frozen=True)
class Explanation:
    """What every restriction would say about a question: for the steward, since it tells thresholds to who asks often.

    Parameters
    ----------
    status
        What the answer would be.
    outcomes
        Restrictions by stage, with their decisions and reasons.
    records
        Number of records of the universe; None where it was not found.
    """

    status: Status
    outcomes: tuple[Outcome, ...]
    records: int | None = None

    def to_plain(self) -> dict[str, Any]:
        """Return the explanation ready for JSON."""
        rows = [{"rule": o.rule, "decision": o.ruling.decision, "detail": o.ruling.detail} for o in self.outcomes]
        return {"status": self.status, "records": self.records, "rules": rows}


def decided(outcomes: Iterable[Outcome]) -> Answer | None:
    """Return the answer that rulings alone give: any deny wins, then any review; None where all allow.

    Examples
    --------
    >>> decided([Outcome("waits", Ruling("allow")), Outcome("combinations", Ruling("review"))])
    Answer: review (combinations)
    """
    listed = tuple(outcomes)
    wins: tuple[tuple[str, Status], ...] = (("deny", "refused"), ("review", "review"))
    for decision, status in wins:
        reasons = tuple(o.rule for o in listed if o.ruling.decision == decision)
        if reasons:
            return Answer(status=status, reasons=reasons)
    return None


def refusal(refused: RefusalError) -> Answer:
    """Return a refusal as the user gets it: one rule's name, and a hint made of published metadata."""
    return Answer(status="refused", reasons=(refused.rule,), hint=refused.hint)
