"""Noise that is scaled back: factors by hand, moments over many records, and bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.mask.noise.scaled_noise import RestrictedNoise, ScaledNoise, restriction_factor, scaled_noise
from tests.conformance.examples import numbers


def skewed(n: int) -> tuple[np.ndarray, Any]:
    rng = np.random.default_rng(1)
    x = rng.lognormal(0, 0.5, (n, 2)) @ np.array([[1.0, 0.8], [0.0, 0.6]])
    return x, numbers(a=x[:, 0], b=x[:, 1])


@pytest.mark.parametrize("sd_ratio", [0.1, 0.5, 0.9])
def test_scaled_noise_keeps_variances_and_shrinks_covariances(sd_ratio: float) -> None:
    x, data = skewed(40_000)
    masked = ScaledNoise(columns=["a", "b"], sd_ratio=sd_ratio, decimals="any").apply(data, seed=2)
    y = np.stack([masked.float("a"), masked.float("b")], axis=1)
    before, after = np.cov(x.T), np.cov(y.T)
    assert y.mean(axis=0) == pytest.approx(x.mean(axis=0), rel=0.02)
    assert np.diag(after) == pytest.approx(np.diag(before), rel=0.05)
    assert after[0, 1] == pytest.approx((1 - sd_ratio**2) * before[0, 1], abs=0.05 * before[0, 1])


def test_scaled_noise_by_hand() -> None:
    """Mean 2, deviation 2: 2 + 0.8 (x - 2) + 0.6 * 2 e."""
    made = scaled_noise(np.array([0.0, 2.0, 4.0]), np.array([1.0, 0.0, -1.0]), sd_ratio=0.6)
    assert made.tolist() == pytest.approx([0.4 + 1.2, 2.0, 3.6 - 1.2])
    assert scaled_noise(np.array([7.0]), np.array([3.0]), sd_ratio=0.5).tolist() == [7.0]


def test_factors_by_hand() -> None:
    assert restriction_factor(101, 0.5) == pytest.approx(np.sqrt(99.5 / (102 * 1.5)))
    assert restriction_factor(501, 0.5) == pytest.approx(np.sqrt(500 / (501 + 501 * 0.5 - 1)))
    assert restriction_factor(10, 0.0) == pytest.approx(np.sqrt(9 / 11))
    assert restriction_factor(2, 5.0) == 0


@pytest.mark.parametrize("n", [499, 20_000])
def test_restricted_noise_keeps_covariances(n: int) -> None:
    x, data = skewed(n)
    found = []
    for seed in range(12 if n < 1000 else 1):
        masked = RestrictedNoise(columns=["a", "b"], sd_ratio=0.7, decimals="any").apply(data, seed=seed)
        y = np.stack([masked.float("a"), masked.float("b")], axis=1)
        assert (y != x).all()
        found.append(np.cov(y.T))
    assert np.mean(found, axis=0) == pytest.approx(np.cov(x.T), rel=0.08)


@pytest.mark.parametrize(
    ("mask", "settings"),
    [(ScaledNoise, {"sd_ratio": 1.5}), (ScaledNoise, {"sd_ratio": -1}), (RestrictedNoise, {"sd_ratio": -1})],
)
def test_bad_parameters(mask: Any, settings: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match="sd_ratio"):
        mask(**settings)
