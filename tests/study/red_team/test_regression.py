"""The scenes of regressions: every attack ends as is known, in a setting that it breaks and under defences that hold it."""

from __future__ import annotations

import pytest

from tacita.study.red_team.matrix import Played
from tacita.study.red_team.regression import SCENES, firms
from tacita.study.red_team.scene import Scene, act


@pytest.mark.parametrize("scene", SCENES, ids=[f"{s.attack.name}: {s.defence}" for s in SCENES])
def test_it_ends_as_is_known(scene: Scene) -> None:
    assert Played("regression", scene, act(scene, seed=1)).is_as_known


def test_every_attack_breaks_something_and_is_held_by_something() -> None:
    for name in {scene.attack.name for scene in SCENES}:
        assert {scene.weak for scene in SCENES if scene.attack.name == name} == {True, False}


def test_our_own_policies_are_among_the_defences() -> None:
    ours = {scene.defence: scene for scene in SCENES if scene.is_default}
    assert {"policy mas", "policy audited", "policy tables", "policy camouflage"} <= set(ours)
    assert {name for name, scene in ours.items() if scene.weak} <= {"policy internal"}


def test_the_victims_are_alone_with_their_keys() -> None:
    columns, rows = firms(1)
    cells = list(zip(columns["sector"], columns["state"], columns["form"], strict=True))
    assert all(cells.count(cells[row]) == 1 for row in rows[:, 0])
