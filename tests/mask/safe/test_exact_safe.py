"""The exact model, and how close the search comes to it on about 200 elementary cells."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import DataError
from tacita.mask.safe.exact_safe import exact_safe
from tacita.numeric.safe.search import SafePlan, safe_counts, sweeps_for
from tests.effort import examples
from tests.numeric.safe.small_problems import SmallProblem, small_problem
from tests.oracles.mask.safe import best_bound

QUICK, ALL = 2, 50


@settings(max_examples=examples(15))
@given(seed=st.integers(0, 10**6))
def test_it_is_as_good_as_trying_everything(seed: int) -> None:
    found = small_problem(seed, sizes=(3, 2), n=10, crossings=1)
    exact = exact_safe(found.layout, found.counts)
    assert exact.bound == exact.least == best_bound(found.counts.tolist(), found.layout.places.tolist(), 3)
    assert ((exact.counts == 0) | (exact.counts >= 3)).all()
    assert exact.counts.sum() == found.counts.sum()


def test_allowances_are_kept() -> None:
    found = small_problem(4, sizes=(4, 3), n=30)
    allowances = np.random.default_rng(1).integers(0, 3, found.layout.controlled)
    exact = exact_safe(found.layout, found.counts, allowances=allowances)
    off = np.zeros(found.layout.cells, dtype=np.int64)
    np.add.at(off, found.layout.places, (exact.counts - found.counts)[:, None])
    assert (np.abs(off[: found.layout.controlled]) <= exact.bound + allowances).all()
    assert exact.bound <= exact_safe(found.layout, found.counts).bound


def test_totals_of_groups_stay_and_the_search_is_within_one() -> None:
    found = small_problem(3, sizes=(5, 4, 2), n=60, fixed=2)
    exact = exact_safe(found.layout, found.counts)
    assert np.array_equal(np.bincount(found.codes[:, 2], exact.counts), np.bincount(found.codes[:, 2], found.counts))
    assert exact.bound >= exact_safe(small_problem(3, sizes=(5, 4, 2), n=60).layout, found.counts).bound
    made = safe_counts(found.layout, found.counts, None, SafePlan(k=3, sweeps=4000), np.random.default_rng(1))
    assert np.array_equal(np.bincount(found.codes[:, 2], made.counts), np.bincount(found.codes[:, 2], found.counts))
    assert exact.bound <= made.bound <= exact.bound + 1


def test_a_bound_that_nothing_meets_is_told() -> None:
    found = small_problem(4, sizes=(4, 3), n=20)
    with pytest.raises(DataError, match="deviations of at most 0"):
        exact_safe(found.layout, found.counts, most=0)


def instance(number: int) -> SmallProblem:
    """Four variables with tables of two, or five with tables of three, in turn; 140 to 220 elementary cells."""
    if number % 2:
        return small_problem(number, sizes=(5, 4, 3, 3, 2), n=420, crossings=3)
    return small_problem(number, sizes=(6, 5, 4, 3), n=420, crossings=2)


def excess(number: int) -> int:
    """By how much the search's largest deviation is above the least one that is not ruled out."""
    found = instance(number)
    assert 120 <= len(found.counts) <= 240
    plan = SafePlan(k=3, sweeps=sweeps_for(*found.layout.places.shape))
    searched = safe_counts(found.layout, found.counts, None, plan, np.random.default_rng(number)).bound
    return searched - exact_safe(found.layout, found.counts, time_limit=60).least


@pytest.mark.parametrize("number", range(QUICK))
def test_the_search_is_within_one_of_the_exact_bound(number: int) -> None:
    assert 0 <= excess(number) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("number", range(QUICK, ALL))
def test_the_search_is_within_one_of_the_exact_bound_on_fifty(number: int) -> None:
    assert 0 <= excess(number) <= 1
