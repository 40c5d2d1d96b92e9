"""Places among sorted values and counts of intervals, by hand and against numpy."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tacita.numeric.linkage.value_intervals import distance_hits, rank_hits, rank_places
from tacita.numeric.statistics.ranks import mid_ranks, rank_window

few = st.integers(-5, 5).map(float)


@given(arrays(np.float64, st.integers(0, 40), elements=few), arrays(np.float64, st.integers(0, 40), elements=few))
def test_places_against_binary_search(values: np.ndarray, others: np.ndarray) -> None:
    ordered = np.sort(others)
    first, last = rank_places(values, np.argsort(values, kind="stable"), ordered)
    assert first.tolist() == np.searchsorted(ordered, values, side="left").tolist()
    assert last.tolist() == (np.searchsorted(ordered, values, side="right") - 1).tolist()


@given(st.data(), st.lists(st.integers(0, 100), min_size=1, max_size=5))
def test_rank_hits_against_order_statistics(data: st.DataObject, widths: list[int]) -> None:
    released = data.draw(arrays(np.float64, st.integers(1, 40), elements=few))
    x = data.draw(arrays(np.float64, len(released), elements=few))
    ordered = np.sort(released)
    expected = np.zeros(len(x))
    for width in widths:
        low, high = rank_window(mid_ranks(released, ordered), ordered, width * len(ordered) / 100)
        expected += (low <= x) & (x <= high)
    found = rank_hits(x, released, ordered, np.array(widths) * len(ordered) / 100)
    assert found.tolist() == expected.tolist()


def test_distance_hits_by_hand() -> None:
    """Limits 1, 2 and 3: a gap of 2 is within two of them, but for rounding; missing values have no count."""
    x, y = np.array([0.0, 0.0, 0.0, np.nan]), np.array([2.0, 2.0 + 1e-15, 3.1, 1.0])
    assert np.array_equal(distance_hits(x, y, np.array([1.0, 2.0, 3.0])), [2, 2, 0, np.nan], equal_nan=True)
