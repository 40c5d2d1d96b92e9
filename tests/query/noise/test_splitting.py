"""What splitting leaves of the noise: known numbers, simulation, and the attack that cancels layers of conditions."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.query.noise.output_noise import LayeredNoise
from tacita.query.noise.splitting import miss_probability, remaining_variance, variance_at_depth


@pytest.mark.parametrize(("r", "percent"), [(2, 0.04), (3, 1.2), (5, 11)])
def test_the_known_error_probabilities(r: int, percent: float) -> None:
    """Uniform noise within r, 200 splits in two: computed, and simulated as an attacker would meet it."""
    variance = r * (r + 1) / 3
    left = remaining_variance(LayeredNoise(sd_set=variance**0.5, sd_record=0), [2] * 200)
    assert left == pytest.approx(2 * variance / 200)
    digits = {2: 2, 3: 1, 5: 0}[r]
    assert round(100 * miss_probability(left), digits) == percent
    trials = 20_000
    rng = np.random.default_rng(r)
    # A sum of 400 uniform numbers, by how often each value comes up.
    often = rng.multinomial(400, np.full(2 * r + 1, 1 / (2 * r + 1)), size=trials)
    errors = often @ np.arange(-r, r + 1) / 200
    missed = float((np.abs(errors) > 0.5).mean())
    chance = miss_probability(left)
    assert abs(missed - chance) < 5 * (chance / trials) ** 0.5 + 0.1 * chance  # the sum is not quite normal


def test_layers_leave_a_floor() -> None:
    plain = LayeredNoise(sd_set=1, sd_condition=0, sd_record=0)
    conditions = LayeredNoise(sd_set=1, sd_condition=1, sd_record=0)
    records = LayeredNoise(sd_set=1, sd_condition=0, sd_record=0.5)
    splits = [2] * 500
    assert remaining_variance(plain, splits) == pytest.approx(2 / 500)
    assert remaining_variance(conditions, splits, conditions=2) == pytest.approx(
        8 + 4 / 500
    )  # (2 parts)^2 x 2 conditions
    assert remaining_variance(records, splits, members=100) == pytest.approx(25 + 2 / 500)


def test_splits_into_other_numbers_of_parts_cancel_conditions() -> None:
    """Three times a split in two less twice a split in three: a known weakness, which the layer of records does not have."""
    conditions = LayeredNoise(sd_set=1, sd_condition=1, sd_record=0)
    mixed = [2] * 300 + [3] * 300
    by_hand = 9 * 4 / 300 + 4 * 6 / 300
    assert 0.9 * by_hand < remaining_variance(conditions, mixed) <= by_hand
    assert remaining_variance(conditions, mixed, attacker="average") > 6
    both = LayeredNoise(sd_set=1, sd_condition=1, sd_record=0.5)
    assert remaining_variance(both, mixed, members=40) >= 10


def test_the_direct_answer_helps_and_cancels_too() -> None:
    noise = LayeredNoise(sd_set=1, sd_condition=5, sd_record=0)
    assert remaining_variance(noise, [], direct=True) == pytest.approx(26)
    assert remaining_variance(noise, [2] * 100, direct=True) < 5  # 2 y_0 - mean: 4 for the set, little for the parts


@pytest.mark.parametrize("seed", range(5))
def test_the_best_attacker_beats_every_other(seed: int) -> None:
    """The best weights against random ones, and the variance against a simulation of all layers."""
    rng = np.random.default_rng(seed)
    noise = LayeredNoise(sd_set=rng.random() + 0.1, sd_condition=rng.random(), sd_record=rng.random())
    parts = rng.integers(2, 5, 6)
    best = remaining_variance(noise, parts.tolist(), conditions=2, members=9, direct=True)
    trials = 4000
    shared = noise.sd_condition * rng.standard_normal((trials, 2)).sum(axis=1)
    records = noise.sd_record * rng.standard_normal((trials, 9)).sum(axis=1)
    own = (noise.sd_set**2 + noise.sd_condition**2) ** 0.5
    errors = [p * shared + records + own * rng.standard_normal((trials, p)).sum(axis=1) for p in parts]
    errors.append(shared + records + noise.sd_set * rng.standard_normal(trials))
    y = np.stack(errors)
    average = remaining_variance(noise, parts.tolist(), conditions=2, members=9, direct=True, attacker="average")
    assert y.mean(axis=0).var() == pytest.approx(average, rel=5 * (2 / trials) ** 0.5)
    covariance = np.cov(y)
    inverse = np.linalg.solve(covariance, np.ones(len(y)))
    assert 1 / inverse.sum() == pytest.approx(best, rel=6 * (2 / trials) ** 0.5)
    assert best <= average * (1 + 1e-12)


def test_depth_weakens_a_limit() -> None:
    assert variance_at_depth(3.0, 5, 1) == pytest.approx(2 * 3 / 7)
    direct = remaining_variance(LayeredNoise(sd_set=3**0.5, sd_record=0), [2] * 5, direct=True)
    assert variance_at_depth(3.0, 5, 1) == pytest.approx(direct)
    assert variance_at_depth(3.0, 5, 8) < 0.01
    assert variance_at_depth(3.0, 1, 50) == pytest.approx(1.5)  # a limit of one has a floor, half of V
    assert variance_at_depth(0.0, 5, 3) == 0


def test_bad_input_is_refused() -> None:
    with pytest.raises(ParameterError, match="must be a split"):
        remaining_variance(LayeredNoise(), [])
    with pytest.raises(ParameterError, match="at least 2"):
        remaining_variance(LayeredNoise(), [2, 1])
    assert miss_probability(0.0) == 0.0
