"""The repeated question beats noise that is drawn anew, and not noise that belongs to the question or the set."""

from __future__ import annotations

from tacita.attack.judge.trial import attack_once
from tacita.attack.queries.repeated_question import RepeatedQuestion
from tacita.study.red_team.queries import noisy
from tests.attack.queries.servers import check_contract, graded


def test_noise_that_is_drawn_anew_is_averaged_away() -> None:
    found = attack_once(RepeatedQuestion(), *noisy("answer")(1), seed=1)
    assert (found.standing, found.success) == ("broken", 1.0)
    assert 30 < found.figures["answers_for_95"] < 50  # (2 * 1.96 * 1.5)^2 is 35


def test_noise_of_the_question_stays() -> None:
    """With noise of 1.5 a single answer tells something already; with noise of 6 asking again does not help."""
    found = attack_once(RepeatedQuestion(), *noisy("words", sd=6.0)(1), seed=1)
    assert found.standing == "held"
    assert found.figures["spread"] < 1e-9


def test_budgets_and_auditors_hold_it() -> None:
    spent = graded(RepeatedQuestion(times=10), "dp", victims=40)
    assert spent.standing == "held"
    assert spent.refused["privacy_budget"] > 0
    assert graded(RepeatedQuestion(times=10), "tables", wanted="ill").standing == "held"


def test_contract() -> None:
    check_contract(RepeatedQuestion(times=2))
