"""Controlled rank swapping: groups and windows by hand, what the factors promise, and bad input."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import ParameterError, TacitaWarning
from tacita.mask.swap.rank_swap_controlled import RankSwapControlled, extreme_limits, swap_range
from tests.conformance.examples import numbers


def test_groups_by_hand() -> None:
    """Ten of a hundred values at each end become 95.5 and 5.5 on average of 1 .. 100; the others change places."""
    data = numbers(x=np.arange(1.0, 101.0))
    masked = (
        RankSwapControlled(columns=["x"], p=5, top_p=10, bottom_p=10, decimals="any").apply(data, seed=1).float("x")
    )
    assert masked[:10].tolist() == [5.5] * 10
    assert masked[90:].tolist() == [95.5] * 10
    assert sorted(masked[10:90]) == list(range(11, 91))
    assert 0 < np.abs(masked[10:90] - np.arange(11, 91)).max() <= 4
    assert masked.mean() == pytest.approx(50.5)


def test_equal_values_are_on_one_side() -> None:
    assert extreme_limits(np.array([1.0, 2.0, 3.0, 9.0, 9.0, 9.0]), top_p=20, bottom_p=0) == (1.0, 9.0)
    assert extreme_limits(np.array([]), top_p=20, bottom_p=0) == (-np.inf, np.inf)
    assert extreme_limits(np.array([1.0, 2.0]), top_p=50, bottom_p=50)[0] <= 1.5


def test_windows_by_hand() -> None:
    """0 .. 10 without groups: variance 10, mean 5, range 10."""
    x = np.arange(11.0)
    assert swap_range(x, correlation=0.5) == pytest.approx(100 * np.sqrt(10) / 10)
    assert swap_range(x, mean_factor=0.1) == pytest.approx(100 * np.sqrt(8 / 3) * 0.1 * 5 / 10)
    assert swap_range(x, top_p=10, bottom_p=10, correlation=0.5) == pytest.approx(
        100 * np.sqrt(np.arange(1, 10).var()) / 10
    )
    assert swap_range(np.ones(5), correlation=0.5) == swap_range(np.array([]), correlation=0.5) == 0
    assert swap_range(x, mean_factor=100.0) == 100


@pytest.mark.parametrize("factor", [0.98, 0.9, 0.7])
def test_a_correlation_keeps_its_share(factor: float) -> None:
    rng = np.random.default_rng(1)
    x = rng.uniform(0, 1, 4000)
    y = x + rng.normal(0, 0.2, 4000)
    mask = RankSwapControlled(columns=["x"], correlation=factor, top_p=0, bottom_p=0)
    masked = mask.apply(numbers(x=x, y=y), seed=3).float("x")
    kept = np.corrcoef(masked, y)[0, 1] / np.corrcoef(x, y)[0, 1]
    assert factor <= kept < 1


def test_means_of_subsets_stay_within_their_bound() -> None:
    rng = np.random.default_rng(2)
    x = rng.uniform(50, 150, 5000)
    mask = RankSwapControlled(columns=["x"], mean_factor=0.1, top_p=0, bottom_p=0)
    masked = mask.apply(numbers(x=x), seed=3).float("x")
    inside = 0
    for _ in range(400):
        some = rng.choice(5000, 100, replace=False)
        inside += abs(masked[some].mean() - x[some].mean()) <= 2 * 0.1 * x[some].mean() / 10
    assert inside / 400 > 0.9
    assert np.abs(masked - x).mean() > 1


def test_lonely_extremes_are_warned_of() -> None:
    data = numbers(x=np.arange(1.0, 21.0))
    with pytest.warns(TacitaWarning, match="group"):
        RankSwapControlled(columns=["x"], p=20).apply(data, seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error", TacitaWarning)
        RankSwapControlled(columns=["x"], p=20, top_p=20, bottom_p=20).apply(data, seed=1)


def test_the_attack_knows_the_widest_window() -> None:
    data = tc.samples.household_survey(300, seed=1)
    (attack,) = RankSwapControlled(columns=["age", "savings"], correlation=0.9).attacks_on(data)
    widths = [
        swap_range(x[~np.isnan(x)], top_p=5, bottom_p=5, correlation=0.9)
        for x in (data.float("age"), data.float("savings"))
    ]
    assert attack.settings["p"] == pytest.approx(max(widths))
    assert RankSwapControlled(columns=["age"]).attacks_on(data)[0].settings["p"] == 5


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"correlation": 0.9, "mean_factor": 0.1}, "not both"),
        ({"correlation": 1.5}, "correlation"),
        ({"mean_factor": -1}, "mean_factor"),
        ({"top_p": 60}, "top_p"),
        ({"top_p": 50, "bottom_p": 50}, "leave values"),
    ],
)
def test_bad_parameters(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        RankSwapControlled(**settings)
