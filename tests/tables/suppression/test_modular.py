"""Modular suppression: by hand, back to the top, safe as a whole, other inner methods, infeasible subtables, bad input."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.table_instances import frequency_table, magnitude_table, table_of
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.tables.auditor.audit import audit
from tacita.tables.protect.infeasible import InfeasibleError
from tacita.tables.protect.pattern import Pattern
from tacita.tables.protect.problem import Problem
from tacita.tables.suppression.exact.exact import exact_suppression
from tacita.tables.suppression.modular import modular_suppression
from tests.effort import examples
from tests.oracles.tables.suppression import is_safe_oracle

SHAPES = ((2, 2), (3,))


def test_a_hidden_margin_is_protected_above() -> None:
    """Only leaf 3 and its group 1 can move in the lower table, so the group is hidden and needs a partner above."""
    problem = frequency_table(SHAPES, seed=1, mean=20.0)
    table = table_of(SHAPES, problem)
    at = np.arange(problem.size).reshape(7, 4)
    unsafe = np.zeros(problem.size, bool)
    unsafe[at[3, 1]] = True
    locked = np.zeros(problem.size, bool)
    locked[at[4]] = True  # the other leaf of the group is published
    asked = replace(problem, unsafe=unsafe, sliding=np.where(unsafe, 1.0, 0.0), locked=locked, cost=np.ones(28))
    hidden = modular_suppression(table, asked).hidden
    assert hidden[at[1, 1]]  # the group
    assert hidden[[at[2, 1], at[0, 1]]].any()  # and a partner of it
    assert is_safe_oracle(asked, hidden)


@settings(max_examples=examples(30), deadline=None)
@given(st.integers(0, 10**6), st.booleans())
def test_safe_as_a_whole(seed: int, counts: bool) -> None:
    made = frequency_table if counts else magnitude_table
    problem = made(SHAPES, seed=seed)
    hidden = modular_suppression(table_of(SHAPES, problem), problem, accepts_leaks=True).hidden
    possible = audit(problem, problem.unsafe | problem.can_hide).leaks
    assert len(audit(problem, hidden).leaks) == len(possible)


@pytest.mark.parametrize("shapes", [((3, 3), (3, 4)), ((2, 2), (3,), (2, 2))], ids=["two", "three"])
def test_never_cheaper_than_proven(shapes: tuple[tuple[int, ...], ...]) -> None:
    problem = frequency_table(shapes, seed=5)
    pattern = modular_suppression(table_of(shapes, problem), problem)
    assert audit(problem, pattern.hidden).is_safe
    assert pattern.cost >= exact_suppression(problem, time_limit=5.0).bound - 1e-6


def test_another_inner_method() -> None:
    problem = frequency_table(((3, 3), (4,)), seed=2)
    calls = []

    def inner(part: Problem) -> Pattern:
        calls.append(part.size)
        return exact_suppression(part, time_limit=2.0)

    pattern = modular_suppression(table_of(((3, 3), (4,)), problem), problem, inner=inner)
    assert calls
    assert max(calls) <= 20
    assert audit(problem, pattern.hidden).is_safe


def test_no_time_leaves_all_to_the_last_step() -> None:
    problem = frequency_table(((3, 3), (4,)), seed=2)
    table = table_of(((3, 3), (4,)), problem)

    def never(part: Problem) -> Pattern:
        raise AssertionError(part.size)

    pattern = modular_suppression(table, problem, inner=never, time_limit=0.0)
    assert audit(problem, pattern.hidden).is_safe


def test_what_no_pattern_protects_is_an_error() -> None:
    problem = frequency_table(SHAPES, seed=1)
    unsafe = np.arange(problem.size) == 5
    level = np.where(unsafe, 10 * problem.values.max(), 0.0)
    asked = replace(problem, unsafe=unsafe, below=level, above=level)
    with pytest.raises(InfeasibleError) as caught:
        modular_suppression(table_of(SHAPES, asked), asked)
    assert caught.value.cells == (5,)


def test_bad_input() -> None:
    problem = frequency_table(SHAPES, seed=1)
    with pytest.raises(ParameterError, match="the table has"):
        modular_suppression(table_of(((2,), (2,)), frequency_table(((2,), (2,)), seed=1)), problem)
    with pytest.raises(ParameterError, match="'time_limit' must not be negative"):
        modular_suppression(table_of(SHAPES, problem), problem, time_limit=-1.0)


def test_an_interrupt_of_the_last_step_leaves_a_safe_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    problem = magnitude_table(SHAPES, seed=3)
    table = table_of(SHAPES, problem)
    monkeypatch.setattr("tacita.tables.suppression.modular.clean_up", stopped)
    assert audit(problem, modular_suppression(table, problem).hidden).is_safe
