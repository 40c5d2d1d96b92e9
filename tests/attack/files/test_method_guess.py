"""The method is guessed from what it leaves behind."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.attack.files.method_guess import MethodGuess, guess_method
from tacita.attack.judge.stage_file import family_of
from tacita.attack.judge.trial import attack_each
from tests.attack.files.people import MONEY, file_of, firms, quietly, rng, staged, target_of

MASKS = [
    tc.mask.Mdav(columns=MONEY, k=4),
    tc.mask.IndividualRanking(columns=MONEY, k=5),
    tc.mask.RankSwap(columns=MONEY, p=5),
    tc.mask.AdditiveNoise(columns=MONEY, sd_ratio=0.1),
    tc.mask.MultiplicativeNoise(columns=["wages", "energy"]),
    tc.mask.Rounding(columns=["wages", "energy"], base=50),
    tc.mask.TopBottomCode(columns=["wages"], top_p=5),
    tc.mask.GlobalRecode(breaks={"employees": [5, 20, 100]}),
    tc.mask.LocalSuppression(columns=["activity", "region"], k=4),
    tc.mask.Pram(columns=["region"], pd=0.5),
]


@pytest.mark.parametrize("mask", MASKS, ids=lambda mask: mask.name)
def test_families(mask: tc.mask.Mask) -> None:
    data = firms(500)
    scene = staged(data, quietly(mask, data), ["activity", "region", *MONEY])
    assert guess_method(scene.target).family == family_of([mask])


def test_a_file_as_it_was() -> None:
    data = firms(300)
    assert guess_method(target_of(data, data)).family == "none"


def test_parameters_are_guessed_too() -> None:
    data = firms(500)
    known = ["activity", "region", *MONEY]
    groups = guess_method(staged(data, quietly(tc.mask.Mdav(columns=MONEY, k=4), data), known).target)
    assert groups.step.parameters["k"] == 4
    assert groups.step.name == "mdav"
    alone = guess_method(staged(data, quietly(tc.mask.IndividualRanking(columns=MONEY, k=5), data), known).target)
    assert alone.step.name == "individual_ranking"
    normal = file_of({"x": np.random.default_rng(1).normal(size=2000)})
    noisy = quietly(tc.mask.AdditiveNoise(columns=["x"], sd_ratio=0.5), normal)
    assert guess_method(staged(normal, noisy, ["x"]).target).step.parameters["sd_ratio"] == pytest.approx(0.5, abs=0.1)


def test_the_attack_that_follows_needs_no_documentation() -> None:
    data = firms(400)
    scene = staged(data, quietly(tc.mask.RankSwap(columns=MONEY, p=5), data), MONEY)
    method, identity, *_ = attack_each(MethodGuess(), scene.target, scene.answers, seed=1)
    assert (method.about, method.success, method.standing) == ("method", 1.0, "held")  # a method is no secret
    assert identity.standing == "broken"


def test_what_hides_nothing_behind_a_method_holds() -> None:
    data = firms(400)
    scene = staged(data, quietly(tc.mask.Mdav(columns=MONEY, k=60), data), MONEY, wanted=[])
    for found in attack_each(MethodGuess(), scene.target, scene.answers, seed=1):
        assert found.standing == "held"


def test_what_it_needs() -> None:
    data = firms(60)
    assert "no column" in MethodGuess().declined(target_of(data.select(["wages"]), data.select(["energy"])))
    target = target_of(data, data.select(["region"]))
    assert len(MethodGuess().run(target.among(np.arange(0)), rng())[0]) == 0
    one, two = (MethodGuess().run(target, rng(3))[1].said for _ in range(2))
    assert (one == two).all()
