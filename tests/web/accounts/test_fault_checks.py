"""The checks of ``benchmarks/chaos`` see budgets that are doubled, lost or given again, and what a server must not do."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest
from benchmarks.chaos.checks import budget_flaws, periods_spent, questions_spent
from benchmarks.chaos.faults import Fault, Figures, unexpected
from benchmarks.server.survey import DATASET

from tacita.web.accounts import Accounts
from tests.web.accounts.children import ANN, HandClock, rule

RULES = [rule("dataset", 1000)]
FIGURES = Figures(before=9, during=0, told=9, after=9, back_ms=20)


def test_what_was_spent_is_between_what_arrived_and_what_was_sent(place: str, accounts: Accounts) -> None:
    for _ in range(3):
        accounts.reserve(ANN, DATASET, rules=RULES)
    accounts.reserve(ANN, "another", rules=RULES)
    assert questions_spent(place) == 3
    assert budget_flaws(received=2, spent=questions_spent(place), sent=4) == []
    assert budget_flaws(received=3, spent=questions_spent(place), sent=3) == []


def test_a_doubled_budget_is_seen(place: str, accounts: Accounts) -> None:
    for _ in range(2 * 3):
        accounts.reserve(ANN, DATASET, rules=RULES)
    found = budget_flaws(received=3, spent=questions_spent(place), sent=3)
    assert found == ["spent 6, but received 3 and sent 3"]


def test_a_lost_budget_is_seen(place: str, accounts: Accounts) -> None:
    accounts.reserve(ANN, DATASET, rules=RULES)
    assert budget_flaws(received=2, spent=questions_spent(place), sent=3) == ["spent 1, but received 2 and sent 3"]


def test_periods_tell_of_a_budget_that_is_given_again(place: str, accounts: Accounts, clock: HandClock) -> None:
    accounts.reserve(ANN, DATASET, rules=RULES)
    (today,) = periods_spent(place)
    clock.go(hours=-48)
    accounts.reserve(ANN, DATASET, rules=RULES)
    assert periods_spent(place) == [today]
    accounts.reset_periods()  # what the accounts must not do by themselves
    accounts.reserve(ANN, DATASET, rules=RULES)
    assert min(periods_spent(place)) < today


def fault(meanwhile: Literal["refuses", "answers", "either"], *, loses: bool = False) -> Fault:
    return Fault(name="", how="", begin=print, end=print, meanwhile=meanwhile, loses=loses)


@pytest.mark.parametrize(
    ("meanwhile", "changes", "found"),
    [
        ("refuses", {}, []),
        ("refuses", {"during": 1}, ["answered meanwhile: 1"]),
        ("refuses", {"told": 0}, ["nobody was told 503"]),
        ("answers", {"during": 5, "told": 0}, []),
        ("answers", {"during": 5}, ["refused meanwhile: 9"]),
        ("answers", {"told": 0}, ["nothing was answered meanwhile"]),
        ("either", {"during": 5}, []),
        ("either", {"before": 0}, ["nothing was answered before"]),
        ("refuses", {"after": 0}, ["it does not answer again"]),
        ("refuses", {"told_after": 2}, ["still refused afterwards: 2"]),
        ("refuses", {"lost": 3}, ["connections lost: 3"]),
    ],
)
def test_what_a_server_must_not_do_is_seen(
    meanwhile: Literal["refuses", "answers", "either"], changes: dict[str, int], found: list[str]
) -> None:
    assert unexpected(fault(meanwhile), replace(FIGURES, **changes)) == found


def test_connections_may_be_lost_where_a_process_is_killed() -> None:
    assert unexpected(fault("refuses", loses=True), replace(FIGURES, lost=3)) == []
