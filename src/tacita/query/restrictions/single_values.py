"""No single values: minimum, maximum, median and the like are values of one record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacita.core.traits import RestrictionTraits
from tacita.query.requests.statistic import Statistic
from tacita.query.restrictions.restriction import ALLOW, Restriction, Ruling, deny
from tacita.query.tables.statistic import SINGLE_VALUES

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["SingleValues"]


@dataclass(frozen=True, kw_only=True)
class SingleValues(Restriction):
    """Refuse statistics that are the value of a single record: minimum, maximum, median, quantiles, counts above any limit.

    Protects the records that have these values; counts above limits of the user's choice would find all of them.
    Quantiles are answered from bins instead. Under camouflage all of them are intervals, and this restriction is not
    needed.

    Notes
    -----
    A median of an even number of records lies between two values and is refused all the same. A single value can also
    be found by sums; that is for the auditor.

    References
    ----------
    Chin, F. (1986), Security problems on inference control for SUM, MAX, and MIN queries, Journal of the ACM 33,
    451-464.

    Examples
    --------
    >>> SingleValues().name
    'single_values'
    """

    name = "single_values"
    faces = ("refusal_reading",)
    traits = RestrictionTraits(stage="request", value_free=True)

    def applies(self, question: Question) -> bool:
        return isinstance(question.request, Statistic)

    def judge(self, question: Question) -> Ruling:
        request = question.request
        if isinstance(request, Statistic) and request.statistic in SINGLE_VALUES:
            return deny(f"'{request.statistic}' is a value of a single record")
        return ALLOW
