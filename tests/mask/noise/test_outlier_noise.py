"""Noise that grows with how far a record stands out."""

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import TacitaWarning
from tacita.mask.noise.outlier_noise import standing_out
from tacita.numeric.statistics.moments import robust_centre_and_spread


def heavy_tailed(n: int = 2000) -> np.ndarray:
    return np.exp(1.5 * np.random.default_rng(4).standard_normal((n, 2)))


def as_data(x: np.ndarray) -> tc.Microdata:
    return tc.Microdata.from_frame(pa.table({"a": x[:, 0], "b": x[:, 1]}), keys=["a", "b"])


def test_robust_centre_and_spread_by_hand() -> None:
    x = np.array([[1.0, 7.0], [2.0, 7.0], [3.0, 7.0], [4.0, 7.0], [100.0, 9.0]])
    centre, spread = robust_centre_and_spread(x)
    assert centre.tolist() == [3.0, 7.0]
    assert spread[0] == pytest.approx(1.4826)  # deviations 2, 1, 0, 1, 97: median 1
    assert spread[1] == pytest.approx(np.std([7, 7, 7, 7, 9], ddof=1))  # MAD is 0


def test_outliers_move_more_than_the_crowd() -> None:
    x = heavy_tailed()
    masked = tc.mask.OutlierNoise(sd_ratio=0.2).apply(as_data(x), seed=1).floats("ab")
    moved = np.abs(masked - x).mean(axis=1)
    far = standing_out(x) > 4
    assert moved[far].mean() > 3 * moved[~far].mean()
    equal = tc.mask.AdditiveNoise(sd_ratio=0.2).apply(as_data(x), seed=1).floats("ab")
    assert np.abs(equal - x).mean(axis=1)[far].mean() < 1.3 * np.abs(equal - x).mean(axis=1)[~far].mean()


def test_only_outliers_leaves_the_others_alone() -> None:
    x = heavy_tailed()
    masked = tc.mask.OutlierNoise(sd_ratio=0.2, only_outliers=True, cutoff=3).apply(as_data(x), seed=1).floats("ab")
    ordinary = standing_out(x) <= 3
    assert np.array_equal(masked[ordinary], x[ordinary])
    assert np.all(masked[~ordinary] != x[~ordinary])


def test_without_spread_there_is_no_noise() -> None:
    """A spread of 1 was made up for constant columns and for strata of one record."""
    data = tc.Microdata.from_frame(
        pa.table({"a": np.full(40, 2e6), "b": np.append(np.arange(39.0), 7e5), "s": ["x"] * 39 + ["y"]}),
        keys=["a", "b"],
    )
    masked = tc.mask.OutlierNoise(columns=["a"], sd_ratio=0.5).apply(data, seed=1)
    assert np.array_equal(masked.float("a"), data.float("a"))
    with pytest.warns(TacitaWarning, match=r"OutlierNoise: 1 record\(s\) came out as they were"):
        alone = tc.mask.OutlierNoise(columns=["b"], by=["s"], sd_ratio=0.5, decimals="any").apply(data, seed=1)
    assert alone.float("b")[39] == 7e5
    assert (alone.float("b")[:39] != data.float("b")[:39]).all()
