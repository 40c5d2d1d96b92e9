"""Query-set-size control: no question about few records, or about all but few."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from tacita.core.constraints import Interval
from tacita.core.traits import RestrictionTraits
from tacita.query.audit.set_size import judge_set_size
from tacita.query.restrictions.restriction import ALLOW, Restriction, Ruling, deny

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["SetSize"]


@dataclass(frozen=True, kw_only=True)
class SetSize(Restriction):
    """Refuse a universe of fewer than k records, or one that leaves fewer than k records out.

    Protects against asking for a person, directly or by the complement. Does not protect against trackers, which pad a
    small set with records and take them out again; a policy needs an auditor, subsampling or noise beside it.

    Parameters
    ----------
    k
        Fewest records of a universe, and of what it leaves out. Everybody is allowed.

    Complexity
    ----------
    O(n) to find the universe among n records.

    Notes
    -----
    It looks at the universe and not at the cells of a table: cells of one record pass. Whether a set has k records
    depends on the data, so a refusal tells a little.

    References
    ----------
    Denning, Denning & Schwartz (1979), The tracker.

    Examples
    --------
    >>> SetSize(k=5).k
    5
    """

    name = "set_size"
    faces = ("individual_tracker", "general_tracker", "double_tracker", "union_tracker")
    traits = RestrictionTraits(stage="universe")

    k: Annotated[int, Interval(1)] = 10

    def judge(self, question: Question) -> Ruling:
        found = judge_set_size(len(question.members), len(question.version), k=self.k)
        return ALLOW if found.is_allowed else deny(found.reason)
