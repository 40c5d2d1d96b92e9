"""The cheapest move of a cell: by hand, against a general solver, blocked cells, budgets, clean working space."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from tacita.numeric.table_moves.cheapest_move import BLOCKED, DEAR, FOUND, GAVE_UP, move_cell
from tacita.numeric.table_moves.workspace import Net, Workspace, make_net, make_workspace
from tacita.tables.protect.problem import Problem
from tacita.tables.suppression.fast.demands import rooms
from tests.effort import examples
from tests.tables.small_problems import grid, random_problem


def net_of(problem: Problem) -> tuple[Net, Workspace]:
    net = make_net(problem.relations.matrix, problem.relations.columns, *rooms(problem))
    return net, make_workspace(len(problem.relations), problem.size, 200)


def price(net: Net, fee: np.ndarray, amount: float) -> np.ndarray:
    return fee[:, None] / np.maximum(np.minimum(net.room / abs(amount), 1.0), 1e-3)


def cheapest_oracle(
    problem: Problem, net: Net, fee: np.ndarray, blocked: np.ndarray, cell: int, amount: float
) -> float:
    """The linear programme as it is written, over all cells at once; infinity where it has no solution."""
    unit = abs(amount)
    room = np.where(blocked[:, None], 0.0, net.room / unit)
    if room[cell, 0 if amount > 0 else 1] < 1.0 - 1e-9:
        return float("inf")
    costs = price(net, fee, amount)
    costs[cell] = 0.0
    room[cell] = (1.0, 0.0) if amount > 0 else (0.0, 1.0)
    bounds = [(0.0, None if np.isinf(r) else r) for r in room.T.ravel()]
    bounds[cell if amount > 0 else problem.size + cell] = (1.0, 1.0)
    rows = problem.relations.matrix
    found = linprog(
        costs.T.ravel(), A_eq=sp.hstack([rows, -rows]), b_eq=np.zeros(rows.shape[0]), bounds=bounds, method="highs"
    )
    return float(found.fun) if found.status == 0 else float("inf")


def test_a_square_by_hand() -> None:
    """In a 2 x 2 table with margins the cell moves with the other three: each goes by the amount."""
    problem = grid(np.array([[3.0, 20.0], [15.0, 12.0]]), unsafe=[(0, 0)], level=2.0)
    net, work = net_of(problem)
    fee = np.array([1.0, 1.0, 5.0, 1.0, 1.0, 5.0, 5.0, 5.0, 5.0])  # margins are dear
    verdict, count = move_cell(net, work, fee, np.zeros(9, bool), 0, 2.0, np.inf, 100)
    assert verdict == FOUND
    moves = dict(zip(work.cells[:count].tolist(), work.moves[:count].tolist(), strict=True))
    assert moves == pytest.approx({0: 2.0, 1: -2.0, 3: -2.0, 4: 2.0})


def test_a_cell_with_little_room_is_helped_by_others() -> None:
    """Up by 10, but the neighbour in the row can only give 4: the rest comes from another column."""
    problem = grid(np.array([[10.0, 4.0, 50.0], [40.0, 40.0, 40.0]]), unsafe=[(0, 0)], level=10.0)
    net, work = net_of(problem)
    fee = np.ones(12)
    fee[2] = 3.0
    blocked = np.zeros(12, bool)
    blocked[[3, 7, 8, 9, 10, 11]] = True  # margins are published
    verdict, count = move_cell(net, work, fee, blocked, 0, 10.0, np.inf, 100)
    assert verdict == FOUND
    moves = np.zeros(12)
    moves[work.cells[:count]] = work.moves[:count]
    assert moves[:3].tolist() == pytest.approx([10.0, -4.0, -6.0])
    assert moves[4:7].tolist() == pytest.approx([-10.0, 4.0, 6.0])


def test_blocked_names_the_relations() -> None:
    """Alone in its row, a cell cannot move, and the row says so."""
    problem = grid(np.array([[3.0, 20.0], [15.0, 12.0]]), unsafe=[(0, 0)], level=2.0)
    net, work = net_of(problem)
    blocked = np.zeros(9, bool)
    blocked[[1, 2]] = True
    verdict, count = move_cell(net, work, np.ones(9), blocked, 0, 2.0, np.inf, 100)
    assert verdict == BLOCKED
    assert work.blocking[:count].tolist() == [0]
    assert move_cell(net, work, np.ones(9), np.zeros(9, bool), 0, -3.5, np.inf, 100)[0] == BLOCKED  # below its bound


def test_budget_and_steps_end_the_search() -> None:
    problem = grid(np.array([[3.0, 20.0], [15.0, 12.0]]), unsafe=[(0, 0)], level=2.0)
    net, work = net_of(problem)
    free = np.zeros(9, bool)
    assert move_cell(net, work, np.ones(9), free, 0, 2.0, 2.5, 100)[0] == DEAR
    assert move_cell(net, work, np.ones(9), free, 0, 2.0, 3.5, 100)[0] == FOUND
    assert move_cell(net, work, np.ones(9), free, 0, 2.0, np.inf, 1)[0] == GAVE_UP
    assert move_cell(net, work, np.ones(9), free, 0, 2.0, np.inf, 100)[0] == FOUND


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 10**6))
def test_same_as_a_general_solver(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = random_problem(rng)
    net, work = net_of(problem)
    fee = np.where(rng.random(problem.size) < 0.3, 1e-3, 1.0) * rng.uniform(0.5, 2.0, problem.size)
    shut = rng.random(problem.size) < rng.choice([0.0, 0.2, 0.5])
    for cell in rng.permutation(problem.size)[:4].tolist():
        blocked = shut & (np.arange(problem.size) != cell)
        amount = float(rng.choice([-1.0, 1.0]) * max(1.0, abs(problem.values[cell])) * rng.choice([0.01, 0.3, 1.0]))
        if not net.room[cell].any():
            continue
        best = cheapest_oracle(problem, net, fee, blocked, cell, amount)
        verdict, count = move_cell(net, work, fee, blocked, cell, amount, np.inf, 5000)
        if np.isinf(best):
            assert verdict in (BLOCKED, GAVE_UP)
            continue
        assert verdict == FOUND
        moves = np.zeros(problem.size)
        moves[work.cells[:count]] = work.moves[:count]
        assert moves[cell] == pytest.approx(amount)
        assert np.abs(problem.relations.residuals(moves)).max() <= 1e-6 * abs(amount)
        assert not moves[blocked].any()
        assert np.all(moves <= net.room[:, 0] + 1e-7 * abs(amount))
        assert np.all(-moves <= net.room[:, 1] + 1e-7 * abs(amount))
        used = price(net, fee, amount) * np.stack([np.maximum(moves, 0), np.maximum(-moves, 0)], axis=1) / abs(amount)
        used[cell] = 0.0
        assert used.sum() == pytest.approx(best, rel=1e-5, abs=1e-7)


def _left_behind(work: Workspace) -> tuple[np.ndarray, ...]:
    return work.residual, work.place, work.is_seen, work.value, work.alpha, work.basic, work.row_length


@settings(max_examples=examples(30), deadline=None)
@given(st.integers(0, 10**6))
def test_the_working_space_is_clean_again(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = random_problem(rng)
    net, work = net_of(problem)
    before = [array.copy() for array in _left_behind(work)]
    cell = int(rng.integers(problem.size))
    limit = float(rng.choice([0.5, 2.0, np.inf]))
    move_cell(
        net, work, np.ones(problem.size), np.zeros(problem.size, bool), cell, 1.5, limit, int(rng.integers(1, 60))
    )
    after = _left_behind(work)
    assert all(np.array_equal(a, b) for a, b in zip(before, after, strict=True))
    assert not work.at_bound.any()
    assert not work.was_moved.any()
    assert not work.felt.any()
