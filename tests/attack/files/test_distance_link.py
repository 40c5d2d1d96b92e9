"""Distance linkage with partial knowledge."""

from __future__ import annotations

import numpy as np

import tacita as tc
from tacita.attack.files.distance_link import DistanceLink
from tacita.attack.judge.trial import attack_once
from tests.attack.files.people import MONEY, file_of, firms, quietly, rng, staged, target_of


def standing(mask: object, known: list[str]) -> str:
    data = firms()
    scene = staged(data, data if mask is None else quietly(mask, data), known)
    return attack_once(DistanceLink(), scene.target, scene.answers, seed=1, control=scene.control).standing


def test_it_finds_everybody_in_a_file_as_it_was() -> None:
    assert standing(None, MONEY) == "broken"
    assert standing(None, ["activity", "region", "wages"]) == "broken"


def test_little_noise_is_broken_and_large_groups_hold() -> None:
    assert standing(tc.mask.AdditiveNoise(columns=MONEY, sd_ratio=0.005), MONEY) == "broken"
    assert standing(tc.mask.Mdav(columns=MONEY, k=60), MONEY) == "held"


def test_a_coarser_class_is_near_what_it_holds() -> None:
    data = file_of({"age": [20, 40, 70], "x": [1.0, 2.0, 3.0]}, keys=["age"])
    masked = tc.mask.GlobalRecode(breaks={"age": [30, 65]}).apply(data)
    target = target_of(masked, data.select(["age"]), wanted=("x",))
    identity, value = DistanceLink().run(target, rng())
    assert identity.said.tolist() == [0, 1, 2]
    assert value.said.tolist() == [1.0, 2.0, 3.0]


def test_same_seed_same_claims_and_no_victims() -> None:
    data = firms(100)
    target = target_of(data, data.select(["region"]))
    one, two = (DistanceLink().run(target, rng(3))[0].said for _ in range(2))
    assert (one == two).all()
    assert (DistanceLink().run(target, rng(4))[0].said != one).any()
    nobody = target.among(np.arange(0))
    assert len(DistanceLink().run(nobody, rng())[0]) == 0


def test_without_a_column_in_common_it_declines() -> None:
    data = file_of({"a": [1.0], "b": [1.0]})
    assert "no column" in DistanceLink().declined(target_of(data.select(["a"]), data.select(["b"])))
    assert "no record" in DistanceLink().declined(target_of(data.take(np.arange(0)), data))
