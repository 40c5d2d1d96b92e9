"""Averaging against real servers: what is left of the noise after many splits of a set, measured beside what formulas say."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Any

import numpy as np

from tacita.attack.targets import Ask
from tacita.core.arrays import FloatArray
from tacita.core.progress import task
from tacita.data.microdata import Microdata
from tacita.query.noise.cell_key import CellKeyNoise
from tacita.query.noise.dp.privacy import DifferentialPrivacy
from tacita.query.noise.output_noise import LayeredNoise
from tacita.query.noise.splitting import remaining_variance
from tacita.query.policy.policy import Policy
from tacita.query.restrictions import Decompositions, TableSize
from tacita.query.restrictions.budget import PrivacyBudget
from tacita.query.steward.attack_database import asked_as_user
from tacita.study.base import StudyFinding, StudyOptions, StudyResult, StudyTable, study
from tacita.study.red_team.town import KEYS, opened_town, town

__all__ = ["AVERAGED", "Averaged", "averaged_noise", "layered", "limited_splits", "private_numbers"]

REGIONS = KEYS["region"]
"""The sets whose counts are averaged: the people of each region."""
_SPLIT_BY = ("age", "work")
_CELLS = CellKeyNoise(bound=5, variance=3.0)


def layered(sd_set: float = 2.0, sd_record: float = 0.0) -> Policy:
    """Single counts with layered noise, without auditors beside it."""
    return Policy(
        name="layered noise",
        requests=("statistic",),
        restrictions=(TableSize(),),
        parts={"numbers": LayeredNoise(sd_set=sd_set, sd_record=sd_record)},
    )


def limited_splits(most: int) -> Policy:
    """Cell keys of variance 3, and a limit on how often one set is split."""
    return Policy(
        name="cell keys, limited splits",
        requests=("tabulate",),
        restrictions=(TableSize(), Decompositions(most=most)),
        parts={"cells": _CELLS},
    )


def private_numbers(budget: float, price: float) -> Policy:
    """Differential privacy with a budget over all answers."""
    return Policy(
        name="dp",
        requests=("tabulate", "statistic"),
        restrictions=(TableSize(), PrivacyBudget()),
        parts={"privacy": DifferentialPrivacy(budget=budget, price=price)},
    )


@dataclass(frozen=True, kw_only=True)
class Averaged:
    """A defence, how counts of the regions are asked under it, and what formulas say.

    Parameters
    ----------
    words
        What it is.
    policy
        The policy.
    is_table
        Whether one table tells the counts of all regions; otherwise each is a question of its own.
    left
        The variance that is left after so many splits of a set of so many people.
    splits
        How many splits are answered at most; None for any number.
    """

    words: str
    policy: Callable[[], Policy]
    is_table: bool
    left: Callable[[int, int], float]
    splits: int | None = None


def _of_cells(splits: int, members: int) -> float:
    return remaining_variance(LayeredNoise(sd_set=_CELLS.variance**0.5, sd_record=0), [2] * splits, members=members)


def _of_layers(sd_record: float) -> Callable[[int, int], float]:
    noise = LayeredNoise(sd_set=2.0, sd_record=sd_record)
    # Counts are shown as whole numbers, each of which brings the variance of rounding.
    return lambda splits, members: remaining_variance(noise, [2] * splits, members=members) + 2 / 12 / splits


def _of_privacy(price: float) -> Callable[[int, int], float]:
    a = exp(-price)
    return lambda splits, _: 2 * (2 * a / (1 - a) ** 2) / splits


AVERAGED: tuple[Averaged, ...] = (
    Averaged(words="cell keys, variance 3", policy=lambda: limited_splits(10_000), is_table=True, left=_of_cells),
    Averaged(
        words="cell keys, 5 splits of a set", policy=lambda: limited_splits(5), is_table=True, left=_of_cells, splits=5
    ),
    Averaged(words="layers of sets alone, sd 2", policy=layered, is_table=False, left=_of_layers(0.0)),
    Averaged(
        words="layers of sets, sd 2, and records, sd 0.1",
        policy=lambda: layered(sd_record=0.1),
        is_table=False,
        left=_of_layers(0.1),
    ),
    Averaged(
        words="differential privacy, budget 20 at 1 an answer",
        policy=lambda: private_numbers(20.0, 1.0),
        is_table=True,
        left=_of_privacy(1.0),
        splits=10,
    ),
)
"""What averaging meets. A limit on splits and a budget end it; a layer of records leaves what no number of splits removes."""


def averaged_noise(
    defence: Averaged, steps: Sequence[int], *, towns: int, seed: int
) -> tuple[FloatArray, FloatArray, int]:
    """Average splits of the regions of several towns, each behind a server with a key of its own.

    Parameters
    ----------
    defence
        What the server does.
    steps
        After how many splits the error is looked at, rising.
    towns
        How many servers.
    seed
        Repeats the towns; noise of differential privacy repeats for nobody.

    Returns
    -------
    measured, expected
        (steps,): the standard deviation of the means around the true counts, and that of the formula; of splits that were
        answered.
    answered
        How many splits of a set were answered, at most.
    """
    errors: list[list[FloatArray]] = [[] for _ in steps]
    expected: list[list[float]] = [[] for _ in steps]
    most = 0
    with task(defence.words, towns) as running:
        for number in range(towns):
            here = town(1000 * seed + number, people=1600, victims=0)
            truth = _counts(here.data)
            found = _estimates(asked_as_user(opened_town(here.data, defence.policy())), defence, max(steps))
            most = max(most, len(found))
            for at, step in enumerate(steps):
                used = min(step, len(found))
                if used:
                    errors[at].append(np.mean(found[:used], axis=0) - truth)
                    expected[at].append(float(np.mean([defence.left(used, int(n)) for n in truth])))
            running.advance()
    measured = np.array([np.sqrt(np.mean(np.square(part))) if part else np.nan for part in errors])
    return measured, np.sqrt(np.array([np.mean(part) if part else np.nan for part in expected], np.float64)), most


def _counts(data: Microdata) -> FloatArray:
    found = data.codes("region")
    words = [str(category) for category in found.categories]
    counts = np.bincount(found.values, minlength=len(words))
    return np.array([counts[words.index(region)] for region in REGIONS], np.float64)


def _estimates(ask: Ask, defence: Averaged, most: int) -> list[FloatArray]:
    """Ask for both parts of every split until there are enough, or one is refused."""
    found: list[FloatArray] = []
    for split in itertools.islice(_splits(), most):
        parts = [_told(ask, where, defence.is_table) for where in split]
        if parts[0] is None or parts[1] is None:
            break
        found.append(parts[0] + parts[1])
    return found


def _splits() -> Iterator[tuple[Mapping[str, list[str]], Mapping[str, list[str]]]]:
    """Give the ways to cut the classes of a variable in two."""
    for size in (1, 2, 3):
        for name in _SPLIT_BY:
            classes = list(KEYS[name])
            for part in itertools.combinations(classes, size):
                if 2 * size < len(classes) or part[0] == classes[0]:
                    yield {name: list(part)}, {name: [word for word in classes if word not in part]}


def _told(ask: Ask, where: Mapping[str, list[str]], is_table: bool) -> FloatArray | None:
    """Return the counts of the people of each region, within some classes; None where one is refused."""
    if is_table:
        answer: Mapping[str, Any] = ask({"kind": "tabulate", "by": ["region"], "where": dict(where)})
        if answer["status"] != "answered":
            return None
        table = answer["table"]
        values = dict(zip(table["classes"]["region"], table["values"], strict=True))
        return np.array([values[region] for region in REGIONS], np.float64)
    answers = [ask({"kind": "statistic", "where": {"region": [region], **where}}) for region in REGIONS]
    if any(one["status"] != "answered" for one in answers):
        return None
    return np.array([one["value"] for one in answers], np.float64)


STEPS = (1, 5, 20, 40)
NEAR = (0.6, 1.6)
"""Within which a measured standard deviation, as a share of that of the formula, agrees with it."""


@study(
    "averaging",
    summary="What many splits of a set leave of the noise of real servers, beside the formulas: budgets, limits and layers.",
    reference="Fraser & Wooton (2005); Francis et al. (2017)",
    replicates=10,
    takes_data=False,
)
def averaging(options: StudyOptions) -> StudyResult:
    """Average under every defence, and hold what is left against its formula."""
    seed = options.seed if isinstance(options.seed, int) else 1
    rows, findings = [], []
    for defence in AVERAGED:
        measured, expected, most = averaged_noise(defence, STEPS, towns=options.replicates, seed=seed)
        rows.append(
            (defence.words, str(most), *(f"{a:.2f} ({b:.2f})" for a, b in zip(measured, expected, strict=True)))
        )
        for step, a, b in zip(STEPS, measured.tolist(), expected.tolist(), strict=True):
            findings.append(
                StudyFinding(
                    quantity=f"standard deviation left after {step} splits, as a share of the formula's",
                    setting=defence.words,
                    ours=(a / b,),
                    required=f"{NEAR[0]:g} to {NEAR[1]:g}",
                    met=NEAR[0] <= a / b <= NEAR[1],
                    unit="",
                    is_range=False,
                )
            )
        findings.append(
            StudyFinding(
                quantity="splits of a set that were answered",
                setting=defence.words,
                ours=(float(most),),
                required=str(defence.splits if defence.splits is not None else max(STEPS)),
                met=most == (max(STEPS) if defence.splits is None else defence.splits),
                unit="",
                is_range=False,
            )
        )
    table = StudyTable(
        "Standard deviation of the mean of many splits around the true count, measured (by formula)",
        ("defence", "splits answered", *(f"after {step}" for step in STEPS)),
        tuple(rows),
    )
    notes = (
        "After a refusal the mean is that of the splits answered before. Noise of differential privacy is never the same.",
    )
    return StudyResult(tuple(findings), notes, (table,))
