"""Linking by total weight, with and without a window, against every pair."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tacita.numeric.linkage.agreement import positions_of, width_in_positions
from tacita.numeric.linkage.weight_linkage import heaviest_records, own_weighs_most
from tests.oracles.risk import record_linkage as oracle

few = st.integers(0, 9).map(float) | st.just(np.nan)
WIDTHS = (2.0, 20.0)
LIMITS = [w + 1e-6 for w in WIDTHS]


@st.composite
def files(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    d, n, m = draw(st.integers(1, 3)), draw(st.integers(1, 25)), draw(st.integers(1, 8))
    own = np.array(draw(st.lists(st.integers(0, n - 1), min_size=m, max_size=m)))
    weights = draw(arrays(np.int32, (d, len(WIDTHS) + 1), elements=st.integers(-4, 4)))
    x, y = (draw(arrays(np.float64, (size, d), elements=few)) for size in (n, m))
    return x, y, own, weights


def percents(x: np.ndarray) -> np.ndarray:
    return np.column_stack([oracle.middle_percents(column) for column in x.T.tolist()])


@given(files())
def test_against_every_pair(made: tuple[np.ndarray, ...]) -> None:
    x, y, own, weights = made
    positions = positions_of(x, y, WIDTHS, "ranks")
    found = own_weighs_most(positions, weights, np.arange(len(y)), own)
    expected = oracle.weight_share(percents(x), percents(y), own.tolist(), LIMITS, weights.tolist())
    assert found.tolist() == pytest.approx(expected)


@given(files(), st.integers(0, 100))
def test_a_window_keeps_near_ones_and_those_that_cannot_be_placed(made: tuple[np.ndarray, ...], window: int) -> None:
    x, y, own, weights = made
    positions = positions_of(x, y, WIDTHS, "ranks")
    found = own_weighs_most(
        positions, weights, np.arange(len(y)), own, reach=width_in_positions(float(window), "ranks"), block=0
    )
    a, b = percents(x), percents(y)
    for q in range(len(y)):
        # A missing value on either side is at no distance: NaN compares false.
        looked_at = np.flatnonzero(~(np.abs(a[:, 0] - b[q, 0]) > window + 1e-6))
        if own[q] not in looked_at:
            assert found[q] == 0
            continue
        mine = looked_at.tolist().index(own[q])
        expected = oracle.weight_share(a[looked_at], b[q : q + 1], [mine], LIMITS, weights.tolist())
        assert found[q] == pytest.approx(expected[0])


def test_more_originals_than_one_chunk() -> None:
    """The own original is the only one that agrees, whichever chunk it stands in; 3000 equal ones share."""
    n = 3000
    x = np.arange(float(n))[:, None]
    weights = np.array([[1, 0]], dtype=np.int32)
    positions = positions_of(x, x, (0.0,), "ranks")
    rows = np.array([0, 1023, 1024, 2999])
    assert own_weighs_most(positions, weights, rows, rows).tolist() == [1.0] * 4
    same = positions_of(np.ones((n, 1)), np.ones((2, 1)), (0.0,), "ranks")
    assert own_weighs_most(same, weights, np.arange(2), np.array([5, 2500])).tolist() == [1 / n] * 2


@given(files())
def test_the_heaviest_record_is_that_of_all_pairs(case: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]) -> None:
    x, y, _, weights = case
    positions = positions_of(x, y, WIDTHS, "ranks")
    found = heaviest_records(positions, weights, np.arange(len(y)), np.arange(len(x)))
    a, b = percents(x), percents(y)
    for q in range(len(y)):
        totals = []
        for row in a:
            levels = oracle.levels(row, b[q], LIMITS)
            totals.append(sum(0 if level is None else int(weights[j, level]) for j, level in enumerate(levels)))
        best = max(totals)
        assert (found.weight[q], found.ties[q], found.rows[q]) == (best, totals.count(best), totals.index(best))
