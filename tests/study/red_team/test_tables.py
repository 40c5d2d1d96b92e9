"""Scenes of tables: each ends as it is known to end, and both ends are among them."""

from __future__ import annotations

import pytest

from tacita.study.red_team.scene import Scene, act
from tacita.study.red_team.tables import SCENES


def played(scene: Scene) -> object:
    """A scene with its name; that of consistent sets of tables takes seconds."""
    slow = [pytest.mark.slow] if "consistent set" in scene.defence else []
    return pytest.param(scene, marks=slow, id=f"{scene.attack.name}: {scene.defence}")


@pytest.mark.parametrize("scene", map(played, SCENES))
def test_each_ends_as_it_is_known_to_end(scene: Scene) -> None:
    found = act(scene, seed=1)
    assert found.standing in (("broken", "partly") if scene.weak else ("held", "not worded"))
    assert found.victims > 0


def test_every_attack_breaks_something_and_is_held_by_something() -> None:
    for name in {scene.attack.name for scene in SCENES}:
        assert {scene.weak for scene in SCENES if scene.attack.name == name} == {True, False}
