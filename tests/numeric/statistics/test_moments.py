"""Moments over the values that are there; constant columns have exactly no spread."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from tacita.numeric.statistics.moments import column_mean, column_sd, covariance, standardise
from tacita.numeric.statistics.relative import relative_differences, row_means
from tests.oracles.loss import losses as oracle

finite = st.floats(-1e6, 1e6, allow_nan=False)
tables = arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=8), elements=finite | st.just(np.nan))


@given(tables)
def test_means_and_deviations_of_what_is_there(x: np.ndarray) -> None:
    means, deviations = column_mean(x), column_sd(x)
    for j in range(x.shape[1]):
        there = [v for v in x[:, j].tolist() if not math.isnan(v)]
        scale = max([abs(v) for v in there], default=0.0)
        expected = math.fsum(there) / len(there) if there else 0.0
        assert means[j] == pytest.approx(expected, abs=1e-12 * scale)
        assert deviations[j] == pytest.approx(oracle.standard_deviation(x[:, j].tolist()), rel=1e-9, abs=1e-9 * scale)


@given(finite, st.integers(1, 2000))
def test_a_constant_column_has_exactly_no_spread(value: float, n: int) -> None:
    """Ten times 0.1 do not sum to 1: rounding must not be taken for spread."""
    x = np.column_stack([np.full(n, value), np.arange(n) * 1.1])
    assert column_mean(x)[0] == value
    assert column_sd(x)[0] == 0
    assert np.array_equal(covariance(x)[0], [0, 0])
    assert np.array_equal(standardise(x)[:, 0], np.zeros(n))


def test_nothing_there() -> None:
    empty = np.full((3, 1), np.nan)
    assert column_mean(empty).tolist() == [0.0]
    assert column_sd(empty).tolist() == [0.0]
    assert column_mean(np.empty((0, 2))).tolist() == [0.0, 0.0]
    assert column_sd(np.empty((0, 2))).tolist() == [0.0, 0.0]


@given(tables)
def test_covariances_of_pairs_that_are_there(x: np.ndarray) -> None:
    found = covariance(x)
    for i in range(x.shape[1]):
        for j in range(x.shape[1]):
            both = ~np.isnan(x[:, i]) & ~np.isnan(x[:, j])
            if both.sum() == 0:
                continue
            a, b = x[both, i], x[both, j]
            expected = ((a - a.mean()) * (b - b.mean())).mean()
            scale = (np.nanmax(np.abs(x[:, i])) + 1) * (np.nanmax(np.abs(x[:, j])) + 1)
            assert found[i, j] == pytest.approx(expected, abs=1e-10 * scale)


def test_standardising_by_another_file() -> None:
    base = np.array([[0.0], [10.0], [20.0]])
    assert standardise(base).ravel().tolist() == [-1.0, 0.0, 1.0]
    assert standardise(np.array([[40.0]]), like=base).ravel().tolist() == [3.0]
    assert standardise(np.array([[7.0]]), like=np.array([[5.0], [5.0]])).ravel().tolist() == [2.0]


# --- relative differences --------------------------------------------------------------------------------------------


@given(tables.flatmap(lambda x: st.tuples(st.just(x), arrays(np.float64, x.shape, elements=finite | st.just(np.nan)))))
def test_relative_differences(files: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = files
    found = relative_differences(x, y)
    for place in np.ndindex(x.shape):
        expected = oracle.cell(float(x[place]), float(y[place]))
        if expected is None:
            assert math.isnan(found[place])
        else:
            assert found[place] == pytest.approx(expected, rel=1e-12)


def test_row_means_of_what_is_there() -> None:
    nan = np.nan
    assert row_means(np.array([[1.0, 3.0], [nan, 2.0], [nan, nan]])).tolist() == [2.0, 2.0, 0.0]
