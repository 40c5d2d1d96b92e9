"""Tabular adjustment: safe, additive, within bounds, and as near as all directions allow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError
from tacita.tables.adjustment.tabular_adjustment import Adjusted, tabular_adjustment
from tacita.tables.model.relations import Relations
from tacita.tables.protect.problem import Problem
from tests.effort import examples
from tests.oracles.tables.adjustment import nearest_adjustment_oracle
from tests.tables.small_problems import grid, random_problem


def check(result: Adjusted, problem: Problem, weights: np.ndarray) -> None:
    """Sums, bounds, locked cells, levels, and figures that say what is there."""
    x, a, slack = result.values, problem.values, problem.tolerance()
    assert not len(problem.relations.violated(x))
    assert np.all((x >= problem.lower - slack) & (x <= problem.upper + slack))
    np.testing.assert_array_equal(x[problem.locked], a[problem.locked])
    left = (problem.below > 0) & (x <= a - problem.below + slack)
    left |= (problem.above > 0) & (x >= a + problem.above - slack)
    assert left[problem.unsafe].all()
    apart = np.abs(x - a)
    distance = weights @ apart if result.norm == "l1" else weights @ apart**2
    assert result.distance == pytest.approx(distance, rel=1e-9, abs=1e-12)
    assert 0 <= result.bound <= result.distance
    assert result.changed == int((x != a).sum())


def usable(seed: int, *, most: int = 5) -> Problem:
    """A random problem with few unsafe cells, each with a level on some side."""
    problem = random_problem(np.random.default_rng(seed))
    unsafe = problem.unsafe & ((problem.below > 0) | (problem.above > 0)) & (problem.lower < problem.upper)
    unsafe[np.flatnonzero(unsafe)[most:]] = False
    rng = np.random.default_rng([seed, 1])
    locked = (rng.random(problem.size) < 0.1) & ~unsafe
    return replace(problem, unsafe=unsafe, locked=locked)


def test_by_hand() -> None:
    """One unsafe cell of a 2 x 2 table with locked margins: the four inner cells move by its level in a ring."""
    problem = grid(np.array([[10.0, 20.0], [30.0, 40.0]]), unsafe=[(0, 0)], level=3)
    locked = np.array([False, False, True, False, False, True, True, True, True])
    result = tabular_adjustment(replace(problem, locked=locked))
    check(result, problem, np.ones(9))
    assert result.distance == pytest.approx(12)
    assert result.gap == pytest.approx(0, abs=1e-6)
    moved = result.values - problem.values
    assert np.abs(moved[[0, 1, 3, 4]]).tolist() == pytest.approx([3, 3, 3, 3])
    assert moved[0] == pytest.approx(-moved[1])


def test_neighbours_go_opposite_ways() -> None:
    """Two unsafe cells of one level in a row cancel: with both columns' totals free nothing else has to move there."""
    problem = grid(np.array([[10.0, 20.0]]), unsafe=[(0, 0), (0, 1)], level=3)
    result = tabular_adjustment(problem)
    assert result.up[0] != result.up[1]
    assert result.values[2] == 30


def test_weights_and_costs() -> None:
    """The total is dear by its cost, so the other part takes the move."""
    rows = Relations.of([(0, [1, 2])], 3)
    none, mark = np.zeros(3), np.array([False, True, False])
    level = np.where(mark, 2.0, 0.0)
    problem = Problem(
        rows,
        np.array([10.0, 3, 7]),
        none,
        np.full(3, np.inf),
        mark,
        level,
        level,
        none,
        np.array([0.1, 1, 1]),
        ~mark & mark,
    )
    result = tabular_adjustment(problem)
    assert result.values[0] == 10
    assert result.distance == pytest.approx(4)
    swapped = tabular_adjustment(problem, weights=np.array([1.0, 1.0, 10.0]))
    assert swapped.values[2] == 7


def test_levels_of_two_sizes() -> None:
    """Down is nearer than up."""
    problem = grid(np.array([[10.0, 20.0]]), unsafe=[(0, 0)], level=3)
    result = tabular_adjustment(replace(problem, above=problem.above * 2))
    assert result.values[0] == pytest.approx(7)


def test_bounds_turn_the_direction() -> None:
    problem = grid(np.array([[2.0, 20.0]]), unsafe=[(0, 0)], level=3)
    result = tabular_adjustment(problem)
    assert result.values[0] == pytest.approx(5)


@settings(max_examples=examples(80), deadline=None)
@given(st.integers(0, 10**6))
def test_nearest_of_all_directions(seed: int) -> None:
    problem = usable(seed)
    assume(problem.unsafe.any())
    weights = np.random.default_rng([seed, 2]).uniform(0.5, 2.0, problem.size)
    expected = nearest_adjustment_oracle(problem, weights)
    if np.isinf(expected):
        with pytest.raises(DataError) as caught:
            tabular_adjustment(problem, weights=weights)
        assert caught.value.details["cells"]
        assert problem.unsafe[caught.value.details["cells"]].all()
        return
    result = tabular_adjustment(problem, weights=weights)
    check(result, problem, weights)
    assert result.distance == pytest.approx(expected, rel=1e-5, abs=1e-6)
    assert result.gap <= 1e-4


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 10**6))
def test_heuristic_and_bound_enclose_the_optimum(seed: int) -> None:
    problem = usable(seed)
    assume(problem.unsafe.any())
    weights = np.ones(problem.size)
    expected = nearest_adjustment_oracle(problem, weights)
    assume(np.isfinite(expected))
    result = tabular_adjustment(problem, weights=weights, method="heuristic")
    check(result, problem, weights)
    assert result.distance >= expected * (1 - 1e-6) - 1e-6
    assert result.bound <= expected * (1 + 1e-6) + 1e-6


@pytest.mark.slow
@settings(max_examples=examples(25), deadline=None)
@given(st.integers(0, 10**6))
def test_squares_against_all_directions(seed: int) -> None:
    """The bound is below the least squares, the table is not below them, and mostly at them."""
    problem = usable(seed, most=3)
    assume(problem.unsafe.any())
    assume(np.abs(problem.values).max() < 1e4)
    weights = np.ones(problem.size)
    expected = nearest_adjustment_oracle(problem, weights, "l2")
    assume(np.isfinite(expected))
    result = tabular_adjustment(problem, weights=weights, norm="l2")
    check(result, problem, weights)
    assert result.distance >= expected * (1 - 1e-4) - 1e-6
    assert result.bound <= expected * (1 + 1e-4) + 1e-6
    assert result.distance <= 2 * expected + 1e-6


def test_squares_by_hand() -> None:
    """One unsafe part of 3 + 7 = 10: it moves by 2, the others share it as 1 and 1."""
    problem = grid(np.array([[3.0, 7.0]]), unsafe=[(0, 0)], level=2)
    locked = np.array([False, False, False, False, False, False])
    result = tabular_adjustment(replace(problem, locked=locked), norm="l2")
    assert abs(result.values[0] - 3) == pytest.approx(2)
    check(result, problem, np.ones(6))


def test_tables_without_unsafe_cells_stay() -> None:
    problem = grid(np.arange(6.0).reshape(2, 3), unsafe=[], level=0)
    for norm in ("l1", "l2"):
        result = tabular_adjustment(problem, norm=norm)
        np.testing.assert_array_equal(result.values, problem.values)
        assert (result.distance, result.bound, result.changed, result.gap) == (0, 0, 0, 0)


def test_cells_that_can_go_nowhere_are_named() -> None:
    """All margins locked and a single column: the unsafe cell is what the margins leave."""
    problem = grid(np.array([[5.0], [7.0]]), unsafe=[(0, 0)], level=2)
    locked = np.ones(6, bool)
    locked[0] = False
    with pytest.raises(DataError, match="1 unsafe cells cannot be moved") as caught:
        tabular_adjustment(replace(problem, locked=locked))
    assert caught.value.details["cells"] == [0]
    narrow = replace(problem, lower=problem.values - 1, upper=problem.values + 1)
    with pytest.raises(DataError, match="no room on either side"):
        tabular_adjustment(narrow)


def test_contradicting_directions_are_named() -> None:
    """Three parts of one level under a locked total, bounded so that they cannot balance: two up need one down by two."""
    rows = Relations.of([(0, [1, 2, 3])], 4)
    values = np.array([30.0, 10.0, 10.0, 10.0])
    unsafe = np.array([False, True, True, True])
    level = np.where(unsafe, 3.0, 0.0)
    problem = Problem(rows, values, values - 4, values + 4, unsafe, level, level, np.zeros(4), np.ones(4), ~unsafe)
    with pytest.raises(DataError, match="no choice of directions") as caught:
        tabular_adjustment(problem)
    assert set(caught.value.details["cells"]) <= {1, 2, 3}
    assert caught.value.details["cells"]
    assert "10" not in str(caught.value)


def middle(seed: int = 3) -> Problem:
    """A two-way table of 400 cells with one in eight unsafe."""
    rng = np.random.default_rng(seed)
    inner = np.ceil(rng.lognormal(4, 1.2, (20, 20)))
    problem = grid(inner, unsafe=[], level=0)
    unsafe = np.zeros((21, 21), bool)
    unsafe[:20, :20] = rng.random((20, 20)) < 0.125
    marks = unsafe.ravel()
    level = np.where(marks, np.ceil(0.15 * problem.values), 0.0)
    return replace(problem, unsafe=marks, below=level, above=level, cost=problem.values + 1)


def test_time_limit_gives_the_best_so_far() -> None:
    problem = middle()
    result = tabular_adjustment(problem, time_limit=1.0)
    check(result, problem, 1 / problem.cost)
    assert result.gap < 0.2


def test_a_gap_that_is_proven_ends_the_search() -> None:
    problem = middle()
    result = tabular_adjustment(problem, time_limit=60.0, gap=0.3)
    assert result.gap <= 0.3
    assert result.seconds < 60


@pytest.mark.slow
def test_middle_sizes_come_close() -> None:
    for seed in range(3):
        problem = middle(seed)
        result = tabular_adjustment(problem, time_limit=15.0)
        check(result, problem, 1 / problem.cost)
        assert result.gap < 0.05


def test_blocks_add_up() -> None:
    """Two tables side by side cost what they cost alone."""
    one, two = (grid(inner, unsafe=[(0, 0)], level=2) for inner in (np.array([[5.0, 6.0]]), np.array([[7.0], [9.0]])))
    both = Problem(
        Relations.of(
            [
                *((2, [0, 1]), (5, [3, 4]), (3, [0]), (4, [1]), (5, [2])),
                *((7, [6]), (9, [8]), (10, [6, 8]), (11, [7, 9]), (11, [10])),
            ],
            12,
        ),
        *(np.concatenate([getattr(one, name), getattr(two, name)]) for name in (
            "values", "lower", "upper", "unsafe", "below", "above", "sliding", "cost", "locked"
        )),
    )  # fmt: skip
    alone = tabular_adjustment(one).distance + tabular_adjustment(two).distance
    assert tabular_adjustment(both).distance == pytest.approx(alone)


def test_plain_form() -> None:
    plain = tabular_adjustment(grid(np.array([[5.0, 6.0]]), unsafe=[(0, 0)], level=2)).to_plain()
    assert plain["norm"] == "l1"
    assert set(plain) == {"norm", "distance", "bound", "gap", "changed", "raised", "seconds"}


def test_bad_input() -> None:
    problem = grid(np.array([[5.0, 6.0]]), unsafe=[(0, 0)], level=2)
    with pytest.raises(ParameterError, match="'norm' must be"):
        tabular_adjustment(problem, norm="max")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="'method' must be"):
        tabular_adjustment(problem, method="fast")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"'gap' must be in \[0, 1\)"):
        tabular_adjustment(problem, gap=1.0)
    with pytest.raises(ParameterError, match="'weights' must be positive"):
        tabular_adjustment(problem, weights=np.zeros(6))
    with pytest.raises(DataError, match="no protection level below or above") as caught:
        tabular_adjustment(replace(problem, below=np.zeros(6), above=np.zeros(6)))
    assert caught.value.details["cells"] == [0]


def test_a_side_without_a_level_is_no_way_out() -> None:
    problem = grid(np.array([[10.0, 20.0]]), unsafe=[(0, 0)], level=3)
    nothing = np.zeros(problem.size)
    risen = tabular_adjustment(replace(problem, below=nothing))
    assert risen.values[0] == pytest.approx(13)
    fallen = tabular_adjustment(replace(problem, above=nothing))
    assert fallen.values[0] == pytest.approx(7)
    closed = replace(problem, below=nothing, upper=np.where(problem.unsafe, 11.0, problem.upper))
    with pytest.raises(DataError, match="no room"):
        tabular_adjustment(closed)


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_small_numbers_are_adjusted_like_large_ones(norm: str) -> None:
    problem = grid(np.array([[10.0, 20.0], [30.0, 40.0]]), unsafe=[(0, 0)], level=3)
    scale = 2.0**-30
    names = ("values", "lower", "upper", "below", "above", "sliding")
    small = replace(problem, **{name: getattr(problem, name) * scale for name in names})
    one, other = tabular_adjustment(problem, norm=norm), tabular_adjustment(small, norm=norm)
    assert other.distance == pytest.approx(one.distance * scale ** (1 if norm == "l1" else 2))
    assert np.abs(other.values - small.values)[0] == pytest.approx(3 * scale)
    assert other.gap <= 0.02, "the bound is in the units of the table too"
