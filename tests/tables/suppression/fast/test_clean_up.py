"""Clean-up: a square is enough, safe stays safe and gets no dearer, unsafe patterns are completed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.tables.protect.infeasible import InfeasibleError
from tacita.tables.suppression.fast.clean_up import clean_up
from tests.oracles.tables.suppression import is_safe_oracle
from tests.tables.small_problems import grid, random_pattern, random_problem

SQUARE = np.array([[3.0, 20.0, 9.0], [15.0, 12.0, 7.0], [6.0, 11.0, 8.0]])


def test_all_but_a_square_is_published() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0)], level=1.0).with_cost(np.arange(1.0, 17.0))
    assert np.flatnonzero(clean_up(problem, np.ones(16, bool))).tolist() == [0, 1, 4, 5]


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6))
def test_safe_and_no_dearer(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = random_problem(rng)
    problem = problem.with_cost(rng.uniform(0.5, 4.0, problem.size))
    start = random_pattern(problem, rng) & (problem.can_hide | problem.unsafe) | problem.unsafe
    try:
        hidden = clean_up(problem, start)
    except InfeasibleError:
        assert not is_safe_oracle(problem, problem.unsafe | problem.can_hide)
        return
    assert is_safe_oracle(problem, hidden)
    sliding = problem.sliding[problem.unsafe] > (problem.below + problem.above)[problem.unsafe]
    if not sliding.any() and is_safe_oracle(problem, start):
        assert problem.cost[hidden].sum() <= problem.cost[start].sum() + 1e-9


def test_no_cell_can_be_left_out() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0), (2, 1)], level=2.0)
    hidden = clean_up(problem, np.ones(16, bool))
    for cell in np.flatnonzero(hidden & ~problem.unsafe):
        fewer = hidden.copy()
        fewer[cell] = False
        assert not is_safe_oracle(problem, fewer)


def test_bad_input() -> None:
    with pytest.raises(ParameterError, match="'hidden' must have one entry"):
        clean_up(grid(SQUARE, unsafe=[(0, 0)], level=1.0), np.zeros(2, bool))
