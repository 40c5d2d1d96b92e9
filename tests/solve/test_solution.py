"""What a solver gives back: when there is a solution, and how far it may be from the best one."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from tacita.solve.solution import Solution, Status


def answer(status: Status, objective: float = 10.0, bound: float = 10.0) -> Solution:
    return Solution(status, np.ones(2), objective, bound, np.empty(0), np.empty(0), 0.1)


@pytest.mark.parametrize("status", get_args(Status))
def test_only_optimal_and_feasible_answers_have_a_solution(status: Status) -> None:
    found = answer(status)
    assert found.has_solution == (status in {"optimal", "feasible"})
    assert found.gap == (0.0 if found.has_solution else np.inf)


@pytest.mark.parametrize(
    ("objective", "bound", "gap"), [(10.0, 8.0, 0.2), (-10.0, -12.0, 0.2), (10.0, -np.inf, np.inf), (0.0, 0.0, 0.0)]
)
def test_the_gap_is_a_share_of_the_objective(objective: float, bound: float, gap: float) -> None:
    assert answer("feasible", objective, bound).gap == pytest.approx(gap)


def test_values_are_not_in_the_repr() -> None:
    assert "values" not in repr(answer("optimal"))
