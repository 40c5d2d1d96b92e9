"""Additivity repair: sums hold afterwards, and no table is nearer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError
from tacita.tables.adjustment.additivity import restore_additivity
from tacita.tables.model.relations import Relations
from tests.effort import examples
from tests.oracles.tables.adjustment import nearest_table_oracle
from tests.oracles.tables.table_rounding import nearest_whole_table_oracle
from tests.tables.small_problems import grid

PAIR = Relations.of([(0, [1, 2])], 3)


def noisy(seed: int) -> tuple[Relations, np.ndarray, np.random.Generator]:
    """A two-way table with whole noise in every cell."""
    rng = np.random.default_rng(seed)
    problem = grid(rng.poisson(4, (2, int(rng.integers(2, 4)))).astype(float), unsafe=[], level=0)
    return problem.relations, np.maximum(problem.values + rng.integers(-2, 3, problem.size), 0), rng


def test_by_hand() -> None:
    """9 over 4 + 2: three are missing. In squares each cell takes one; in absolute terms any way of three will do."""
    values = np.array([9.0, 4.0, 2.0])
    np.testing.assert_allclose(restore_additivity(PAIR, values, norm="l2"), [8, 5, 3])
    repaired = restore_additivity(PAIR, values)
    assert repaired[0] == pytest.approx(repaired[1] + repaired[2])
    assert np.abs(repaired - values).sum() == pytest.approx(3)


def test_weights_say_which_cell_gives_way() -> None:
    values = np.array([9.0, 4.0, 2.0])
    np.testing.assert_allclose(restore_additivity(PAIR, values, weights=np.array([3.0, 2.0, 1.0])), [9, 4, 5])
    heavy = restore_additivity(PAIR, values, weights=np.array([1e6, 1, 1]), norm="l2")
    np.testing.assert_allclose(heavy, [9, 5.5, 3.5], atol=1e-4)


def test_fixed_cells_stay() -> None:
    values = np.array([9.0, 4.0, 2.0])
    for norm in ("l1", "l2"):
        repaired = restore_additivity(PAIR, values, norm=norm, fixed=np.array([True, False, True]))
        np.testing.assert_allclose(repaired, [9, 7, 2])


def test_an_additive_table_is_left_alone() -> None:
    problem = grid(np.arange(12.0).reshape(3, 4), unsafe=[], level=0)
    for norm in ("l1", "l2"):
        for integer in (False, True):
            repaired = restore_additivity(problem.relations, problem.values, norm=norm, integer=integer)
            np.testing.assert_allclose(repaired, problem.values, atol=1e-9)


@settings(max_examples=examples(40))
@given(st.integers(0, 10**6), st.sampled_from(["l1", "l2"]))
def test_nearest(seed: int, norm: str) -> None:
    relations, values, rng = noisy(seed)
    n = len(values)
    weights = rng.uniform(0.5, 2, n)
    low, high = np.zeros(n), np.where(rng.random(n) < 0.3, values + 3, 1e3)
    repaired = restore_additivity(relations, values, lower=low, upper=high, weights=weights, norm=norm)  # type: ignore[arg-type]
    assert not len(relations.violated(repaired, tolerance=1e-8))
    assert np.all((repaired >= low) & (repaired <= high))
    expected = nearest_table_oracle(relations.matrix.toarray(), values, weights, low, high, norm)
    moves = np.abs(repaired - values)
    reached = weights @ moves if norm == "l1" else weights @ moves**2
    assert reached == pytest.approx(expected, rel=1e-4, abs=1e-6)
    assert reached <= expected * (1 + 1e-6) + 1e-6


@settings(max_examples=examples(25))
@given(st.integers(0, 10**6))
def test_nearest_whole_table(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = grid(rng.poisson(3, (2, 2)).astype(float), unsafe=[], level=0)
    values = problem.values + rng.integers(-1, 2, problem.size) + (rng.random(problem.size).round(1) if seed % 2 else 0)
    values = np.maximum(values, 0)
    weights = rng.integers(1, 4, problem.size).astype(float)
    low, high = np.zeros(problem.size), np.full(problem.size, np.inf)
    repaired = restore_additivity(problem.relations, values, weights=weights, integer=True)
    np.testing.assert_array_equal(repaired, np.rint(repaired))
    assert not np.any(problem.relations.residuals(repaired))
    expected = nearest_whole_table_oracle(problem.relations, values, weights, low, high, 2)
    assert weights @ np.abs(repaired - values) <= expected + 1e-9


@settings(max_examples=examples(25))
@given(st.integers(0, 10**6))
def test_whole_numbers_in_squares_are_close(seed: int) -> None:
    """No farther than the exact squares plus a step for each cell."""
    relations, values, _ = noisy(seed)
    repaired = restore_additivity(relations, values, norm="l2", integer=True)
    np.testing.assert_array_equal(repaired, np.rint(repaired))
    assert not np.any(relations.residuals(repaired))
    exact = restore_additivity(relations, values, norm="l2")
    assert np.abs(repaired - exact).max() <= 2


def test_values_beyond_their_bounds_are_brought_in() -> None:
    values, high = np.array([9.0, 4.0, 2.0]), np.array([7.0, 9.0, 9.0])
    for norm in ("l1", "l2"):
        repaired = restore_additivity(PAIR, values, upper=high, norm=norm)
        assert repaired[0] <= 7
        assert repaired[0] == pytest.approx(repaired[1] + repaired[2])
    assert restore_additivity(PAIR, values, upper=high, integer=True)[0] <= 7


def test_negative_values_may_stay_negative() -> None:
    repaired = restore_additivity(PAIR, np.array([-2.0, -4.0, 1.0]))
    assert repaired[0] == pytest.approx(repaired[1] + repaired[2])
    assert repaired.min() < 0


@pytest.mark.slow
def test_a_large_table_of_counts() -> None:
    """Noise in 40 000 cells of two dimensions; whole numbers come out."""
    rng = np.random.default_rng(1)
    problem = grid(rng.poisson(5, (200, 200)).astype(float), unsafe=[], level=0)
    values = np.maximum(problem.values + rng.integers(-2, 3, problem.size), 0)
    repaired = restore_additivity(problem.relations, values, integer=True)
    assert not np.any(problem.relations.residuals(repaired))
    assert np.abs(repaired - values).mean() < 1


def test_impossible() -> None:
    for norm in ("l1", "l2"):
        with pytest.raises(DataError, match="no table was found"):
            restore_additivity(PAIR, np.array([9.0, 4.0, 2.0]), norm=norm, fixed=np.ones(3, bool))
    with pytest.raises(DataError, match="no table was found"):
        restore_additivity(PAIR, np.array([9.0, 4.0, 2.0]), integer=True, fixed=np.ones(3, bool))


def test_bad_input() -> None:
    values = np.array([9.0, 4.0, 2.0])
    with pytest.raises(ParameterError, match="'norm' must be 'l1' or 'l2', got 'l3'"):
        restore_additivity(PAIR, values, norm="l3")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="'values' must be one finite number"):
        restore_additivity(PAIR, np.array([1.0, np.nan, 2.0]))
    with pytest.raises(ParameterError, match="'weights' must be positive"):
        restore_additivity(PAIR, values, weights=np.zeros(3))
    with pytest.raises(ParameterError, match="'fixed' must have one entry"):
        restore_additivity(PAIR, values, fixed=np.zeros(2, bool))
    with pytest.raises(ParameterError, match="'lower' is above 'upper' in 3 cells"):
        restore_additivity(PAIR, values, lower=np.full(3, 5.0), upper=np.full(3, 4.0))
