"""Discrete Laplace and Gaussian noise: their distributions, their costs, and an attacker who measures epsilon.

OpenDP's noise cannot be seeded, so these tests may fail without a fault: each with a chance of 1e-6 at most.
"""

from __future__ import annotations

import sys

import numpy as np
import pytest
from scipy.stats import chisquare

from tacita.core.errors import ParameterError
from tacita.numeric.privacy.cost import Cost
from tacita.query.noise.dp.lower_bound import epsilon_lower_bound
from tacita.query.noise.dp.mechanisms import DiscreteGaussian, DiscreteLaplace, Mechanism

FALSE_ALARM = 1e-6
DRAWS = 20_000


@pytest.fixture(autouse=True)
def opendp() -> None:
    pytest.importorskip("opendp", reason="OpenDP is not installed")


def pvalue(noise: np.ndarray, weights: np.ndarray) -> float:
    """Chi-square of the counts of -r, ..., r, the tails in the last cells, against weights on a wide support."""
    p = weights / weights.sum()
    middle, r = len(p) // 2, 8
    inside = p[middle - r : middle + r + 1].copy()
    inside[0] += p[: middle - r].sum()
    inside[-1] += p[middle + r + 1 :].sum()
    seen = np.bincount(np.clip(noise, -r, r) + r, minlength=2 * r + 1)
    return float(chisquare(seen, inside / inside.sum() * len(noise)).pvalue)


V = np.arange(-200, 201)


@pytest.mark.parametrize(
    ("mechanism", "weights"),
    [
        (DiscreteLaplace(scale=3.0), lambda scale: np.exp(-np.abs(V) / scale)),
        (DiscreteGaussian(scale=3.0), lambda scale: np.exp(-(V**2) / (2 * scale**2))),
    ],
    ids=["laplace", "gaussian"],
)
def test_the_noise_has_its_distribution(mechanism: Mechanism, weights: object) -> None:
    """Must accept the true scale and reject one 30 % off."""
    noise = mechanism.release(np.full(DRAWS, 1000)) - 1000
    assert pvalue(noise, weights(3.0)) > FALSE_ALARM  # type: ignore[operator]
    assert pvalue(noise, weights(3.9)) < FALSE_ALARM  # type: ignore[operator]
    assert pvalue(noise, weights(3.0 / 1.3)) < FALSE_ALARM  # type: ignore[operator]


def test_costs() -> None:
    assert DiscreteLaplace(scale=10).cost(1) == Cost("pure", 0.1)
    assert DiscreteLaplace(scale=10).cost(3).amount == pytest.approx(0.3)
    assert DiscreteGaussian(scale=10).cost(2) == Cost("zcdp", 0.02)
    assert DiscreteLaplace(scale=5).cost(0) == Cost("pure", 0.0)


@pytest.mark.parametrize("amount", [0.1, 1 / 3, 0.7, 2.0])
@pytest.mark.parametrize("sensitivity", [1, 3, 50])
@pytest.mark.parametrize("kind", [DiscreteLaplace, DiscreteGaussian])
def test_a_mechanism_for_a_cost_stays_within_it(amount: float, sensitivity: int, kind: type[Mechanism]) -> None:
    cost = kind.for_cost(amount, sensitivity).cost(sensitivity)
    assert cost.amount <= amount
    assert cost.amount == pytest.approx(amount)


def test_an_attacker_measures_no_more_than_was_claimed() -> None:
    """Two data sets that differ in one unit; a mechanism with half the scale that claims the same is caught."""
    claimed = 1.0
    good = DiscreteLaplace.for_cost(claimed, 1)
    with_unit, without = good.release(np.full(DRAWS, 101)), good.release(np.full(DRAWS, 100))
    measured = epsilon_lower_bound(with_unit, without, 101, false_alarm=FALSE_ALARM)
    assert 0.5 * claimed < measured <= claimed
    broken = DiscreteLaplace(scale=good.scale / 2)
    with_unit, without = broken.release(np.full(DRAWS, 101)), broken.release(np.full(DRAWS, 100))
    assert epsilon_lower_bound(with_unit, without, 101, false_alarm=FALSE_ALARM) > claimed


def test_answers_are_fresh_and_whole() -> None:
    mechanism = DiscreteLaplace(scale=1000.0)
    values = np.arange(50)
    one, two = mechanism.release(values), mechanism.release(values)
    assert one.dtype == np.int64
    assert (one != two).any()
    assert mechanism.release(np.zeros(0, dtype=np.int64)).tolist() == []
    largest = np.iinfo(np.int64).max
    assert (mechanism.release(np.full(20, largest)) > largest // 2).all()  # cut off, never wrapped round


def test_bad_input_is_refused() -> None:
    for scale in (0.0, -1.0, 1e300):
        with pytest.raises(ParameterError, match="'scale'"):
            DiscreteLaplace(scale=scale)
    with pytest.raises(ParameterError, match="whole numbers"):
        DiscreteLaplace(scale=1).release(np.array([0.5]))
    with pytest.raises(ParameterError, match="sensitivity"):
        DiscreteGaussian(scale=1).cost(-1)
    for amount, sensitivity in ((0.0, 1), (1.0, 0), (float("nan"), 1)):
        with pytest.raises(ParameterError, match="cost above 0"):
            DiscreteGaussian.for_cost(amount, sensitivity)


def test_without_opendp_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opendp", None)
    with pytest.raises(ParameterError, match="pip install opendp"):
        DiscreteLaplace(scale=1).cost(1)
