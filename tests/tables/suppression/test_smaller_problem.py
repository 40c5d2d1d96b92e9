"""The smaller problem has the same optimum, patterns come back safe, and what leaves could not be used."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.table_instances import linked_tables, magnitude_table
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.tables.auditor.audit import audit
from tacita.tables.model.relations import Relations
from tacita.tables.protect.infeasible import InfeasibleError
from tacita.tables.protect.problem import Problem
from tacita.tables.suppression.exact.exact import exact_suppression
from tacita.tables.suppression.fast.fast import fast_suppression, repair
from tacita.tables.suppression.smaller_problem import SmallerProblem
from tests.effort import examples


def chain(values: list[float], **changes: object) -> Problem:
    """A total (0) of two parts (1, 2); the first has one part (3), which has one part (4); the second has two (5, 6)."""
    rows = Relations.of([(0, [1, 2]), (1, [3]), (3, [4]), (2, [5, 6])], 7)
    n = np.zeros(7)
    unsafe = np.arange(7) == 4
    level = np.where(unsafe, 1.0, 0.0)
    made = Problem(
        rows, np.array(values), n, np.full(7, np.inf), unsafe, level, level, n, np.ones(7), np.zeros(7, bool)
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def test_a_total_and_its_only_part_are_one() -> None:
    smaller = SmallerProblem.of(chain([9.0, 4.0, 5.0, 4.0, 4.0, 2.0, 3.0]))
    assert smaller.place[1] == smaller.place[3] == smaller.place[4] == smaller.place[1]
    assert smaller.problem.size == 5
    assert len(smaller.problem.relations) == 2
    one = int(smaller.place[4])
    assert smaller.problem.cost[one] == 3
    assert smaller.problem.unsafe[one]
    assert smaller.problem.above[one] == 1
    assert smaller.back(smaller.problem.unsafe).tolist() == [False, True, False, True, True, False, False]
    part = np.array([False, True, True, False, False, False, False])
    assert smaller.forth(part)[[one, smaller.place[2]]].tolist() == [True, True], "unsafe, and hidden"


def test_what_cannot_move_leaves() -> None:
    """With the second part's total locked, its parts can only move against each other; with one of them known they cannot."""
    locked = np.arange(7) == 2
    known = np.where(np.arange(7) == 5, 2.0, np.inf)
    lower = np.where(np.arange(7) == 5, 2.0, 0.0)
    smaller = SmallerProblem.of(chain([9.0, 4.0, 5.0, 4.0, 4.0, 2.0, 3.0], locked=locked, upper=known, lower=lower))
    assert smaller.place[[2, 5, 6]].tolist() == [-1, -1, -1]
    assert smaller.problem.size == 1, "the total moves with the part that is left"


def test_an_error_names_cells_of_the_original() -> None:
    locked = np.isin(np.arange(7), [0, 2])
    with pytest.raises(InfeasibleError, match="protects 1 of 1 unsafe cells: even with every cell hidden") as told:
        fast_suppression(chain([9.0, 4.0, 5.0, 4.0, 4.0, 2.0, 3.0], locked=locked))
    assert list(told.value.cells) == [4]


@given(
    seed=st.integers(0, 5000),
    firms=st.sampled_from([0.4, 1.0, 3.0]),
    seats=st.sampled_from(["none", "singletons", "contributors"]),
)
@settings(max_examples=examples(25))
def test_patterns_come_back_safe(seed: int, firms: float, seats: str) -> None:
    problem = magnitude_table(((2, 3), (3, 2)), seed=seed, firms=firms, seats=seats)  # type: ignore[arg-type]
    smaller = SmallerProblem.of(problem)
    smaller.problem.check()
    assert not (problem.unsafe & (smaller.place < 0)).any()
    pattern = fast_suppression(problem, accepts_leaks=True)
    unavoidable = audit(problem, problem.can_hide | problem.unsafe).at_risk
    assert set(audit(problem, pattern.hidden).at_risk) <= set(unavoidable)
    assert smaller.back(smaller.forth(pattern.hidden))[pattern.hidden].all(), "cells that are one are hidden together"


@given(seed=st.integers(0, 500))
@settings(max_examples=8)
def test_the_optimum_is_the_same(seed: int) -> None:
    problem = magnitude_table(((2, 2), (3,)), seed=seed, firms=1.0, seats="singletons")
    smaller = SmallerProblem.of(problem)
    try:
        whole = exact_suppression(problem)
    except InfeasibleError:
        with pytest.raises(InfeasibleError):
            exact_suppression(smaller.problem)
        return
    part = exact_suppression(smaller.problem)
    assert part.cost == pytest.approx(whole.cost)
    assert audit(problem, smaller.back(part.hidden)).is_safe


def test_linked_tables_and_repairs() -> None:
    problem = linked_tables(((2, 2), (3, 2)), seed=3)
    hidden = repair(problem, problem.unsafe)
    assert audit(problem, hidden).is_safe
    assert np.array_equal(repair(problem, hidden), hidden), "what is safe stays as it is"
