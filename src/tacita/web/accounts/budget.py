"""Budgets: how many questions somebody may ask in a period, and what a reservation of some of them says."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal, NamedTuple, TypeAlias, get_args

from tacita.core.constraints import Interval
from tacita.core.parameterised import Parameterised
from tacita.web.accounts.visitor import Visitor, address_range

__all__ = ["MOST", "PERIODS", "BudgetLine", "BudgetRule", "Per", "Reservation", "Scope", "SpendingRow", "end_of"]

Scope: TypeAlias = Literal["user", "organisation", "address", "dataset"]
Per: TypeAlias = Literal["hour", "day", "month", "ever"]
PERIODS: tuple[Per, ...] = get_args(Per)
MOST = 10**12
"""Questions that a rule may allow at most; sums of them are exact in every store."""

_FORMS: dict[Per, str] = {"hour": "%Y-%m-%dT%H", "day": "%Y-%m-%d", "month": "%Y-%m", "ever": "ever"}


@dataclass(frozen=True, kw_only=True)
class BudgetRule(Parameterised):
    """How many questions may be asked about one data set.

    Parameters
    ----------
    scope
        Who shares the budget. ``user``: one user, for visitors with a token. ``organisation``: all users of one, where they have
        one. ``address``: all visitors without a token from one range of addresses. ``dataset``: all visitors together.
    questions
        How many; 0 for none.
    per
        The period: ``hour``, ``day``, ``month``, or ``ever``. Periods are those of the calendar in UTC.

    Notes
    -----
    Every data set has budgets of its own. A rule counts what is asked while it holds: one that is added later begins with
    nothing spent.

    Examples
    --------
    >>> BudgetRule(scope="user", questions=100, per="day").questions
    100
    """

    scope: Scope
    questions: Annotated[int, Interval(0, MOST)] = 1000
    per: Per = "day"

    def line(self, visitor: Visitor, dataset: str, periods: Mapping[Per, str]) -> BudgetLine | None:
        """Return what a question of a visitor is counted under; None when the rule is not about him.

        Parameters
        ----------
        visitor, dataset
            Who asks, about what.
        periods
            The period of each length that counts now.
        """
        subject = _subject(self.scope, visitor, dataset)
        return BudgetLine(self.scope, subject, dataset, self.per, periods[self.per]) if subject else None


@dataclass(frozen=True)
class Reservation:
    """Whether some questions may be asked.

    Parameters
    ----------
    granted
        Whether they may; they are counted then, and stay so whatever becomes of them.
    scope
        Empty, or the scope of the first rule whose budget does not suffice.
    retry_after
        Seconds until every budget that did not suffice begins anew; None when waiting does not help.
    """

    granted: bool
    scope: str = ""
    retry_after: int | None = None


class BudgetLine(NamedTuple):
    """One account of questions: who shares it, about which data set, in which period."""

    scope: str
    subject: str
    dataset: str
    per: Per
    period: str


class SpendingRow(NamedTuple):
    """What was spent of one budget."""

    scope: str
    subject: str
    dataset: str
    period: str
    spent: int


def periods_at(moment: float, latest: Mapping[str, str]) -> dict[Per, str]:
    """Return the period of each length that counts at a moment: never one before the latest that was seen.

    Parameters
    ----------
    moment
        Seconds since 1970.
    latest
        The latest periods that the store has seen.
    """
    now = datetime.fromtimestamp(moment, UTC)
    return {per: max(now.strftime(form), latest.get(per, "")) for per, form in _FORMS.items()}


def end_of(per: Per, period: str) -> float | None:
    """Return when a period ends, in seconds since 1970; None for never.

    Examples
    --------
    >>> end_of("day", "1970-01-01"), end_of("month", "1970-12"), end_of("ever", "ever")
    (86400.0, 31536000.0, None)
    """
    if per == "ever":
        return None
    begin = datetime.strptime(period, _FORMS[per]).replace(tzinfo=UTC)
    if per == "month":
        end = (begin + timedelta(days=31)).replace(day=1)
    else:
        end = begin + (timedelta(hours=1) if per == "hour" else timedelta(days=1))
    return end.timestamp()


def kept_since(per: Per, latest: str) -> str:
    """Return the period before which nothing needs to be kept, once a later one has begun."""
    days = {"hour": 7, "day": 400}.get(per)
    if days is None:
        return ""
    return (datetime.strptime(latest, _FORMS[per]) - timedelta(days=days)).strftime(_FORMS[per])


def decide(
    lines: Iterable[tuple[BudgetRule, BudgetLine]], questions: int, spent: dict[BudgetLine, int], moment: float
) -> Reservation:
    """Grant or refuse some questions; when they are granted, count them in ``spent``, each line once.

    Parameters
    ----------
    lines
        The rules that are about the visitor, each with its line.
    questions
        How many are asked for.
    spent
        What was spent of each line.
    moment
        Seconds since 1970.
    """
    lines = tuple(lines)
    lacking = [(rule, line) for rule, line in lines if spent.get(line, 0) + questions > rule.questions]
    if not lacking:
        for line in {line for _, line in lines}:
            spent[line] = spent.get(line, 0) + questions
        return Reservation(True)
    ends = [None if questions > rule.questions else end_of(line.per, line.period) for rule, line in lacking]
    waits = [max(math.ceil(end - moment), 1) for end in ends if end is not None]
    return Reservation(False, lacking[0][0].scope, max(waits) if len(waits) == len(ends) else None)


def _subject(scope: Scope, visitor: Visitor, dataset: str) -> str:
    """Return who is meant within a scope; empty when nobody is."""
    if scope == "dataset":
        return dataset
    if scope == "address":
        return address_range(visitor.address) if visitor.is_anonymous else ""
    if visitor.is_anonymous:
        return ""
    return visitor.user if scope == "user" else visitor.organisation
