"""Persons who live together: households of a size, who is who in them, and ages, sexes and marriages that fit.

Everything is drawn for all households or all persons at once; a person's place in the household (first, second, ...)
says which of the household's numbers apply.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from tacita.data.samples.demography import AGES, FEMALE, MARITAL, age_band
from tacita.data.samples.draws import BoolArray, Draw, FloatArray, IntArray, curve, pick, pick_within

__all__ = [
    "CHILD",
    "GRANDPARENT",
    "HEAD",
    "PARTNER",
    "SHARER",
    "DrawnHouseholds",
    "People",
    "draw_households",
    "draw_people",
]

_SIZE_SHARES = (0.32, 0.33, 0.15, 0.13, 0.05, 0.014, 0.006)

_ALONE, _COUPLE, _LONE_PARENT, _SHARED, _THREE_GENERATIONS = range(5)
_KIND_BY_SIZE: FloatArray = np.array(
    [  # alone couple lone  shared three generations
        [1.0, 0.00, 0.00, 0.00, 0.00],
        [0.0, 0.76, 0.17, 0.07, 0.00],
        [0.0, 0.80, 0.16, 0.04, 0.00],
        [0.0, 0.87, 0.07, 0.03, 0.03],
        [0.0, 0.83, 0.05, 0.02, 0.10],
        [0.0, 0.78, 0.04, 0.02, 0.16],
        [0.0, 0.76, 0.02, 0.02, 0.20],
    ]
)

HEAD, PARTNER, CHILD, GRANDPARENT, SHARER = range(5)
"""The place of a person in the household."""

_YOUNGEST_PARENT, _OLDEST_PARENT, _OLDEST = 17, 44, 104
_HEAD_AGES: Final[tuple[dict[int, float], ...]] = (
    {15: 0, 17: 0.03, 19: 1, 26: 3, 40: 2, 60: 2.6, 78: 3.2, 88: 1.6, 97: 0.15, 104: 0.01},  # alone
    {18: 0, 20: 0.3, 28: 2.2, 40: 1, 60: 3, 70: 3, 82: 1.2, 93: 0.1, 100: 0},  # a couple without children
    {18: 0, 22: 0.3, 33: 2.6, 45: 3, 56: 1.2, 64: 0.2, 70: 0},  # parents
    {18: 0, 21: 0.5, 38: 3, 48: 2.5, 60: 0.7, 75: 0.5, 90: 0},  # a lone parent
    {15: 0, 17: 0.1, 20: 3, 27: 2, 36: 0.3, 60: 0.08, 90: 0},  # people who share a home
)
_HEAD_AGE_SHARES: FloatArray = np.array([curve(points, AGES) for points in _HEAD_AGES])
_MARRIED_SHARE = {18: 0.2, 26: 0.3, 35: 0.62, 50: 0.78, 65: 0.88, 85: 0.95}

_MARITAL_STARTS = (16, 25, 35, 50, 65, 80)
_MARITAL_SHARES: FloatArray = np.array(
    [  # persons who live with no spouse: single, married, widowed, divorced
        [1.000, 0.000, 0.000, 0.000],
        [0.983, 0.012, 0.001, 0.004],
        [0.900, 0.030, 0.004, 0.066],
        [0.640, 0.040, 0.020, 0.300],
        [0.400, 0.040, 0.120, 0.440],
        [0.180, 0.030, 0.500, 0.290],
        [0.080, 0.020, 0.810, 0.090],
    ]
)


@dataclass(frozen=True)
class DrawnHouseholds:
    """One entry for each household: how many live in it, and what kind of household it is."""

    size: IntArray
    kind: IntArray

    def __len__(self) -> int:
        return len(self.size)

    @property
    def is_couple(self) -> BoolArray:
        """Whether two partners head the household."""
        return np.isin(self.kind, (_COUPLE, _THREE_GENERATIONS))


@dataclass(frozen=True)
class People:
    """One entry for each person, the members of a household one after the other."""

    household: IntArray
    place: IntArray
    age: IntArray
    sex: IntArray
    marital: IntArray

    def __len__(self) -> int:
        return len(self.household)


def draw_households(draw: Draw, n: int) -> DrawnHouseholds:
    """Draw households that have exactly ``n`` members together; the last one is cut to what is left."""
    size = 1 + pick(draw("household"), _SIZE_SHARES, n)
    ends = np.cumsum(size)
    count = int(np.searchsorted(ends, n)) + 1 if n else 0
    size = size[:count].copy()
    if n:
        size[-1] -= ends[count - 1] - n
    return DrawnHouseholds(size, pick_within(draw("household", "kind"), _KIND_BY_SIZE, size - 1))


def draw_people(draw: Draw, homes: DrawnHouseholds) -> People:
    """Draw the members of the households."""
    household = np.repeat(np.arange(len(homes)), homes.size)
    position = np.arange(len(household)) - np.repeat(np.cumsum(homes.size) - homes.size, homes.size)
    place = _places(homes, household, position)
    head_age = pick_within(draw("age", "head"), _HEAD_AGE_SHARES, _age_profile(homes))
    head_sex = _head_sex(draw("sex", "head"), homes, head_age)
    partner_age = _partner_age(draw("age", "partner"), head_age, head_sex)
    age = _ages(draw("age"), homes, household, place, head_age, partner_age)
    sex = _sexes(draw("sex"), household, place, head_sex)
    marital = _marital(draw("marital"), homes, household, place, age, head_age)
    marital = _plant_young_widow(draw("marital", "rare"), place, age, sex, marital)
    return People(household=household, place=place, age=age, sex=sex, marital=marital)


def _places(homes: DrawnHouseholds, household: IntArray, position: IntArray) -> IntArray:
    kind, size = homes.kind[household], homes.size[household]
    place = np.full(len(household), CHILD)
    place[homes.is_couple[household] & (position == 1)] = PARTNER
    place[(kind == _THREE_GENERATIONS) & (position == size - 1)] = GRANDPARENT
    place[kind == _SHARED] = SHARER
    place[position == 0] = HEAD
    return place


# --- ages -------------------------------------------------------------------------------------------------------------


def _age_profile(homes: DrawnHouseholds) -> IntArray:
    """Return which of the age distributions the head of each household has."""
    profile = np.array([0, 2, 3, 4, 2])[homes.kind]
    profile[(homes.kind == _COUPLE) & (homes.size == 2)] = 1
    return profile


def _partner_age(rng: np.random.Generator, head_age: IntArray, head_sex: IntArray) -> IntArray:
    """Husbands are two years older than wives on average."""
    older = np.where(head_sex == FEMALE, 2.0, -2.0)
    drawn = np.rint(head_age + older + 4.5 * rng.standard_normal(len(head_age))).astype(np.int64)
    return np.clip(drawn, _YOUNGEST_PARENT + 1, _OLDEST)


def _ages(
    rng: np.random.Generator,
    homes: DrawnHouseholds,
    household: IntArray,
    place: IntArray,
    head_age: IntArray,
    partner_age: IntArray,
) -> IntArray:
    """A parent is at least 17, and the younger parent at most 44, when a child is born."""
    younger = np.where(homes.is_couple, np.minimum(head_age, partner_age), head_age)[household]
    older = np.where(homes.is_couple, np.maximum(head_age, partner_age), head_age)[household]
    middle = rng.random((len(household), 2)).mean(axis=1)
    span = np.minimum(younger, _OLDEST_PARENT) - _YOUNGEST_PARENT + 1
    child = younger - _YOUNGEST_PARENT - (span * middle).astype(np.int64)
    grandparent = np.minimum(older + 18 + (17 * middle).astype(np.int64), _OLDEST)
    sharer = pick(rng, _HEAD_AGE_SHARES[_SHARED], len(household))
    return np.choose(place, [head_age[household], partner_age[household], child, grandparent, sharer])


# --- sex and marriage -------------------------------------------------------------------------------------------------


def _head_sex(rng: np.random.Generator, homes: DrawnHouseholds, head_age: IntArray) -> IntArray:
    female = np.array([0.46, 0.38, 0.84, 0.5, 0.38])[homes.kind]
    female[(homes.kind == _ALONE) & (head_age >= 65)] = 0.67
    return (rng.random(len(homes)) < female).astype(np.int64)


def _sexes(rng: np.random.Generator, household: IntArray, place: IntArray, head_sex: IntArray) -> IntArray:
    u = rng.random(len(household))
    head = head_sex[household]
    partner = np.where(u < 0.015, head, 1 - head)  # a few couples of one sex
    female = np.array([0.0, 0.0, 0.488, 0.7, 0.5])[place]
    return np.select([place == HEAD, place == PARTNER], [head, partner], (u < female).astype(np.int64))


def _marital(
    rng: np.random.Generator,
    homes: DrawnHouseholds,
    household: IntArray,
    place: IntArray,
    age: IntArray,
    head_age: IntArray,
) -> IntArray:
    """Partners are married to each other or both are not; all others as their age suggests."""
    wed = homes.is_couple & (rng.random(len(homes)) < curve(_MARRIED_SHARE, head_age))
    alone = pick_within(rng, _MARITAL_SHARES, age_band(age, _MARITAL_STARTS))
    # Nobody who lives with an unmarried partner is married to somebody else.
    partnered = (place == PARTNER) | ((place == HEAD) & homes.is_couple[household])
    alone[partnered & (alone == MARITAL.index("married"))] = MARITAL.index("single")
    return np.where(partnered & wed[household], MARITAL.index("married"), alone)


def _plant_young_widow(
    rng: np.random.Generator, place: IntArray, age: IntArray, sex: IntArray, marital: IntArray
) -> IntArray:
    """Make one girl of 16 to 18 years a widow: the rare combination that no sample of the field is without."""
    young = np.flatnonzero((age >= 16) & (age <= 18) & (sex == FEMALE) & (place != PARTNER))
    if not len(young):
        return marital
    changed = marital.copy()
    changed[rng.choice(young)] = MARITAL.index("widowed")
    return changed
