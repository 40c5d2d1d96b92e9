"""Resampling, record resampling, rounding and JPEG."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import tacita as tc
from tacita.mask.randomise.jpeg import through_jpeg
from tacita.mask.randomise.resampling import resampling
from tacita.mask.recode.rounding import round_to_base


def test_resampling_by_hand_with_the_same_draws() -> None:
    x = np.array([30.0, 10.0, 20.0])
    draws = np.random.default_rng(8)
    samples = [sorted(x[draws.integers(0, 3, 3)]) for _ in range(2)]
    averages = np.mean(samples, axis=0)
    masked = resampling(x, times=2, rng=np.random.default_rng(8))
    assert masked.tolist() == [averages[2], averages[0], averages[1]]


@given(arrays(np.float64, st.integers(1, 30), elements=st.floats(-1e6, 1e6)), st.integers(0, 5))
def test_resampling_keeps_the_order_and_the_range(x: np.ndarray, seed: int) -> None:
    masked = resampling(x, times=3, rng=np.random.default_rng(seed))
    assert np.all(np.diff(masked[np.argsort(x, kind="stable")]) >= 0)
    assert masked.min() >= x.min() - 1e-6
    assert masked.max() <= x.max() + 1e-6


def test_record_resampling_copies_records_and_keeps_shares_of_strata() -> None:
    data = tc.samples.household_survey(400, seed=2)
    drawn = tc.mask.RecordResampling(records=200, by=["region"]).apply(data, seed=1)
    assert drawn.n_rows == 200
    origin = drawn.origin_rows()
    assert drawn.to_arrow().equals(data.take(origin).to_arrow())
    shares = np.bincount(data.codes("region").values, minlength=12) / 2
    counts = np.bincount(data.codes("region").values[origin], minlength=12)
    assert np.all(np.abs(counts - shares) < 1)


@given(arrays(np.float64, st.integers(0, 20), elements=st.floats(-1e5, 1e5)), st.floats(0.1, 100))
def test_rounding_gives_multiples_close_by(x: np.ndarray, base: float) -> None:
    near, chance = round_to_base(x, base=base), round_to_base(x, base=base, rng=np.random.default_rng(1))
    for made, limit in ((near, 0.5), (chance, 1.0)):
        assert np.all(np.abs(made - x) <= limit * base * (1 + 1e-6) + 1e-6)
        assert made / base == pytest.approx(np.rint(made / base), abs=1e-6)


def test_random_rounding_is_unbiased() -> None:
    # 100 000 draws of 12 to base 10: P(up) = 0.2, so the mean is 12 with a standard error of 0.013.
    made = round_to_base(np.full(100_000, 12.0), base=10.0, rng=np.random.default_rng(1))
    assert set(np.unique(made)) == {10.0, 20.0}
    assert made.mean() == pytest.approx(12.0, abs=0.06)


def test_random_rounding_in_a_file_keeps_multiples_and_missing_values() -> None:
    data = tc.Microdata.from_frame(pa.table({"v": [10.0, 12.0, None, 27.5]}), keys=["v"])
    made = tc.mask.RandomRounding(base=10).apply(data, seed=1).to_arrow().column("v").to_pylist()
    assert made[0] == 10.0
    assert made[1] in (10.0, 20.0)
    assert made[2] is None
    assert made[3] in (20.0, 30.0)


def smooth_file(n: int = 500) -> np.ndarray:
    rng = np.random.default_rng(1)
    return np.cumsum(rng.standard_normal((n, 6)), axis=0)


def test_jpeg_loses_less_at_higher_quality_and_stays_in_range() -> None:
    x = smooth_file()
    errors = [np.abs(through_jpeg(x, quality=q) - x).mean() for q in (10, 50, 90, 100)]
    assert errors == sorted(errors, reverse=True)
    y = through_jpeg(x, quality=10)
    assert np.all(y >= x.min(axis=0) - 1e-9)
    assert np.all(y <= x.max(axis=0) + 1e-9)


def test_jpeg_at_full_quality_is_off_by_little_more_than_the_grey_levels() -> None:
    x = smooth_file()
    step = (x.max(axis=0) - x.min(axis=0)) / 255
    assert np.all(np.abs(through_jpeg(x, quality=100) - x) < 4 * step)


def test_jpeg_handles_more_records_than_an_image_has_rows() -> None:
    x = np.sin(np.arange(70_000) / 50)[:, None] * [1.0, 5.0]
    assert np.abs(through_jpeg(x, quality=95) - x).mean() < 0.1


def test_jpeg_keeps_constant_columns() -> None:
    data = tc.Microdata.from_frame(pa.table({"a": np.arange(20.0), "c": np.full(20, 3.5)}), keys=["a", "c"])
    assert tc.mask.Jpeg(quality=20).apply(data).float("c").tolist() == [3.5] * 20
