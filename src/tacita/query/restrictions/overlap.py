"""Overlap control: a question may have few records in common with every question that was answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from tacita.core.constraints import Interval
from tacita.core.traits import RestrictionTraits
from tacita.query.audit.overlap import OverlapControl
from tacita.query.restrictions.restriction import ALLOW, Restriction, Ruling, deny

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["Overlap"]


@dataclass(frozen=True, kw_only=True)
class Overlap(Restriction):
    """Refuse a universe that has more than ``most`` records in common with one that was answered; the same set is free.

    With sets of at least k records that overlap in at most r, nobody finds a single value from fewer than 1 + (k - 1) /
    r sums.

    Protects against differences of similar universes. Does not protect against many questions with small overlaps,
    and uses up the data quickly: after a question about everybody nothing else is answered.

    Parameters
    ----------
    most
        Records that two universes may have in common.

    Complexity
    ----------
    O(n) for a universe among n records, and O(n / 64) for each answered one.

    Notes
    -----
    Kept for comparison: known to be weak, and costly. A universe of at most ``most`` records passes always, so a rule
    on the size of sets belongs beside it.

    References
    ----------
    Dobkin, Jones & Lipton (1979), Secure databases: protection against user influence.

    Examples
    --------
    >>> Overlap(most=10).most
    10
    """

    name = "overlap"
    faces = ("universe_difference", "individual_tracker")
    traits = RestrictionTraits(stage="history", value_free=True)

    most: Annotated[int, Interval(0)] = 10

    def control(self, question: Question) -> OverlapControl:
        """Return the memory of the data version."""
        version = question.version
        return question.history.memory(self, version.id, lambda: OverlapControl(len(version), overlap=self.most))

    def judge(self, question: Question) -> Ruling:
        found = self.control(question).judge(question.members.rows)
        return ALLOW if found.is_allowed else deny(found.reason)

    def record(self, question: Question) -> None:
        self.control(question).record(question.members.rows)
