"""IL of the overview: five parts, each against the slow version."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tacita.core.errors import MeasureError
from tacita.data.microdata import Microdata
from tacita.loss import IlMoments
from tacita.loss.moments import moment_discrepancies
from tests.oracles.loss import losses as oracle

whole = st.integers(-4, 4).map(float)


@st.composite
def two_files(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    shape = draw(st.tuples(st.sampled_from([1, 2, 4, 8]), st.integers(1, 4)))
    return draw(arrays(np.float64, shape, elements=whole)), draw(arrays(np.float64, shape, elements=whole))


def microdata(x: np.ndarray) -> Microdata:
    return Microdata.from_frame(pa.table({f"c{j}": x[:, j] for j in range(x.shape[1])}))


@given(two_files())
def test_parts_against_the_slow_version(files: tuple[np.ndarray, np.ndarray]) -> None:
    """Small whole numbers and n a power of two: moments are exact, so a zero covariance is a zero."""
    x, y = files
    expected = oracle.il_parts(x.tolist(), y.tolist())
    measured = IlMoments()(microdata(x), microdata(y), pairing="order")
    assert dict(measured.parts) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert measured.value == pytest.approx(sum(expected.values()) / 5, rel=1e-9, abs=1e-9)


def test_by_hand() -> None:
    """x = (1, 3), (3, 1): means 2, 2; variances 1, 1; covariance -1; r = -1. y = (2, 3), (4, 1): mean 3, 2; same spread."""
    x, y = np.array([[1.0, 3.0], [3.0, 1.0]]), np.array([[2.0, 3.0], [4.0, 1.0]])
    parts = IlMoments()(microdata(x), microdata(y), pairing="order").parts
    assert parts["values"] == pytest.approx(100 * (1 + 0 + 1 / 3 + 0) / 4)
    assert parts["means"] == pytest.approx(25)
    assert (parts["covariances"], parts["variances"], parts["correlations"]) == (0, 0, 0)


def test_moments_are_those_of_the_whole_files() -> None:
    """Means of a sample are compared with means of all records; single values only where records are paired."""
    data = microdata(np.array([[0.0], [2.0], [4.0], [6.0]]))
    parts = IlMoments()(data, data.take(np.array([2, 3]))).parts
    assert parts["values"] == 0
    assert parts["means"] == pytest.approx(100 * 2 / 3)


@pytest.mark.parametrize("constant", [0.1, 1 / 3, 1e6 + 0.1])
def test_rounding_of_a_constant_column_is_no_loss(constant: float) -> None:
    """Its covariances are 0 before and after, whatever the order of the records."""
    rng = np.random.default_rng(1)
    x = np.column_stack([np.full(101, constant), rng.normal(size=101)])
    y = x[rng.permutation(101)]
    parts = IlMoments()(microdata(x), microdata(y), pairing="order").parts
    assert parts["covariances"] < 1e-6
    assert parts["correlations"] == 0


def test_a_spread_too_small_to_square_has_no_correlation() -> None:
    """The variance of 1e-200 is rounded to 0, its covariance with 1e12 is not; correlations are then left out."""
    x = np.column_stack([np.arange(5.0) * 1e-200, np.arange(5.0) * 1e12])
    y = x[::-1] * np.array([1.0, -1.0])
    parts = IlMoments()(microdata(x), microdata(y), pairing="order").parts
    assert parts["correlations"] == 0


def test_a_column_without_values_is_named() -> None:
    data = Microdata.from_frame(pa.table({"a": [1.0, 2.0], "b": pa.nulls(2, pa.float64())}))
    with pytest.raises(MeasureError, match="column 'b' has no value in one of the files"):
        IlMoments(columns=("a", "b"))(data, data)


def test_a_covariance_that_is_zero_but_for_rounding_is_no_denominator() -> None:
    """The four combinations of two values are uncorrelated, but their covariance is computed as about 1e-19."""
    a, b = np.tile([0.1, 0.2, 0.1, 0.2], 10), np.tile([0.1, 0.1, 0.2, 0.2], 10)
    x = np.column_stack([a, b])
    order = np.random.default_rng(1).permutation(len(x))
    assert max(moment_discrepancies(x, x[order]).values()) < 1e-12
    noisy = x + np.random.default_rng(2).normal(0, 0.01, x.shape)
    assert moment_discrepancies(x, noisy)["covariances"] < 2
