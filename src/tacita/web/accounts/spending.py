"""Spending: reservations against budgets, counted in the store before the work starts and never given back."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from tacita.core.errors import ParameterError
from tacita.web.accounts.budget import (
    MOST,
    BudgetLine,
    BudgetRule,
    Per,
    Reservation,
    SpendingRow,
    decide,
    kept_since,
    periods_at,
)
from tacita.web.accounts.store import Statements
from tacita.web.accounts.visitor import Visitor, check_name

__all__ = ["Asked", "check_asked", "reserve_all", "spent_so_far"]

Asked: TypeAlias = tuple[Visitor, str, int]
"""Who asks, about which data set, how many questions."""

_AT_ONCE = 500
_KEY = "scope, subject, dataset, per, period"


def check_asked(asked: Iterable[Asked]) -> list[Asked]:
    """Return what is asked for, or raise when some of it cannot be.

    Raises
    ------
    ParameterError
        When a visitor is none, a data set has no name, or the number of questions is not a whole one of at least 1.
    """
    found = []
    for visitor, dataset, questions in asked:
        if not isinstance(visitor, Visitor):
            raise ParameterError(f"'visitor' must be a Visitor, got {type(visitor).__name__}.")
        try:
            number = operator.index(questions)
        except TypeError:
            number = 0
        if not 1 <= number <= MOST or isinstance(questions, bool):
            raise ParameterError(f"'questions' must be a whole number in [1, {MOST}].")
        found.append((visitor, check_name(dataset, "dataset"), number))
    return found


def reserve_all(
    statements: Statements, asked: Sequence[Asked], rules: Sequence[BudgetRule], moment: float
) -> list[Reservation]:
    """Grant or refuse each of several requests, in their order; what is granted counts for those after it.

    Parameters
    ----------
    statements
        A transaction in which nobody else writes.
    asked
        The requests.
    rules
        The budgets.
    moment
        Seconds since 1970.

    Notes
    -----
    One query for 500 budgets and one statement that writes those that changed. O(requests times rules).
    """
    periods = _periods(statements, moment)
    lines = [
        [(rule, line) for rule in rules if (line := rule.line(visitor, dataset, periods)) is not None]
        for visitor, dataset, _ in asked
    ]
    spent = _spent(statements, list({line for some in lines for _, line in some}))
    before = dict(spent)
    found = [decide(some, questions, spent, moment) for some, (_, _, questions) in zip(lines, asked, strict=True)]
    changed = [(*line, number) for line, number in spent.items() if before.get(line) != number]
    if changed:
        statements.change_many(
            f"INSERT INTO tacita_spending ({_KEY}, spent) VALUES (?, ?, ?, ?, ?, ?) "
            f"ON CONFLICT ({_KEY}) DO UPDATE SET spent = excluded.spent",
            changed,
        )
    return found


def spent_so_far(statements: Statements, dataset: str | None) -> list[SpendingRow]:
    """Return what was spent of every budget, of one data set or of all."""
    where, values = ("", ()) if dataset is None else (" WHERE dataset = ?", (dataset,))
    found = statements.rows(f"SELECT scope, subject, dataset, period, spent FROM tacita_spending{where}", values)
    return sorted(SpendingRow(*row) for row in found)


def _periods(statements: Statements, moment: float) -> dict[Per, str]:
    """Return the periods that count now; when one begins, say so in the store and clear away what is long over."""
    latest: dict[str, str] = {row[0]: row[1] for row in statements.rows("SELECT per, latest FROM tacita_periods")}
    periods = periods_at(moment, latest)
    for per, period in periods.items():
        if period == latest.get(per):
            continue
        statements.change(
            "INSERT INTO tacita_periods (per, latest) VALUES (?, ?) ON CONFLICT (per) DO UPDATE SET latest = excluded.latest",
            (per, period),
        )
        if per in latest:
            # Reckoned from the period before, so that a clock that jumps ahead clears away nothing that may count again.
            statements.change(
                "DELETE FROM tacita_spending WHERE per = ? AND period < ?", (per, kept_since(per, latest[per]))
            )
    return periods


def _spent(statements: Statements, lines: Sequence[BudgetLine]) -> dict[BudgetLine, int]:
    found: dict[BudgetLine, int] = {}
    for start in range(0, len(lines), _AT_ONCE):
        some = lines[start : start + _AT_ONCE]
        marks = ", ".join(["(?, ?, ?, ?, ?)"] * len(some))
        rows = statements.rows(
            f"SELECT {_KEY}, spent FROM tacita_spending WHERE ({_KEY}) IN (VALUES {marks})",
            [value for line in some for value in line],
        )
        found |= {BudgetLine(*row[:5]): row[5] for row in rows}
    return found
