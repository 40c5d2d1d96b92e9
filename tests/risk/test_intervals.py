"""Interval disclosure by ranks and by standard deviations, against counting and by hand."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tacita.core.errors import MeasureError, ParameterError
from tacita.data.microdata import Microdata
from tacita.risk import IntervalDisclosure, RankIntervals, SdIntervals
from tacita.risk.intervals import rank_interval_hits, sd_interval_hits
from tests.oracles.risk import intervals as oracle

few = st.integers(0, 8).map(float) | st.just(np.nan)
widths = st.lists(st.integers(0, 100), min_size=1, max_size=5)


@st.composite
def files(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Originals, their masked values, and the whole masked column that these are part of."""
    released = draw(arrays(np.float64, st.integers(1, 30), elements=few))
    rows = draw(st.lists(st.integers(0, len(released) - 1), min_size=1, max_size=12))
    x = draw(arrays(np.float64, len(rows), elements=few))
    return x, released[rows], released


@given(files(), widths)
def test_rank_intervals_against_counting(made: tuple[np.ndarray, np.ndarray, np.ndarray], p: list[int]) -> None:
    x, y, released = made
    found = rank_interval_hits(x, y, released, tuple(map(float, p)))
    expected = oracle.rank_hits(x.tolist(), y.tolist(), released.tolist(), p)
    assert np.array_equal(found, expected, equal_nan=True)


@given(files(), widths, st.integers(0, 40))
def test_sd_intervals_against_counting(made: tuple[np.ndarray, np.ndarray, np.ndarray], p: list[int], sd: int) -> None:
    x, y, _ = made
    found = sd_interval_hits(x, y, 25.0 * sd, tuple(map(float, p)))
    expected = oracle.sd_hits(x.tolist(), y.tolist(), 25.0 * sd, p)
    assert np.array_equal(found, expected, equal_nan=True)


def test_rank_intervals_by_hand() -> None:
    """Masked 0, 10, ..., 90. Around 50 (rank 5) the interval of 10 % is [40, 60], of 20 % [30, 70]; ends belong to it."""
    released = 10 * np.arange(10.0)
    y = np.full(5, 50.0)
    x = np.array([50.0, 60.0, 61.0, 30.0, 29.0])
    assert rank_interval_hits(x, y, released, (10.0, 20.0)).tolist() == [1.0, 1.0, 0.5, 0.5, 0.0]


def test_rank_intervals_are_cut_at_the_ends() -> None:
    released = 10 * np.arange(10.0)
    found = rank_interval_hits(np.array([0.0, -1.0, 10.0]), np.zeros(3), released, (10.0,))
    assert found.tolist() == [1.0, 0.0, 1.0]


def test_tied_values_have_their_middle_rank() -> None:
    """0 0 0 0 50 60 70 80 90 100: the zeros have rank 1.5; 20 % reaches ranks 0 to 3, which are zeros all."""
    released = np.array([0.0, 0, 0, 0, 50, 60, 70, 80, 90, 100])
    x, y = np.array([0.0, 40.0]), np.zeros(2)
    assert rank_interval_hits(x, y, released, (20.0,)).tolist() == [1.0, 0.0]
    assert rank_interval_hits(x, y, released, (30.0,)).tolist() == [1.0, 1.0], "30 % reaches rank 4, the value 50"


def test_sd_intervals_by_hand() -> None:
    """Half-width p % of S: with S = 100, a change by 5.5 is inside for p = 6 to 10."""
    found = sd_interval_hits(np.zeros(4), np.array([0.0, 5.5, -10.0, 10.1]), 100.0, tuple(range(1, 11)))
    assert found.tolist() == [1.0, 0.5, 0.1, 0.0]


def microdata(**columns: list[float]) -> Microdata:
    return Microdata.from_frame(pa.table({name: pa.array(values, pa.float64()) for name, values in columns.items()}))


def test_value_parts_and_records() -> None:
    x = microdata(a=[0.0, 100.0, 200.0], b=[1.0, 2.0, 3.0])
    y = microdata(a=[0.0, 150.0, 200.0], b=[1.0, 2.0, 3.0])
    measured = SdIntervals()(x, y, pairing="order")
    assert measured.parts == pytest.approx({"a": 200 / 3, "b": 100.0})
    assert measured.value == pytest.approx(500 / 6)
    assert measured.per_record is not None
    assert measured.per_record.tolist() == [1.0, 0.5, 1.0]


def test_half_width_is_p_percent_of_the_standard_deviation() -> None:
    """S of 0, 100, 200 is 100 with n - 1 (81.6 with n): a change by 5.04 is inside from p = 6 on, one by 5 from p = 5 on."""
    x = microdata(a=[0.0, 100.0, 200.0])
    y = microdata(a=[5.04, 95.0, 200.0])
    assert SdIntervals()(x, y, pairing="order").per_record == pytest.approx([0.5, 0.6, 1.0])


def test_sd_is_that_of_the_original() -> None:
    x = microdata(a=[0.0, 10.0, 20.0])
    y = microdata(a=[0.0, 10.0, 20_000.0])
    assert SdIntervals()(x, y, pairing="order").per_record.tolist() == [1, 1, 0]  # type: ignore[union-attr]


def test_constant_column() -> None:
    x, y = microdata(a=[0.1] * 10), microdata(a=[0.1] * 9 + [0.2])
    assert SdIntervals()(x, y, pairing="order").value == 90
    assert RankIntervals()(x, x, pairing="order").value == 100


def test_missing_cells_are_left_out_and_counted() -> None:
    x = microdata(a=[1.0, np.nan, 3.0], b=[1.0, 2.0, 3.0])
    y = microdata(a=[1.0, 2.0, np.nan], b=[1.0, 2.0, 3.0])
    for measure in (RankIntervals(), SdIntervals()):
        measured = measure(x, y, pairing="order")
        assert measured.value == 100
        assert measured.note == "2 missing cells left out"


def test_nothing_to_compare() -> None:
    x, y = microdata(a=[1.0, np.nan], b=[1.0, 2.0]), microdata(a=[np.nan, 1.0], b=[1.0, 2.0])
    for measure in (RankIntervals, SdIntervals):
        with pytest.raises(MeasureError, match=f"{measure.__name__}: no cell has a value in both files"):
            measure(columns=("a",))(x, y, pairing="order")


@pytest.mark.parametrize("bad", [(), (-1.0,), (101.0,), ("a",), 5.0])
def test_widths_are_percentages(bad: object) -> None:
    with pytest.raises(
        ParameterError, match="'widths' must be a list, each entry in \\[0, 100\\], with at least 1 entry"
    ):
        RankIntervals(widths=bad)  # type: ignore[arg-type]


def test_the_ten_widths_of_the_paper_are_the_default() -> None:
    assert RankIntervals().widths == SdIntervals().widths == tuple(float(p) for p in range(1, 11))


def test_interval_disclosure_is_the_rank_measure_or_the_mean_of_both() -> None:
    rng = np.random.default_rng(1)
    x = {name: rng.lognormal(size=80).tolist() for name in "ab"}
    y = {name: (np.array(values) + rng.normal(scale=0.1, size=80)).tolist() for name, values in x.items()}
    x["a"][3] = y["b"][5] = np.nan
    original, masked = microdata(**x), microdata(**y)
    ranks, sds = (risk(original, masked, pairing="order") for risk in (RankIntervals(), SdIntervals()))
    plain, both = (IntervalDisclosure(intervals=i)(original, masked, pairing="order") for i in ("ranks", "both"))  # type: ignore[arg-type]
    assert (plain.value, plain.parts) == (ranks.value, ranks.parts)
    assert both.value == pytest.approx((ranks.value + sds.value) / 2)
    assert both.per_record == pytest.approx((ranks.per_record + sds.per_record) / 2)  # type: ignore[operator]
    assert both.note == "2 missing cells left out"
