from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.safe.first_counts import first_counts, restore_totals
from tacita.numeric.safe.state import deviations_of, new_state
from tests.numeric.safe.small_problems import small_problem


@given(seed=st.integers(0, 10**6), k=st.integers(2, 6), n=st.integers(6, 60))
def test_no_small_count_is_left_and_the_bound_holds(seed: int, k: int, n: int) -> None:
    found = small_problem(seed, n=n)
    state, known = new_state(found.layout, found.counts, None)
    order = np.random.default_rng(seed).permutation(len(found.counts))
    bound = first_counts(state, known, found.layout.controlled, k=k, bound=1, order=order)
    assert ((state.counts == 0) | (state.counts >= k)).all()
    assert np.abs(state.deviations[: found.layout.controlled]).max() <= bound
    large = found.counts >= k
    assert np.array_equal(state.counts[large], found.counts[large])


@given(seed=st.integers(0, 10**6), k=st.integers(2, 6), n=st.integers(6, 60))
def test_the_total_comes_back(seed: int, k: int, n: int) -> None:
    """From any counts without small ones, whatever their total: all of them 0, or all of them k, included."""
    found = small_problem(seed, n=n)
    rng = np.random.default_rng(seed)
    for counts in (
        np.zeros(len(found.counts)),
        np.full(len(found.counts), k),
        rng.choice([0, k, k + 1, k + 4], len(found.counts)),
    ):
        state, known = new_state(found.layout, found.counts, None)
        state.counts[:] = counts
        deviations_of((state.counts - found.counts).astype(np.int32), state.places, state.deviations)
        restore_totals(state, rng.permutation(len(counts)), known, found.layout.controlled, k, 1)
        assert state.counts.sum() == n
        assert ((state.counts == 0) | (state.counts >= k)).all()
        again = np.zeros_like(state.deviations)
        deviations_of((state.counts - found.counts).astype(np.int32), state.places, again)
        assert np.array_equal(again, state.deviations)


@given(seed=st.integers(0, 10**6), k=st.integers(2, 4), n=st.integers(30, 60))
def test_the_totals_of_groups_come_back(seed: int, k: int, n: int) -> None:
    found = small_problem(seed, sizes=(5, 3, 2), n=n, fixed=2)
    totals = np.bincount(found.codes[:, 2], found.counts)
    if totals[totals > 0].min() < k:
        return
    rng = np.random.default_rng(seed)
    for counts in (
        np.zeros(len(found.counts)),
        np.full(len(found.counts), k),
        rng.choice([0, k, k + 1], len(found.counts)),
    ):
        state, known = new_state(found.layout, found.counts, None)
        state.counts[:] = counts
        deviations_of((state.counts - found.counts).astype(np.int32), state.places, state.deviations)
        restore_totals(state, rng.permutation(len(counts)), known, found.layout.controlled, k, 1)
        assert np.array_equal(np.bincount(found.codes[:, 2], state.counts), totals)
        assert ((state.counts == 0) | (state.counts >= k)).all()


def test_cells_with_an_allowance_may_deviate_more() -> None:
    """One block of twelve single records: with w = 20 for all cells nothing needs a larger bound than 0."""
    found = small_problem(2, sizes=(6, 3), n=12, crossings=1)
    allowances = np.full(found.layout.controlled, 20)
    state, known = new_state(found.layout, found.counts, allowances)
    bound = first_counts(state, known, found.layout.controlled, k=3, bound=0, order=np.arange(len(found.counts)))
    assert bound == 0
