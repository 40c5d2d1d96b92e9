"""Averages: how many answers make a rounded mean right, against draws."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tacita.attack.queries.averages import AveragedSet, answers_for_95
from tacita.attack.queries.class_sets import everybody


@pytest.mark.parametrize("sd", [1.0, 1.7, 2.5])
def test_so_many_answers_are_right_in_95_of_100(sd: float) -> None:
    n = int(answers_for_95(sd))
    means = np.random.default_rng(1).normal(0, sd, (20_000, n)).mean(axis=1)
    assert np.mean(np.abs(means) < 0.5) == pytest.approx(0.95, abs=0.01)


def test_exact_answers_need_one_mean_and_nothing_known_is_no_number() -> None:
    assert answers_for_95(0.0) == 0.0
    assert math.isnan(answers_for_95(math.nan))


def test_the_mean_of_what_is_answered() -> None:
    draws = [np.array([1.0, 2.0]), None, np.array([3.0, 4.0]), np.array([99.0, 99.0])]
    averaged = AveragedSet(lambda _: iter(draws), 3)
    people = everybody({"sex": ("f", "m")})
    assert averaged.look(people).tolist() == [2.0, 3.0]  # type: ignore[union-attr]
    assert averaged.spreads == [pytest.approx(2**0.5)]
    assert AveragedSet(lambda _: iter([None]), 3).look(people) is None
