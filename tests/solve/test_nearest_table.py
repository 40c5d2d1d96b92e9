"""The projection on a table's relations and bounds, against a general solver and by its optimality conditions."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.solve.nearest_table import nearest_in_squares
from tests.effort import examples
from tests.oracles.tables.adjustment import nearest_table_oracle
from tests.tables.small_problems import grid


def test_by_hand() -> None:
    """1 + 2 against 6: each of the three takes a third of what is missing."""
    rows = sp.csr_array([[1.0, 1.0, -1.0]])
    free = np.full(3, np.inf)
    found = nearest_in_squares(rows, np.zeros(1), np.array([1.0, 2.0, 6.0]), np.ones(3), -free, free)
    np.testing.assert_allclose(found, [2, 3, 5])
    weighted = nearest_in_squares(rows, np.zeros(1), np.array([1.0, 2.0, 6.0]), np.array([1.0, 1.0, 0.5]), -free, free)
    np.testing.assert_allclose(weighted, [1.75, 2.75, 4.5])


def test_a_bound_sends_the_change_elsewhere() -> None:
    rows = sp.csr_array([[1.0, 1.0, -1.0]])
    high = np.array([1.5, np.inf, np.inf])
    found = nearest_in_squares(rows, np.zeros(1), np.array([1.0, 2.0, 6.0]), np.ones(3), np.zeros(3), high)
    np.testing.assert_allclose(found, [1.5, 3.25, 4.75])


def test_sides_other_than_zero_and_no_rows() -> None:
    rows = sp.csr_array([[1.0, 1.0]])
    free = np.full(2, np.inf)
    np.testing.assert_allclose(nearest_in_squares(rows, np.array([4.0]), np.zeros(2), np.ones(2), -free, free), [2, 2])
    none = nearest_in_squares(sp.csr_array((0, 2)), np.zeros(0), np.array([-1.0, 5.0]), np.ones(2), np.zeros(2), free)
    np.testing.assert_allclose(none, [0, 5])


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 10**6))
def test_against_a_general_solver(seed: int) -> None:
    """Two-way tables: their relations depend on each other."""
    rng = np.random.default_rng(seed)
    problem = grid(rng.poisson(5, (2, 3)).astype(float), unsafe=[], level=0)
    rows, n = problem.relations.matrix, problem.size
    target = problem.values + rng.normal(0, 3, n)
    weights, low, high = rng.uniform(0.3, 3, n), np.zeros(n), problem.values + rng.uniform(0, 6, n)
    found = nearest_in_squares(rows, np.zeros(rows.shape[0]), target, weights, low, high)
    assert found is not None
    np.testing.assert_allclose(rows @ found, 0, atol=1e-6)
    assert np.all((found >= low) & (found <= high))
    expected = nearest_table_oracle(rows.toarray(), target, weights, low, high, "l2")
    assert weights @ (found - target) ** 2 == pytest.approx(expected, rel=1e-4, abs=1e-6)


def test_impossible_is_none() -> None:
    rows = sp.csr_array([[1.0, 1.0, -1.0]])
    high = np.array([1.0, 1.0, 9.0])
    assert nearest_in_squares(rows, np.zeros(1), np.zeros(3), np.ones(3), np.array([0.0, 0, 5]), high) is None


def test_many_sizes_of_values() -> None:
    """Small cells hold their sums as exactly as large ones do."""
    rng = np.random.default_rng(2)
    problem = grid(rng.lognormal(2, 4, (30, 20)), unsafe=[], level=0)
    rows, n = problem.relations.matrix, problem.size
    target = problem.values * rng.uniform(0.9, 1.1, n)
    found = nearest_in_squares(
        rows, np.zeros(rows.shape[0]), target, 1 / problem.values, np.zeros(n), np.full(n, np.inf)
    )
    assert found is not None
    assert not len(problem.relations.violated(found))
