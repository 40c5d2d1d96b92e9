"""Audits from seats: several seats at once, holdings, and parts in shared cells."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.tables.auditor.audit import audit
from tacita.tables.model.seats import Seats
from tacita.tables.protect.problem import Problem
from tests.oracles.tables import audit as oracle
from tests.tables.small_problems import grid

EVERY = np.isin(np.arange(16), [0, 1, 2, 4, 5, 6, 8, 9, 10])
"""The nine inner cells of a table of three rows and columns."""


def three(sole: list[int]) -> Problem:
    """A table of three rows and columns, (0, 0) unsafe; ``sole`` names the only contributor of the inner cells."""
    owners = np.full(16, -1)
    owners[EVERY] = sole
    return grid(np.array([[5.0, 6, 7], [8, 9, 10], [11, 12, 13]]), unsafe=[(0, 0)], level=2.0, seats=Seats.of(owners))


def found(problem: Problem, hidden: np.ndarray) -> set[tuple[int | None, int, str]]:
    return {(leak.seat, leak.cell, leak.side) for leak in audit(problem, hidden).leaks}


def test_many_seats_of_one_cell_each() -> None:
    problem = three([0, 1, 2, 3, 4, 5, 6, 7, 8])
    assert audit(problem, EVERY).is_safe
    fewer = EVERY.copy()
    fewer[[2, 6, 8, 9, 10]] = False  # the square 0, 1, 4, 5 is left: whoever knows a corner knows all
    assert found(problem, fewer) == set(oracle.leaks(problem, fewer)) != set()


def test_a_holding_knows_all_its_cells_at_once() -> None:
    """Each of two cells of row 0 known on its own leaves (0, 0) free, both together give it away."""
    apart, together = three([-1, 1, 2, -1, -1, -1, -1, -1, -1]), three([-1, 1, 1, -1, -1, -1, -1, -1, -1])
    assert audit(apart, EVERY).is_safe
    seen = audit(together, EVERY)
    assert {(leak.seat, leak.cell, leak.share) for leak in seen.leaks} == {(0, 0, 0.0)}
    assert {leak.known for leak in seen.leaks} == {(1, 2)}
    assert all(len(leak.relations) == 1 for leak in seen.leaks)


def test_the_own_cell_is_not_looked_at() -> None:
    assert audit(three([0, -1, -1, -1, -1, -1, -1, -1, -1]), EVERY).is_safe


def test_a_seat_with_a_part_in_the_cell_is_asked_for_less() -> None:
    """Seat 0 is alone in (1, 1) and has 4 of the 5 in (0, 0): it cannot be made to believe less than 4."""
    sole, owners, amounts = np.full(16, -1), np.full((16, 1), -1), np.zeros((16, 1))
    sole[5] = 0
    owners[0], amounts[0] = 0, 4.0
    problem = replace(three([-1] * 9), seats=Seats.of(sole, owners, amounts))
    problem = replace(problem, below=problem.below * 2.4, above=problem.above * 0)  # 4.8 down, nothing up
    hidden = np.isin(np.arange(16), [0, 1, 8, 9, 5, 6, 4])
    assert found(problem, hidden) == set(oracle.leaks(problem, hidden))
    plain = replace(problem, seats=Seats.of(sole))
    assert found(plain, hidden) == set(oracle.leaks(plain, hidden))


def test_what_anybody_finds_is_told_once() -> None:
    problem = three([-1, 1, 1, -1, -1, -1, -1, -1, -1])
    published = np.zeros(16, bool)
    published[[0, 1]] = True
    assert {leak.seat for leak in audit(problem, published).leaks} == {None}


def test_seats_can_be_left_out() -> None:
    problem = three([-1, 1, 1, -1, -1, -1, -1, -1, -1])
    seen = audit(problem, EVERY, seats="none")
    assert seen.is_safe
    assert seen.seats == 0
    assert audit(problem, EVERY).seats == 1


@pytest.mark.parametrize("seed", range(6))
def test_groups_of_seats_equal_the_oracle(seed: int) -> None:
    """Many seats around one cell, so that groups are split until each is settled."""
    rng = np.random.default_rng(seed)
    problem = three(rng.integers(0, 6, 9).tolist())
    problem = replace(problem, above=problem.above * rng.choice([0.5, 1.0, 3.0]))
    hidden = EVERY & ((rng.random(16) < 0.8) | problem.unsafe)
    assert found(problem, hidden) == set(oracle.leaks(problem, hidden))
