"""Microaggregation from inside a group."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.attack.files.group_mate import GroupMate, rest_of_group
from tacita.attack.judge.stage_file import StagedFile
from tacita.attack.judge.trial import attack_once
from tests.attack.files.people import MONEY, firms, quietly, rng, staged


def scene_of(mask: object, mates: int, n: int = 200) -> StagedFile:
    data = firms(n)
    return staged(data, quietly(mask, data), ["activity", "region"], wanted=["wages"], mates=mates)


def test_whoever_knows_all_others_has_the_value() -> None:
    scene = scene_of(tc.mask.Mdav(columns=MONEY, k=3, decimals="any"), 5)
    found = attack_once(GroupMate(), scene.target, scene.answers, seed=1)
    assert found.standing == "broken"
    assert found.sure_right / found.sure > 0.95
    (claim,) = GroupMate().run(scene.target, rng())
    inside = (claim.low <= scene.answers.truth["wages"] + 1e-6) & (scene.answers.truth["wages"] <= claim.high + 1e-6)
    assert inside.mean() > 0.95


def test_with_unknown_others_it_holds() -> None:
    scene = scene_of(tc.mask.Mdav(columns=MONEY, k=12), 2)
    assert attack_once(GroupMate(), scene.target, scene.answers, seed=1).standing == "held"


def test_columns_apart_have_groups_of_their_own() -> None:
    data = firms(200).select(["activity", "region", "wages"])
    masked = quietly(tc.mask.IndividualRanking(columns=["wages"], k=2, decimals="any"), data)
    scene = staged(data, masked, ["activity", "region"], wanted=["wages"], mates=3)
    assert attack_once(GroupMate(), scene.target, scene.answers, seed=1).success > 0.9


@pytest.mark.parametrize("groups", [2, (("employees", "turnover"), ("wages", "energy"))])
def test_variables_in_parts_have_groups_of_their_parts(groups: object) -> None:
    data = firms(200)
    masked = quietly(tc.mask.Mdav(columns=MONEY, k=3, groups=groups, decimals="any"), data)
    scene = staged(data, masked, ["activity", "region"], wanted=["wages"])
    sizes = np.bincount(masked.groups(["wages", "energy"]))
    (claim,) = GroupMate().run(scene.target, rng())
    assert claim.high.max() == pytest.approx(
        np.nanmax(masked.float("wages") * sizes[masked.groups(["wages", "energy"])])
    )


def test_the_rest_of_a_sum() -> None:
    said, low, high = rest_of_group(
        np.array([10.0, 10.0]), np.array([3, 2]), np.array([0.0, 4.0]), np.array([0, 1]), 0.0
    )
    assert said.tolist() == [10.0, 16.0]
    assert (low.tolist(), high.tolist()) == ([0.0, 16.0], [30.0, 16.0])
    assert np.isnan(rest_of_group(np.array([1.0]), np.array([1]), np.array([1.0]), np.array([1]))[0][0])


def test_without_mates_the_mean_is_said() -> None:
    scene = scene_of(tc.mask.Mdav(columns=MONEY, k=3), 0)
    (claim,) = GroupMate().run(scene.target, rng())
    assert np.isin(claim.said, scene.target.released.float("wages")).all()


def test_what_it_needs() -> None:
    data = firms(60)
    assert "Nothing says" in GroupMate().declined(staged(data, data, ["region"], wanted=["wages"]).target)
    median = scene_of(tc.mask.Mdav(columns=MONEY, k=3, aggregate="median"), 2)
    assert "Nothing says" in GroupMate().declined(median.target)
    scene = scene_of(tc.mask.Mdav(columns=MONEY, k=3), 2)
    assert len(GroupMate().run(scene.target.among(np.arange(0)), rng())[0]) == 0
    one, two = (GroupMate().run(scene.target, rng(3))[0].said for _ in range(2))
    assert one == pytest.approx(two)
