"""Attribution: values in the cells of keys, against looking at every pair."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.linkage.attribution import ValuesByCell, around

value = st.sampled_from([-3.0, -1.0, 0.0, 1.0, 2.5, 7.0, float("nan")])
records = st.lists(st.tuples(st.integers(0, 2), value), max_size=12)
asked = st.lists(st.tuples(st.integers(0, 3), value, value), max_size=12)


@given(records, asked)
def test_counts_and_ends_against_every_pair(file: list, questions: list) -> None:
    cells, values = np.array([c for c, _ in file], int), np.array([v for _, v in file], float)
    made = ValuesByCell.of(cells, values)
    where = np.array([c for c, _, _ in questions], int)
    low, high = (np.array([q[i] for q in questions], float) for i in (1, 2))
    within, anywhere = made.within(where, low, high).tolist(), made.anywhere(low, high).tolist()
    sizes, (least, most, complete) = made.sizes(where).tolist(), made.ends(where)
    for i, (cell, a, b) in enumerate(questions):
        here = [v for c, v in file if c == cell]
        assert within[i] == sum(a <= v <= b for v in here)
        assert anywhere[i] == sum(a <= v <= b for _, v in file)
        assert sizes[i] == len(here)
        assert complete[i] == (bool(here) and not np.isnan(here).any())
        if complete[i]:
            assert (least[i], most[i]) == (min(here), max(here))


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.sampled_from([0.05, 0.1, 0.5]))
def test_the_ends_are_those_of_who_calls_a_value_right(said: float, true: float, share: float) -> None:
    low, high = around(np.array([said]), share)
    gap = abs(said - true) - share * abs(true)
    if abs(gap) > 1e-6 * max(abs(said), abs(true)):  # at the end itself rounding decides
        assert (low[0] <= true <= high[0]) == (gap < 0)


def test_a_value_calls_itself_right() -> None:
    x = np.array([0.1, 1e-300, -7.0, 0.0, 1e300])
    low, high = around(x, 0.1)
    assert (low <= x).all()
    assert (x <= high).all()


@pytest.mark.parametrize("side", ["low", "high"])
def test_a_missing_end_holds_nothing(side: str) -> None:
    made = ValuesByCell.of(np.zeros(2, int), np.array([1.0, 2.0]))
    ends = {"low": np.array([0.0]), "high": np.array([9.0])} | {side: np.array([np.nan])}
    assert made.within(np.zeros(1, int), **ends).tolist() == made.anywhere(**ends).tolist() == [0]
