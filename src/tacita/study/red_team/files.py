"""Scenes of attacks on released files: each attack against no mask, a weak one, our default and a strong one."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tacita.attack.files import (
    DistanceLink,
    GroupMate,
    KeyMatch,
    MethodGuess,
    Minimality,
    NoiseFilter,
    PramInversion,
    ProbabilisticLink,
    RankSwapIntersection,
    ReleaseLink,
    TwoReleaseAverage,
)
from tacita.attack.judge.stage_file import stage_file
from tacita.core.errors import TacitaNote, TacitaWarning
from tacita.data.hierarchy import Hierarchy
from tacita.data.microdata import Microdata
from tacita.data.samples import business_survey, household_survey
from tacita.data.samples.made import file_of_columns
from tacita.data.scenario import Scenario
from tacita.mask import (
    AdditiveNoise,
    GlobalRecode,
    HybridMicroaggregation,
    LocalRecode,
    LocalSuppression,
    Mask,
    Mdav,
    Pram,
    RankSwap,
    Rounding,
    Shuffle,
)
from tacita.study.red_team.scene import Scene, Staged

__all__ = ["SCENES"]

_MONEY = ("employees", "turnover", "wages", "energy")
_YEARS = ("y1", "y2", "y3", "y4", "y5", "y6")
_KEYS = ("age", "sex", "marital", "education", "employment")

Make = Callable[[int], Staged]


def _masked(mask: Mask | None, data: Microdata, seed: int) -> Microdata:
    """Mask as a steward would who was warned."""
    if mask is None:
        return data
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TacitaWarning)
        warnings.simplefilter("ignore", TacitaNote)
        return mask.apply(data, seed=seed)


def _firms(seed: int, n: int = 500) -> Microdata:
    return business_survey(n, seed=seed).select(["activity", "region", *_MONEY])


def _people(seed: int, n: int = 1500) -> Microdata:
    return household_survey(n, seed=seed).select([*_KEYS, "region", "occupation", "health", "savings"])


def _scene_of(staged: Any) -> Staged:
    return staged.target, staged.answers, staged.control


def _of_firms(
    mask: Mask | None, known: Sequence[str] = _MONEY, wanted: Sequence[str] = (), mates: int = 0, n: int = 500
) -> Make:
    """Firms whose numbers somebody knows, and perhaps where they are."""

    def make(seed: int) -> Staged:
        data = _firms(seed, n)
        keys = tuple(name for name in ("activity", "region") if name in known)
        scenario = Scenario(keys=keys, known=[name for name in known if name not in keys])
        masked = _masked(mask, data, seed)
        return _scene_of(stage_file(data, masked, scenario=scenario, wanted=wanted, seed=seed, mates=mates))

    return make


def _of_people(
    mask: Mask | None, known: Sequence[str] = _KEYS, wanted: Sequence[str] = ("health",), n: int = 1500
) -> Make:
    """People whose keys somebody knows."""

    def make(seed: int) -> Staged:
        data = _people(seed, n)
        masked = _masked(mask, data, seed)
        return _scene_of(stage_file(data, masked, scenario=Scenario(keys=known, known=[]), wanted=wanted, seed=seed))

    return make


# --- two releases -------------------------------------------------------------------------------------------------------


def _two_files(mask: Mask | None) -> Make:
    """One file has where firms are and what they pay, the other what they pay and use; both have wages and turnover."""

    def make(seed: int) -> Staged:
        data = _firms(seed)
        one = _masked(mask, data.drop(["energy"]), seed)
        two = _masked(mask, data.drop(["activity", "region", "employees"]), seed + 1)
        scenario = Scenario(keys=["activity", "region"], known=["employees"])
        return _scene_of(stage_file(data, two, scenario=scenario, wanted=["energy"], earlier=[one], seed=seed))

    return make


def _panel(seed: int, n: int = 400) -> Microdata:
    """People with an income in six years, which changes little; their code is known to whoever knows them."""
    rng = np.random.default_rng(seed)
    base = rng.normal(100, 20, n)
    columns: dict[str, Any] = {"code": [f"c{i:04d}" for i in rng.permutation(n)]}
    columns |= {name: base + rng.normal(0, 2, n) for name in _YEARS}
    return file_of_columns(columns, keys=["code"], confidential=list(_YEARS))


def _of_panel(sd_ratio: float) -> Make:
    """Six noisy columns that go together."""

    def make(seed: int) -> Staged:
        data = _panel(seed)
        masked = _masked(AdditiveNoise(columns=_YEARS, sd_ratio=sd_ratio), data, seed)
        scenario = Scenario(keys=["code"], known=[])
        return _scene_of(stage_file(data, masked, scenario=scenario, wanted=_YEARS[:1], seed=seed))

    return make


def _again(sd_ratio: float, releases: int, *, anew: bool) -> Make:
    """One column of the panel released several times, with noise that is drawn anew or not."""

    def make(seed: int) -> Staged:
        data = _panel(seed).select(["code", _YEARS[0]])
        noise = AdditiveNoise(columns=_YEARS[:1], sd_ratio=sd_ratio)
        files = [_masked(noise, data, seed + number * anew) for number in range(releases)]
        scenario = Scenario(keys=["code"], known=[])
        staged = stage_file(data, files[0], scenario=scenario, wanted=_YEARS[:1], earlier=files[1:], seed=seed)
        return _scene_of(staged)

    return make


# --- recoding for diversity ---------------------------------------------------------------------------------------------


def _places(*, diverse: float, is_by_place: bool) -> Make:
    """Sixty places in districts of three; in one place of each everybody is ill, or illness goes by chance."""

    def make(seed: int) -> Staged:
        rng = np.random.default_rng(seed)
        size = np.concatenate([rng.choice(np.arange(5, 15), 3, replace=False) for _ in range(20)])
        place = np.repeat(np.arange(60), size)
        ill = np.isin(place, 3 * np.arange(20) + rng.integers(0, 3, 20))
        ill = ill if is_by_place else rng.permutation(ill)
        tree = Hierarchy(tuple((f"p{i:02d}", f"d{i // 3:02d}", "*") for i in range(60)))
        table = {"place": [f"p{i:02d}" for i in place], "illness": np.where(ill, "yes", "no").tolist()}
        data = file_of_columns(table, keys=["place"], confidential=["illness"], hierarchies={"place": tree})
        masked = _masked(LocalRecode(k=5, l=diverse), data, seed)
        return _scene_of(stage_file(data, masked, wanted=["illness"], seed=seed))

    return make


_TURNED = {"male": {"male": 0.1, "female": 0.9}, "female": {"male": 0.9, "female": 0.1}}
_EVEN = {"male": {"male": 0.5, "female": 0.5}, "female": {"male": 0.5, "female": 0.5}}
_PEOPLE_BUT_SEX = ("age", "marital", "education", "employment", "region", "occupation")

SCENES: tuple[Scene, ...] = (
    # --- linkage ---
    Scene(attack=DistanceLink(), defence="none", weak=True, make=_of_firms(None)),
    Scene(
        attack=DistanceLink(),
        defence="noise of 0.02 standard deviations",
        weak=True,
        make=_of_firms(AdditiveNoise(columns=_MONEY, sd_ratio=0.02)),
    ),
    Scene(
        attack=DistanceLink(),
        defence="microaggregation, k = 3",
        weak=True,
        is_default=True,
        make=_of_firms(Mdav(columns=_MONEY)),
        why="one of three records with the group's means: k = 3 leaves a third of the victims",
    ),
    Scene(
        attack=DistanceLink(),
        defence="microaggregation, k = 50",
        weak=False,
        make=_of_firms(Mdav(columns=_MONEY, k=50)),
    ),
    Scene(
        attack=DistanceLink(),
        defence="hybrid microaggregation, k = 6",
        weak=True,
        make=_of_firms(HybridMicroaggregation(columns=_MONEY, k=6)),
        why="six records drawn around the mean of six: about one in six is nearest to its own",
    ),
    Scene(
        attack=DistanceLink(),
        defence="hybrid microaggregation, k = 20",
        weak=False,
        is_default=True,
        make=_of_firms(HybridMicroaggregation(columns=_MONEY)),
    ),
    Scene(attack=ProbabilisticLink(), defence="none", weak=True, make=_of_firms(None)),
    Scene(
        attack=ProbabilisticLink(),
        defence="rank swapping, p = 5",
        weak=True,
        is_default=True,
        make=_of_firms(RankSwap(columns=_MONEY)),
        why="four columns within 5 % of the ranks are a narrow box",
    ),
    Scene(
        attack=ProbabilisticLink(),
        defence="rank swapping, p = 60",
        weak=False,
        make=_of_firms(RankSwap(columns=_MONEY, p=60)),
    ),
    Scene(attack=KeyMatch(), defence="none", weak=True, make=_of_people(None)),
    Scene(
        attack=KeyMatch(),
        defence="ages in ten-year bands",
        weak=True,
        make=_of_people(GlobalRecode(breaks={"age": [10, 20, 30, 40, 50, 60, 70, 80]})),
    ),
    Scene(
        attack=KeyMatch(),
        defence="local suppression, k = 3",
        weak=True,
        is_default=True,
        make=_of_people(LocalSuppression(columns=_KEYS)),
        why="up to a third by chance, and some for sure: their true keys fit no record but their own, though three match it",
    ),
    Scene(
        attack=KeyMatch(),
        defence="local suppression, k = 5, gaps as a category",
        weak=False,
        make=_of_people(LocalSuppression(columns=_KEYS, k=5, missing="own category"), wanted=()),
        why="every combination of values and gaps occurs five times, so no true keys fit one record alone",
    ),
    Scene(
        attack=KeyMatch(),
        defence="local recoding, k = 30, l = 3",
        weak=False,
        make=_of_people(LocalRecode(columns=_KEYS, k=30, l=3, confidential="health", unit=False)),
    ),
    # --- masks undone ---
    Scene(
        attack=RankSwapIntersection(),
        defence="rank swapping, p = 5",
        weak=True,
        is_default=True,
        make=_of_firms(RankSwap(columns=_MONEY)),
    ),
    Scene(
        attack=RankSwapIntersection(),
        defence="rank swapping, p = 60",
        weak=False,
        make=_of_firms(RankSwap(columns=_MONEY, p=60)),
    ),
    Scene(
        attack=PramInversion(),
        defence="PRAM that turns the sexes round",
        weak=True,
        make=_of_people(Pram(columns=["sex"], matrix=_TURNED), known=_PEOPLE_BUT_SEX, wanted=["sex"]),
        why="who knows the matrix turns them back",
    ),
    Scene(
        attack=PramInversion(),
        defence="PRAM, pd = 0.8",
        weak=True,
        is_default=True,
        make=_of_people(Pram(columns=["sex"]), known=_PEOPLE_BUT_SEX, wanted=["sex"]),
        why="by default nine of ten classes stay as they were",
    ),
    Scene(
        attack=PramInversion(),
        defence="PRAM with equal rows",
        weak=False,
        make=_of_people(Pram(columns=["sex"], matrix=_EVEN), known=_PEOPLE_BUT_SEX, wanted=["sex"]),
        why="a released class says nothing about the true one",
    ),
    Scene(
        attack=GroupMate(),
        defence="microaggregation, k = 3, two others known",
        weak=True,
        is_default=True,
        make=_of_firms(Mdav(columns=_MONEY), known=("activity", "region"), wanted=["wages"], mates=2),
        why="the group's sum less all others",
    ),
    Scene(
        attack=GroupMate(),
        defence="microaggregation, k = 10, two others known",
        weak=False,
        make=_of_firms(Mdav(columns=_MONEY, k=10), known=("activity", "region"), wanted=["wages"], mates=2),
    ),
    Scene(
        attack=NoiseFilter(),
        defence="noise of 0.1 standard deviations",
        weak=True,
        is_default=True,
        make=_of_panel(0.1),
        why="a tenth of a standard deviation is a few percent of most values, filtered or not",
    ),
    Scene(attack=NoiseFilter(), defence="noise of 0.5 standard deviations", weak=True, make=_of_panel(0.5)),
    Scene(
        attack=NoiseFilter(filtering="spectral"),
        defence="noise of 0.5 standard deviations, filtered by its spectrum",
        weak=True,
        make=_of_panel(0.5),
    ),
    Scene(attack=NoiseFilter(), defence="noise of 5 standard deviations", weak=False, make=_of_panel(5.0)),
    # --- several releases ---
    Scene(attack=ReleaseLink(), defence="none", weak=True, make=_two_files(None)),
    Scene(
        attack=ReleaseLink(),
        defence="microaggregation of both, k = 30",
        weak=False,
        make=_two_files(Mdav(columns=["turnover", "wages"], k=30)),
    ),
    Scene(
        attack=TwoReleaseAverage(),
        defence="noise drawn anew for 30 releases",
        weak=True,
        make=_again(2.0, 30, anew=True),
    ),
    Scene(
        attack=TwoReleaseAverage(),
        defence="the same noise in 30 releases",
        weak=False,
        make=_again(2.0, 30, anew=False),
    ),
    # --- minimality ---
    Scene(
        attack=Minimality(),
        defence="local suppression, k = 3",
        weak=True,
        is_default=True,
        make=_of_people(LocalSuppression(columns=_KEYS)),
        why="as for matching by keys, and records with gaps are not those of safe people",
    ),
    Scene(
        attack=Minimality(),
        defence="local recoding for l = 2, illness by place",
        weak=True,
        make=_places(diverse=2.0, is_by_place=True),
        why="a place of five people or more is coarsened only if all of them are ill, or none",
    ),
    Scene(
        attack=Minimality(),
        defence="local recoding for l = 2, illness by chance",
        weak=False,
        make=_places(diverse=2.0, is_by_place=False),
    ),
    # --- a secret method ---
    Scene(
        attack=MethodGuess(),
        defence="rank swapping, p = 5, not documented",
        weak=True,
        is_default=True,
        make=_of_firms(RankSwap(columns=_MONEY)),
    ),
    Scene(
        attack=MethodGuess(),
        defence="rounding to 10, not documented",
        weak=True,
        make=_of_firms(Rounding(columns=_MONEY)),
    ),
    Scene(
        attack=MethodGuess(), defence="shuffling", weak=False, make=_of_firms(Shuffle(columns=_MONEY, given=["region"]))
    ),
)
