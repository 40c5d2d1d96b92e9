"""Scenes of query logs end as they are known to; the quick ones are played always."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core import registry
from tacita.study.red_team.logs import SCENES, searchers, under_pseudonyms
from tacita.study.red_team.scene import Scene, act


def named(scene: Scene) -> str:
    return f"{scene.attack.name}-{scene.defence}"


QUICK = [s for s in SCENES if s.defence.startswith(("pseudonyms", "queries of fewer"))]


def ends_as_known(scene: Scene) -> bool:
    return act(scene).standing in (("broken", "partly") if scene.weak else ("held",))


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES, ids=named)
def test_a_scene_ends_as_it_is_known_to(scene: Scene) -> None:
    assert ends_as_known(scene), act(scene).words()


@pytest.mark.parametrize("scene", QUICK, ids=named)
def test_scenes_that_take_no_time_end_as_they_are_known_to(scene: Scene) -> None:
    assert ends_as_known(scene), act(scene).words()


def test_every_attack_on_logs_breaks_something_and_is_held_by_something() -> None:
    wanted = {method.name for method in registry.methods("attack") if method.traits.against == "log"}
    assert {scene.attack.name for scene in SCENES if scene.weak} == wanted
    assert {scene.attack.name for scene in SCENES if not scene.weak} == wanted
    assert len({named(scene) for scene in SCENES}) == len(SCENES)
    assert any(scene.is_default and not scene.weak for scene in SCENES)


def test_pseudonyms_leave_everything_but_names() -> None:
    log, topics = searchers(1)
    made = under_pseudonyms(log, topics)
    assert made.smallest == 1
    assert made.log.texts.equals(log.texts)
    assert np.array_equal(made.profile, np.arange(len(log.users)))
