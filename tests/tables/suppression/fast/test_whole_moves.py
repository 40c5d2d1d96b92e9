"""Moves by the general solver: by hand, the farthest against the oracle, neighbourhoods."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.tables.model.seats import Seats
from tacita.tables.protect.problem import Problem
from tacita.tables.suppression.fast.demands import rooms
from tacita.tables.suppression.fast.whole_moves import cheapest_move, farthest_move, neighbourhood
from tests.effort import examples
from tests.oracles.tables.audit import seen_from
from tests.oracles.tables.suppression import interval_oracle
from tests.tables.small_problems import grid, random_problem

SQUARE = np.array([[3.0, 20.0], [15.0, 12.0]])


def without(problem: Problem, *cells: int) -> tuple[np.ndarray, np.ndarray]:
    """Rooms of a problem in which some cells stand still."""
    up, down = rooms(problem)
    up[list(cells)] = down[list(cells)] = 0.0
    return up, down


def test_the_cheapest_square() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0)], level=1.0)
    fee = np.array([1.0, 1.0, 5.0, 1.0, 1.0, 5.0, 5.0, 5.0, 5.0])
    found = cheapest_move(problem, fee, rooms(problem), 0, -2.0)
    assert found is not None
    assert dict(zip(found[0].tolist(), found[1].tolist(), strict=True)) == pytest.approx({0: -2, 1: 2, 3: 2, 4: -2})
    assert cheapest_move(problem, fee, rooms(problem), 0, -4.0) is None
    assert cheapest_move(problem, fee, without(problem, 0), 0, 1.0) is None
    assert cheapest_move(problem, fee, without(problem, 1, 2), 0, 1.0) is None


@settings(max_examples=examples(30), deadline=None)
@given(st.integers(0, 10**6))
def test_the_farthest_is_the_end_of_the_interval(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = random_problem(rng)
    cell = int(rng.integers(problem.size))
    known = (rng.random(problem.size) < 0.2) & (np.arange(problem.size) != cell)
    part = np.floor(problem.values * rng.random(problem.size))
    owners = np.where(rng.random(problem.size) < 0.3, 5, -1)
    problem = replace(problem, seats=Seats.of(np.where(known, 5, -1), owners[:, None], part[:, None]))
    seat = 0 if len(problem.seats) else None
    seen = problem if seat is None else seen_from(problem, seat)
    low, high = interval_oracle(seen, problem.can_hide, cell, np.flatnonzero(known))
    slack = 1e-6 * max(1.0, float(np.abs(problem.values).max()))
    assert farthest_move(problem, seat, cell, 1.0)[0] == pytest.approx(high - problem.values[cell], abs=slack)
    assert farthest_move(problem, seat, cell, -1.0)[0] == pytest.approx(problem.values[cell] - low, abs=slack)


def test_the_relations_that_hold_a_cell() -> None:
    problem = replace(grid(SQUARE, unsafe=[(0, 0)], level=1.0), locked=np.isin(np.arange(9), [1, 2]))
    assert farthest_move(problem, None, 0, 1.0) == (0.0, (0,))


def test_a_neighbourhood_grows_by_relations() -> None:
    problem = grid(np.ones((3, 3)), unsafe=[(0, 0)], level=1.0)
    assert np.flatnonzero(neighbourhood(problem, 0, 2)).tolist() == [0, 1, 2, 3, 4, 8, 12]
    assert neighbourhood(problem, 0, 100).all()
