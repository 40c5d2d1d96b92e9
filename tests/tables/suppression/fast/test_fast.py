"""Fast suppression: by hand, safe by the oracle, never cheaper than the optimum, infeasible problems, repair, bad input."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.table_instances import frequency_table, linked_tables, magnitude_table
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.core.progress import Task, show_progress
from tacita.tables.auditor.audit import audit
from tacita.tables.model.relations import Relations
from tacita.tables.model.seats import Seats
from tacita.tables.protect.infeasible import InfeasibleError
from tacita.tables.protect.problem import Problem
from tacita.tables.suppression.fast.fast import fast_suppression, repair
from tests.effort import examples
from tests.oracles.tables.suppression import cheapest_pattern_oracle, is_safe_oracle
from tests.tables.small_problems import grid, random_pattern, random_problem

SQUARE = np.array([[3.0, 20.0, 9.0], [15.0, 12.0, 7.0], [6.0, 11.0, 8.0]])


def drawn(seed: int, *, most: int | None = None) -> Problem:
    """A random problem of any kind: two and three dimensions, nested, linked, zeros, bounds, seats, sliding, locked."""
    rng = np.random.default_rng(seed)
    made = random_problem(rng, small=bool(rng.random() < 0.2))
    cost = rng.choice([1.0, 2.0, 5.0], made.size) if rng.random() < 0.5 else rng.uniform(0.2, 9.0, made.size)
    share = float(rng.choice([1.0, 0.3, 0.05]))
    free = np.flatnonzero(made.can_hide & ~made.unsafe)
    locked = np.zeros(made.size, bool)
    locked[rng.permutation(free)[most if most is not None else int(0.9 * len(free)) :]] = True
    below, above, sliding = share * made.below, share * made.above, share * made.sliding
    return replace(made, cost=cost, locked=locked, below=below, above=above, sliding=sliding)


def test_three_by_three_by_hand() -> None:
    """One unsafe cell: the cheapest square through it; two of one square share it."""
    problem = grid(SQUARE, unsafe=[(0, 0)], level=1.0)
    cost = np.full(16, 5.0)
    cost[[2, 8, 10]] = 1.0
    assert np.flatnonzero(fast_suppression(problem.with_cost(cost)).hidden).tolist() == [0, 2, 8, 10]
    pattern = fast_suppression(grid(SQUARE, unsafe=[(0, 0), (1, 1)], level=1.0))
    assert pattern.cost == 4.0
    assert pattern.bound == 2.0


def test_levels_ask_for_more_cells() -> None:
    """Up by 2 a square will do; up by 10 its partners have too little: the smallest of the four is 9."""
    inner = np.array([[30.0, 9.0, 9.0], [9.0, 40.0, 40.0], [9.0, 40.0, 40.0]])
    inside = np.zeros(16, bool)
    inside[[0, 1, 2, 4, 5, 6, 8, 9, 10]] = True
    few = replace(grid(inner, unsafe=[(0, 0)], level=2.0), locked=~inside)
    many = replace(grid(inner, unsafe=[(0, 0)], level=10.0), locked=~inside)
    assert fast_suppression(few).hidden.sum() == 4
    assert fast_suppression(many).hidden.sum() == 7  # its row and column, and two corners: 9 one way, 1 the other


def test_a_singleton_must_not_recompute_its_neighbour() -> None:
    """Cells 0 and 1 protect each other from outsiders; whoever is alone in one knows both, so a third is hidden."""
    problem = grid(np.array([[3.0, 4.0, 9.0], [15.0, 12.0, 7.0]]), unsafe=[(0, 0), (0, 1)], level=1.0)
    sole = np.full(12, -1)
    sole[0] = 7
    seated = replace(problem, seats=Seats.of(sole))
    assert fast_suppression(problem).cost == 4.0
    pattern = fast_suppression(seated)
    assert pattern.hidden[[2, 3]].any()
    assert is_safe_oracle(seated, pattern.hidden)


@settings(max_examples=examples(12), deadline=None)
@given(st.integers(0, 10**6))
def test_every_pattern_is_safe(seed: int) -> None:
    problem = drawn(seed)
    if not is_safe_oracle(problem, problem.unsafe | problem.can_hide):
        with pytest.raises(InfeasibleError) as caught:
            fast_suppression(problem)
        assert caught.value.cells
        assert problem.unsafe[list(caught.value.cells)].all()
        return
    pattern = fast_suppression(problem, effort=0.1)
    assert is_safe_oracle(problem, pattern.hidden)
    assert pattern.cost == pytest.approx(problem.cost[pattern.hidden].sum())


@pytest.mark.slow
@settings(max_examples=examples(1000), deadline=None)
@given(st.integers(0, 10**9))
def test_a_thousand_tables(seed: int) -> None:
    problem = drawn(seed)
    try:
        assert is_safe_oracle(problem, fast_suppression(problem, effort=0.1).hidden)
    except InfeasibleError:
        assert not is_safe_oracle(problem, problem.unsafe | problem.can_hide)


@settings(max_examples=examples(12), deadline=None)
@given(st.integers(0, 10**6))
def test_never_cheaper_than_the_optimum(seed: int) -> None:
    problem = drawn(seed, most=6)
    best = cheapest_pattern_oracle(problem)
    if np.isinf(best):
        with pytest.raises(InfeasibleError):
            fast_suppression(problem, effort=0.1)
        return
    assert fast_suppression(problem, effort=0.1).cost >= best - 1e-9


def test_near_the_optimum_on_small_tables() -> None:
    """Over many small tables the search is at the optimum in most and never far from it."""
    ratios = []
    for seed in range(40):
        problem = drawn(seed, most=7)
        best = cheapest_pattern_oracle(problem)
        if np.isfinite(best):
            ratios.append(fast_suppression(problem, effort=0.1).cost / best)
    assert len(ratios) > 5
    assert np.mean(np.array(ratios) < 1 + 1e-9) > 0.9
    assert max(ratios) < 1.3


def test_same_seed_same_pattern() -> None:
    problem = magnitude_table([(3, 3), (3, 4)], seed=4)
    first, second = (fast_suppression(problem, seed=11, effort=0.3).hidden for _ in range(2))
    assert np.array_equal(first, second)


@pytest.mark.parametrize(
    "problem",
    [
        frequency_table([(4, 3), (4, 4)], seed=3),
        frequency_table([(4, 3), (4, 4)], seed=3, twice=True),
        magnitude_table([(4, 3), (4, 4)], seed=5, cost="value"),
        magnitude_table([(2, 2), (3,), (2, 2)], seed=2, firms=20.0),
        magnitude_table([(2,), (3,), (2,), (2,), (3,)], seed=2, firms=30.0),
        linked_tables([(3, 3), (4, 3)], seed=1),
    ],
    ids=["counts", "counts twice", "value costs", "three dimensions", "five dimensions", "linked"],
)
def test_the_auditor_agrees(problem: Problem) -> None:
    pattern = fast_suppression(problem, effort=0.2, accepts_leaks=True)
    possible = audit(problem, problem.unsafe | problem.can_hide)
    assert len(audit(problem, pattern.hidden).leaks) == len(possible.leaks)


def test_infeasible_cells_and_relations_are_named() -> None:
    """A cell that is alone with its total in one relation moves only with it; the total is locked."""
    relations = Relations.of([(0, [1, 2])], 3)
    unsafe, locked = np.array([False, True, False]), np.array([True, False, True])
    level = np.where(unsafe, 1.0, 0.0)
    problem = Problem(
        relations,
        np.array([5.0, 2.0, 3.0]),
        np.zeros(3),
        np.full(3, np.inf),
        unsafe,
        level,
        level,
        np.zeros(3),
        np.ones(3),
        locked,
    )
    with pytest.raises(InfeasibleError, match="1 of 1 unsafe cells") as caught:
        fast_suppression(problem)
    assert caught.value.cells == (1,)
    assert caught.value.relations == (0,)
    assert caught.value.details == {"cells": [1], "relations": [0]}
    assert fast_suppression(problem, accepts_leaks=True).hidden.tolist() == [False, True, False]


@pytest.mark.parametrize("times", [1.0, 2.0])
def test_a_width_costs_no_more_than_the_levels_that_give_it(times: float) -> None:
    """Half of the width on each side is a stricter demand; it used to need half as many cells."""
    made = frequency_table([(3, 4), (3, 4)], seed=2, mean=4)
    zero, width = np.zeros(made.size), np.where(made.unsafe, times * made.values, 0.0)
    stricter = fast_suppression(replace(made, below=width / 2, above=width / 2, sliding=zero))
    weaker = fast_suppression(replace(made, below=zero, above=zero, sliding=width))
    assert is_safe_oracle(replace(made, below=zero, above=zero, sliding=width), weaker.hidden)
    assert weaker.cost <= stricter.cost


def test_a_sliding_level_is_reached_on_whichever_side_there_is_room() -> None:
    """The cell can go up by 2 and down by 5; an interval 6 wide needs both."""
    problem = grid(np.array([[5.0, 2.0], [2.0, 5.0]]), unsafe=[(0, 0)], level=0.0)
    inside = np.isin(np.arange(9), [0, 1, 3, 4])
    wide = replace(problem, sliding=np.where(problem.unsafe, 6.0, 0.0), locked=~inside)
    assert is_safe_oracle(wide, fast_suppression(wide).hidden)
    with pytest.raises(InfeasibleError):
        fast_suppression(replace(wide, sliding=np.where(problem.unsafe, 7.5, 0.0)))


class _Impatient:
    """A reporter that is interrupted at the first sign of progress in one task."""

    def __init__(self, label: str) -> None:
        self.label = label

    def open(self, label: str, total: float | None) -> Task:  # noqa: ARG002
        return _Interrupting() if label == self.label else _Calm()

    def close(self, task: Task) -> None:
        """Nothing is shown."""


class _Calm:
    def advance(self, amount: float = 1.0, /, *, note: str = "") -> None:
        """Nothing is shown."""


class _Interrupting:
    def advance(self, amount: float = 1.0, /, *, note: str = "") -> None:  # noqa: ARG002
        raise KeyboardInterrupt


@contextmanager
def interrupted(label: str) -> Iterator[None]:
    with show_progress(_Impatient(label)):
        yield


def test_an_interrupt_and_a_time_limit_leave_a_safe_pattern() -> None:
    problem = magnitude_table([(3, 3), (3, 4)], seed=4)
    with interrupted("Looking for a cheaper pattern"):
        early = fast_suppression(problem)
    assert audit(problem, early.hidden).is_safe
    short = fast_suppression(problem, time_limit=0.0)
    assert audit(problem, short.hidden).is_safe
    assert fast_suppression(problem).cost <= short.cost


@settings(max_examples=examples(12), deadline=None)
@given(st.integers(0, 10**6))
def test_repair_makes_any_pattern_safe(seed: int) -> None:
    problem = drawn(seed)
    rng = np.random.default_rng([seed, 1])
    start = random_pattern(problem, rng) & (problem.can_hide | problem.unsafe)
    try:
        mended = repair(problem, start)
    except InfeasibleError:
        assert not is_safe_oracle(problem, problem.unsafe | problem.can_hide)
        return
    assert is_safe_oracle(problem, mended)
    assert not np.any(start & ~mended)
    if is_safe_oracle(problem, start | problem.unsafe):
        assert np.array_equal(mended, start | problem.unsafe)


def test_nothing_unsafe_nothing_hidden() -> None:
    problem = grid(SQUARE, unsafe=[], level=1.0)
    assert not fast_suppression(problem).hidden.any()


def test_bad_input() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0)], level=1.0)
    with pytest.raises(ParameterError, match="'time_limit' must not be negative"):
        fast_suppression(problem, time_limit=-1.0)
    with pytest.raises(ParameterError, match="'effort' must not be negative"):
        fast_suppression(problem, effort=-1.0)
    with pytest.raises(ParameterError, match="'hidden' must have one entry for each of the 16 cells"):
        repair(problem, np.zeros(3, bool))
