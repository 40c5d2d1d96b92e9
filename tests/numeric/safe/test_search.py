from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.clock import Clock
from tacita.numeric.safe.search import SafePlan, potentials, safe_counts, sweeps_for
from tests.effort import examples
from tests.numeric.safe.small_problems import small_problem
from tests.oracles.mask.safe import best_bound


@given(seed=st.integers(0, 10**6), n=st.integers(3, 60), k=st.integers(2, 3), soft=st.integers(0, 1))
def test_counts_are_safe_and_complete(seed: int, n: int, k: int, soft: int) -> None:
    found = small_problem(seed, n=n, soft=soft)
    made = safe_counts(found.layout, found.counts, None, SafePlan(k=k, sweeps=40), np.random.default_rng(seed))
    assert ((made.counts == 0) | (made.counts >= k)).all()
    assert made.counts.sum() == n
    off = np.zeros(found.layout.cells, dtype=np.int64)
    np.add.at(off, found.layout.places, (made.counts - found.counts)[:, None])
    assert np.array_equal(off, made.deviations)
    assert made.bound == np.abs(off[: found.layout.controlled]).max()


@settings(max_examples=examples(30))
@given(seed=st.integers(0, 10**6))
def test_tiny_files_are_within_one_of_trying_everything(seed: int) -> None:
    found = small_problem(seed, sizes=(3, 2), n=10, crossings=1)
    best = best_bound(found.counts.tolist(), found.layout.places.tolist(), 3)
    made = safe_counts(found.layout, found.counts, None, SafePlan(k=3, sweeps=800), np.random.default_rng(seed))
    assert best <= made.bound <= best + 1


def test_same_stream_same_counts() -> None:
    found = small_problem(5, n=80)
    one, two, other = (
        safe_counts(found.layout, found.counts, None, SafePlan(k=3, sweeps=50), np.random.default_rng(seed)).counts
        for seed in (1, 1, 2)
    )
    assert np.array_equal(one, two)
    assert not np.array_equal(one, other)


def test_more_sweeps_are_better() -> None:
    found = small_problem(6, sizes=(6, 5, 4, 3), n=400)
    bounds = [
        safe_counts(found.layout, found.counts, None, SafePlan(k=3, sweeps=sweeps), np.random.default_rng(1)).bound
        for sweeps in (0, 1000)
    ]
    assert bounds[1] < bounds[0]


def test_a_goal_ends_the_search() -> None:
    found = small_problem(6, sizes=(6, 5, 4, 3), n=400)
    seen: list[int] = []
    made = safe_counts(
        found.layout, found.counts, None, SafePlan(k=3, sweeps=2000, goal=4), np.random.default_rng(1), seen.append
    )
    assert made.bound <= 4
    assert made.sweeps == len(seen) < 2000
    assert made.is_complete
    assert seen == sorted(seen, reverse=True)


def test_time_ends_the_search_and_is_told() -> None:
    found = small_problem(6, sizes=(6, 5, 4, 3), n=400)
    plan = SafePlan(k=3, sweeps=10**6, clock=Clock.of(0.05))
    made = safe_counts(found.layout, found.counts, None, plan, np.random.default_rng(1))
    assert not made.is_complete
    assert made.sweeps < 10**6
    assert ((made.counts == 0) | (made.counts >= 3)).all()


def test_a_file_without_small_counts_stays() -> None:
    found = small_problem(1, sizes=(2, 2), n=100)
    assert (found.counts >= 3).all()
    made = safe_counts(found.layout, found.counts, None, SafePlan(k=3, sweeps=50), np.random.default_rng(1))
    assert np.array_equal(made.counts, found.counts)
    assert (made.bound, made.sweeps) == (0, 0)


def test_an_allowance_moves_deviations_to_where_they_are_allowed() -> None:
    """Tables of one variable may deviate by 2 less than the others."""
    found = small_problem(7, sizes=(8, 5, 4, 3), n=500, crossings=2)
    plan, singles = SafePlan(k=3, sweeps=2000), sum(len(t) == 1 for t in found.tables)
    cells = np.unique(found.layout.places[:, :singles])
    allowances = np.zeros(found.layout.controlled, dtype=np.int64)
    allowances[cells] = -2
    made = safe_counts(found.layout, found.counts, allowances, plan, np.random.default_rng(1))
    off = np.abs(made.deviations[: found.layout.controlled])
    assert off[cells].max() <= max(made.bound - 2, 0)
    assert off.max() == made.bound


def test_soft_tables_deviate_less_than_without() -> None:
    sums = []
    for soft in (3.0, 1e6):
        found = small_problem(7, sizes=(8, 5, 4, 3), n=500, crossings=2, soft=3)
        plan = SafePlan(k=3, sweeps=1000, soft=soft)
        made = safe_counts(found.layout, found.counts, None, plan, np.random.default_rng(1))
        sums.append(int((made.deviations[found.layout.controlled : -1] ** 2).sum()))
    assert sums[0] < sums[1] / 2


def test_potentials_are_what_the_formula_says() -> None:
    made = potentials(np.array([-1, 0, 2]), 4, bound=3, soft=10.0)
    centre = made.shape[1] // 2
    assert made[1, centre + 2] == 1024 * 2**6
    assert made[1, centre - 4] == 8 * 1024 * 4**6
    assert made[2, centre + 6] == 8 * 1024 * 4**6  # 6 is m + w: it counts as m, and is beyond 3 + 2
    assert made[0, centre + 3] == 8 * 1024 * 4**6
    assert made[3, centre + 10] == 1024 * 4**6  # soft
    assert made[4, centre + 2] == 1024 * 2**6  # the total
    assert (made[:, centre] == 0).all()
    assert (np.diff(made[:, centre:], axis=1) >= 0).all()


@pytest.mark.parametrize(("cells", "tables", "sweeps"), [(1, 1, 24_000), (10_000, 20, 400), (0, 5, 24_000)])
def test_small_files_get_more_sweeps(cells: int, tables: int, sweeps: int) -> None:
    assert sweeps_for(cells, tables) == sweeps
