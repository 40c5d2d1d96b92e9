"""Probabilistic linkage with partial knowledge."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.attack.files.compared import compare
from tacita.attack.files.distance_link import DistanceLink
from tacita.attack.files.probabilistic_link import ProbabilisticLink, agreement_positions
from tacita.attack.judge.trial import attack_once
from tacita.core.errors import ParameterError
from tests.attack.files.people import MONEY, file_of, firms, quietly, rng, staged, target_of


def grade_of(attack: object, mask: object, n: int = 400) -> tc.attack.Grade:
    data = firms(n)
    scene = staged(data, quietly(mask, data), MONEY)
    return attack_once(attack, scene.target, scene.answers, seed=1)


def test_it_beats_the_distance_after_swapping_and_is_held_by_swapping_far() -> None:
    near = tc.mask.RankSwap(columns=MONEY, p=5)
    probable, distant = (grade_of(attack, near) for attack in (ProbabilisticLink(), DistanceLink()))
    assert probable.standing == "broken"
    assert probable.success > distant.success
    assert grade_of(ProbabilisticLink(), tc.mask.RankSwap(columns=MONEY, p=70)).standing == "held"


def test_classes_on_several_levels_agree_on_each_of_them() -> None:
    tree = tc.Hierarchy((("red", "warm", "*"), ("pink", "warm", "*"), ("blue", "cold", "*")))
    data = file_of({"x": ["red", "red", "pink", "blue"]}, keys=["x"], hierarchies={"x": tree})
    released = file_of({"x": ["red", "warm", "*", "cold"]}, keys=["x"])
    positions = agreement_positions(*compare(data, released, ["x"]), (0.5,))
    near = (
        np.abs(positions.masked[:, :, None].astype(np.int64) - positions.originals[:, None, :]) <= positions.limits[0]
    )
    seen = ~positions.originals_gone[:, None, :]
    assert positions.originals.shape[0] == 2  # values, then groups; what holds everything is on no level
    agree, against = (near & seen).any(axis=0), (~near & seen).any(axis=0)
    assert agree.tolist() == [[True, True, False, False]] * 2 + [
        [False, True, False, False],
        [False, False, False, True],
    ]
    assert not against[:, 2].any()


def test_same_seed_same_claims_no_victims_and_bad_widths() -> None:
    data = firms(120)
    target = target_of(data, data.select(["region", "wages"]))
    one, two = (ProbabilisticLink().run(target, rng(3))[0].said for _ in range(2))
    assert (one == two).all()
    assert len(ProbabilisticLink().run(target.among(np.arange(0)), rng())[0]) == 0
    with pytest.raises(ParameterError):
        ProbabilisticLink(widths=())
