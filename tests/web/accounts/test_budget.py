"""Budgets: rules that are checked, periods of the calendar, decisions."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.web.accounts.budget import PERIODS, BudgetRule, Reservation, decide, end_of, kept_since, periods_at
from tests.effort import examples
from tests.web.accounts.children import ANN, BEGIN, EVE, rule


@pytest.mark.parametrize(
    "given", [{"scope": "house"}, {"scope": "user", "questions": -1}, {"scope": "user", "per": "week"}, {}]
)
def test_a_rule_is_checked_when_it_is_made(given: dict[str, object]) -> None:
    with pytest.raises((ParameterError, TypeError)):
        BudgetRule(**given)


def test_a_rule_has_a_plain_form() -> None:
    plain = {"scope": "user", "questions": 5, "per": "hour"}
    assert BudgetRule.from_plain(plain).to_plain() == plain


def test_periods_are_those_of_the_calendar() -> None:
    assert periods_at(BEGIN, {}) == {"hour": "2030-01-31T23", "day": "2030-01-31", "month": "2030-01", "ever": "ever"}


@given(st.floats(0, 4e9), st.sampled_from(PERIODS))
@settings(max_examples=examples(30))
def test_a_period_ends_when_the_next_begins(moment: float, per: str) -> None:
    period = periods_at(moment, {})[per]
    end = end_of(per, period)
    if end is None:
        assert per == "ever"
        return
    assert moment < end
    assert periods_at(end - 1, {})[per] >= period
    assert periods_at(end, {})[per] > period
    assert periods_at(end - 0.5, {})[per] == period


def test_a_clock_that_jumps_back_stays_in_the_latest_period() -> None:
    latest = periods_at(BEGIN, {})
    assert periods_at(BEGIN - 86400 * 60, latest) == latest


def test_what_is_kept() -> None:
    assert kept_since("hour", "2030-01-31T23") == "2030-01-24T23"
    assert kept_since("day", "2030-01-31") == "2028-12-27"
    assert kept_since("month", "2030-01") == kept_since("ever", "ever") == ""


def lines(*rules: BudgetRule) -> list[tuple[BudgetRule, object]]:
    return [(one, one.line(ANN, "survey", periods_at(BEGIN, {}))) for one in rules]


def test_all_or_nothing() -> None:
    spent: dict[object, int] = {}
    both = lines(rule("user", 5), rule("dataset", 2))
    assert decide(both, 2, spent, BEGIN) == Reservation(True)
    assert decide(both, 1, spent, BEGIN) == Reservation(False, "dataset", 1800)
    assert set(spent.values()) == {2}


def test_the_same_budget_in_two_rules_is_charged_once_and_the_smaller_counts() -> None:
    spent: dict[object, int] = {}
    twice = lines(rule("user", 5), rule("user", 3))
    assert decide(twice, 3, spent, BEGIN).granted
    assert list(spent.values()) == [3]
    assert not decide(twice, 1, spent, BEGIN).granted


@pytest.mark.parametrize(
    ("rules", "questions", "told"),
    [
        ([rule("user", 0, "hour")], 1, ("user", None)),
        ([rule("user", 5, "ever")], 1, ("user", None)),
        ([rule("dataset", 5, "hour"), rule("user", 5, "month")], 1, ("dataset", 1800)),
        ([rule("organisation", 5, "day")], 6, ("organisation", None)),
    ],
)
def test_how_long_to_wait(rules: list[BudgetRule], questions: int, told: tuple[str, int | None]) -> None:
    given = lines(*rules)
    spent = {line: 5 for _, line in given}
    found = decide(given, questions, spent, BEGIN)
    assert (found.granted, found.scope, found.retry_after) == (False, *told)


def test_the_longest_wait_counts() -> None:
    given = lines(rule("user", 5, "hour"), rule("user", 5, "month"), rule("user", 9, "ever"))
    later = datetime(2030, 1, 10, tzinfo=UTC).timestamp()
    spent = {line: 5 for _, line in given}
    assert decide(given, 1, spent, later) == Reservation(False, "user", 22 * 86400)


@pytest.mark.parametrize(
    ("scope", "of_ann", "of_eve"),
    [
        ("user", "ann", None),
        ("organisation", "institute", None),
        ("address", None, "198.51.100.0/24"),
        ("dataset", "survey", "survey"),
    ],
)
def test_whom_a_scope_is_about(scope: str, of_ann: str | None, of_eve: str | None) -> None:
    for visitor, subject in ((ANN, of_ann), (EVE, of_eve)):
        line = rule(scope, 1).line(visitor, "survey", periods_at(BEGIN, {}))
        assert (None if line is None else line.subject) == subject
