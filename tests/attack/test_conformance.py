"""Every registered attack keeps the contract, and has a scene that it breaks and one that holds it."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import pytest
import scipy.sparse as sp

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.judge.answers import Answers
from tacita.attack.judge.trial import attack_once
from tacita.core import registry
from tacita.core.traits import AGAINST
from tacita.data.microdata import Microdata
from tacita.study.red_team.matrix import every_scene
from tacita.study.red_team.scene import Scene, act

ATTACKS = sorted(
    (cast(type[Attacker], m) for m in registry.methods("attack") if m.__module__.startswith("tacita.")),
    key=lambda m: m.name,
)
every_attack = pytest.mark.parametrize("attack", ATTACKS, ids=lambda m: m.name)

NO_WEAK_SCENE: dict[str, str] = {}
"""Attacks that break nothing which can be set up here, each with the reason."""
NO_STRONG_SCENE: dict[str, str] = {}
"""Attacks that no defence here is known to hold, each with the reason."""

_LONG = {"block_reconstruction", "attack_search"}
"""Attacks whose one victim takes many seconds; each has quick tests of its own."""
_FEW = 12
"""Victims that an attack is run on here; the matrix runs it on all."""


@functools.cache
def scenes_of(name: str) -> tuple[Scene, ...]:
    return tuple(scene for scenes in every_scene().values() for scene in scenes if scene.attack.name == name)


def staged(scene: Scene) -> tuple[Any, Answers]:
    target, answers, *_ = scene.make(1)
    return target, answers


@functools.cache
def shown(name: str) -> tuple[Any, Answers]:
    """The first scene of an attack, to look at and not to ask."""
    return staged(scenes_of(name)[0])


def few(target: Any) -> Any:
    return target.among(np.arange(min(_FEW, target.victims)))


def run(attack: Attacker, target: Any, seed: int = 1) -> tuple[Claims, ...]:
    return attack.run(target, np.random.default_rng(seed))


# --- the matrix has a cell for everybody ------------------------------------------------------------------------------


@every_attack
def test_an_attack_has_a_scene_that_it_breaks_and_one_that_holds_it(attack: type[Attacker]) -> None:
    kinds = {scene.weak for scene in scenes_of(attack.name)}
    assert True in kinds or NO_WEAK_SCENE.get(attack.name), "show what it breaks"
    assert False in kinds or NO_STRONG_SCENE.get(attack.name), "show what holds it"


def test_every_reason_is_needed() -> None:
    for reasons, weak in ((NO_WEAK_SCENE, True), (NO_STRONG_SCENE, False)):
        for name in reasons:
            assert weak not in {scene.weak for scene in scenes_of(name)}, f"strike {name} from the list"


def test_every_scene_is_of_a_registered_attack() -> None:
    named = {scene.attack.name for scenes in every_scene().values() for scene in scenes}
    assert named <= {attack.name for attack in ATTACKS}


@pytest.mark.slow
@every_attack
@pytest.mark.parametrize("weak", [True, False], ids=["weak", "strong"])
def test_the_first_scene_of_each_kind_ends_as_it_is_known_to(attack: type[Attacker], weak: bool) -> None:
    scene = next((scene for scene in scenes_of(attack.name) if scene.weak == weak), None)
    if scene is None:
        assert (NO_WEAK_SCENE if weak else NO_STRONG_SCENE)[attack.name]
        return
    found = act(scene)
    assert found.standing in (("broken", "partly") if weak else ("held", "not worded")), found.words()


# --- what it says of itself -------------------------------------------------------------------------------------------


@every_attack
def test_an_attack_says_what_it_knows_breaks_and_is_held_by(attack: type[Attacker]) -> None:
    assert all((attack.traits.knows, attack.traits.breaks, attack.traits.held_by))
    assert attack.traits.against in AGAINST


@every_attack
def test_it_says_why_it_cannot_be_tried_and_never_raises(attack: type[Attacker]) -> None:
    """Against every target of its kind that the matrix has, also those which were set up for another attack."""
    kinds = {other.name for other in ATTACKS if other.traits.against == attack.traits.against}
    for name in sorted(kinds):
        scenes = scenes_of(name)
        if scenes:
            scene = scenes[0]
            chosen = scene.attack if name == attack.name else attack()
            why = chosen.declined(shown(name)[0])
            assert isinstance(why, str)
            assert name != attack.name or why == "", f"its own first scene is declined: {why}"


# --- what it does -----------------------------------------------------------------------------------------------------


def first_scene(attack: type[Attacker]) -> Scene:
    return scenes_of(attack.name)[0]


@every_attack
def test_cost_is_positive_and_grows_with_the_victims(attack: type[Attacker]) -> None:
    scene = first_scene(attack)
    target, _ = shown(attack.name)
    whole = scene.attack.cost(target)
    assert 0 < whole < 3600
    if target.victims > 1:
        assert scene.attack.cost(target.among(np.arange(1))) < whole


@pytest.mark.parametrize(
    "attack",
    [pytest.param(m, marks=pytest.mark.slow) if m.name in _LONG else m for m in ATTACKS],
    ids=lambda m: m.name,
)
def test_the_same_seed_gives_the_same_claims_one_for_each_victim_and_leaves_its_target(attack: type[Attacker]) -> None:
    scene = first_scene(attack)
    found = []
    for _ in range(2):  # a server remembers: each run has one of its own
        target, answers = staged(scene)
        target = few(target)
        before = plain(target)
        found.append(run(scene.attack, target))
        assert plain(target) == before
        assert {claims.about for claims in found[-1]}, "it must claim something"
        for claims in found[-1]:
            assert len(claims) == target.victims
            assert answers.knows(claims.about), f"nobody can judge '{claims.about}'"
            assert claims.queries >= 0
    for one, two in zip(*found, strict=True):
        assert one.about == two.about
        assert one.said.tolist() == two.said.tolist() or np.array_equal(one.said, two.said, equal_nan=True)
        assert (one.queries, dict(one.refused), one.not_worded) == (two.queries, dict(two.refused), two.not_worded)


@every_attack
def test_without_victims_it_is_not_run(attack: type[Attacker]) -> None:
    scene = first_scene(attack)
    target, answers = shown(attack.name)
    nobody = np.arange(0)
    found = attack_once(scene.attack, target.among(nobody), answers.among(nobody), seed=1)
    assert found.standing == "not run"
    assert found.reason


def plain(value: Any) -> Any:
    """Return what a target holds in a form that can be compared; what is called has no content of its own."""
    if isinstance(value, Microdata):
        return value.fingerprint()
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tolist() if value.dtype == object else value.tobytes()
    if sp.issparse(value):
        return tuple(plain(part) for part in (value.tocsr().data, value.tocsr().indices, value.tocsr().indptr))
    if dataclasses.is_dataclass(value):
        return type(value).__name__, {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return None if callable(value) else value


def test_a_changed_target_is_seen() -> None:
    array = np.arange(3)
    before = plain({"a": array, "b": [sp.csr_matrix(np.eye(2))], "c": len})
    assert before == plain({"a": np.arange(3), "b": [sp.csr_matrix(np.eye(2))], "c": max})
    array[0] = 7
    assert plain({"a": array, "b": [sp.csr_matrix(np.eye(2))], "c": len}) != before
