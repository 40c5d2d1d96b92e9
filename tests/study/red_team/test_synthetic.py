"""Scenes of synthetic data end as they are known to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.attack.attacker import Attacker
from tacita.attack.synthetic import ShadowMembership
from tacita.core import registry
from tacita.data.microdata import Microdata
from tacita.mask import Mdav
from tacita.study.red_team.scene import Scene, act
from tacita.study.red_team.synthetic import (
    COLUMNS,
    SCENES,
    by_mask,
    copied,
    fresh_people,
    independent_people,
    permuted_columns,
    surveyed_people,
)

DATA = surveyed_people(300)


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES, ids=lambda s: f"{s.attack.name}-{s.defence}")
def test_a_scene_ends_as_it_is_known_to(scene: Scene) -> None:
    assert act(scene).standing == ("broken" if scene.weak else "held")


@pytest.mark.parametrize("attack", ["attribute_cap", "closest_record", "singling_out"])
def test_first_and_last_scenes_end_as_they_are_known_to(attack: str) -> None:
    own = [scene for scene in SCENES if scene.attack.name == attack]
    assert act(own[0]).standing == "broken"
    assert act(own[-1]).standing == "held"


def test_private_tables_do_not_tell_who_is_in_them() -> None:
    scene = next(s for s in SCENES if s.attack.name == "shadow_membership" and s.defence.startswith("private tables"))
    assert act(replace(scene, attack=ShadowMembership(shadows=4))).standing == "held"


def test_every_attack_on_generators_meets_every_defence() -> None:
    names = {m.name for m in registry.methods("attack") if issubclass(m, Attacker) and m.traits.against == "generator"}
    assert {scene.attack.name for scene in SCENES} == names
    assert len(SCENES) == len(names) * len({scene.defence for scene in SCENES})
    assert any(scene.is_default for scene in SCENES)


def values(data: Microdata, name: str) -> list[object]:
    return sorted(map(str, data.to_arrow(codes=False).column(name).to_pylist()))


def test_a_copy_and_shuffled_columns_have_every_value() -> None:
    assert copied(DATA, 1) is DATA
    shuffled = permuted_columns(DATA, 1)
    assert all(values(shuffled, name) == values(DATA, name) for name in COLUMNS)
    assert shuffled.float("age").tolist() != DATA.float("age").tolist()


@pytest.mark.parametrize("generate", [independent_people, fresh_people, by_mask(Mdav(columns=("age",)))])
def test_generators_give_the_same_columns_and_repeat_by_their_seed(generate) -> None:  # type: ignore[no-untyped-def]
    one, two = generate(DATA, 5), generate(DATA, 5)
    assert (one.names, len(one)) == (DATA.names, len(DATA))
    assert one.same_content(two)
    assert not np.array_equal(one.float("age"), DATA.float("age"), equal_nan=True)
    if generate in (independent_people, fresh_people):
        assert not generate(DATA, 6).same_content(one)
