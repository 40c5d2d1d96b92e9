"""Scenes of attacks by questions end as they are known to end; all of them are slow, a few are run always."""

from __future__ import annotations

import pytest

from tacita.study.red_team.queries import SCENES
from tacita.study.red_team.scene import Scene, act

ENDS = {True: ("broken", "partly"), False: ("held", "not worded", "not run")}


def named(scene: Scene) -> str:
    return f"{scene.attack.name} against {scene.defence}"


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES, ids=named)
def test_a_scene_ends_as_it_is_known_to(scene: Scene) -> None:
    found = act(scene)
    assert found.standing in ENDS[scene.weak], found.words()


@pytest.mark.parametrize("scene", SCENES[:5], ids=named)
def test_a_few_scenes_are_run_always(scene: Scene) -> None:
    assert act(scene).standing in ENDS[scene.weak]


def test_every_attack_has_a_setting_that_it_breaks_and_one_that_holds_it() -> None:
    ends: dict[str, set[bool]] = {}
    for scene in SCENES:
        ends.setdefault(scene.attack.name, set()).add(scene.weak)
    assert not [name for name, found in ends.items() if found != {True, False}]
    assert len({(scene.attack, scene.defence) for scene in SCENES}) == len(SCENES)
