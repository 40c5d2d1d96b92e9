"""Two releases and more of one population."""

from __future__ import annotations

import numpy as np

import tacita as tc
from tacita.attack.files.distance_link import DistanceLink
from tacita.attack.files.release_link import ReleaseLink, TwoReleaseAverage, with_columns_of
from tacita.attack.judge.stage_file import StagedFile
from tacita.attack.judge.trial import attack_once
from tests.attack.files.people import file_of, firms, quietly, rng, staged, target_of


def two_files(mask: object = None) -> StagedFile:
    data = firms(250)
    one, two = data.drop(["energy"]), data.drop(["activity", "region", "employees"])
    if mask is not None:
        one, two = quietly(mask, one, 1), quietly(mask, two, 2)
    return staged(data, two, ["activity", "region", "employees"], wanted=["energy"], earlier=[one])


def test_two_files_are_joined_by_what_they_share() -> None:
    scene = two_files()
    assert "no column" in DistanceLink().declined(scene.target)
    found = attack_once(ReleaseLink(), scene.target, scene.answers, seed=1)
    assert found.standing == "broken"
    assert found.success > 0.9


def test_groups_in_what_they_share_hold() -> None:
    scene = two_files(tc.mask.Mdav(columns=["turnover", "wages"], k=40))
    assert attack_once(ReleaseLink(), scene.target, scene.answers, seed=1).standing == "held"


def test_the_records_of_the_other_release_come_in_another_order() -> None:
    data = firms(100)
    scene = staged(data, data, ["wages"], wanted=["energy"], earlier=[data])
    assert (scene.target.earlier[0].float("wages") != data.float("wages")).any()
    assert sorted(scene.target.earlier[0].float("wages")) == sorted(data.float("wages"))


def test_columns_of_another_file() -> None:
    known = file_of({"a": ["x", "y"]})
    other = file_of({"a": ["q", "q"], "b": [1, 2], "c": ["u", None]})
    made = with_columns_of(known, other, np.array([1, 0]))
    assert made.to_arrow().to_pylist() == [{"a": "x", "b": 2, "c": None}, {"a": "y", "b": 1, "c": "u"}]
    assert with_columns_of(known, other.take(np.arange(0)), np.array([-1, -1])) is known
    assert with_columns_of(known, known, np.array([0, 1])) is known


def series(releases: int, *, anew: bool, sd_ratio: float = 2.0) -> StagedFile:
    drawn = np.random.default_rng(1)
    data = file_of({"code": [f"c{i:03d}" for i in range(300)], "x": drawn.normal(100, 10, 300)}, keys=["code"])
    noise = tc.mask.AdditiveNoise(columns=["x"], sd_ratio=sd_ratio)
    files = [quietly(noise, data, seed if anew else 0) for seed in range(releases)]
    return staged(data, files[0], ["code"], wanted=["x"], earlier=files[1:])


def test_noise_drawn_anew_is_averaged_out_and_the_same_noise_is_not() -> None:
    grades = {}
    for anew in (True, False):
        scene = series(60, anew=anew)
        grades[anew] = attack_once(TwoReleaseAverage(), scene.target, scene.answers, seed=1, control=scene.control)
    assert grades[True].standing == "broken"
    assert grades[False].standing == "held"


def test_the_error_goes_down_with_the_root_of_the_releases() -> None:
    error = {}
    for releases in (2, 18):
        scene = series(releases, anew=True)
        said = TwoReleaseAverage().run(scene.target, rng())[0].said
        error[releases] = float(np.std(said - scene.answers.truth["x"]))
    assert 2.5 < error[2] / error[18] < 3.6


def test_what_it_needs() -> None:
    data = firms(60)
    alone = staged(data, data, ["wages"], wanted=["energy"]).target
    for attack in (ReleaseLink(), TwoReleaseAverage()):
        assert "no other release" in attack.declined(alone)
        strange = target_of(data, data.select(["wages"]), earlier=(alone.released.select(["region"]),))
        assert "no column that he knows" in attack.declined(strange)
        scene = two_files() if attack.name == "release_link" else series(3, anew=True)
        assert len(attack.run(scene.target.among(np.arange(0)), rng())[0]) == 0
        one, two = (attack.run(scene.target, rng(3))[0].said for _ in range(2))
        assert (one == two).all()
        assert attack.cost(scene.target) > DistanceLink().cost(scene.target)
