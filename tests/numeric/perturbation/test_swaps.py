"""Swap partners: each other's, within the window, drawn as the book says."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.perturbation.swaps import choose_partners
from tests.oracles.mask import rank_swap as oracle


def draw(n: int, window: int, seed: int, *, ahead: int | None = None) -> np.ndarray:
    """Draw partners for n values without ties; ``ahead`` uniform numbers are drawn beforehand."""
    rng = np.random.default_rng(seed)
    drawn = rng.random(n if ahead is None else ahead)
    # The value of a rank is the rank itself, so the masked column says whose place each took.
    partner = np.empty(n, np.int64)
    choose_partners(np.arange(n), np.arange(float(n)), window, drawn, rng, partner)
    return partner


@given(st.integers(0, 80), st.integers(0, 90), st.integers(0, 10**6), st.sampled_from([None, 0, 3]))
def test_partners_swap_with_each_other_within_the_window(n: int, window: int, seed: int, ahead: int | None) -> None:
    partner = draw(n, window, seed, ahead=ahead)
    assert np.array_equal(partner[partner], np.arange(n))
    assert (np.abs(partner - np.arange(n)) <= window).all()


@given(st.integers(1, 80), st.integers(1, 90), st.integers(0, 10**6))
def test_nobody_stays_who_could_have_swapped_upwards(n: int, window: int, seed: int) -> None:
    """A rank that keeps its value found no free one above it: all were taken by ranks below."""
    partner = draw(n, window, seed)
    for i in np.flatnonzero(partner == np.arange(n)):
        above = range(i + 1, min(i + window, n - 1) + 1)
        assert all(partner[j] < i for j in above)


def test_small_case_by_hand() -> None:
    """Four ranks, window 2: rank 0 takes 1 or 2, and the rest follows; both pairings have probability 1/2.

    4000 draws, tolerance 4.5 standard deviations: false alarm below one in 100 000.
    """
    found = Counter(tuple(draw(4, 2, seed).tolist()) for seed in range(4000))
    assert set(found) == {(1, 0, 3, 2), (2, 3, 0, 1)}
    assert abs(found[1, 0, 3, 2] - 2000) < 4.5 * np.sqrt(1000)


@pytest.mark.parametrize("ahead", [None, 0], ids=["drawn ahead", "drawn one by one"])
@pytest.mark.parametrize(("n", "window"), [(60, 1), (60, 7), (60, 30), (60, 59), (61, 80)])
def test_distances_are_distributed_as_in_the_book(n: int, window: int, ahead: int | None) -> None:
    """Mean distance and share of unswapped ranks equal those of the oracle; 30 % off is seen.

    600 runs each; tolerance 5 standard errors of the difference.
    """
    runs = 600
    found = np.array([np.abs(draw(n, window, seed, ahead=ahead) - np.arange(n)).mean() for seed in range(runs)])
    book = np.array(
        [
            np.abs(np.array(oracle.partners(n, window, random.Random(seed))) - np.arange(n)).mean()
            for seed in range(runs)
        ]
    )
    error = np.sqrt(found.var() / runs + book.var() / runs)
    assert abs(found.mean() - book.mean()) <= 5 * error + 1e-12
    assert abs(1.3 * found.mean() - book.mean()) > 5 * error
    stays, stays_book = ((d == 0).mean() for d in (found, book))
    assert abs(stays - stays_book) <= 5 * np.sqrt(0.25 / runs)


def test_ties_stand_in_random_order() -> None:
    """Equal values: position in the file has no influence, every order is equally likely."""
    first = Counter()
    for seed in range(3000):
        order = np.arange(3)
        choose_partners(order, np.zeros(3), 1, np.empty(0), np.random.default_rng(seed), np.empty(3, np.int64))
        first[tuple(order.tolist())] += 1
    assert len(first) == 6
    assert max(abs(count - 500) for count in first.values()) < 5 * np.sqrt(3000 * 5 / 36)


def test_ties_do_not_leave_their_place() -> None:
    order = np.array([4, 2, 0, 3, 1])
    ranked = np.array([1.0, 1.0, 5.0, 7.0, 7.0])
    choose_partners(order, ranked, 2, np.empty(0), np.random.default_rng(1), np.empty(len(order), np.int32))
    assert {*order[:2].tolist()} == {4, 2}
    assert order[2] == 0
    assert {*order[3:].tolist()} == {3, 1}
