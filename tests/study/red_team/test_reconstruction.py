"""Scenes of reconstruction: each ends as it is known to end, and both ends are among them."""

from __future__ import annotations

from typing import Any

import pytest

from tacita.study.red_team.reconstruction import SCENES
from tacita.study.red_team.scene import Scene, act


def scenes() -> list[Any]:
    """Those of whole blocks take many seconds each."""
    return [
        pytest.param(scene, marks=pytest.mark.slow) if scene.attack.name == "block_reconstruction" else scene
        for scene in SCENES
    ]


@pytest.mark.parametrize("scene", scenes(), ids=lambda scene: f"{scene.attack.name}: {scene.defence}")
def test_each_ends_as_it_is_known_to_end(scene: Scene) -> None:
    found = act(scene, seed=1)
    assert found.standing in (("broken", "partly") if scene.weak else ("held", "not worded"))
    assert found.victims > 0


def test_every_attack_breaks_something_and_is_held_by_something() -> None:
    for name in {scene.attack.name for scene in SCENES}:
        assert {scene.weak for scene in SCENES if scene.attack.name == name} == {True, False}
