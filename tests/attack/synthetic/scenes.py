"""Small scenes for the tests of attacks on synthetic data."""

from __future__ import annotations

from typing import Any

from tacita.attack.attacker import Attacker
from tacita.attack.judge.grade import Grade
from tacita.attack.judge.stage_generator import StagedGenerator, stage_generator
from tacita.attack.judge.trial import attack_once
from tacita.attack.targets import Generate
from tacita.study.red_team.synthetic import surveyed_people

__all__ = ["attacked", "staged"]


def staged(generate: Generate, *, n: int = 2000, seed: int = 1, **options: Any) -> StagedGenerator:
    """Deal out people of the household survey."""
    return stage_generator(surveyed_people(n, seed=seed), generate, seed=seed, **options)


def attacked(attack: Attacker, generate: Generate, **options: Any) -> Grade:
    """Attack a generator, and grade it."""
    scene = staged(generate, **options)
    return attack_once(attack, scene.target, scene.answers, seed=1, control=scene.control)
