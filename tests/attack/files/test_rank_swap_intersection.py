"""Windows of rank swapping, intersected over the columns."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.attack.files.distance_link import DistanceLink
from tacita.attack.files.rank_swap_intersection import RankSwapIntersection, swapped_windows
from tacita.attack.judge.stage_file import StagedFile
from tacita.attack.judge.trial import attack_once
from tacita.attack.targets import KnownStep
from tests.attack.files.people import MONEY, file_of, firms, quietly, rng, staged, target_of


def scene_of(n: int = 300, known: list[str] = MONEY, **settings: object) -> StagedFile:
    data = firms(n)
    return staged(data, quietly(tc.mask.RankSwap(columns=MONEY, **settings), data), known)


@pytest.mark.parametrize("settings", [{"p": 5}, {"p": 20}, {"p": 10, "by": ["region"]}, {"p": 10, "keep_zeros": True}])
def test_his_own_record_is_always_in_the_windows(settings: dict[str, object]) -> None:
    scene = scene_of(known=["region", *MONEY], **settings)
    windows, own = swapped_windows(scene.target), scene.answers.truth["identity"]
    assert (windows.low <= windows.values[own]).all()
    assert (windows.values[own] <= windows.high).all()


def test_it_beats_the_distance_and_is_held_by_swapping_far() -> None:
    scene = scene_of(p=5)
    window, distance = (
        attack_once(attack, scene.target, scene.answers, seed=1) for attack in (RankSwapIntersection(), DistanceLink())
    )
    assert window.standing == "broken"
    assert window.success > distance.success
    assert window.sure_right == window.sure > 0
    far = scene_of(p=70)
    assert attack_once(RankSwapIntersection(), far.target, far.answers, seed=1).standing == "held"


def test_a_p_that_cannot_be_right_leaves_the_nearest_of_all() -> None:
    data = file_of({"x": [1.0, 2.0, 3.0, 4.0], "y": [4.0, 3.0, 2.0, 1.0]})
    known = file_of({"x": [1.0], "y": [1.0]})
    target = target_of(data, known, steps=(KnownStep("rank_swap", ("x", "y"), {"p": 0.0}),))
    (claims,) = RankSwapIntersection().run(target, rng())
    assert claims.said[0] >= 0
    assert not claims.is_sure[0]


def test_what_it_needs() -> None:
    attack, scene = RankSwapIntersection(), scene_of(known=["region"])
    assert "none of the columns" in attack.declined(scene.target)
    data = firms(50)
    assert "Nothing says" in attack.declined(target_of(data, data))
    assert len(attack.run(scene_of(p=5).target.among(np.arange(0)), rng())[0]) == 0


def test_same_seed_same_claims() -> None:
    target = scene_of(p=20).target
    one, two = (RankSwapIntersection().run(target, rng(3))[0].said for _ in range(2))
    assert (one == two).all()
