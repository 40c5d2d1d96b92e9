"""What a reader of a rounded table knows, by hand and against every table that rounds to it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tacita.tables.model.relations import Relations
from tacita.tables.protect.problem import Problem
from tacita.tables.rounding.conventional import conventional_rounding
from tacita.tables.rounding.reader import exposed_by_rounding, rounding_intervals
from tests.effort import examples

RELATIONS = Relations.of([(0, [1, 2, 3])], 4)


def problem_of(parts: list[float], *, level: float = 0.0, sliding: float = 0.0) -> Problem:
    """Three parts and their total; the first part is unsafe."""
    values = np.array([sum(parts), *parts], np.float64)
    unsafe = np.array([False, True, False, False])
    levels = np.where(unsafe, level, 0.0)
    return Problem(
        RELATIONS,
        values,
        np.zeros(4),
        np.full(4, np.inf),
        unsafe,
        np.minimum(levels, values),
        levels,
        np.where(unsafe, sliding, 0.0),
        np.ones(4),
        ~unsafe & unsafe,
    )


def test_intervals_by_hand() -> None:
    problem = problem_of([1.0, 2.0, 12.0])
    low, high = rounding_intervals(problem, np.array([15.0, 0.0, 5.0, 10.0]), base=5)
    assert low.tolist() == [10.0, 0.0, 0.0, 5.0]
    assert high.tolist() == [20.0, 5.0, 10.0, 15.0]
    low, high = rounding_intervals(problem, np.array([15.0, 0.0, 0.0, 10.0]), base=5, is_nearest=True)
    # the total is 12.5 at least and the largest part 12.5 at most
    assert low.tolist() == [12.5, 0.0, 0.0, 7.5]
    assert high.tolist() == [17.5, 2.5, 2.5, 12.5]


def test_sums_of_true_values_narrow_what_rounded_ones_leave_open() -> None:
    """Three parts published as 0 and a total of 10 by conventional rounding to 5: each part is 2.5, or nearly."""
    problem = problem_of([2.4, 2.4, 2.4], level=1.0)
    low, high = rounding_intervals(problem, np.array([10.0, 0.0, 0.0, 0.0]), base=5, is_nearest=True)
    assert low.tolist() == [7.5, 2.5, 2.5, 2.5]
    assert high.tolist() == [7.5, 2.5, 2.5, 2.5]
    nobody = np.zeros(4, bool)
    assert exposed_by_rounding(problem, np.array([10.0, 0, 0, 0]), nobody, base=5, is_nearest=True).tolist() == [1]


def test_levels_beyond_the_base_are_exposed() -> None:
    wide, small = problem_of([100.0, 200.0, 300.0], level=15.0), problem_of([100.0, 200.0, 300.0], level=4.0)
    published, nobody = np.array([600.0, 100.0, 200.0, 300.0]), np.zeros(4, bool)
    assert exposed_by_rounding(wide, published, nobody, base=5).tolist() == [1]
    assert exposed_by_rounding(small, published, nobody, base=5).tolist() == []
    assert exposed_by_rounding(small, published, nobody, base=5, is_nearest=True).tolist() == [1]
    assert exposed_by_rounding(wide, published, nobody, base=5, steps=2).tolist() == []


def test_base_one_hides_no_count() -> None:
    problem, everybody = problem_of([2.0, 7.0, 9.0], sliding=1.0), np.ones(4, bool)
    assert exposed_by_rounding(problem, problem.values, everybody, base=1).tolist() == [1]
    assert exposed_by_rounding(problem, problem.values, everybody, base=1, is_nearest=True).tolist() == [1]
    assert exposed_by_rounding(problem, np.array([18.0, 2, 6, 8]), everybody, base=2).tolist() == []
    # 1 and 2 both go to 2: a half goes away from zero
    assert exposed_by_rounding(problem, np.array([18.0, 2, 8, 10]), everybody, base=2, is_nearest=True).tolist() == []


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.integers(0, 9), min_size=3, max_size=3), st.integers(2, 5))
def test_no_table_that_rounds_alike_lies_outside(parts: list[int], base: int) -> None:
    """All whole tables that give the same published one are within the intervals; and the true one is."""
    problem = problem_of([float(v) for v in parts])
    published = conventional_rounding(problem.values, base=base)
    low, high = rounding_intervals(problem, published, base=base, is_nearest=True)
    alike = []
    for other in product(range(13), repeat=3):
        values = np.array([sum(other), *other], np.float64)
        if (conventional_rounding(values, base=base) == published).all():
            alike.append(values)
    assume(alike)
    assert (np.min(alike, axis=0) >= low - 1e-9).all()
    assert (np.max(alike, axis=0) <= high + 1e-9).all()
    assert np.max(alike, axis=0)[1] - np.min(alike, axis=0)[1] <= high[1] - low[1] + 1e-9


def test_no_relations() -> None:
    none = np.zeros(1)
    problem = Problem(
        Relations.of([], 1), none + 3, none, none + np.inf, none == 0, none, none, none + 1, none + 1, none > 0
    )
    low, high = rounding_intervals(problem, none + 5, base=5)
    assert (low[0], high[0]) == pytest.approx((0.0, 10.0))
