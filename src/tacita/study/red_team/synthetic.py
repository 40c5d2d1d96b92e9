"""Scenes of synthetic data: generators that copy people, that leave traces of them, and that make people of their own."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacita.attack.attacker import Attacker
from tacita.attack.judge.stage_generator import stage_generator
from tacita.attack.synthetic import (
    AttributeCap,
    ClosestRecord,
    Linkability,
    ShadowAttribute,
    ShadowMembership,
    SinglingOut,
)
from tacita.attack.targets import Generate
from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import TacitaWarning
from tacita.data.made.made_like import made_like
from tacita.data.microdata import Microdata
from tacita.data.samples import household_survey
from tacita.mask import AdditiveNoise, Ipso, Mask, Mdav, MixedMicroaggregation, PrivateTables, RecordResampling
from tacita.study.red_team.scene import Scene, Staged

__all__ = [
    "COLUMNS",
    "SCENES",
    "by_mask",
    "copied",
    "fresh_people",
    "independent_people",
    "permuted_columns",
    "private_tables",
    "surveyed_people",
]

COLUMNS = (
    *("region", "age", "sex", "marital", "education", "employment", "birth_country", "household_size"),
    *("earnings", "other_income", "savings", "health"),
)
"""The columns of the household survey that the scenes use."""

_NUMBERS = ("age", "earnings", "other_income", "savings")
_APART = ("education", "employment", "earnings", "other_income", "savings", "health")
_PEOPLE = 3000
_SAMPLES = 2**20
"""Seeds of samples of fresh people: far from those of the scenes."""


def surveyed_people(n: int = _PEOPLE, *, seed: int = 1) -> Microdata:
    """Return people with the columns of the scenes."""
    return household_survey(n, seed=seed).select(COLUMNS)


def copied(data: Microdata, seed: int) -> Microdata:
    """Release the data as they are."""
    del seed
    return data


def permuted_columns(data: Microdata, seed: int) -> Microdata:
    """Shuffle each column by itself: nothing goes together any more, but every value is there."""
    rng = np.random.default_rng(seed)
    for name in data.names:
        data = data.with_values_of([name], rng.permutation(len(data)))
    return data


def independent_people(data: Microdata, seed: int) -> Microdata:
    """Draw each column by itself: classes by their shares, numbers from a normal distribution of their logarithms."""
    rng, n = np.random.default_rng(seed), len(data)
    numbers: dict[str, FloatArray] = {}
    classes: dict[str, tuple[IntArray, tuple[Any, ...]]] = {}
    for column in data.schema:
        if column.scale == "numeric":
            values = np.log1p(np.maximum(data.float(column.name), 0.0))
            drawn = rng.normal(np.nanmean(values), np.nanstd(values), n)
            numbers[column.name] = np.asarray(np.round(np.expm1(np.maximum(drawn, 0.0))), np.float64)
            continue
        found = data.codes(column.name)
        shares = np.bincount(found.values[found.values >= 0], minlength=len(found.categories)) + 1.0
        classes[column.name] = (rng.choice(len(shares), n, p=shares / shares.sum()), found.categories)
    return made_like(data, n, numbers=numbers, classes=classes, labels={})


def fresh_people(data: Microdata, seed: int) -> Microdata:
    """Draw other people of the same population, as a generator would that knows it and has forgotten its data."""
    return surveyed_people(len(data), seed=_SAMPLES + seed % _SAMPLES)


def by_mask(mask: Mask) -> Generate:
    """Return a mask as a generator: what it releases of the data that it is given."""

    def masked(data: Microdata, seed: int) -> Microdata:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TacitaWarning)
            return mask.apply(data, seed=seed)

    return masked


_BINS = {
    "age": (0, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 105),
    "earnings": (0, 1, 5000, 10000, 20000, 30000, 40000, 60000, 80000, 120000, 1000000),
    "other_income": (0, 1, 500, 1000, 2000, 5000, 10000, 20000, 50000, 1000000),
    "savings": (0, 1, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 10000000),
}
"""Edges that anybody would choose who never saw the file."""


def private_tables(data: Microdata, seed: int) -> Microdata:
    """Draw people from noisy tables with epsilon = 1; classes are those that other people of the population have."""
    others = surveyed_people(seed=_SAMPLES)
    classes = {c.name: others.codes(c.name).categories for c in others.schema if c.scale != "numeric"}
    return by_mask(PrivateTables(epsilon=1.0, categories=classes, breaks=_BINS))(data, seed)


def _staged(generate: Generate, attack: Attacker) -> Callable[[int], Staged]:
    """Return what sets the scene for an attack: who is in the data, a secret, or two files of the same people."""
    of_value = attack.traits.learns == "value"
    of_link = isinstance(attack, Linkability)

    def make(seed: int) -> Staged:
        staged = stage_generator(
            surveyed_people(seed=seed),
            generate,
            secret="health" if of_value else None,
            apart=_APART if of_link else (),
            seed=seed,
        )
        return staged.target, staged.answers, staged.control

    return make


_COPIED = "every record is somebody's"
_MASKED = "a mask keeps each record near to its person: it is no generator and does not hide who is in the data"
_DRAWN = "who was drawn stands in the file as he is"
_GROUPED = "a record is an average of three people, which is still nearest to these"
_EVERY: tuple[Attacker, ...] = (
    AttributeCap(),
    ClosestRecord(),
    Linkability(),
    ShadowAttribute(),
    ShadowMembership(),
    SinglingOut(),
)


@dataclass(frozen=True)
class _Defence:
    """A generator, what is known of it, and which attacks it holds."""

    words: str
    generate: Generate
    why: str
    holds: frozenset[str] = frozenset()
    is_default: bool = False


def _all_but(*broken: str) -> frozenset[str]:
    return frozenset(attack.name for attack in _EVERY).difference(broken)


_DEFENCES = (
    _Defence("none: a copy", copied, _COPIED),
    _Defence("records drawn with replacement (default)", by_mask(RecordResampling()), _DRAWN, is_default=True),
    _Defence("MDAV of the numbers, k = 3 (default)", by_mask(Mdav(columns=_NUMBERS)), _MASKED, is_default=True),
    _Defence("MDAV of the numbers, k = 10", by_mask(Mdav(columns=_NUMBERS, k=10)), _MASKED),
    _Defence("additive noise (default)", by_mask(AdditiveNoise(columns=_NUMBERS)), _MASKED, is_default=True),
    _Defence(
        "IPSO of the numbers (default)",
        by_mask(Ipso(columns=_NUMBERS)),
        "numbers are drawn anew, but classes stay beside each other as they were",
        holds=frozenset({"closest_record", "linkability", "singling_out"}),
        is_default=True,
    ),
    _Defence(
        "MDAV of all columns, k = 3 (default)",
        by_mask(MixedMicroaggregation(columns=COLUMNS)),
        _GROUPED,
        holds=frozenset({"linkability", "singling_out"}),
        is_default=True,
    ),
    _Defence(
        "MDAV of all columns, k = 50",
        by_mask(MixedMicroaggregation(columns=COLUMNS, k=50)),
        "an average of fifty people is near to none of them",
        holds=_all_but(),
    ),
    _Defence(
        "each column shuffled",
        permuted_columns,
        "nothing goes together any more, but every number is there and tells who gave it",
        holds=_all_but("shadow_membership", "singling_out"),
    ),
    _Defence(
        "private tables, epsilon = 1",
        private_tables,
        "a record changes what leaves by less than the noise, with a proof",
        holds=_all_but(),
    ),
    _Defence("each column drawn", independent_people, "only shares, means and spreads leave", holds=_all_but()),
    _Defence("fresh people", fresh_people, "nobody's record was looked at", holds=_all_but()),
)

SCENES = tuple(
    Scene(
        attack=attack,
        defence=defence.words,
        weak=attack.name not in defence.holds,
        make=_staged(defence.generate, attack),
        why=defence.why,
        is_default=defence.is_default,
    )
    for attack in _EVERY
    for defence in _DEFENCES
)
"""Every attack on synthetic data before every generator."""
