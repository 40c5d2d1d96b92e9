"""Reconstruction of a block: the paper's examples, every list by brute force, and statistics that are hidden or changed."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tacita.attack import BlockReconstruction, BlockStatistic, BlockTarget, attack_once
from tacita.attack.judge.answers import Answers
from tacita.core.errors import AttackError

RNG = np.random.default_rng
BLOCK = (
    (8, "B", "F", "S"),
    (18, "W", "M", "S"),
    (24, "W", "F", "S"),
    (30, "W", "M", "M"),
    (36, "B", "F", "M"),
    (66, "B", "F", "M"),
    (84, "B", "M", "M"),
)
"""The people of the paper: age, race, sex, single or married."""
CLASSES = {"race": ("B", "W"), "sex": ("F", "M"), "marital": ("M", "S")}
GROUPS: tuple[dict[str, object], ...] = (
    {},
    {"sex": ("F",)},
    {"sex": ("M",)},
    {"race": ("B",)},
    {"race": ("W",)},
    {"marital": ("M",)},
    {"race": ("B",), "sex": ("F",)},
)
"""The groups of the paper's table that are published: those of fewer than three people are not."""


def table(groups: tuple[dict[str, object], ...] = GROUPS, **changed: float) -> BlockTarget:
    """Return count, median and mean of age of groups of the paper's block."""
    names = ("age", *CLASSES)
    statistics = []
    for group in groups:
        ages = [p[0] for p in BLOCK if all(p[names.index(n)] in c for n, c in group.items())]  # type: ignore[operator]
        found = {"count": float(len(ages)), "median": float(np.median(ages)), "mean": round(float(np.mean(ages)), 1)}
        statistics += [
            BlockStatistic(statistic=kind, value=value + changed.get(kind, 0.0), of=group)  # type: ignore[arg-type]
            for kind, value in found.items()
        ]
    return BlockTarget(number="age", least=0, most=115, classes=CLASSES, statistics=tuple(statistics))


def truth() -> Answers:
    said = np.array([", ".join(map(str, person)) for person in sorted(BLOCK)], dtype=object)
    ages = np.array([person[0] for person in sorted(BLOCK)], float)
    return Answers(truth={"record": said, "age": ages}, baseline={"record": 0.0, "age": 0.0}, near=0.0)


def test_the_papers_block_is_found() -> None:
    found = attack_once(BlockReconstruction(), table(), truth(), seed=1)
    assert found.standing == "broken"
    assert found.figures["candidates"] >= 1
    assert found.sure == found.sure_right > 0
    assert found.success >= 0.7


def test_statistics_of_everybody_alone_hold() -> None:
    found = attack_once(BlockReconstruction(most_found=30), table(({},)), truth(), seed=1)
    assert found.standing == "held"
    assert found.sure == 0
    assert found.figures["is_whole"] == 0.0


@pytest.mark.parametrize(("least", "candidates"), [(1, 30), (0, 31)])
def test_the_median_and_mean_of_three_men(least: int, candidates: int) -> None:
    men = [BlockStatistic(statistic="count", value=3), BlockStatistic(statistic="median", value=30)]
    men.append(BlockStatistic(statistic="mean", value=44))
    block = BlockTarget(number="age", least=least, most=125, classes={}, statistics=tuple(men))
    record, age = BlockReconstruction().run(block, RNG(1))
    assert record.figures["candidates"] == candidates
    assert age.is_sure is not None
    assert age.is_sure.tolist() == [False, True, False]
    assert age.low is not None
    assert age.low.tolist() == [float(least), 30.0, 72.0]


@pytest.mark.parametrize("ages", [(2, 3, 5, 6), (1, 1, 4, 7), (0, 3, 3, 3, 7), (2, 2)])
def test_every_list_is_found_once(ages: tuple[int, ...]) -> None:
    """All multisets of ages from 0 to 7 with the same count, median and mean."""
    n, mean = len(ages), round(float(np.mean(ages)), 1)
    fits = [
        list_
        for list_ in itertools.combinations_with_replacement(range(8), n)
        if np.median(list_) == np.median(ages) and abs(np.mean(list_) - mean) <= 0.05 + 1e-9
    ]
    statistics = (
        BlockStatistic(statistic="count", value=n),
        BlockStatistic(statistic="median", value=float(np.median(ages))),
        BlockStatistic(statistic="mean", value=mean),
    )
    block = BlockTarget(number="age", least=0, most=7, classes={}, statistics=statistics)
    said = BlockReconstruction().run(block, RNG(1))[1]
    assert said.figures["candidates"] == len(fits)
    assert said.low is not None
    np.testing.assert_array_equal(said.low, np.min(fits, axis=0))


def test_changed_statistics_fit_nobody_and_what_is_lacking_is_said() -> None:
    with pytest.raises(AttackError, match="No list of people"):
        BlockReconstruction().run(table(mean=40.0), RNG(1))
    lonely = BlockTarget(
        number="age", least=0, most=9, classes={}, statistics=(BlockStatistic(statistic="median", value=3),)
    )
    assert "count of everybody" in BlockReconstruction().declined(lonely)
    assert BlockReconstruction().declined(None)
    both = (BlockStatistic(statistic="count", value=2), BlockStatistic(statistic="median", value=3, of={"age": (0, 5)}))
    with pytest.raises(AttackError, match="needs its count"):
        BlockReconstruction().run(BlockTarget(number="age", least=0, most=9, classes={}, statistics=both), RNG(1))
    nobody = attack_once(BlockReconstruction(), table().among(np.zeros(0, np.int64)), truth(), seed=1)
    assert nobody.standing == "not run"
