"""Scenes of reconstruction: sums over random sets with small and with large noise, a server, and the block of a paper."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacita.attack.judge.answers import Answers
from tacita.attack.reconstruction import BlockReconstruction, BlockStatistic, BlockTarget, SubsetSums, SumsTarget
from tacita.attack.targets import ServerTarget
from tacita.core.arrays import BoolArray, FloatArray
from tacita.query.policy.policy import PolicyLike
from tacita.study.red_team.queries import exact_answers, generous_privacy
from tacita.study.red_team.scene import Scene
from tacita.study.red_team.town import town, town_target

__all__ = ["PAPER_BLOCK", "SCENES", "paper_block"]

PAPER_BLOCK = (
    (8, "B", "F", "S"),
    (18, "W", "M", "S"),
    (24, "W", "F", "S"),
    (30, "W", "M", "M"),
    (36, "B", "F", "M"),
    (66, "B", "F", "M"),
    (84, "B", "M", "M"),
)
"""The people of Garfinkel, Abowd and Martindale (2019): age, race, sex, single or married."""
_CLASSES = {"race": ("B", "W"), "sex": ("F", "M"), "marital": ("M", "S")}
_GROUPS: tuple[dict[str, tuple[str, ...]], ...] = (
    {},
    {"sex": ("F",)},
    {"sex": ("M",)},
    {"race": ("B",)},
    {"race": ("W",)},
    {"marital": ("M",)},
    {"race": ("B",), "sex": ("F",)},
)
"""The groups that are published: those of fewer than three people are not."""


def paper_block(groups: int = len(_GROUPS)) -> tuple[BlockTarget, Answers]:
    """Return count, median and mean of age of the first groups of the block, and the truth about its people."""
    names = ("age", *_CLASSES)
    told = []
    for group in _GROUPS[:groups]:
        ages = [p[0] for p in PAPER_BLOCK if all(p[names.index(name)] in classes for name, classes in group.items())]
        told += [
            BlockStatistic(statistic="count", value=float(len(ages)), of=group),
            BlockStatistic(statistic="median", value=float(np.median(ages)), of=group),
            BlockStatistic(statistic="mean", value=round(float(np.mean(ages)), 1), of=group),
        ]
    people = sorted(PAPER_BLOCK)
    truth = {
        "record": np.array([", ".join(map(str, person)) for person in people], dtype=object),
        "age": np.array([person[0] for person in people], np.float64),
    }
    target = BlockTarget(number="age", least=0, most=115, classes=_CLASSES, statistics=tuple(told))
    return target, Answers(truth=truth, baseline={"record": 0.0, "age": 0.0}, near=0.0)


def _sums(noise: float, people: int = 100) -> Any:
    """Return a scene of answers that are off by so many square roots of the number of people."""

    def make(seed: int) -> tuple[SumsTarget, Answers]:
        rng = np.random.default_rng(seed)
        secret = rng.integers(0, 2, people)

        def answer(sets: BoolArray) -> FloatArray:
            return np.asarray(sets @ secret + rng.normal(size=len(sets)) * noise * np.sqrt(people), np.float64)

        target = SumsTarget(answer=answer, people=people, chosen=np.arange(people))
        return target, Answers(truth={"property": secret}, baseline={"property": 0.5})

    return make


def _server(policy: PolicyLike | None) -> Any:
    def make(seed: int) -> tuple[ServerTarget, Answers]:
        return town_target(
            town(seed, people=800, victims=150), exact_answers() if policy is None else policy, wanted="ill"
        )

    return make


SCENES: tuple[Scene, ...] = (
    Scene(
        attack=SubsetSums(),
        defence="noise of a tenth of the square root of n",
        weak=True,
        make=_sums(0.1),
        why="Noise that is small beside the square root of the number of people is undone.",
    ),
    Scene(
        attack=SubsetSums(),
        defence="noise of five square roots of n",
        weak=False,
        make=_sums(5.0),
        why="Four answers for each person do not average out noise of that size.",
    ),
    Scene(attack=SubsetSums(factor=2.0), defence="none: exact answers of a server", weak=True, make=_server(None)),
    Scene(
        attack=SubsetSums(factor=1.0),
        defence="policy audited",
        weak=False,
        make=_server("audited"),
        why="Universes may not name what is confidential, and sums that tell of few people are refused.",
        is_default=True,
    ),
    Scene(
        attack=SubsetSums(factor=1.0),
        defence="policy tables (cell keys)",
        weak=False,
        make=_server("tables"),
        why="Sparse tables are refused, rows audited after one answer a cell; over eight towns it still gains 5 points.",
        is_default=True,
    ),
    Scene(
        attack=SubsetSums(factor=1.0),
        defence="policy dp",
        weak=False,
        make=_server("dp"),
        why="The budget ends after 40 answers, each with noise of about 28 people.",
        is_default=True,
    ),
    Scene(
        attack=SubsetSums(factor=1.0),
        defence="differential privacy at epsilon 5 an answer",
        weak=True,
        make=_server(generous_privacy()),
        why="Noise far below the square root of the number of people is undone, whatever it is called.",
    ),
    Scene(attack=SubsetSums(factor=1.0), defence="policy mas", weak=False, make=_server("mas"), is_default=True),
    Scene(
        attack=BlockReconstruction(),
        defence="groups of fewer than 3 are not published",
        weak=True,
        make=lambda _: paper_block(),
        why="One list of seven people fits all published counts, medians and means.",
    ),
    Scene(
        attack=BlockReconstruction(most_found=30),
        defence="the block as a whole only",
        weak=False,
        make=lambda _: paper_block(1),
        why="More lists fit than anybody looks at.",
    ),
)
