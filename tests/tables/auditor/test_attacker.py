"""The attacker: reaches, moves and prices, also where the kernel gives up."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError
from tacita.tables.auditor import attacker as module
from tacita.tables.auditor.attacker import CellAttacker
from tacita.tables.auditor.reach import Reach
from tacita.tables.protect.problem import Problem
from tests.effort import examples
from tests.oracles.tables import audit as oracle
from tests.tables.auditor.test_audit import compare
from tests.tables.small_problems import grid, random_pattern, random_problem

BoolArray = npt.NDArray[np.bool_]


def inner(n: int = 9) -> BoolArray:
    """The four inner cells of a table of two rows and columns."""
    return np.isin(np.arange(n), [0, 1, 3, 4])


def test_reach_by_hand() -> None:
    """1 2 / 3 4 with the four inner cells hidden: d, -d, -d, d with d from -1 to 2."""
    problem = grid(np.array([[1.0, 2], [3, 4]]), unsafe=[(0, 0)], level=1.0)
    attacker = CellAttacker(problem, inner())
    up = attacker.reach(0, "above", 5.0)
    assert up.amount == pytest.approx(2.0)
    assert not up.is_met
    assert up.prices == {0: 1.0}
    down = attacker.reach(0, "below", 1.0)
    assert down.is_met
    assert down.cells.tolist() == [0, 1, 3, 4]
    assert down.moves.tolist() == [-1.0, 1.0, 1.0, -1.0]


def test_known_cells_stand_still() -> None:
    problem = grid(np.array([[1.0, 2], [3, 4]]), unsafe=[(0, 0)], level=1.0)
    attacker = CellAttacker(problem, inner())
    assert attacker.reach(0, "below", 1.0, known=[4]).amount == pytest.approx(0.0)
    assert attacker.reach(0, "below", 1.0, known=[0]).amount == 0.0
    assert attacker.reach(0, "below", 1.0, known=[8]).is_met  # published anyway


def test_a_level_beyond_the_public_bound_needs_no_relation() -> None:
    problem = grid(np.array([[1.0, 2], [3, 4]]), unsafe=[(0, 0)], level=1.0)
    found = CellAttacker(problem, inner()).reach(0, "below", 3.0)
    assert (found.amount, found.is_met, found.prices) == (1.0, False, {})


def test_a_reach_without_end() -> None:
    problem = grid(np.array([[1.0, 2], [3, 4]]), unsafe=[(0, 0)], level=1.0)
    every = np.ones(9, bool)
    assert CellAttacker(problem, every).reach(0, "above", np.inf).amount == np.inf
    assert CellAttacker(problem, every).reach(0, "above", 1e7).is_met


def test_only_hidden_cells_are_asked_for() -> None:
    problem = grid(np.array([[1.0, 2], [3, 4]]), unsafe=[(0, 0)], level=1.0)
    with pytest.raises(ParameterError, match="not hidden"):
        CellAttacker(problem, inner()).reach(8, "above", 1.0)
    half = grid(np.array([[1.5, 2], [3, 4]]), unsafe=[(0, 0)], level=1.0)
    with pytest.raises(DataError, match="whole"):
        CellAttacker(half, inner(), integer=True)


def check_prices(problem: Problem, hidden: BoolArray, found: Reach, known: set[int]) -> None:
    """The prices prove the bound: what their combination leaves is paid by public bounds of hidden cells."""
    sign = 1.0 if found.side == "above" else -1.0
    left = np.zeros(problem.size)
    left[found.cell] = sign
    for row, price in found.prices.items():
        cells, signs = problem.relations.row(row)
        left[cells] -= price * signs
    free = hidden & (problem.lower < problem.upper)
    free[list(known)] = False
    left[np.abs(left) < 1e-7] = 0.0
    up, down = problem.upper - problem.values, problem.values - problem.lower
    used = free & (left != 0)
    paid = np.where(left[used] > 0, left[used] * up[used], -left[used] * down[used]).sum()
    assert paid == pytest.approx(found.amount, rel=1e-4, abs=1e-4 * max(1.0, np.abs(problem.values).max()))


def check_witness(problem: Problem, hidden: BoolArray, found: Reach, known: set[int]) -> None:
    """The table of a move agrees with everything that is known and goes as far as it says."""
    table = problem.values.copy()
    table[found.cells] += found.moves
    size = max(1.0, np.abs(problem.values).max())
    assert hidden[found.cells].all()
    assert not known & set(found.cells.tolist())
    assert np.abs(problem.relations.residuals(table)).max(initial=0.0) <= 1e-8 * size
    assert (table >= problem.lower - 1e-8 * size).all()
    assert (table <= problem.upper + 1e-8 * size).all()
    assert abs(table[found.cell] - problem.values[found.cell]) == pytest.approx(found.amount, rel=1e-6)


def check_reaches(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = random_problem(rng)
    hidden = random_pattern(problem, rng)
    cells = np.flatnonzero(hidden)
    if not len(cells):
        return
    attacker = CellAttacker(problem, hidden)
    known = {int(c) for c in rng.choice(problem.size, rng.integers(0, 3))}
    for cell in rng.choice(cells, min(4, len(cells)), replace=False).tolist():
        low, high = oracle.interval(problem, hidden, cell, known)
        a, slack = problem.values[cell], problem.tolerance()[cell]
        for side, most in (("below", a - low), ("above", high - a)):
            needed = float(max(abs(a), 1.0) * rng.choice([0.2, 1.0, 3.0]))
            found = attacker.reach(cell, side, needed, sorted(known))  # type: ignore[arg-type]
            assert found.is_met == (most >= needed - slack)
            if found.is_met:
                check_witness(problem, hidden, found, known)
            else:
                assert found.amount == pytest.approx(max(most, 0.0), abs=2 * slack + 1e-5 * needed)
                if found.prices:
                    check_prices(problem, hidden, found, known)


@settings(max_examples=examples(80), deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_reaches_equal_the_oracle_with_proofs(seed: int) -> None:
    check_reaches(seed)


@pytest.mark.parametrize("basis", [1, 2, 4])
@pytest.mark.parametrize("seed", range(8))
def test_what_the_kernel_gives_up_goes_to_the_solver(monkeypatch: pytest.MonkeyPatch, basis: int, seed: int) -> None:
    """With next to no working space the kernel gives up nearly always, and the verdicts stay the same."""
    monkeypatch.setattr(module, "_BASIS", basis)
    monkeypatch.setattr(module, "_STEPS", 4)
    check_reaches(1000 + seed)
    rng = np.random.default_rng(2000 + seed)
    problem = random_problem(rng)
    compare(problem, random_pattern(problem, rng))
