"""Additive noise: of the size that was asked for, independent, and gone where there is no spread."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import ParameterError
from tacita.data.microdata import Microdata
from tacita.mask.noise.additive_noise import AdditiveNoise, additive_noise

N = 4000


def file() -> Microdata:
    rng = np.random.default_rng(11)
    return Microdata.from_frame(
        pa.table({"a": rng.lognormal(8, 1, N), "b": rng.normal(0, 3, N), "s": ["x", "y"] * (N // 2)}), keys=["a", "b"]
    )


def noise_of(data: Microdata, mask: AdditiveNoise, name: str, seed: int = 7) -> np.ndarray:
    return mask.apply(data, seed=seed).float(name) - data.float(name)


def accepts(noise: np.ndarray, sd: float) -> bool:
    """Whether the noise passes for N(0, sd^2): mean and standard deviation within 4.5 standard errors.

    False alarm about one in 100 000; with 4000 values the standard deviation is known to 5 %.
    """
    n = len(noise)
    return abs(noise.mean()) < 4.5 * sd / np.sqrt(n) and abs(noise.std(ddof=1) / sd - 1) < 4.5 / np.sqrt(2 * n)


@pytest.mark.parametrize("name", ["a", "b"])
@pytest.mark.parametrize("sd_ratio", [0.02, 0.2, 1.5])
def test_the_true_size_is_accepted_and_30_percent_off_is_not(name: str, sd_ratio: float) -> None:
    data = file()
    noise = noise_of(data, AdditiveNoise(columns=("a", "b"), sd_ratio=sd_ratio), name)
    sd = sd_ratio * data.float(name).std(ddof=1)
    assert accepts(noise, sd)
    assert not accepts(noise, 0.7 * sd)
    assert not accepts(noise, 1.3 * sd)


def test_noise_is_normal_and_independent() -> None:
    data = file()
    mask = AdditiveNoise(columns=("a", "b"), sd_ratio=0.5)
    a, b = noise_of(data, mask, "a"), noise_of(data, mask, "b")
    inside = np.mean(np.abs(a) < a.std())
    assert inside == pytest.approx(0.6827, abs=4.5 * np.sqrt(0.68 * 0.32 / N))
    for pair in ((a, b), (a, data.float("a")), (a[1:], a[:-1]), (a, noise_of(data, mask, "a", seed=8))):
        assert abs(np.corrcoef(*pair)[0, 1]) < 4.5 / np.sqrt(N)


def test_strata_have_their_own_spread() -> None:
    data = file()
    wide = np.where(np.arange(N) % 2, 100.0, 1.0) * data.float("b")
    data = data.with_numbers({"b": wide})
    noise = noise_of(data, AdditiveNoise(columns=("b",), sd_ratio=0.1, by=("s",)), "b")
    for start in (0, 1):
        assert accepts(noise[start::2], 0.1 * wide[start::2].std(ddof=1))


def test_spread_is_that_of_the_values_that_are_there() -> None:
    x = np.where(np.arange(N) % 2, np.nan, file().float("b"))
    data = file().with_numbers({"b": x})
    noise = noise_of(data, AdditiveNoise(columns=("b",), sd_ratio=0.5), "b")
    assert accepts(noise[~np.isnan(noise)], 0.5 * np.nanstd(x, ddof=1))
    assert np.isnan(noise).sum() == N // 2


@pytest.mark.parametrize("constant", [0.1, 0.0, -1e9, 1 / 3])
@pytest.mark.parametrize("n", [1, 2, 10, 1000])
def test_a_constant_column_gets_no_noise(constant: float, n: int) -> None:
    x = np.full(n, constant)
    assert np.array_equal(additive_noise(x, sd_ratio=1.0, rng=np.random.default_rng(1)), x)


def test_no_noise_when_none_is_asked_for() -> None:
    x = np.arange(5.0)
    made = additive_noise(x, sd_ratio=0.0, rng=np.random.default_rng(1))
    assert np.array_equal(made, x)
    assert not np.shares_memory(made, x)


def test_empty_column() -> None:
    assert additive_noise(np.empty(0), sd_ratio=1.0, rng=np.random.default_rng(1)).tolist() == []


@pytest.mark.parametrize(
    ("sd_ratio", "words"), [(-0.1, "at least 0, got -0.1"), (float("inf"), "finite and at least 0"), ("x", "got 'x'")]
)
def test_what_is_no_ratio(sd_ratio: object, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        AdditiveNoise(sd_ratio=sd_ratio)  # type: ignore[arg-type]
