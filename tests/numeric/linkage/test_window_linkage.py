"""Windows of rank swapping, and linking inside boxes."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tacita.numeric.linkage.window_linkage import NO_CANDIDATE, own_is_nearest_inside, swap_windows
from tests.oracles.risk import linkage as oracle

grid = st.integers(-3, 3).map(float)
gappy = grid | st.just(np.nan)


def test_windows_by_hand() -> None:
    """Ten values 0, 10, ..., 90 and p = 20: two ranks either way, cut at the ends."""
    low, high = swap_windows(10 * np.arange(10.0), np.array([0.0, 50.0, 90.0, np.nan]), 20)
    assert low.tolist() == [0.0, 30.0, 70.0, -np.inf]
    assert high.tolist() == [20.0, 70.0, 90.0, np.inf]


def test_windows_of_equal_values_reach_beyond_the_first_and_the_last() -> None:
    x = np.array([1.0, 2.0, 5.0, 5.0, 5.0, 8.0, 9.0, 10.0, 11.0, 12.0])
    low, high = swap_windows(x, np.array([5.0]), 10)
    assert (low[0], high[0]) == (2.0, 8.0)


def test_a_column_without_values_excludes_nobody() -> None:
    low, high = swap_windows(np.full(3, np.nan), np.array([1.0]), 10)
    assert (low[0], high[0]) == (-np.inf, np.inf)


@st.composite
def boxes(draw: st.DrawFn) -> tuple[np.ndarray, ...]:
    d = draw(st.integers(1, 3))
    n, m = draw(st.integers(1, 50)), draw(st.integers(1, 6))
    x = draw(arrays(np.float64, (n, d), elements=gappy))
    y = draw(arrays(np.float64, (m, d), elements=grid))
    ends = np.sort(draw(arrays(np.float64, (2, m, d), elements=grid)), axis=0)
    unbounded = draw(arrays(np.bool_, (m, d)))
    ends[0][unbounded], ends[1][unbounded] = -np.inf, np.inf
    own = np.array(draw(st.lists(st.integers(0, n - 1), min_size=m, max_size=m)))
    return x, y, own, ends[0], ends[1]


@given(boxes())
def test_against_every_original(made: tuple[np.ndarray, ...]) -> None:
    x, y, own, low, high = made
    found, inside = own_is_nearest_inside(x, y, own, low, high)
    moved = x.copy()
    again = own_is_nearest_inside(moved, y, own, low, high, overwrite=True)
    np.testing.assert_array_equal(again, (found, inside))
    if (found == NO_CANDIDATE).any():
        np.testing.assert_array_equal(moved, x)  # put back
    for q in range(len(y)):
        fits = (np.where(np.isnan(x), np.inf, x) >= low[q]) & (np.where(np.isnan(x), np.inf, x) <= high[q])
        candidates = np.flatnonzero(fits.all(axis=1))
        assert inside[q] == (own[q] in candidates)
        if not candidates.size:
            assert found[q] == NO_CANDIDATE
        elif not inside[q]:
            assert found[q] == 0
        else:
            where = candidates.tolist().index(own[q])
            expected = oracle.linked_share(np.nan_to_num(x[candidates]).tolist(), y[q : q + 1].tolist(), [where])
            assert found[q] == expected[0]
