"""Exact intervals and cells without an end."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.tables.auditor import intervals as module
from tacita.tables.auditor.attacker import CellAttacker
from tacita.tables.auditor.intervals import endless_cells, exact_intervals
from tests.effort import examples
from tests.oracles.tables import audit as oracle
from tests.tables.small_problems import grid, random_pattern, random_problem


def test_a_square_by_hand() -> None:
    problem = grid(np.array([[1.0, 2], [3, 4]]), unsafe=[(0, 0)], level=1.0)
    attacker = CellAttacker(problem, np.isin(np.arange(9), [0, 1, 3, 4, 8]))
    low, high, is_exact = exact_intervals(attacker)
    assert low.tolist() == pytest.approx([0, 0, 1, 3, 10])
    assert high.tolist() == pytest.approx([3, 3, 4, 6, 10])
    assert is_exact.all()


def test_endless_cells_by_hand() -> None:
    """A cell, its margins and the total hidden can grow together; none of them can fall for ever."""
    problem = grid(np.array([[1.0, 2], [3, 4]]), unsafe=[(0, 0)], level=1.0)
    polytope = CellAttacker(problem, np.isin(np.arange(9), [0, 2, 6, 8])).polytope
    assert endless_cells(polytope, np.arange(4), 1).all()
    assert not endless_cells(polytope, np.arange(4), -1).any()


@settings(max_examples=examples(30), deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_large_blocks_give_the_same(seed: int) -> None:
    """Every block treated as a large one, where the attacker looks around each cell first."""
    rng = np.random.default_rng(seed)
    problem = random_problem(rng)
    hidden = random_pattern(problem, rng)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_SMALL", 0)
        low, high, _ = exact_intervals(CellAttacker(problem, hidden))
    slack = 2e-6 * max(1.0, np.abs(problem.values).max())
    for cell, lo, hi in zip(np.flatnonzero(hidden).tolist(), low, high, strict=True):
        assert (lo, hi) == pytest.approx(oracle.interval(problem, hidden, cell, set()), abs=slack)
