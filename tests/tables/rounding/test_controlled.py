"""Controlled rounding: additive, restricted, nearest; relaxed where it must be."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError
from tacita.tables.model.relations import Relations
from tacita.tables.rounding.controlled import Rounded, controlled_rounding
from tests.effort import examples
from tests.oracles.tables.table_rounding import nearest_rounding_oracle

INF = np.inf


def grid(inner: np.ndarray) -> tuple[Relations, np.ndarray]:
    """A table of any number of dimensions with its margins last."""
    full = inner.astype(float)
    for axis in range(inner.ndim):
        full = np.concatenate([full, full.sum(axis=axis, keepdims=True)], axis=axis)
    at = np.arange(full.size).reshape(full.shape)
    sums = []
    for axis in range(full.ndim):
        lines = np.moveaxis(at, axis, -1).reshape(-1, full.shape[axis])
        sums += [(int(line[-1]), line[:-1].tolist()) for line in lines]
    return Relations.of(sums, full.size), full.ravel()


def check(result: Rounded, relations: Relations, values: np.ndarray, base: float) -> None:
    """Multiples, exact sums, and figures that say what is there."""
    steps = result.values / base
    np.testing.assert_allclose(steps, np.rint(steps), atol=1e-9)
    assert not np.any(relations.residuals(np.rint(steps)))
    assert result.distance == pytest.approx(np.abs(result.values - values).sum())
    assert result.bound <= result.distance + 1e-9
    assert result.largest_jump == pytest.approx(np.abs(result.values - values).max() / base)
    assert result.is_restricted == (not result.steps.any())
    if result.is_restricted:
        assert np.all(np.abs(result.values - values) < base * (1 - 1e-12) + 1e-9)


def test_by_hand() -> None:
    """1 + 2 + 4 = 7 to base 5: the total is nearest at 5, the 4 becomes it; distance 2 + 1 + 2 + 1."""
    rows = Relations.of([(0, [1, 2, 3])], 4)
    result = controlled_rounding(rows, np.array([7.0, 1.0, 2.0, 4.0]), base=5)
    assert result.values.tolist() == [5, 0, 0, 5]
    assert (result.distance, result.gap, result.is_restricted) == (6, pytest.approx(0, abs=1e-8), True)
    assert result.largest_jump == pytest.approx(0.4)
    assert not result.has_no_restricted


def test_multiples_stay_in_a_restricted_rounding() -> None:
    relations, values = grid(np.array([[0, 5, 1], [10, 2, 0], [3, 0, 20]]))
    result = controlled_rounding(relations, values, base=5)
    check(result, relations, values, 5)
    stays = values % 5 == 0
    np.testing.assert_array_equal(result.values[stays], values[stays])


@settings(max_examples=examples(60))
@given(st.integers(0, 10**6), st.sampled_from([(2, 2), (2, 3), (3, 3)]), st.sampled_from([2.0, 3.0, 5.0]))
def test_nearest_in_two_dimensions(seed: int, shape: tuple[int, int], base: float) -> None:
    relations, values = grid(np.random.default_rng(seed).poisson(3, shape))
    result = controlled_rounding(relations, values, base=base)
    check(result, relations, values, base)
    expected, _ = nearest_rounding_oracle(relations, values, base, 0, np.zeros(len(values)), np.full(len(values), INF))
    assert result.is_restricted  # it always exists in two dimensions
    assert result.distance == pytest.approx(expected)
    assert result.gap <= 1e-7


@settings(max_examples=examples(25))
@given(st.integers(0, 10**6))
def test_nearest_in_three_dimensions(seed: int) -> None:
    relations, values = grid(np.random.default_rng(seed).poisson(1.5, (2, 2, 2)))
    result = controlled_rounding(relations, values, base=3)
    check(result, relations, values, 3)
    low, high = np.zeros(len(values)), np.full(len(values), INF)
    expected, _ = nearest_rounding_oracle(relations, values, 3, 0, low, high)
    assert result.is_restricted == np.isfinite(expected)
    assert result.has_no_restricted == np.isinf(expected)
    if np.isfinite(expected):
        assert result.distance == pytest.approx(expected)


@settings(max_examples=examples(25))
@given(st.integers(0, 10**6))
def test_relaxed_is_nearest_within_a_step(seed: int) -> None:
    rng = np.random.default_rng(seed)
    relations, values = grid(rng.poisson(3, (2, 2)) + rng.integers(0, 2) * rng.random((2, 2)).round(2))
    result = controlled_rounding(relations, values, base=3, restricted=False)
    check(result, relations, values, 3)
    low, high = np.zeros(len(values)), np.full(len(values), INF)
    expected, _ = nearest_rounding_oracle(relations, values, 3, 1, low, high)
    assert result.distance == pytest.approx(expected)
    tight = controlled_rounding(relations, values, base=3)
    assert result.distance <= tight.distance + 1e-9


def without_restricted() -> tuple[Relations, np.ndarray]:
    """A sum over pairs that contradict each other: x1 = x2, x2 = x3 and x1 + x3 = 1 have no solution in 0 and 1.

    Cells 3 to 5 are known multiples; the values 1 of base 2 can go to 0 or 2 only.
    """
    rows = [(3, [0, 1]), (4, [1, 2]), (5, [0, 2])]
    return Relations.of(rows, 6), np.array([1.0, 1.0, 1.0, 2.0, 2.0, 2.0])


def test_relaxed_where_no_restricted_rounding_exists() -> None:
    """The three sums of two cells stay at one step each, so each cell would be half a step: one sum must move."""
    relations, values = without_restricted()
    result = controlled_rounding(relations, values, base=2)
    check(result, relations, values, 2)
    assert result.has_no_restricted
    assert not result.is_restricted
    expected, _ = nearest_rounding_oracle(relations, values, 2, 1, np.zeros(6), np.full(6, INF))
    assert result.distance == pytest.approx(expected)
    assert result.to_plain()["no_restricted_rounding_exists"] is True


def test_a_cube_without_a_restricted_rounding() -> None:
    """Cubes of 0 and 1 are drawn until one has no zero-restricted rounding; the result says so."""
    rng = np.random.default_rng(4)
    for _ in range(400):
        relations, values = grid(rng.integers(0, 2, (3, 3, 3)))
        result = controlled_rounding(relations, values, base=2, time_limit=20)
        check(result, relations, values, 2)
        if result.has_no_restricted:
            assert result.largest_jump >= 1
            return
    pytest.fail("every cube that was drawn had a zero-restricted rounding")


def test_bounds_are_kept() -> None:
    rows = Relations.of([(0, [1, 2, 3])], 4)
    values = np.array([7.0, 1.0, 2.0, 4.0])
    result = controlled_rounding(rows, values, base=5, lower=np.array([10.0, 0, 0, 0]), upper=np.full(4, 10.0))
    assert result.values[0] == 10
    assert result.values[1:].sum() == 10


def test_nested_and_magnitudes() -> None:
    """Two levels of rows, amounts with cents; a network, so the relaxation is whole."""
    rng = np.random.default_rng(2)
    leaves = rng.lognormal(2, 1, (6, 5)).round(2)
    groups = leaves.reshape(2, 3, 5).sum(axis=1)
    table = np.vstack([leaves, groups, groups.sum(axis=0)])
    table = np.hstack([table, table.sum(axis=1, keepdims=True)])
    at = np.arange(table.size).reshape(table.shape)
    sums = [(int(line[-1]), line[:-1].tolist()) for line in at]
    for column in at.T:
        sums += [(int(column[6]), column[:3].tolist()), (int(column[7]), column[3:6].tolist())]
        sums.append((int(column[8]), column[6:8].tolist()))
    relations = Relations.of(sums, table.size)
    result = controlled_rounding(relations, table.ravel(), base=10)
    check(result, relations, table.ravel(), 10)
    assert result.is_restricted
    assert result.gap <= 1e-7


def test_values_that_do_not_add_up_can_be_rounded() -> None:
    rows = Relations.of([(0, [1, 2])], 3)
    result = controlled_rounding(rows, np.array([20.0, 5.0, 5.0]), base=5)
    assert result.values[0] == result.values[1] + result.values[2]
    assert result.has_no_restricted
    assert result.distance == 10


def test_negative_values() -> None:
    rows = Relations.of([(0, [1, 2])], 3)
    result = controlled_rounding(rows, np.array([-1.0, 6.0, -7.0]), base=5)
    check(result, rows, np.array([-1.0, 6.0, -7.0]), 5)


def test_time_limit_gives_the_best_so_far() -> None:
    """A cube of counts with so little time that only the first rounding can be there."""
    relations, values = grid(np.random.default_rng(1).poisson(3, (9, 9, 9)))
    result = controlled_rounding(relations, values, base=5, time_limit=1.0)
    check(result, relations, values, 5)
    assert 0 <= result.gap < 1


def test_no_time_at_all_rounds_from_the_bottom_up() -> None:
    relations, values = grid(np.random.default_rng(1).poisson(3, (5, 5, 5)))
    result = controlled_rounding(relations, values, base=5, time_limit=0.0)
    check(result, relations, values, 5)


def test_bad_input() -> None:
    rows = Relations.of([(0, [1, 2])], 3)
    values = np.array([3.0, 1.0, 2.0])
    with pytest.raises(ParameterError, match="'base' must be positive"):
        controlled_rounding(rows, values, base=0)
    with pytest.raises(ParameterError, match="'values' must be one finite number"):
        controlled_rounding(rows, values[:2], base=5)
    with pytest.raises(ParameterError, match="'upper' must have one entry"):
        controlled_rounding(rows, values, base=5, upper=np.ones(2))
    with pytest.raises(DataError, match="no multiple of the base 5") as caught:
        controlled_rounding(rows, values, base=5, lower=values, upper=values)
    assert caught.value.details["cells"] == [0, 1, 2]


def test_impossible_bounds_are_an_error() -> None:
    rows = Relations.of([(0, [1, 2])], 3)
    with pytest.raises(DataError, match="no additive rounding"):
        controlled_rounding(
            rows, np.array([10.0, 5.0, 5.0]), base=5, upper=np.array([5.0, 10.0, 10.0]), lower=np.array([0.0, 5.0, 5.0])
        )


@pytest.mark.parametrize("seed", range(3))
def test_every_small_table_of_one_relation(seed: int) -> None:
    """All values of three parts up to 4, base 3."""
    for parts in itertools.product(range(5), repeat=3):
        rows = Relations.of([(3, [0, 1, 2])], 4)
        values = np.array([*parts, sum(parts)], float) + seed / 4
        values[3] = values[:3].sum()
        result = controlled_rounding(rows, values, base=3)
        expected, _ = nearest_rounding_oracle(rows, values, 3, 0, np.zeros(4), np.full(4, INF))
        assert result.distance == pytest.approx(expected)
