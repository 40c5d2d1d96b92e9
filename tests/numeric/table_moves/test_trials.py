"""Trials: needless cells are published, dear ones exchanged, and a trial that fails leaves no trace."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.tables.suppression.fast.move_search import Search
from tests.effort import examples
from tests.tables.small_problems import grid

SQUARE = np.array([[3.0, 20.0, 9.0], [15.0, 12.0, 7.0], [6.0, 11.0, 8.0]])


def test_needless_cells_are_published() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0)], level=1.0)
    hidden = np.zeros(16, bool)
    hidden[[0, 1, 2, 4, 5, 6, 8, 9, 10]] = True
    search = Search(problem, hidden)
    search.cover()
    search.thin(exchanges=False)
    assert search.hidden.sum() == 4


def test_a_dear_cell_is_exchanged() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0)], level=1.0)
    cost = np.ones(16)
    cost[1] = 9.0
    hidden = np.zeros(16, bool)
    hidden[[0, 1, 4, 5]] = True
    search = Search(problem.with_cost(cost), hidden)
    search.cover()
    assert search.cost == 12.0
    search.thin(exchanges=False)
    assert search.cost == 12.0
    search.thin(exchanges=True)
    assert search.cost == 4.0
    assert not search.hidden[1]


@settings(max_examples=examples(30), deadline=None)
@given(st.integers(0, 10**6))
def test_a_trial_that_fails_leaves_no_trace(seed: int) -> None:
    rng = np.random.default_rng(seed)
    inner = rng.integers(2, 40, (4, 4)).astype(float)
    problem = grid(inner, unsafe=[(0, 0), (1, 2), (3, 3)], level=1.0).with_cost(rng.uniform(1.0, 3.0, 25))
    search = Search(problem, seed=seed)
    search.cover()
    search.thin(exchanges=True)
    before, cost = search.hidden, search.cost
    kept = [int(search._proofs.first[d]) for d in range(len(search.demands))]
    cells = np.flatnonzero(before & ~problem.unsafe)
    never = np.full(len(cells), -1e9)
    done, saved = search._try(cells, np.full(len(cells), 3), never, rng.random((len(cells), 6)))
    assert (done, saved) == (len(cells), 0.0)
    assert np.array_equal(before, search.hidden)
    assert search.cost == cost
    assert [int(search._proofs.first[d]) for d in range(len(search.demands))] == kept
    assert not search._proofs.is_off[search._proofs.owner >= 0].any()
    assert not search._proofs.is_open.any()
    search.check()
