"""Ranks and order statistics."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.statistics.ranks import mid_ranks, rank_window
from tests.oracles.risk.intervals import middle_rank

few = st.lists(st.integers(0, 6).map(float), min_size=1, max_size=20)


@given(few)
def test_middle_ranks(values: list[float]) -> None:
    ordered = sorted(values)
    found = mid_ranks(np.array(values), np.array(ordered))
    assert found.tolist() == [float(middle_rank(value, ordered)) for value in values]


def test_middle_ranks_by_hand() -> None:
    ordered = np.array([1.0, 2.0, 2.0, 5.0, 5.0, 5.0])
    assert mid_ranks(np.array([1.0, 2.0, 5.0]), ordered).tolist() == [0.0, 1.5, 4.0]


@given(few, st.integers(0, 100))
def test_window_ends_are_order_statistics(values: list[float], p: int) -> None:
    ordered = np.sort(values)
    ranks = np.arange(len(ordered), dtype=float)
    low, high = rank_window(ranks, ordered, p * len(ordered) / 100)
    for rank in range(len(ordered)):
        inside = [ordered[r] for r in range(len(ordered)) if 100 * abs(r - rank) <= p * len(ordered)]
        assert (low[rank], high[rank]) == (min(inside), max(inside))


def test_window_is_cut_at_the_ends() -> None:
    ordered = np.arange(10.0)
    low, high = rank_window(np.array([0.0, 5.0, 9.0]), ordered, 2.0)
    assert low.tolist() == [0, 3, 7]
    assert high.tolist() == [2, 7, 9]


@pytest.mark.parametrize(("p", "n"), [(7, 100), (29, 100), (41, 700), (14, 1080 * 50)])
def test_a_whole_number_of_ranks_is_not_lost_to_rounding(p: int, n: int) -> None:
    """p n / 100 may come out a hair below the whole number that it is."""
    width = p * n / 100
    low, high = rank_window(np.array([n / 2]), np.arange(float(n)), width)
    assert high[0] - n / 2 == round(width)
    assert n / 2 - low[0] == round(width)
