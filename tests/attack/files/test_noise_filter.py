"""Noise filtered by what columns have in common."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.attack.files.noise_filter import NoiseFilter, noise_of
from tacita.attack.judge.stage_file import StagedFile
from tacita.attack.judge.trial import attack_once
from tacita.attack.targets import KnownStep
from tacita.core.errors import ParameterError
from tests.attack.files.people import file_of, quietly, rng, staged

YEARS = ["y1", "y2", "y3", "y4", "y5", "y6"]


def panel(n: int = 300) -> tc.Microdata:
    drawn = np.random.default_rng(1)
    base = drawn.normal(100, 20, n)
    columns = {"code": [f"c{i:04d}" for i in range(n)]} | {name: base + drawn.normal(0, 2, n) for name in YEARS}
    return file_of(columns, keys=["code"], confidential=YEARS)


def scene_of(mask: object, known: list[str], wanted: list[str], n: int = 300) -> StagedFile:
    data = panel(n)
    return staged(data, quietly(mask, data), known, wanted=wanted)


def errors(attack: NoiseFilter, scene: StagedFile) -> tuple[float, float]:
    """Root mean squared error of what is said, and of what was released."""
    truth, own = scene.answers.truth["y1"], scene.answers.truth["identity"]
    said = attack.run(scene.target, rng())[0].said
    raw = scene.target.released.float("y1")[own]
    return tuple(float(np.sqrt(np.mean((x - truth) ** 2))) for x in (said, raw))


@pytest.mark.parametrize("filtering", ["bayes", "spectral"])
def test_independent_noise_goes_down_to_less_than_half(filtering: str) -> None:
    scene = scene_of(tc.mask.AdditiveNoise(columns=YEARS, sd_ratio=0.5), ["code"], ["y1"])
    filtered, raw = errors(NoiseFilter(filtering=filtering), scene)
    assert filtered < 0.55 * raw
    assert attack_once(NoiseFilter(filtering=filtering), scene.target, scene.answers, seed=1).standing == "broken"


def test_noise_with_the_correlations_of_the_data_does_not() -> None:
    scene = scene_of(tc.mask.CorrelatedNoise(columns=YEARS, sd_ratio=0.5), ["code"], ["y1"])
    filtered, raw = errors(NoiseFilter(), scene)
    assert 0.8 * raw < filtered < raw


def test_large_noise_holds() -> None:
    scene = scene_of(tc.mask.AdditiveNoise(columns=YEARS, sd_ratio=6.0), ["code"], ["y1"])
    assert attack_once(NoiseFilter(), scene.target, scene.answers, seed=1, control=scene.control).standing == "held"


def test_what_is_known_of_a_victim_counts_without_noise() -> None:
    mask = tc.mask.AdditiveNoise(columns=YEARS, sd_ratio=1.0)
    with_less, _ = errors(NoiseFilter(), scene_of(mask, ["code"], ["y1"], 2000))
    with_more, _ = errors(NoiseFilter(), scene_of(mask, ["code", "y2"], ["y1"], 2000))
    assert with_more < 0.7 * with_less


def test_the_size_of_the_noise() -> None:
    whole = np.array([[5.0, 2.0], [2.0, 10.0]])
    apart = noise_of(KnownStep("additive_noise", ("a",), {"sd_ratio": 0.5}), ("a", "b"), whole)
    assert apart.tolist() == [[1.0, 0.0], [0.0, 0.0]]
    together = noise_of(KnownStep("correlated_noise", ("a", "b"), {"sd_ratio": 0.5}), ("a", "b"), whole)
    assert together.tolist() == [[1.0, 0.4], [0.4, 2.0]]


def test_what_it_needs() -> None:
    data = panel()
    attack = NoiseFilter()
    assert "Nothing says" in attack.declined(staged(data, data, ["code"], wanted=["y1"]).target)
    scene = scene_of(tc.mask.AdditiveNoise(columns=["y2"], sd_ratio=0.5), ["code"], ["y1"])
    assert "No wanted column" in attack.declined(scene.target)
    noisy = scene_of(tc.mask.AdditiveNoise(columns=YEARS, sd_ratio=0.5), ["code"], ["y1"])
    assert len(attack.run(noisy.target.among(np.arange(0)), rng())[0]) == 0
    with pytest.raises(ParameterError):
        NoiseFilter(filtering="guess")
