"""What was changed had to be changed."""

from __future__ import annotations

import numpy as np

import tacita as tc
from tacita.attack.files.key_match import KeyMatch
from tacita.attack.files.minimality import Minimality
from tacita.attack.judge.stage_file import StagedFile
from tacita.attack.judge.trial import attack_each, attack_once
from tacita.attack.targets import FileTarget, KnownStep
from tests.attack.files.people import file_of, quietly, rng, staged, target_of

TREE = tc.Hierarchy(tuple((f"p{i}", f"d{i // 2}", "*") for i in range(4)))


def places(people: dict[str, str]) -> tc.Microdata:
    """People of some places, ``y`` for each that is ill and ``n`` for each that is not."""
    rows = [(place, letter) for place, letters in people.items() for letter in letters]
    columns = {"place": [row[0] for row in rows], "ill": [row[1] for row in rows]}
    return file_of(columns, keys=["place"], confidential=["ill"], hierarchies={"place": TREE})


def scene_of(data: tc.Microdata, **settings: object) -> StagedFile:
    return staged(data, quietly(tc.mask.LocalRecode(**settings), data), ["place"], wanted=["ill"])


def test_a_place_that_was_coarsened_without_need_of_size_is_of_one_value() -> None:
    # p0 (4 ill) and p1 (6 well) had k people each, so only their values can have been the reason.
    data = places({"p0": "yyyy", "p1": "nnnnnn", "p2": "yn" * 3, "p3": "ny" * 3})
    scene = scene_of(data, k=3, l=2)
    (minimal,) = attack_each(Minimality(), scene.target, scene.answers, seed=1)
    assert minimal.success > 0.7
    assert minimal.sure == minimal.sure_right == 10
    plain = attack_each(KeyMatch(), scene.target, scene.answers, seed=1)[1]
    assert plain.sure == 0


def test_places_that_are_too_small_tell_nothing() -> None:
    data = places({"p0": "yn", "p1": "ny", "p2": "yn" * 3, "p3": "ny" * 3})
    scene = scene_of(data, k=3, l=2)
    found = attack_once(Minimality(), scene.target, scene.answers, seed=1)
    assert found.standing == "held"
    assert found.sure == 0


def test_more_values_than_two() -> None:
    data = places({"p0": "aabb", "p1": "cccccc", "p2": "abc" * 3, "p3": "cba" * 3})
    scene = scene_of(data, k=3, l=3)
    said = Minimality().run(scene.target, rng())[0].said
    of_p1 = np.array(scene.target.known.codes("place").values) == 1
    assert (said[of_p1] == "c").all()


def test_a_safe_record_loses_nothing_so_suppressed_ones_are_not_his() -> None:
    data = file_of(
        {"a": ["x"] * 4 + ["x", "y", "y", "y"], "b": ["p"] * 4 + ["q", "p", "p", "p"], "v": list("mmmmzooo")}
    )
    masked = quietly(tc.mask.LocalSuppression(columns=["a", "b"], k=2), data)
    assert masked.is_missing("a").sum() + masked.is_missing("b").sum() > 0
    scene = staged(data, masked, ["a", "b"], wanted=["v"])
    identity = Minimality().run(scene.target, rng())[0]
    gone = np.flatnonzero(scene.target.released.is_missing("a") | scene.target.released.is_missing("b"))
    known = [tuple(row.values()) for row in scene.target.known.to_arrow().to_pylist()]
    safe = np.array([row in (("x", "p"), ("y", "p")) for row in known])
    assert not np.isin(identity.said[safe], gone).any()


def test_it_does_not_do_worse_than_matching_after_suppression() -> None:
    keys = ["sex", "marital", "education", "employment"]
    data = tc.samples.household_survey(900, seed=1).select([*keys, "health"])
    scene = staged(data, quietly(tc.mask.LocalSuppression(columns=keys, k=3), data), keys, wanted=["health"])
    minimal, plain = (attack_each(a, scene.target, scene.answers, seed=1)[0] for a in (Minimality(), KeyMatch()))
    assert minimal.success > plain.success - 0.02


def test_what_it_needs() -> None:
    attack, data = Minimality(), places({"p0": "yn" * 3, "p1": "ny" * 3, "p2": "yy", "p3": "nn"})
    assert "Nothing says" in attack.declined(target_of(data, data))
    assert "without a look" in attack.declined(scene_of(data, k=3).target)
    assert "from above" in attack.declined(scene_of(data, k=3, l=2, direction="top down").target)
    scene = scene_of(data, k=3, l=2)
    assert attack.declined(scene.target) == ""
    one, two = (attack.run(scene.target, rng(3))[0].said for _ in range(2))
    assert (one == two).all()
    assert len(attack.run(scene.target.among(np.arange(0)), rng())[0]) == 0


def test_generalisation_of_whole_columns_is_declined_with_its_reason() -> None:
    data = tc.samples.household_survey(50, seed=1).select(["sex", "region"])
    target = FileTarget(released=data, known=data, steps=(KnownStep("generalise", ("region",), {"k": 3}),))
    assert "not which" in Minimality().declined(target)
