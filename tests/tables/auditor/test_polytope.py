"""The attacker's polytope: chains of single relations, combinations, bounds, determined cells."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.tables.auditor.polytope import Polytope
from tests.effort import examples
from tests.oracles.tables import audit as oracle
from tests.tables.small_problems import grid, random_pattern, random_problem


def test_a_chain_falls_cell_by_cell() -> None:
    """(0,0), (0,1), (1,0) hidden: column 1 gives (0,1), row 0 then (0,0), and so on until nothing is left."""
    problem = grid(np.array([[1.0, 2, 5], [3, 4, 6]]), unsafe=[(0, 0)], level=1.0)
    hidden = np.isin(np.arange(12), [0, 1, 4])
    made = Polytope.of(problem, hidden)
    assert len(made) == 0
    assert {cell for cell, _ in made.chain} == {0, 1, 4}
    combined = made.combination(0, np.empty(0, np.int64), np.empty(0))
    left = np.zeros(12)
    left[0] = 1.0
    for row, price in combined.items():
        cells, signs = problem.relations.row(row)
        left[cells] -= price * signs
    assert not left[hidden].any()


def test_a_square_stays() -> None:
    problem = grid(np.array([[1.0, 2], [3, 4]]), unsafe=[(0, 0)], level=1.0)
    made = Polytope.of(problem, np.isin(np.arange(9), [0, 1, 3, 4, 8]))
    assert made.cells.tolist() == [0, 1, 3, 4]
    assert made.chain[0][0] == 8
    assert made.down.tolist() == [1, 2, 3, 4]
    assert np.isinf(made.up).all()
    assert made.residual(np.arange(4), np.array([1.0, -1, -1, 1])) == 0
    assert made.residual(np.arange(4), np.array([1.0, -1, -1, 2])) == 1
    assert not made.frozen().any()
    down, up = made.single_bounds()
    assert down.tolist() == [1, 2, 3, 4]
    assert up.tolist() == [2, 1, 1, 2]


def test_known_cells_do_not_move() -> None:
    problem = grid(np.array([[0.0, 2], [3, 4]]), unsafe=[(0, 1)], level=1.0)
    problem.upper[0] = 0.0
    made = Polytope.of(problem, np.isin(np.arange(9), [0, 1, 3, 4]))
    assert len(made) == 0


def test_hidden_must_fit() -> None:
    problem = grid(np.array([[1.0, 2], [3, 4]]), unsafe=[(0, 0)], level=1.0)
    with pytest.raises(ParameterError, match="9 cells"):
        Polytope.of(problem, np.zeros(9))  # type: ignore[arg-type]


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_determined_cells_are_those_of_the_row_space(seed: int) -> None:
    """A cell is determined when its unit vector adds nothing to the rank of the relations."""
    rng = np.random.default_rng(seed)
    problem = random_problem(rng)
    made = Polytope.of(problem, random_pattern(problem, rng))
    matrix = made.by_row.toarray()
    rank = np.linalg.matrix_rank(matrix) if matrix.size else 0
    for at, is_frozen in enumerate(made.frozen()):
        more = np.linalg.matrix_rank(np.vstack([matrix, np.eye(len(made))[at]]))
        assert is_frozen == (more == rank)


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_single_bounds_are_never_too_tight(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = random_problem(rng)
    hidden = random_pattern(problem, rng)
    made = Polytope.of(problem, hidden)
    down, up = made.single_bounds()
    for at, cell in enumerate(made.cells.tolist()):
        low, high = oracle.interval(problem, hidden, cell, set())
        slack = 1e-6 * max(1.0, np.abs(problem.values).max())
        assert problem.values[cell] - down[at] <= low + slack
        assert problem.values[cell] + up[at] >= high - slack
