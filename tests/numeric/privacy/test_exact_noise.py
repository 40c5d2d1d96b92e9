"""Exact noise against the chances that it is drawn with: each statistical check has a false alarm of 1e-6, and a fixed seed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binomtest, chisquare

from tacita.core.streams import Streams
from tacita.numeric.privacy.exact_noise import ExactNoise

FALSE_ALARM = 1e-6
DRAWS = 20_000
V = np.arange(-400, 401)


def noise(seed: int = 1) -> ExactNoise:
    return ExactNoise(Streams(seed).stream("noise"))


def pvalue(drawn: np.ndarray, weights: np.ndarray, reach: int) -> float:
    """Chi-square of the counts of -reach, ..., reach, the tails in the last cells."""
    p = weights / weights.sum()
    middle = len(p) // 2
    inside = p[middle - reach : middle + reach + 1].copy()
    inside[0] += p[: middle - reach].sum()
    inside[-1] += p[middle + reach + 1 :].sum()
    seen = np.bincount(np.clip(drawn, -reach, reach) + reach, minlength=2 * reach + 1)
    return float(chisquare(seen, inside / inside.sum() * len(drawn)).pvalue)


@pytest.mark.parametrize(
    ("variance", "reach"), [(Fraction(1, 4), 1), (Fraction(9), 8), (Fraction(1234567, 98765), 9), (Fraction(900), 80)]
)
def test_gaussian_noise_has_its_chances(variance: Fraction, reach: int) -> None:
    """Must accept the true scale and reject one 30 % off."""
    drawn = noise().gaussian(variance, DRAWS)
    exact = float(variance)
    assert pvalue(drawn, np.exp(-(V**2) / (2 * exact)), reach) > FALSE_ALARM
    for wrong in (1.3, 1 / 1.3):
        assert pvalue(drawn, np.exp(-(V**2) / (2 * exact * wrong**2)), reach) < FALSE_ALARM


def test_laplace_noise_has_its_chances() -> None:
    one = noise()
    drawn = np.array([one.laplace(3) for _ in range(DRAWS)])
    assert pvalue(drawn, np.exp(-np.abs(V) / 3), 8) > FALSE_ALARM
    assert pvalue(drawn, np.exp(-np.abs(V) / 3.9), 8) < FALSE_ALARM


@pytest.mark.parametrize(("part", "whole"), [(1, 3), (7, 2), (10**25 + 1, 10**25 * 3), (0, 1), (1, 1)])
def test_decisions_have_their_chances(part: int, whole: int) -> None:
    one = noise(2)
    faded = sum(one.fades(part, whole) for _ in range(DRAWS))
    chance = np.exp(-part / whole)
    assert faded == DRAWS if part == 0 else binomtest(faded, DRAWS, chance).pvalue > FALSE_ALARM
    happened = sum(one.happens(part, whole) for _ in range(DRAWS))
    share = min(part / whole, 1.0)
    assert happened == DRAWS * share if share in (0, 1) else binomtest(happened, DRAWS, share).pvalue > FALSE_ALARM


@pytest.mark.parametrize("n", [1, 3, 64, 2**64 + 1])
def test_whole_numbers_are_even(n: int) -> None:
    one = noise(3)
    drawn = [one.below(n) for _ in range(DRAWS)]
    assert 0 <= min(drawn) <= max(drawn) < n
    thirds = np.bincount([3 * d // n for d in drawn], minlength=3)
    if n >= 64:
        sizes = np.diff([-(-n * i // 3) for i in range(4)]).astype(float)
        assert chisquare(thirds, sizes / sizes.sum() * DRAWS).pvalue > FALSE_ALARM


def test_choices_have_their_chances() -> None:
    """Must accept the true rate and reject one 30 % off."""
    scores, one = [4, 0, 7, 6], noise(4)
    seen = np.bincount([one.choose(scores, Fraction(1, 3)) for _ in range(DRAWS)], minlength=4)
    for rate, is_true in ((1 / 3, True), (1.3 / 3, False), (1 / 3.9, False)):
        p = np.exp(rate * np.array(scores))
        assert (chisquare(seen, p / p.sum() * DRAWS).pvalue > FALSE_ALARM) == is_true


def test_a_stream_repeats_its_noise() -> None:
    assert np.array_equal(noise(5).gaussian(Fraction(50), 200), noise(5).gaussian(Fraction(50), 200))
    assert not np.array_equal(noise(5).gaussian(Fraction(50), 200), noise(6).gaussian(Fraction(50), 200))


def test_enormous_noise_fits_into_64_bits() -> None:
    drawn = noise(7).gaussian(Fraction(10**60), 20)
    assert set(np.abs(drawn).tolist()) == {2**62}


def test_opendp_draws_the_same_chances() -> None:
    """OpenDP's sampler cannot be seeded: this fails without a fault with a chance of 1e-6."""
    pytest.importorskip("opendp", reason="OpenDP is not installed")
    from tacita.query.noise.dp.mechanisms import DiscreteGaussian

    theirs = DiscreteGaussian(scale=3.0).release(np.zeros(DRAWS, dtype=np.int64))
    ours = noise(8).gaussian(Fraction(9), DRAWS)
    cells = [np.bincount(np.clip(d, -7, 7) + 7, minlength=15) for d in (theirs, ours)]
    both = cells[0] + cells[1]
    assert chisquare(np.concatenate(cells), np.concatenate([both, both]) / 2, ddof=14).pvalue > FALSE_ALARM
