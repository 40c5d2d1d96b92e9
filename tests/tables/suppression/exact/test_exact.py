"""Exact suppression: by hand, against every pattern, infeasible problems, stops and starts, bad input."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from benchmarks.table_instances import frequency_table, linked_tables, magnitude_table
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError
from tacita.core.progress import Task, show_progress
from tacita.tables.model.relations import Relations
from tacita.tables.model.seats import Seats
from tacita.tables.protect.infeasible import InfeasibleError
from tacita.tables.protect.problem import Problem
from tacita.tables.suppression.exact import exact as module
from tacita.tables.suppression.exact.block import Block
from tacita.tables.suppression.exact.block_attack import BlockAttack
from tacita.tables.suppression.exact.block_form import cores_of
from tacita.tables.suppression.exact.exact import exact_suppression
from tacita.tables.suppression.exact.repair import Repair
from tacita.tables.suppression.fast.fast import fast_suppression
from tests.effort import examples
from tests.oracles.tables.suppression import cheapest_pattern_oracle, is_safe_oracle
from tests.tables.small_problems import grid, random_problem

SQUARE = np.array([[3.0, 20.0, 9.0], [15.0, 12.0, 7.0], [6.0, 11.0, 8.0]])


def small(seed: int, *, most: int, only_sliding: bool = False, seats: bool | None = None) -> Problem:
    """A random problem with unequal costs where few enough cells may be hidden to try all patterns."""
    rng = np.random.default_rng(seed)
    made = random_problem(rng, small=bool(rng.random() < 0.3))
    cost = rng.choice([1.0, 2.0, 5.0], made.size) if rng.random() < 0.5 else np.round(rng.uniform(0.2, 9, made.size), 2)
    free = np.flatnonzero(made.can_hide & ~made.unsafe)
    locked = np.zeros(made.size, bool)
    locked[rng.permutation(free)[most:]] = True
    share = rng.choice([0.3, 0.05])
    below, above, sliding = share * made.below, share * made.above, share * made.sliding
    if only_sliding:
        below, above = np.zeros(made.size), np.zeros(made.size)
        sliding = np.where(made.unsafe, share * np.abs(made.values), 0.0)
    made = replace(made, cost=cost, locked=locked, below=below, above=above, sliding=sliding)
    if seats:
        sole = np.where((rng.random(made.size) < 0.3) & (made.values != 0), rng.integers(0, 4, made.size), -1)
        part = np.where((sole < 0) & (rng.random(made.size) < 0.5), rng.integers(0, 4, made.size), -1)
        amounts = np.abs(made.values) * rng.choice([0.5, 0.95, 1.0], made.size)
        made = replace(made, seats=Seats.of(sole, part[:, None], amounts[:, None]))
    return made


def same_as_brute_force(problem: Problem) -> None:
    best = cheapest_pattern_oracle(problem)
    if np.isinf(best):
        with pytest.raises(InfeasibleError) as caught:
            exact_suppression(problem)
        assert caught.value.cells
        assert all(problem.unsafe[list(caught.value.cells)])
        return
    pattern = exact_suppression(problem)
    assert pattern.cost == pytest.approx(best, abs=1e-9)
    assert pattern.bound == pytest.approx(best, rel=1e-6)
    assert is_safe_oracle(problem, pattern.hidden)


# --- by hand -------------------------------------------------------------------------------------------------------------


def test_by_hand() -> None:
    """One unsafe cell of a square needs a rectangle; its corners are the cheapest that let 3 move down and up by 3."""
    problem = grid(SQUARE, unsafe=[(0, 0)], level=3.0)
    pattern = exact_suppression(problem)
    assert (pattern.cost, pattern.bound, int(pattern.hidden.sum())) == (4.0, 4.0, 4)
    # Costs by value: the corners (0,0) (0,2) (2,0) (2,2) hold 3 + 9 + 6 + 8.
    dear = exact_suppression(problem.with_cost(problem.values))
    assert np.flatnonzero(dear.hidden).tolist() == [0, 2, 8, 10]
    assert (dear.cost, dear.bound) == (26.0, 26.0)
    assert dear.secondary(problem).sum() == 3


def test_level_that_one_rectangle_cannot_reach() -> None:
    """Up by 9: in the first row 9 can give way by 9 alone, 20 by more; the columns give 15 or 6."""
    problem = grid(SQUARE, unsafe=[(0, 0)], level=3.0)
    problem = replace(problem, above=3 * problem.above).with_cost(problem.values)
    pattern = exact_suppression(problem)
    assert is_safe_oracle(problem, pattern.hidden)
    assert pattern.cost == cheapest_pattern_oracle(_without_margins(problem))


def _without_margins(problem: Problem) -> Problem:
    margin = np.zeros((4, 4), bool)
    margin[3], margin[:, 3] = True, True
    return replace(problem, locked=margin.ravel())


def test_singleton_sees_through_the_rectangle() -> None:
    """Who is alone in (0,2) knows (0,0) when these two are all that is hidden in the row."""
    problem = grid(SQUARE, unsafe=[(0, 0)], level=3.0).with_cost(grid(SQUARE, unsafe=[(0, 0)], level=3.0).values)
    alone = np.full(problem.size, -1)
    alone[2] = 5
    pattern = exact_suppression(replace(problem, seats=Seats.of(alone)))
    assert np.flatnonzero(pattern.hidden).tolist() == [0, 1, 8, 9]
    assert pattern.cost == 3 + 20 + 6 + 11


def test_nothing_unsafe_and_unsafe_without_levels() -> None:
    problem = grid(SQUARE, unsafe=[], level=3.0)
    assert exact_suppression(problem).cost == 0.0
    bare = grid(SQUARE, unsafe=[(1, 1)], level=0.0)
    pattern = exact_suppression(bare)
    assert np.flatnonzero(pattern.hidden).tolist() == [5]
    assert pattern.bound == 1.0


def test_blocks_are_solved_one_by_one() -> None:
    one = grid(SQUARE, unsafe=[(0, 0)], level=3.0)
    two = grid(SQUARE.T, unsafe=[(1, 1), (2, 0)], level=2.0)
    n = one.size
    sums = [
        (int(cells[signs < 0][0]) + shift, (cells[signs > 0] + shift).tolist())
        for shift, part in ((0, one), (n, two))
        for cells, signs in (part.relations.row(r) for r in range(len(part.relations)))
    ]
    joined: dict[str, Any] = {
        name: np.concatenate([getattr(one, name), getattr(two, name)])
        for name in ("values", "lower", "upper", "unsafe", "below", "above", "sliding", "cost", "locked")
    }
    both = exact_suppression(Problem(Relations.of(sums, 2 * n), **joined))
    parts = [exact_suppression(part) for part in (one, two)]
    assert both.cost == sum(part.cost for part in parts) == both.bound


# --- brute force ---------------------------------------------------------------------------------------------------------


@settings(max_examples=examples(20), deadline=None)
@given(st.integers(0, 10**6))
def test_equals_brute_force(seed: int) -> None:
    """Two and three dimensions, nested, linked, zeros, negative values, bounds, seats, unequal costs."""
    problem = small(seed, most=8)
    assume(problem.unsafe.any())
    same_as_brute_force(problem)


@settings(max_examples=examples(10), deadline=None)
@given(st.integers(0, 10**6))
def test_equals_brute_force_sliding_only(seed: int) -> None:
    problem = small(seed, most=8, only_sliding=True)
    assume(problem.unsafe.any())
    same_as_brute_force(problem)


@settings(max_examples=examples(10), deadline=None)
@given(st.integers(0, 10**6))
def test_equals_brute_force_with_seats(seed: int) -> None:
    problem = small(seed, most=9, seats=True)
    assume(problem.unsafe.any())
    same_as_brute_force(problem)


@pytest.mark.slow
@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 10**6), st.booleans(), st.booleans())
def test_equals_brute_force_on_more_cells(seed: int, only_sliding: bool, seats: bool) -> None:
    problem = small(seed, most=13, only_sliding=only_sliding, seats=seats)
    assume(problem.unsafe.any())
    same_as_brute_force(problem)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_larger_tables_are_safe_and_proven(seed: int) -> None:
    made = [
        frequency_table([(3, 3), (3, 3)], seed=seed, mean=16, twice=True),
        magnitude_table([(3, 2), (3, 3)], seed=seed),
        magnitude_table([(2, 2), (3,), (3,)], seed=seed, cost="value"),
        linked_tables([(3, 2), (2, 2)], seed=seed),
    ]
    for problem in made:
        if not is_safe_oracle(problem, problem.unsafe | problem.can_hide):
            with pytest.raises(InfeasibleError):
                exact_suppression(problem)
            continue
        pattern = exact_suppression(problem)
        assert pattern.gap <= 1e-6
        assert is_safe_oracle(problem, pattern.hidden)
        for cell in np.flatnonzero(pattern.secondary(problem))[:8]:
            fewer = pattern.hidden.copy()
            fewer[cell] = False
            assert not is_safe_oracle(problem, fewer), "a cheapest pattern hides nothing in vain"


# --- infeasible ----------------------------------------------------------------------------------------------------------


def test_infeasible_names_cells_and_relations() -> None:
    """All but one cell of the first row are published: the row gives the unsafe one away."""
    problem = grid(SQUARE, unsafe=[(0, 0), (2, 2)], level=2.0)
    locked = np.zeros(problem.size, bool)
    locked[[1, 2, 3]] = True
    with pytest.raises(InfeasibleError, match="1 unsafe cells cannot be protected") as caught:
        exact_suppression(replace(problem, locked=locked))
    assert caught.value.cells == (0,)
    assert caught.value.relations == (0,)
    assert caught.value.details["cells"] == [0]


def test_infeasible_because_everybody_knows_the_cell() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0)], level=2.0)
    known = replace(problem, lower=np.where(problem.unsafe, problem.values, 0.0), upper=problem.values.copy())
    with pytest.raises(InfeasibleError) as caught:
        exact_suppression(known)
    assert caught.value.cells == (0,)


def test_infeasible_because_of_a_bound() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0)], level=2.0)
    upper = np.where(problem.unsafe, problem.values + 1.0, np.inf)
    with pytest.raises(InfeasibleError) as caught:
        exact_suppression(replace(problem, upper=upper))
    assert caught.value.cells == (0,)


# --- stopping and starting -----------------------------------------------------------------------------------------------


def test_no_time_at_all_still_gives_a_safe_pattern() -> None:
    problem = frequency_table([(3, 3), (3, 2)], seed=1, twice=True)
    pattern = exact_suppression(problem, time_limit=0.0)
    best = exact_suppression(problem)
    assert is_safe_oracle(problem, pattern.hidden)
    assert problem.cost[problem.unsafe].sum() <= pattern.bound <= best.cost <= pattern.cost
    known = exact_suppression(problem, time_limit=0.0, start=best.hidden)
    assert known.cost == best.cost


def test_an_unsafe_start_is_repaired() -> None:
    problem = frequency_table([(3, 2), (2, 2)], seed=4)
    rng = np.random.default_rng(1)
    start = (rng.random(problem.size) < 0.3) & problem.can_hide
    assert exact_suppression(problem, start=start).cost == exact_suppression(problem).cost


@contextmanager
def interrupting(after: int) -> Iterator[list[str]]:
    """A reporter that behaves like a user at the keyboard."""
    notes: list[str] = []

    class Impatient:
        def open(self, _label: str, _total: float | None) -> Task:
            return self

        def close(self, task: Task) -> None: ...

        def advance(self, _amount: float = 1.0, /, *, note: str = "") -> None:
            notes.append(note)
            if len(notes) > after:
                raise KeyboardInterrupt

    with show_progress(Impatient()):
        yield notes


@pytest.mark.parametrize("after", [0, 5, 40])
def test_an_interrupt_returns_the_best_so_far(after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_NEWS", 0.0)
    problem = frequency_table([(3, 3), (3, 2)], seed=1, twice=True)
    with interrupting(after) as notes:
        pattern = exact_suppression(problem, start=problem.unsafe)
    assert len(notes) == after + 1
    assert "gap" in notes[0]
    assert is_safe_oracle(problem, pattern.hidden)
    assert pattern.bound <= pattern.cost
    with interrupting(after) as notes:  # now while the fast search looks for a start
        assert is_safe_oracle(problem, exact_suppression(problem).hidden)
    assert len(notes) == after + 1


def test_an_interrupt_from_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: Block) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Block, "_branch", interrupted)
    monkeypatch.setattr(Block, "_is_done", lambda _: False)
    problem = frequency_table([(3, 2), (2, 2)], seed=4, twice=True)
    assert is_safe_oracle(problem, exact_suppression(problem).hidden)


def test_gap_stops_early() -> None:
    problem = frequency_table([(3, 3), (3, 3)], seed=2, twice=True)
    pattern = exact_suppression(problem, gap=0.2)
    assert pattern.gap <= 0.2
    assert is_safe_oracle(problem, pattern.hidden)


@pytest.mark.parametrize("start", [None, "fast"])
def test_nothing_is_checked_beyond_the_time_limit_once_a_pattern_is_safe(
    start: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pattern that hides everything took ten seconds to check on 3000 cells, whatever the limit."""
    problem = frequency_table([(3, 3), (3, 2)], seed=1, twice=True)
    known = None if start is None else fast_suppression(problem).hidden

    def leaks(self: Block) -> list[object]:
        raise AssertionError

    monkeypatch.setattr(Block, "leaks", leaks)
    assert is_safe_oracle(problem, exact_suppression(problem, start=known, time_limit=0.0).hidden)


def test_repairs_stop_when_they_are_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = frequency_table([(3, 3), (3, 2)], seed=1, twice=True)
    core = cores_of(problem)[0]
    attack = BlockAttack(core)
    assert Repair(core, attack).safe(core.forced, core.cost, lambda: True) is None
    assert attack.solves == 0


# --- widths --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2])
def test_twice_the_value_is_proven(seed: int) -> None:
    """A cell that can fall by its value only must be able to rise by it: the cut of that level closes the gap."""
    made = frequency_table([(3, 3), (3, 3)], seed=seed, mean=4)
    zero = np.zeros(made.size)
    wide = replace(made, below=zero, above=zero, sliding=np.where(made.unsafe, 2 * made.values, 0.0))
    pattern = exact_suppression(wide, time_limit=60)
    assert pattern.gap == 0
    both = np.where(made.unsafe, made.values, 0.0)
    assert pattern.cost <= exact_suppression(replace(wide, below=both, above=both), time_limit=60).cost
    assert is_safe_oracle(wide, pattern.hidden)


# --- bad input -----------------------------------------------------------------------------------------------------------


def test_bad_input() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0)], level=3.0)
    with pytest.raises(ParameterError, match="'gap'"):
        exact_suppression(problem, gap=-0.1)
    with pytest.raises(ParameterError, match="'time_limit'"):
        exact_suppression(problem, time_limit=-1.0)
    with pytest.raises(ParameterError, match="'start'"):
        exact_suppression(problem, start=np.zeros(3, bool))
    with pytest.raises(DataError, match="relations do not hold"):
        exact_suppression(replace(problem, values=problem.values + np.arange(problem.size)))
