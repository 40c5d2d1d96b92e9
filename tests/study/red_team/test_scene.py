"""Scenes: set by a seed, played once, graded."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.attack.judge.answers import Answers
from tacita.study.red_team.scene import Scene, act
from tests.attack.toys import Toy, ToyTarget


@pytest.mark.parametrize(("has_control", "standing"), [(False, "broken"), (True, "held")])
def test_a_scene_is_played_and_graded(has_control: bool, standing: str) -> None:
    wages = np.linspace(100, 10_000, 50)

    def make(seed: int):  # type: ignore[no-untyped-def]
        assert seed == 3
        staged = (ToyTarget(shown=wages), Answers(truth={"wage": wages}))
        return (*staged, staged if has_control else None)

    found = act(Scene(attack=Toy(), defence="none", weak=True, make=make), seed=3)
    assert (found.standing, found.defence, found.target) == (standing, "none", "file")
