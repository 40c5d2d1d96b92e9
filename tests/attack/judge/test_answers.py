"""Answers: what counts as right, and what a guess without the release gets right."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.attack.judge.answers import Answers, best_constant, is_right
from tacita.core.errors import AttackError


def test_numbers_are_right_within_five_percent_and_classes_where_they_are_the_same() -> None:
    assert is_right(np.array([95.0, 94.9, np.nan, 0.0]), np.array([100.0, 100.0, 1.0, 0.0])).tolist() == [
        True,
        False,
        False,
        True,
    ]
    assert is_right(np.array(["a", "b"], object), np.array(["a", "c"], object)).tolist() == [True, False]
    assert is_right(np.array([1, 2]), np.array([1, 3])).tolist() == [True, False]


def test_the_best_constant_by_trying_all() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        truth = rng.lognormal(5, 0.3, size=40)
        tried = np.linspace(truth.min(), truth.max(), 20_001)
        best = max(
            is_right(np.full(40, c), truth).mean() for c in (*tried[::20], *truth, *(truth * 0.95), *(truth * 1.05))
        )
        assert best_constant(truth) == pytest.approx(best)


def test_a_baseline_that_is_given_counts() -> None:
    answers = Answers(truth={"wage": np.array([1.0, 2.0])}, baseline={"wage": 0.1})
    assert answers.guess("wage") == 0.1
    assert Answers(truth={"wage": np.array([1.0, 2.0])}).guess("wage") == 0.5
    assert best_constant(np.array([])) == best_constant(np.array([np.nan])) == 0.0


def test_of_a_sample_the_guess_is_that_of_all() -> None:
    answers = Answers(truth={"sex": np.array(["f", "f", "m", "m", "m"], object)}).among(np.array([0, 1]))
    assert answers.guess("sex") == pytest.approx(0.6)
    assert len(answers) == 2


def test_what_nobody_knows_cannot_be_judged() -> None:
    with pytest.raises(AttackError, match="truth about 'wage'"):
        Answers(truth={}).of("wage")
    assert len(Answers(truth={})) == 0
