"""Spending on both stores: all or nothing, never twice, never lost, whatever the clock and the processes do."""

from __future__ import annotations

import threading
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.web.accounts import Accounts, BudgetRule, Reservation, SpendingRow, Visitor, open_accounts
from tacita.web.accounts.spending import Asked
from tests.effort import examples
from tests.web.accounts.children import ANN, BEGIN, BOB, EVE, HandClock, asked_and_killed, asks, begun, ended, rule


def spent(accounts: Accounts) -> dict[tuple[str, str, str], int]:
    return {(row.scope, row.subject, row.period): row.spent for row in accounts.spending()}


def test_every_scope_has_its_own_account(accounts: Accounts) -> None:
    rules = [rule("user", 9), rule("organisation", 9, "hour"), rule("address", 9, "month"), rule("dataset", 9, "ever")]
    for visitor, questions in ((ANN, 1), (BOB, 2), (EVE, 4)):
        assert accounts.reserve(visitor, "survey", questions, rules).granted
    assert accounts.spending() == [
        SpendingRow("address", "198.51.100.0/24", "survey", "2030-01", 4),
        SpendingRow("dataset", "survey", "survey", "ever", 7),
        SpendingRow("organisation", "institute", "survey", "2030-01-31T23", 3),
        SpendingRow("user", "ann", "survey", "2030-01-31", 1),
        SpendingRow("user", "bob", "survey", "2030-01-31", 2),
    ]
    assert accounts.spending("register") == []


def test_data_sets_are_counted_apart(accounts: Accounts) -> None:
    rules = [rule("user", 1)]
    assert accounts.reserve(ANN, "survey", rules=rules).granted
    assert accounts.reserve(ANN, "register", rules=rules).granted
    assert accounts.reserve(ANN, "survey", rules=rules) == Reservation(False, "user", 1800)
    assert [row.spent for row in accounts.spending("register")] == [1]


def test_a_refusal_charges_nobody(accounts: Accounts) -> None:
    rules = [rule("user", 5), rule("dataset", 3)]
    assert accounts.reserve(ANN, "survey", 2, rules).granted
    before = accounts.spending()
    assert accounts.reserve(ANN, "survey", 2, rules) == Reservation(False, "dataset", 1800)
    assert accounts.spending() == before


def test_within_a_batch_the_first_comes_first(accounts: Accounts) -> None:
    asked = [(ANN, "survey", 1)] * 5 + [(BOB, "survey", 1)]
    found = accounts.reserve_many(asked, [rule("user", 3), rule("organisation", 4)])
    assert [one.granted for one in found] == [True, True, True, False, False, True]
    assert accounts.reserve(BOB, "survey", rules=[rule("organisation", 4)]).scope == "organisation"


def test_a_large_batch(accounts: Accounts) -> None:
    asked = [(Visitor(f"user {n % 700}", "researcher"), "survey", 1) for n in range(1400)]
    found = accounts.reserve_many(asked, [rule("user", 1), rule("dataset", 600)])
    assert sum(one.granted for one in found) == 600
    assert spent(accounts)["dataset", "survey", "2030-01-31"] == 600


def test_without_a_rule_everything_is_granted_and_nothing_kept(accounts: Accounts) -> None:
    assert accounts.reserve(ANN, "survey", 10**6) == Reservation(True)
    assert accounts.reserve(ANN, "survey", rules=[rule("address", 0)]).granted
    assert accounts.reserve_many([], [rule("user", 1)]) == []
    assert accounts.spending() == []


@pytest.mark.parametrize(
    "asked", [(ANN, "survey", 0), (ANN, "survey", 1.5), (ANN, "survey", True), (ANN, "", 1), ("ann", "s", 1)]
)
def test_what_nobody_can_ask_for_is_refused(accounts: Accounts, asked: Asked) -> None:
    with pytest.raises(ParameterError):
        accounts.reserve_many([(ANN, "survey", 1), asked], [rule("user", 9)])
    assert accounts.spending() == []


# --- the clock ------------------------------------------------------------------------------------------------------------


def test_a_new_period_has_a_new_budget(accounts: Accounts, clock: HandClock) -> None:
    rules = [rule("user", 1, "hour"), rule("user", 2, "day")]
    assert accounts.reserve(ANN, "survey", rules=rules).granted
    told = accounts.reserve(ANN, "survey", rules=rules)
    assert told == Reservation(False, "user", 1800)
    clock.go(seconds=told.retry_after)
    assert accounts.reserve(ANN, "survey", rules=rules).granted


@pytest.mark.parametrize("per", ["hour", "day", "month", "ever"])
def test_a_clock_that_jumps_back_gives_nothing_again(place: str, clock: HandClock, per: str) -> None:
    rules = [rule("user", 2, per)]
    with open_accounts(place, now=clock) as accounts:
        assert accounts.reserve(ANN, "survey", 2, rules).granted
    for days in (1, 40, 400, 15_000):
        clock.moment = BEGIN - 86400 * days
        with open_accounts(place, now=clock) as later:
            assert not later.reserve(ANN, "survey", rules=rules).granted


def test_after_a_jump_forward_one_budget_has_to_do_until_it_is_put_right(accounts: Accounts, clock: HandClock) -> None:
    rules = [rule("user", 2, "hour")]
    assert accounts.reserve(ANN, "survey", 1, rules).granted
    clock.go(hours=24 * 365)
    assert accounts.reserve(ANN, "survey", 2, rules).granted
    clock.moment = BEGIN
    told = accounts.reserve(ANN, "survey", 1, rules)
    assert (told.granted, told.retry_after) == (False, 24 * 365 * 3600 + 1800)
    accounts.reset_periods()
    assert accounts.reserve(ANN, "survey", 1, rules).granted
    assert not accounts.reserve(ANN, "survey", 1, rules).granted


def test_what_is_long_over_is_cleared_away(accounts: Accounts, clock: HandClock) -> None:
    rules = [rule("user", 9, "hour"), rule("user", 99, "month")]
    for _ in range(30):
        assert accounts.reserve(ANN, "survey", 1, rules).granted
        clock.go(hours=12)
    hours = [row.period for row in accounts.spending() if "T" in row.period]
    assert 14 <= len(hours) < 20
    assert "2030-01-31T23" not in hours
    assert sum(row.spent for row in accounts.spending() if "T" not in row.period) == 30


# --- an obvious version ---------------------------------------------------------------------------------------------------


class ObviousBudgets:
    """The same by counting every question that was ever granted."""

    def __init__(self) -> None:
        self.granted: list[tuple[Visitor, str, int, float]] = []

    def reserve(self, visitor: Visitor, dataset: str, questions: int, rules: list[BudgetRule], moment: float) -> bool:
        for one in rules:
            mine = self._who(one.scope, visitor)
            if mine is None:
                continue
            used = sum(
                asked
                for other, name, asked, time in self.granted
                if name == dataset
                and self._who(one.scope, other) == mine
                and self._period(one, time) == self._period(one, moment)
            )
            if used + questions > one.questions:
                return False
        self.granted.append((visitor, dataset, questions, moment))
        return True

    @staticmethod
    def _who(scope: str, visitor: Visitor) -> str | None:
        known = None if visitor.is_anonymous else visitor
        return {
            "user": known and known.user,
            "organisation": known and (known.organisation or None),
            "address": None if known else visitor.user,
            "dataset": "all",
        }[scope]

    @staticmethod
    def _period(one: BudgetRule, moment: float) -> int:
        return {"hour": int(moment // 3600), "day": int(moment // 86400), "ever": 0}[one.per]


VISITORS = [ANN, BOB, EVE, Visitor("cid", "public"), Visitor.anonymous("203.0.113.5")]
ASKED = st.lists(
    st.tuples(st.sampled_from(VISITORS), st.sampled_from(["a", "b"]), st.integers(1, 4)), min_size=1, max_size=8
)
RULES = st.lists(
    st.builds(
        rule,
        st.sampled_from(["user", "organisation", "address", "dataset"]),
        st.integers(0, 9),
        st.sampled_from(["hour", "day", "ever"]),
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda one: (one.scope, one.per),
)


@given(st.lists(st.tuples(ASKED, st.sampled_from([0.0, 0.4, 1.0, 24.0])), max_size=6), RULES)
@settings(max_examples=examples(30), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_as_counting_every_question(
    tmp_path_factory: pytest.TempPathFactory, batches: list[tuple[list[Asked], float]], rules: list[BudgetRule]
) -> None:
    clock, obvious = HandClock(), ObviousBudgets()
    with open_accounts(tmp_path_factory.mktemp("accounts") / "x", now=clock) as accounts:
        for asked, hours in batches:
            found = accounts.reserve_many(asked, rules)
            assert [one.granted for one in found] == [obvious.reserve(*one, rules, clock()) for one in asked]
            assert all((one.scope == "") == one.granted for one in found)
            clock.go(hours=hours)


# --- several at once ------------------------------------------------------------------------------------------------------


def test_threads_never_get_more_than_there_is(accounts: Accounts) -> None:
    granted: Counter[bool] = Counter()

    def work() -> None:
        for _ in range(20):
            granted[accounts.reserve(ANN, "survey", rules=[rule("user", 50)]).granted] += 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert granted == {True: 50, False: 30}
    assert spent(accounts) == {("user", "ann", "2030-01-31"): 50}


def test_processes_never_get_more_than_there_is(place: str, tmp_path: Path) -> None:
    numbers = [begun(lambda: asks(place, tmp_path / "noted", 200)) for _ in range(4)]
    assert [ended(number) for number in numbers] == [0] * 4
    assert (tmp_path / "noted").stat().st_size == 200
    with open_accounts(place) as accounts:
        assert {row.spent for row in accounts.spending()} == {200}


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)])
def test_killed_processes_lose_nothing_and_double_nothing(place: str, tmp_path: Path, seed: int) -> None:
    noted, killed = asked_and_killed(place, tmp_path, rounds=3, children=3, seed=seed)
    with open_accounts(place, now=HandClock()) as accounts:
        assert accounts.reserve(BOB, "other", rules=[rule("user", 1)]).granted  # whoever was in its turn has ended
        counted = {row.spent for row in accounts.spending("survey")}
    assert noted > 20
    assert killed == 9
    assert len(counted) == 1, "all scopes or none"
    assert noted <= counted.pop() <= noted + killed
