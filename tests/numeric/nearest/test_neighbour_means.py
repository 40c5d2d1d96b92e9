"""Prediction by nearest records, with ties shared and a record left out, against sorting all distances."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tacita.numeric.nearest.neighbour_means import Neighbours
from tests.oracles.risk import record_linkage as oracle

grid = st.integers(-2, 2).map(float)


@st.composite
def files(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    d, n, m = draw(st.integers(1, 3)), draw(st.integers(1, 60)), draw(st.integers(1, 6))
    points = draw(arrays(np.float64, (n, d), elements=grid))
    values = draw(arrays(np.float64, n, elements=st.integers(0, 50).map(float)))
    queries = draw(arrays(np.float64, (m, d), elements=grid))
    left_out = np.array(draw(st.lists(st.integers(-1, n - 1), min_size=m, max_size=m)))
    return points, values, queries, left_out


@given(files(), st.integers(1, 70), st.booleans())
def test_against_sorting(made: tuple[np.ndarray, ...], k: int, median: bool) -> None:
    points, values, queries, left_out = made
    file = Neighbours(points, values)
    for found, out in (
        (file.predict(queries, k, median=median), [-1] * len(queries)),
        (file.predict(queries, k, left_out, median=median), left_out),
    ):
        expected = [
            oracle.neighbour_centre(points.tolist(), values.tolist(), query, k, int(o), median=median)
            for query, o in zip(queries.tolist(), out, strict=True)
        ]
        assert found == pytest.approx(np.array(expected), rel=1e-9, abs=1e-9)


def test_equally_near_records_share_by_hand() -> None:
    """Around 0: one at distance 0 with value 6, two at distance 1 with values 0 and 12: k = 2 gives (6 + 6) / 2."""
    file = Neighbours(np.array([[0.0], [1.0], [-1.0], [5.0]]), np.array([6.0, 0.0, 12.0, 99.0]))
    zero = np.zeros((1, 1))
    assert [file.predict(zero, k)[0] for k in (1, 2, 3)] == pytest.approx([6, 6, 6])
    assert file.predict(zero, 4, median=True)[0] == pytest.approx(9)
    assert file.predict(np.array([[0.9]]), 1)[0] == pytest.approx(0)
    assert file.predict(np.array([[0.9]]), 1, np.array([1]))[0] == pytest.approx(6)


def test_many_equal_points_are_one_leaf() -> None:
    points = np.concatenate([np.zeros((500, 2)), np.ones((3, 2))])
    values = np.concatenate([np.arange(500.0), [1e6] * 3])
    file = Neighbours(points, values)
    assert file.predict(np.zeros((1, 2)), 10)[0] == pytest.approx(values[:500].mean())
    assert file.predict(np.zeros((1, 2)), 10, np.array([499]))[0] == pytest.approx(values[:499].mean())
