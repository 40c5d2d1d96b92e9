"""The wall to HiGHS: linear and whole models, changed and solved again, infeasible and unbounded ones."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import TacitaError
from tacita.solve import Solver, solve
from tacita.solve.solver import Method
from tests.effort import examples

INF = np.inf


def knapsack() -> Solver:
    value, size = np.array([6.0, 10.0, 12.0]), np.array([[1.0, 2.0, 3.0]])
    return Solver(
        value, sp.csr_array(size), np.array([-INF]), np.array([5.0]), np.zeros(3), np.ones(3), integer=np.ones(3, bool)
    )


def test_knapsack_by_hand() -> None:
    answer = knapsack().run(maximise=True)
    assert answer.status == "optimal"
    assert answer.values.tolist() == [0, 1, 1]
    assert answer.objective == answer.bound == 22
    assert answer.gap == 0


def test_duals_are_prices() -> None:
    """max 3x + 2y, x + y <= 4, x <= 3: x = 3, y = 1, a further unit of the first row is worth 2."""
    model = Solver(
        np.array([3.0, 2.0]),
        sp.csr_array([[1.0, 1.0]]),
        np.array([-INF]),
        np.array([4.0]),
        np.zeros(2),
        np.array([3.0, INF]),
    )
    answer = model.run(maximise=True)
    assert answer.values.tolist() == [3, 1]
    assert answer.objective == 11
    assert answer.duals.tolist() == [2]
    assert answer.reduced.tolist() == [1, 0]


def test_model_can_change_between_runs() -> None:
    model = Solver(np.array([1.0, 1.0]), None, np.empty(0), np.empty(0), np.zeros(2), np.full(2, 10.0))
    assert model.run().objective == 0
    model.add_rows(sp.csr_array([[1.0, 2.0]]), np.array([8.0]), np.array([INF]))
    assert model.run().objective == pytest.approx(4)
    model.set_cost(np.array([1]), np.array([3.0]))
    assert model.run().values.tolist() == [8, 0]
    model.set_bounds(np.array([0]), np.array([0.0]), np.array([2.0]))
    assert model.run().objective == pytest.approx(11)
    model.set_sides(np.array([0]), np.array([2.0]), np.array([INF]))
    assert model.run().objective == pytest.approx(2)


@pytest.mark.parametrize("method", ["auto", "primal", "dual"])
def test_simplex_methods_agree(method: Method) -> None:
    """max 3x + 2y, x + y <= 4, x <= 3, then with other costs and bounds, warm and from the start."""
    model = Solver(
        np.array([3.0, 2.0]),
        sp.csr_array([[1.0, 1.0]]),
        np.array([-INF]),
        np.array([4.0]),
        np.zeros(2),
        np.array([3.0, INF]),
        method=method,
    )
    assert model.run(maximise=True).objective == pytest.approx(11)
    model.set_cost(np.array([1]), np.array([5.0]))
    bare = model.run(maximise=True, prices=False)
    assert bare.objective == pytest.approx(20)
    assert bare.duals.size == bare.reduced.size == 0
    model.set_bounds(np.array([1]), np.zeros(1), np.ones(1))
    model.forget()
    answer = model.run(maximise=True)
    assert answer.values.tolist() == pytest.approx([3, 1])
    assert answer.duals.tolist() == pytest.approx([0])
    assert answer.reduced.tolist() == pytest.approx([3, 5])


def test_words_for_what_has_no_solution() -> None:
    row = sp.csr_array([[1.0]])
    none = solve(np.ones(1), row, np.array([5.0]), np.array([5.0]), np.zeros(1), np.ones(1))
    assert none.status == "infeasible"
    assert not none.has_solution
    assert none.values.size == 0
    assert none.gap == INF
    endless = solve(-np.ones(1), row, np.array([0.0]), np.array([INF]), np.zeros(1), np.array([INF]))
    assert endless.status == "unbounded"


def test_a_start_is_kept_when_there_is_no_time() -> None:
    answer = knapsack().run(maximise=True, time_limit=0.0, start=np.array([1.0, 1.0, 0.0]))
    assert answer.has_solution
    assert answer.objective >= 16


def test_progress_can_stop() -> None:
    rng = np.random.default_rng(1)
    n = 60
    model = Solver(
        rng.integers(10, 100, n).astype(float),
        sp.csr_array(rng.integers(10, 100, (15, n)).astype(float)),
        np.full(15, -INF),
        np.full(15, 25.0 * n),
        np.zeros(n),
        np.ones(n),
        integer=np.ones(n, bool),
    )
    heard: list[float] = []

    def progress(seconds: float, _best: float, _bound: float) -> bool:
        heard.append(seconds)
        return True

    answer = model.run(maximise=True, progress=progress, time_limit=20)
    assert heard
    assert answer.status in ("feasible", "optimal", "unknown")


def test_rows_of_the_wrong_width_are_refused() -> None:
    with pytest.raises(TacitaError, match="3 columns"):
        knapsack().add_rows(sp.csr_array([[1.0]]), np.zeros(1), np.zeros(1))


@settings(max_examples=examples(30), deadline=None)
@given(st.integers(0, 10_000))
def test_whole_models_equal_enumeration(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, m = 5, 3
    cost, rows = rng.integers(-9, 10, n).astype(float), rng.integers(-5, 6, (m, n)).astype(float)
    side = rng.integers(-3, 10, m).astype(float)
    answer = solve(cost, sp.csr_array(rows), np.full(m, -INF), side, np.zeros(n), np.ones(n), integer=np.ones(n, bool))
    fits = [np.array(x) for x in itertools.product((0.0, 1.0), repeat=n) if (rows @ np.array(x) <= side).all()]
    if not fits:
        assert answer.status == "infeasible"
    else:
        assert answer.objective == pytest.approx(min(cost @ x for x in fits))
