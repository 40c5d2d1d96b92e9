"""A made-up survey of victims like the one in Bergeat (2015): its seven keys, and its printed rates by calibration.

Nobody's data are behind it. The sizes of the keys, the number of respondents and the victimisation rates by household size
and by couple are the paper's; how the keys hang together is our guess of a French household survey, tuned so that about
as many records are rare as in the paper.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.streams import Streams
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema
from tacita.numeric.statistics.calibration import calibrate

__all__ = ["BY_COUPLE", "BY_SIZE", "KEYS", "RESPONDENTS", "VICTIM", "victimisation_survey"]


RESPONDENTS = 12_901
KEYS: dict[str, tuple[str, ...]] = {
    "gender": ("female", "male"),
    "income": ("-1000", "1000-2000", "2000-3000", "3000-6000", "+6000"),
    "age": ("-24", "25-34", "35-44", "45-54", "55-64", "+65"),
    "urban_unit": ("rural", "-100 000", "+100 000", "Paris"),
    "qualification": ("none", "lower secondary", "vocational", "upper secondary", "higher"),
    "couple": ("yes", "no"),
    "household_size": ("1", "2", "3-4", "5+"),
}
"""The quasi-identifiers after global recoding, most important first, and their categories."""
VICTIM = ("non-victim", "one act", "multi-victim")

BY_SIZE = np.array([[87.3, 9.7, 3.0], [84.4, 12.1, 3.5], [82.5, 12.3, 5.2], [77.9, 16.0, 6.1]]) / 100
"""Printed rates of the three classes by household size."""
BY_COUPLE = np.array([[85.6, 11.1, 3.3], [79.5, 14.2, 6.3]]) / 100
"""Printed rates by whether the respondent lives in a couple."""

_POPULATION = 50_000_000.0
_COUPLES, _ALONE = 0.64, 0.15
_COUPLES_IN_SIZE = np.array([0.02, 0.79, 0.735, 0.68])
_AGES = np.array(
    [  # for each household size: in a couple, not in a couple
        [[0.02, 0.20, 0.20, 0.18, 0.20, 0.20], [0.06, 0.15, 0.10, 0.13, 0.18, 0.38]],
        [[0.02, 0.10, 0.05, 0.10, 0.30, 0.43], [0.18, 0.12, 0.15, 0.22, 0.15, 0.18]],
        [[0.01, 0.22, 0.37, 0.28, 0.10, 0.02], [0.58, 0.12, 0.09, 0.13, 0.05, 0.03]],
        [[0.01, 0.16, 0.45, 0.31, 0.05, 0.02], [0.70, 0.10, 0.06, 0.08, 0.03, 0.03]],
    ]
)
_QUALIFICATIONS = np.array(
    [  # for each age
        [0.10, 0.16, 0.22, 0.33, 0.19],
        [0.07, 0.07, 0.23, 0.20, 0.43],
        [0.09, 0.08, 0.27, 0.18, 0.38],
        [0.14, 0.10, 0.33, 0.17, 0.26],
        [0.22, 0.13, 0.30, 0.14, 0.21],
        [0.42, 0.16, 0.21, 0.09, 0.12],
    ]
)
_PLACES = np.array([0.24, 0.36, 0.26, 0.14])
_BRACKETS = np.log([1000.0, 2000.0, 3000.0, 6000.0])
_SPREAD = 0.555
"""Spread of log income within a kind of household; it decides how many records are rare."""


def victimisation_survey(n: int = RESPONDENTS, *, seed: int = 1) -> Microdata:
    """Make the survey: seven keys, the victimisation class, monthly spending, and weights under which the printed rates hold.

    Parameters
    ----------
    n
        Number of respondents.
    seed
        Makes the survey repeatable.
    """
    rng = Streams(seed).stream("samples", "victimisation")
    sizes = _size_shares()
    size = rng.choice(4, n, p=sizes)
    couple = (rng.random(n) >= _COUPLES_IN_SIZE[size]).astype(np.int64)
    age = _draw(_AGES[size, couple], rng)
    female = (
        0.5 + 0.04 * (age == 5) + 0.12 * ((age == 5) & (size == 0)) + 0.12 * ((couple == 1) & (size > 0) & (age > 0))
    )
    gender = (rng.random(n) >= female).astype(np.int64)
    qualification = _draw(_QUALIFICATIONS[age], rng)
    place = _draw(_place_shares(size, age, qualification), rng)
    log_income = _log_income(size, couple, age, qualification, place) + _SPREAD * rng.standard_normal(n)
    income = np.searchsorted(_BRACKETS, log_income)
    spending = np.exp(3.4 + 0.52 * log_income + 0.11 * size + 0.05 * (place == 3) + 0.30 * rng.standard_normal(n))
    victim = _draw(_victim_shares(size, couple, age, place, gender, sizes), rng)
    weights = _weights(size, couple, victim, sizes, rng)
    codes = dict(zip(KEYS, (gender, income, age, place, qualification, couple, size), strict=True))
    columns = {name: pa.array(KEYS[name]).take(pa.array(codes[name])) for name in KEYS}
    table = pa.table(
        {**columns, "victim": pa.array(VICTIM).take(pa.array(victim)), "spending": np.round(spending, 2), "w": weights}
    )
    return Microdata(table, _schema())


def _schema() -> Schema:
    ordinal = {"income", "age", "household_size", "qualification"}
    keys = [
        Column(name=name, scale="ordinal" if name in ordinal else "nominal", roles=("key",), categories=categories)
        for name, categories in KEYS.items()
    ]
    return Schema(
        (
            *keys,
            Column(name="victim", scale="ordinal", roles=("confidential",), categories=VICTIM),
            Column(name="spending", scale="numeric", roles=("confidential",)),
            Column(name="w", scale="numeric", roles=("weight",)),
        )
    )


def _size_shares() -> FloatArray:
    """Return the shares of the household sizes that reconcile the two printed tables, given couples and singles.

    Both tables imply a rate of each class in the whole population; two shares are free to make them equal.
    """
    wanted = _COUPLES * BY_COUPLE[0] + (1 - _COUPLES) * BY_COUPLE[1]
    rest = wanted - _ALONE * BY_SIZE[0] - (1 - _ALONE) * BY_SIZE[2]
    two, five = np.linalg.solve((BY_SIZE[[1, 3]] - BY_SIZE[2])[:, :2].T, rest[:2])
    return np.array([_ALONE, two, 1 - _ALONE - two - five, five])


def _place_shares(size: IntArray, age: IntArray, qualification: IntArray) -> FloatArray:
    """Return how likely each respondent lives where: singles, the young and the qualified more often in large towns."""
    pull = 0.35 * (size == 0) + 0.25 * (age <= 1) + 0.45 * (qualification == 4) - 0.15 * (size == 3)
    tilt = np.exp(np.outer(pull, [-1.0, -0.3, 0.6, 1.1]))
    return np.asarray(_PLACES * tilt)


def _log_income(
    size: IntArray, couple: IntArray, age: IntArray, qualification: IntArray, place: IntArray
) -> FloatArray:
    """Return the mean of the logarithm of household income."""
    by_age = np.array([-0.16, -0.04, 0.03, 0.10, 0.06, -0.10])[age]
    by_qualification = np.array([-0.32, -0.18, -0.05, 0.08, 0.38])[qualification]
    earners = np.where(couple == 0, 0.42, np.where(size >= 2, 0.30, 0.0))
    return np.asarray(7.36 + by_age + by_qualification + earners + 0.06 * (size == 2) + 0.12 * (place == 3))


def _victim_shares(
    size: IntArray, couple: IntArray, age: IntArray, place: IntArray, gender: IntArray, sizes: FloatArray
) -> FloatArray:
    """Return each respondent's probability of the three classes.

    Household size and couple have the printed rates; age, place and gender tilt them within each of these cells.
    """
    cells = _cell_rates(sizes)
    risk = (
        np.array([0.45, 0.25, 0.08, 0.0, -0.18, -0.55])[age]
        + np.array([-0.35, -0.08, 0.20, 0.45])[place]
        + 0.06 * gender
    )
    tilt = np.exp(np.outer(risk, [0.0, 1.0, 1.5]))
    cell = 2 * size + couple
    target = cells.reshape(8, 3)
    level = target.copy()
    there = np.bincount(cell, minlength=8)
    for _ in range(60):  # the level of a cell such that its members' mean is the cell's rate
        share = level[cell] * tilt
        share /= share.sum(axis=1, keepdims=True)
        mean = np.stack([np.bincount(cell, weights=share[:, c], minlength=8) for c in range(3)], 1)
        level *= np.where(there[:, None] > 0, target * np.maximum(there, 1)[:, None] / np.maximum(mean, 1e-300), 1.0)
    return np.asarray(share)


def _cell_rates(sizes: FloatArray) -> FloatArray:
    """Return rates for household size by couple by class that have both printed margins, by iterative fitting."""
    couples = _COUPLES_IN_SIZE * (_COUPLES / (sizes @ _COUPLES_IN_SIZE))
    joint = np.stack([sizes * couples, sizes * (1 - couples)], axis=1)
    table = joint[:, :, None] * BY_COUPLE[None]
    for _ in range(500):
        table *= (sizes[:, None] * BY_SIZE / table.sum(axis=1))[:, None, :]
        table *= (joint.sum(axis=0)[:, None] * BY_COUPLE / table.sum(axis=0))[None]
        table *= (joint / table.sum(axis=2))[:, :, None]
    return np.asarray(table / table.sum(axis=2, keepdims=True))


def _weights(
    size: IntArray, couple: IntArray, victim: IntArray, sizes: FloatArray, rng: np.random.Generator
) -> FloatArray:
    """Return survey weights: unequal ones, calibrated so that the printed rates hold exactly."""
    n = len(size)
    start = _POPULATION / n * np.exp(0.3 * rng.standard_normal(n))
    x = np.zeros((n, 18))
    x[np.arange(n), 3 * size + victim] = 1
    x[np.arange(n), 12 + 3 * couple + victim] = 1
    shares = np.array([_COUPLES, 1 - _COUPLES])
    totals = _POPULATION * np.concatenate([(sizes[:, None] * BY_SIZE).ravel(), (shares[:, None] * BY_COUPLE).ravel()])
    found = calibrate(x, totals, start, distance="raking")
    return np.asarray(start * found.factors)


def _draw(shares: FloatArray, rng: np.random.Generator) -> IntArray:
    """Draw a category for each row of shares."""
    total = np.cumsum(shares, axis=1)
    chosen = (rng.random(len(shares))[:, None] * total[:, -1:] >= total).sum(axis=1)
    return np.asarray(np.minimum(chosen, shares.shape[1] - 1), dtype=np.int64)
