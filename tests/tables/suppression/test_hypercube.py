"""Hypercubes: by hand, in three dimensions, levels, against a plain search over all cubes, and how much they hide."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.table_instances import frequency_table, magnitude_table, table_of
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.tables.protect.problem import Problem
from tacita.tables.suppression.fast.fast import fast_suppression, repair
from tacita.tables.suppression.hypercube import hypercube
from tests.effort import examples
from tests.oracles.tables.suppression import is_safe_oracle


def plain(shape: tuple[int, ...], seed: int, *, unsafe: tuple[int, ...]) -> Problem:
    """A table without hierarchy with one unsafe cell; the total of a dimension is its first code."""
    rng = np.random.default_rng(seed)
    made = frequency_table([(size,) for size in shape], seed=seed, mean=30.0)
    marks = np.zeros(made.size, bool)
    marks[np.ravel_multi_index(unsafe, [size + 1 for size in shape])] = True
    return replace(
        made,
        unsafe=marks,
        sliding=np.where(marks, 1.0, 0.0),
        cost=rng.uniform(1.0, 9.0, made.size),
    )


@pytest.mark.parametrize(("shape", "unsafe"), [((3, 4), (2, 3)), ((3, 4), (0, 2)), ((2, 3, 2), (1, 2, 1))])
def test_one_cell_gets_the_cheapest_cube(shape: tuple[int, ...], unsafe: tuple[int, ...]) -> None:
    """All cubes by brute force; the corners protect each other, so nothing else is hidden."""
    problem = plain(shape, 3, unsafe=unsafe)
    at = np.arange(problem.size).reshape([size + 1 for size in shape])
    best = min(
        problem.cost[at[np.ix_(*[(i, j) for i, j in zip(unsafe, opposite, strict=True)])].ravel()].sum()
        for opposite in itertools.product(
            *[[j for j in range(s + 1) if j != i] for s, i in zip(shape, unsafe, strict=True)]
        )
        if problem.can_hide[at[np.ix_(*[(i, j) for i, j in zip(unsafe, opposite, strict=True)])]].all()
    )
    pattern = hypercube(table_of([(size,) for size in shape], problem), problem)
    assert pattern.hidden.sum() == 2 ** len(shape)
    assert pattern.cost == pytest.approx(best)
    assert is_safe_oracle(problem, pattern.hidden)


def test_levels_choose_another_cube() -> None:
    """Among cubes the cheapest that reaches the level; corners that must go down need that much."""
    problem = plain((2, 2), 1, unsafe=(1, 1))
    values = np.array([100.0, 40.0, 60.0, 50.0, 30.0, 20.0, 50.0, 10.0, 40.0])
    cost = np.full(9, 5.0)
    cost[[5, 7, 8]] = 1.0  # the inner square is cheap, but its odd corners have 20 and 10
    high = np.where(problem.unsafe, 15.0, 0.0)
    asked = replace(problem, values=values, above=high, sliding=np.zeros(9), cost=cost)
    pattern = hypercube(table_of([(2,), (2,)], asked), asked)
    assert not pattern.hidden[[5, 7]].all()
    assert is_safe_oracle(asked, pattern.hidden)


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(0, 10**6))
def test_repaired_cubes_are_safe_and_no_better_than_the_search(seed: int) -> None:
    shapes = ((2, 2), (3,))
    problem = frequency_table(shapes, seed=seed)
    cubes = hypercube(table_of(shapes, problem), problem).hidden
    assert cubes[problem.unsafe].all()
    mended = repair(problem, cubes, accepts_leaks=True)
    assert not np.any(cubes & ~mended)


def test_the_search_hides_less() -> None:
    shapes = ((4, 4), (4, 5))
    problem = magnitude_table(shapes, seed=1)
    cubes = hypercube(table_of(shapes, problem), problem)
    assert fast_suppression(problem, accepts_leaks=True, effort=0.2).cost < cubes.cost


def test_bad_input() -> None:
    problem = plain((2, 2), 1, unsafe=(1, 1))
    with pytest.raises(ParameterError, match="the table has"):
        hypercube(table_of([(2,), (3,)], plain((2, 3), 1, unsafe=(1, 1))), problem)
