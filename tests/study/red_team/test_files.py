"""Scenes of released files end as they are known to."""

from __future__ import annotations

import pytest

from tacita.core import registry
from tacita.study.red_team.files import SCENES
from tacita.study.red_team.scene import Scene, act


@pytest.mark.parametrize("scene", SCENES, ids=lambda s: f"{s.attack.name}-{s.defence}")
def test_a_scene_ends_as_it_is_known_to(scene: Scene) -> None:
    assert act(scene).standing == ("broken" if scene.weak else "held")


def test_every_attack_on_files_breaks_something_and_is_held_by_something() -> None:
    wanted = {method.name for method in registry.methods("attack") if method.traits.against == "file"}
    ours = {name for name in wanted if registry.find("attack", name).__module__.startswith("tacita.attack.files")}
    assert {scene.attack.name for scene in SCENES if scene.weak} == ours
    assert {scene.attack.name for scene in SCENES if not scene.weak} == ours


def test_a_scene_repeats_itself() -> None:
    scene = next(s for s in SCENES if s.attack.name == "key_match")
    one, two = act(scene, seed=3), act(scene, seed=3)
    assert (one.success, one.sure, one.baseline) == (two.success, two.sure, two.baseline)
    assert act(scene, seed=4).success != one.success
