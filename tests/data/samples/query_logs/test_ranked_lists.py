"""Drawing from lists of unequal length."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacita.data.samples.query_logs.ranked_lists import RankedLists, draw_between


@given(st.lists(st.lists(st.integers(0, 100), max_size=5), min_size=1, max_size=8), st.integers(0, 2**32))
def test_every_draw_is_from_the_list_of_its_record(lists: list[list[int]], seed: int) -> None:
    made = RankedLists.of(lists, 1.0)
    rows = np.repeat(np.arange(len(lists)), 20)
    drawn = made.draw(np.random.default_rng(seed), rows)
    assert all(value in lists[row] if lists[row] else value == -1 for row, value in zip(rows, drawn, strict=True))


def test_the_first_is_drawn_most_often_by_zipfs_law() -> None:
    made = RankedLists.of([[7, 8, 9]], 1.0)
    drawn = made.draw(np.random.default_rng(1), np.zeros(60_000, np.int64))
    counts = np.array([(drawn == value).mean() for value in (7, 8, 9)])
    assert np.allclose(counts, np.array([6, 3, 2]) / 11, atol=0.01)


def test_places_without_weight_are_never_drawn() -> None:
    upper = np.array([0.0, 0.0, 1.0, 1.0, 3.0])
    drawn = draw_between(np.random.default_rng(1), upper, np.zeros(1000, np.int64), np.full(1000, 4))
    assert set(drawn) == {1, 3}


def test_no_record_no_draw() -> None:
    nothing = np.zeros(0, np.int64)
    assert len(RankedLists.of([[1]], 1.0).draw(np.random.default_rng(1), nothing)) == 0
    assert len(RankedLists.of([], 1.0).values) == 0
