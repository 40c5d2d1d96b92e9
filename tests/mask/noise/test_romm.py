"""ROMM: means and covariances exactly, records not; strata, gaps and bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import ParameterError
from tacita.mask.noise.romm import Romm
from tests.conformance.examples import numbers


@pytest.mark.parametrize("block_size", [3, 50, 2000])
@pytest.mark.parametrize("sd_ratio", [0.1, 5.0])
def test_moments_stay_exactly(block_size: int, sd_ratio: float) -> None:
    rng = np.random.default_rng(1)
    x = rng.lognormal(size=(500, 3)) @ np.array([[1, 0.5, 0], [0, 1, 0.3], [0, 0, 2]])
    data = numbers(a=x[:, 0], b=x[:, 1], c=x[:, 2])
    masked = Romm(columns=["a", "b", "c"], sd_ratio=sd_ratio, block_size=block_size, decimals="any").apply(data, seed=1)
    y = np.stack([masked.float(name) for name in "abc"], axis=1)
    assert y.mean(axis=0) == pytest.approx(x.mean(axis=0))
    assert np.cov(y.T) == pytest.approx(np.cov(x.T))
    assert (y != x).all()


def test_a_regression_stays_and_extremes_move() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=1000)
    y = 3 * x + rng.normal(size=1000)
    masked = Romm(columns=["x", "y"], sd_ratio=50, decimals="any").apply(numbers(x=x, y=y), seed=2)
    assert np.polyfit(masked.float("x"), masked.float("y"), 1) == pytest.approx(np.polyfit(x, y, 1))
    assert abs(np.corrcoef(masked.float("x"), x)[0, 1]) < 0.2


def test_strata_and_gaps() -> None:
    data = tc.samples.household_survey(300, seed=1)
    masked = Romm(columns=["income", "savings"], by=["sex"], sd_ratio=0.3, decimals="any").apply(data, seed=3)
    for name in ("income", "savings"):
        assert np.array_equal(np.isnan(data.float(name)), np.isnan(masked.float(name)))
    sex = data.codes("sex").values
    whole = ~np.isnan(data.float("income")) & ~np.isnan(data.float("savings"))
    bounds = data.schema["savings"].bounds
    if bounds is None:
        for value in np.unique(sex):
            rows = whole & (sex == value)
            assert masked.float("savings")[rows].mean() == pytest.approx(data.float("savings")[rows].mean())
    assert not np.array_equal(data.float("savings")[whole], masked.float("savings")[whole])


@pytest.mark.parametrize("settings", [{"sd_ratio": -1}, {"block_size": 2}, {"block_size": 10_000}])
def test_bad_parameters(settings: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match=next(iter(settings))):
        Romm(**settings)
