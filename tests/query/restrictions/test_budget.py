"""The privacy budget: it refuses before anything is computed, and repeated questions are free."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacita.query.noise.dp.privacy import DifferentialPrivacy
from tacita.query.requests.regress import Regress
from tacita.query.requests.request import QueryRequest
from tacita.query.requests.statistic import Statistic
from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.budget import PrivacyBudget
from tests.query.builders import asked, opened, policy_of
from tests.query.noise.dp.public_survey import public_survey

RULE = PrivacyBudget()


def _policy(budget: float = 0.1, price: float = 0.05) -> object:
    return policy_of(
        RULE,
        requests=("tabulate", "statistic", "regress"),
        privacy=DifferentialPrivacy(budget=budget, price=price),
    )


def _tables() -> list[QueryRequest]:
    return [Tabulate(by=["sex"]), Tabulate(by=["education"]), Tabulate(by=["household_size"])]


def test_answers_end_with_the_budget_whoever_asks() -> None:
    db = opened(public_survey(), _policy())  # type: ignore[arg-type]
    found = [db.ask(request, user=f"user {i}") for i, request in enumerate(_tables())]
    assert [a.status for a in found] == ["answered", "answered", "refused"]
    assert found[2].reasons == ("privacy_budget",)


def test_a_repeated_question_is_free_and_has_the_same_answer() -> None:
    db = opened(public_survey(), _policy())  # type: ignore[arg-type]
    first = db.ask(Tabulate(by=["sex"]), user="ann")
    again = [db.ask(Tabulate(by=["sex"], where={"sex": ["male", "female"]}), user="bob") for _ in range(5)]
    assert {a.to_json() for a in again} == {first.to_json()}
    assert RULE.account(asked(db, Tabulate(by=["sex"]))).answers == 1


def test_a_refused_question_costs_nothing() -> None:
    db = opened(public_survey(), _policy())  # type: ignore[arg-type]
    for request in (Regress(response="tax", predictors=["age"]), Tabulate(by=["urban"])):
        assert db.ask(request).reasons == ("privacy_budget",)
    assert RULE.account(asked(db, Tabulate(by=["sex"]))).spent == 0


def test_nothing_is_computed_once_the_budget_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    db = opened(public_survey(), _policy(0.05))  # type: ignore[arg-type]
    assert db.ask(Tabulate(by=["sex"])).status == "answered"

    def touched(*_: object) -> None:
        raise AssertionError("the data were looked at")

    monkeypatch.setattr(DifferentialPrivacy, "table", touched)
    assert db.ask(Tabulate(by=["education"])).reasons == ("privacy_budget",)


def test_opening_again_finds_what_was_spent_and_repeats_cost_nothing(tmp_path: Path) -> None:
    where = {"journal": tmp_path / "journal.jsonl"}
    db = opened(public_survey(), _policy(0.2), **where)  # type: ignore[arg-type]
    for _ in range(4):
        db.ask(Tabulate(by=["sex"]))
    db.ask(Statistic())
    again = opened(public_survey(), _policy(0.2), **where)  # type: ignore[arg-type]
    account = RULE.account(asked(again, Tabulate(by=["sex"])))
    assert account.answers == 2
    assert account.spent == pytest.approx(0.1)
    assert again.ask(Tabulate(by=["sex"])).status == "answered", "drawn and paid for again"
    assert account.answers == 3


def test_it_does_nothing_without_privacy() -> None:
    db = opened(public_survey(), policy_of(RULE))
    assert not RULE.applies(asked(db, Tabulate(by=["sex"])))
    assert db.ask(Tabulate(by=["sex"])).reasons == ("no_rule",)
