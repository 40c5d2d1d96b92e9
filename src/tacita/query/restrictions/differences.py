"""Differences of universes: a question may not differ from an answered one by few records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from tacita.core.constraints import Interval
from tacita.core.traits import RestrictionTraits
from tacita.query.audit.differences import DifferenceAudit
from tacita.query.restrictions.restriction import ALLOW, Restriction, Ruling, deny

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["Differences"]


@dataclass(frozen=True, kw_only=True)
class Differences(Restriction):
    """Refuse a universe that differs from an answered one, or from its complement, in fewer than ``least`` records.

    Protects against the plain differencing attack, by one user or several: U(n) less U(n - 1). Does not protect against
    sums of several differences; the auditor of sums does.

    Parameters
    ----------
    least
        Fewest records that two universes may differ by.

    Complexity
    ----------
    O(n) for a universe among n records, and O(n / 64) for each answered one of nearly the same size.

    Notes
    -----
    The statistics of everybody count as known, so universes of few records, and of all but few, are refused as well.
    The set that was answered, or its complement, is free.

    References
    ----------
    Lucero et al. (2011), section 3.1.2, differencing attack disclosure.

    Examples
    --------
    >>> Differences(least=3).least
    3
    """

    name = "differences"
    faces = ("universe_difference", "individual_tracker")
    traits = RestrictionTraits(stage="history", value_free=True)

    least: Annotated[int, Interval(2)] = 3

    def audit(self, question: Question) -> DifferenceAudit:
        """Return the memory of the data version."""
        version = question.version
        return question.history.memory(self, version.id, lambda: DifferenceAudit(len(version), limit=self.least))

    def judge(self, question: Question) -> Ruling:
        found = self.audit(question).judge(question.members.rows)
        return ALLOW if found.is_allowed else deny(found.reason)

    def record(self, question: Question) -> None:
        self.audit(question).record(question.members.rows)
