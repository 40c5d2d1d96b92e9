"""IL1 and IL1s against the slow version and by hand."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tacita.core.errors import MeasureError
from tacita.data.microdata import Microdata
from tacita.loss import Il1, Il1s
from tacita.loss.mean_variation import il1, il1s
from tests.oracles.loss import losses as oracle

cells = (
    st.sampled_from([0.0, -0.0, np.nan])
    | st.integers(-3, 3).map(float)
    | st.floats(-1e5, 1e5).filter(lambda v: abs(v) > 1e-5)
)


@st.composite
def two_files(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    shape = draw(st.tuples(st.integers(1, 7), st.integers(1, 4)))
    return draw(arrays(np.float64, shape, elements=cells)), draw(arrays(np.float64, shape, elements=cells))


def microdata(x: np.ndarray) -> Microdata:
    return Microdata.from_frame(pa.table({f"c{j}": x[:, j] for j in range(x.shape[1])}))


@given(two_files())
def test_il1_against_the_slow_version(files: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = files
    expected = oracle.il1_records(x.tolist(), y.tolist())
    assert il1(x, y) == pytest.approx(expected, rel=1e-9)
    measured = Il1()(microdata(x), microdata(y), pairing="order")
    assert measured.per_record == pytest.approx(expected, rel=1e-9)
    assert measured.value == pytest.approx(np.mean(expected), rel=1e-9)


@given(two_files())
def test_il1s_against_the_slow_version(files: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = files
    if all(oracle.standard_deviation(x[:, j].tolist()) == 0 for j in range(x.shape[1])):
        with pytest.raises(MeasureError, match="every column is constant"):
            Il1s()(microdata(x), microdata(y), pairing="order")
        return
    expected = oracle.il1s_records(x.tolist(), y.tolist())
    measured = Il1s()(microdata(x), microdata(y), pairing="order")
    assert measured.per_record == pytest.approx(expected, rel=1e-7)
    assert measured.value == pytest.approx(np.mean(expected), rel=1e-7)


def test_il1_by_hand() -> None:
    """Record 1: 10 % and 10 %. Record 2: 0 becomes 5 (100 %), 50 stays. Record 3: 0 stays 0 (left out), 20 becomes 30 (50 %)."""
    x = np.array([[100.0, 50.0], [0.0, 50.0], [0.0, 20.0], [0.0, 0.0]])
    y = np.array([[110.0, 45.0], [5.0, 50.0], [0.0, 30.0], [0.0, 0.0]])
    assert il1(x, y).tolist() == [10.0, 50.0, 50.0, 0.0]


def test_il1s_by_hand() -> None:
    """S = 2 for values 0, 2, 4: a change by 2 is 1 / sqrt(2); the second column is constant and left out."""
    x = np.array([[0.0, 7.0], [2.0, 7.0], [4.0, 7.0]])
    y = np.array([[2.0, 9.0], [2.0, 9.0], [0.0, 9.0]])
    measured = Il1s()(microdata(x), microdata(y), pairing="order")
    assert measured.per_record == pytest.approx([1 / np.sqrt(2), 0, 2 / np.sqrt(2)])
    assert measured.note == "constant, left out: c1."


def test_il1s_has_no_factor_100() -> None:
    assert il1s(np.array([[0.0]]), np.array([[np.sqrt(2)]]), np.array([1.0])).tolist() == [pytest.approx(1.0)]


def test_notes_count_what_was_left_out() -> None:
    x = np.array([[1.0, np.nan], [2.0, 2.0], [4.0, 3.0]])
    y = np.array([[1.0, 2.0], [np.nan, 2.0], [4.0, 3.0]])
    for measure in (Il1(), Il1s()):
        assert measure(microdata(x), microdata(y), pairing="order").note == "2 missing cells left out"


def test_spread_is_that_of_the_whole_original() -> None:
    """Of a sample that was released, S is still that of all original records."""
    data = microdata(np.array([[0.0], [0.0], [30.0], [30.0]]))
    part = data.with_numbers({"c0": np.array([1.0, 0.0, 30.0, 30.0])}).take(np.array([0, 1]))
    sd = np.std([0, 0, 30, 30], ddof=1)
    assert Il1s()(data, part).value == pytest.approx(0.5 / (np.sqrt(2) * sd))


def test_values_near_zero_weigh_much_in_il1_and_not_in_il1s() -> None:
    """The drawback that the paper names."""
    x = np.array([[0.001], [100.0], [200.0]])
    y = x + 1
    small, large = il1(x, y)[0], il1(x, y)[1]
    assert small > 1e4 * large
    spread = Il1s()(microdata(x), microdata(y), pairing="order").per_record
    assert spread is not None
    assert spread.max() == pytest.approx(spread.min())
