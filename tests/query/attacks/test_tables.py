"""Under ``tables`` the best linear attacker's gain over guessing, and everything that could give an exact count back.

Cell keys (``tacita.query.noise.cell_key``) give one set of records one noise for ever. They do not withstand who asks
for other sets around the same person, or for parts of one set, often enough.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tacita as tc
from tacita.query.noise.cell_noise import Plain
from tacita.query.policy.policy import Policy
from tacita.query.restrictions import Decompositions, TableSize
from tests.query.attacks.linear_attacker import Rate
from tests.query.attacks.town import (
    CLASSES,
    SHARE,
    Town,
    attacked,
    by_condition,
    direct,
    mixed,
    pairs,
    universe_less_cell,
)

BOUND = 0.1
"""What an attacker may gain over guessing."""

PRESET = Policy.preset("tables")
VARIANCE = 3.0
WEAK = replace(PRESET, restrictions=tuple(r for r in PRESET.restrictions if r.name not in ("row_audit", "sparsity")))
"""Cell keys and a limit on decompositions, without the auditor of rows."""
EXACT = replace(WEAK, parts={**PRESET.parts, "cells": Plain()})
FEW, MANY = range(12), range(100)
FINE = ("age", "region")
KEYS = ("age", "region", "sex")

ATTACKS: dict[str, dict[str, Any]] = {
    "the table by all keys": {"strategy": direct},
    "one difference": {"strategy": pairs()},
    "twenty differences": {"strategy": pairs(), "universes": 20},
    "five differences in fine tables": {"strategy": pairs(FINE), "universes": 5},
    "five padded differences": {"strategy": pairs(padded=True), "universes": 5},
    "an insider's twenty differences": {"strategy": pairs(), "universes": 20, "alone": 2, "insider": True},
    "thirty universes of all kinds": {"strategy": mixed(), "universes": 30},
}
LONG_ATTACKS: dict[str, dict[str, Any]] = {
    "twenty differences of the ill alone": {"strategy": pairs(), "universes": 20, "ask": by_condition, "targets": 1},
}
every_attack = pytest.mark.parametrize("name", ATTACKS)


def measured(policy: Policy, name: str, towns: range = FEW, **more: Any) -> Rate:
    return attacked(policy, towns=towns, **{"noise": VARIANCE, **(ATTACKS | LONG_ATTACKS)[name], "tries": 40, **more})


@every_attack
def test_the_gain_stays_below_the_bound(name: str) -> None:
    found = measured(PRESET, name, FEW[:4], tries=8)
    assert found.gain < BOUND, f"{name}: {found}"


def test_a_class_as_condition_is_audited_as_a_class_in_the_table_is() -> None:
    """The ill of everybody, and the ill of everybody but one person: a union of pieces, each with the condition."""
    town = Town(0)
    db = town.open(PRESET)
    whole, less = universe_less_cell([list(classes) for classes in CLASSES.values()], town.targets[0])
    assert by_condition(db, town, whole, ("region",), VARIANCE) is not None
    assert by_condition(db, town, less, ("region",), VARIANCE) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", [*ATTACKS, *LONG_ATTACKS])
def test_the_interval_of_the_gain_stays_below_the_bound_in_a_hundred_towns(name: str) -> None:
    found = measured(PRESET, name, MANY)
    assert found.interval()[1] < BOUND, f"{name}: {found}"


def test_plain_cells_are_broken_by_one_difference() -> None:
    """Known-weak: without noise the same attacker is always right."""
    found = measured(EXACT, "one difference", FEW[:6], noise=1e-6)
    assert found.hits == found.trials


def test_twenty_differences_beat_cell_keys_alone() -> None:
    one, twenty = (measured(WEAK, name, FEW[:8]) for name in ("one difference", "twenty differences"))
    assert twenty.interval()[0] > 0.05
    assert one.gain < twenty.gain


# --- zeros ------------------------------------------------------------------------------------------------------------------


def reads_the_cell(policy: Policy, towns: range, **request: Any) -> Rate:
    """The target's own cell, by class: what is not zero is there. A zero of both classes leaves the guess."""
    rate = Rate(0, 0, 0, 0)
    for seed in towns:
        town = Town(seed)
        db = town.open(policy)
        answer = db.ask(tc.query.Tabulate(by=[*KEYS, "ill"], **request))
        for cell in town.targets:
            truth, told = town.is_ill[cell], None
            if answer.status == "answered":
                no, yes = np.nan_to_num(answer.table.values[cell])
                told = None if (no > 0) == (yes > 0) else bool(yes > 0)
            rate += Rate.of(right=(told if told is not None else SHARE > 0.5) == truth, guess_right=not truth)
    return rate


@pytest.mark.parametrize(
    "request_", [{}, {"response": "income", "statistic": "total"}, {"response": "income", "statistic": "mean"}]
)
def test_a_cell_of_one_is_not_shown(request_: dict[str, Any]) -> None:
    """True zeros are shown as zeros: a count above zero beside one of zero tells the class for certain."""
    assert reads_the_cell(PRESET, range(2), **request_).gain == 0


def test_cell_keys_alone_show_the_class_of_a_cell_of_one() -> None:
    """Known-weak: a one is shown as 0 in 62 of 100 cells; in the others the class is certain."""
    assert reads_the_cell(WEAK, range(30)).interval()[0] > 0.03


def test_totals_and_means_tell_no_more_zeros_than_counts() -> None:
    """Where a count is shown as 0 the total is 0 and there is no mean, though somebody is there."""
    by, hidden = [*KEYS, "ill"], 0
    for seed in range(3, 9):
        db = Town(seed).open(WEAK)
        counts = db.ask(tc.query.Tabulate(by=by)).table.values
        total = db.ask(tc.query.Tabulate(by=by, response="income", statistic="total")).table.values
        mean = db.ask(tc.query.Tabulate(by=by, response="income", statistic="mean")).table.values
        true = Town(seed).open(EXACT).ask(tc.query.Tabulate(by=by)).table.values
        hidden += int(((counts == 0) & (true > 0)).sum())
        np.testing.assert_array_equal(counts == 0, total == 0)
        np.testing.assert_array_equal(counts == 0, np.isnan(mean))
    assert hidden, "somebody should be shown as nobody"


# --- exact counts by the side door --------------------------------------------------------------------------------------------


def right_counts(policy: Policy, weights: bool, estimate: Any) -> tuple[float, float]:
    """The share of cells whose count an estimate has right, and that of the shown count."""
    found, shown = [], []
    for seed in range(4):
        town = Town(seed, people=900, targets=0, weights=weights)
        db = town.open(policy)

        def table(db: tc.query.Database = db, **request: Any) -> Any:
            return db.ask(tc.query.Tabulate(**{"by": list(KEYS), **request})).table

        counts = table().values
        found.append(np.rint(estimate(table, counts)) == town.counts)
        shown.append(counts == town.counts)
    return float(np.mean(found)), float(np.mean(shown))


def by_total(table: Any, counts: np.ndarray) -> np.ndarray:
    """A total of a number that is nearly the same for all, divided by it."""
    del counts
    return table(response="year", statistic="total").values / 1975


def by_mean(table: Any, counts: np.ndarray) -> np.ndarray:
    """The total divided by the mean."""
    total = table(response="year", statistic="total").values
    mean = table(response="year", statistic="mean").values
    return np.divide(total, mean, out=counts.astype(float), where=~np.isnan(mean))


def by_percent(table: Any, counts: np.ndarray) -> np.ndarray:
    """The percentage of everybody, whose number everybody knows."""
    del counts
    return table(statistic="percent").values / 100 * 900


def by_standard_error(table: Any, counts: np.ndarray) -> np.ndarray:
    """The standard error of a share is sqrt(p (1 - p) / n)."""
    errors = table(statistic="percent").errors
    if errors is None:
        return counts
    v = (errors / 100) ** 2 * 900
    return 900 * (1 - np.sqrt(np.maximum(1 - 4 * v, 0))) / 2


def by_mean_weight(table: Any, counts: np.ndarray) -> np.ndarray:
    """Mean weights of a whole and of its two parts give the ratio of their counts, whatever the weights are."""
    part = table(statistic="weighted_count").values / np.maximum(counts, 1)
    both = table(by=["age", "region"]).values
    whole = table(by=["age", "region"], statistic="weighted_count").values / np.maximum(both, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = (whole - part[..., 1]) / (part[..., 0] - part[..., 1])  # share of the first part
    options = np.arange(1, 60)
    found = counts.astype(float)
    for place in np.ndindex(*ratio.shape):  # whole numbers near the shown ones with that ratio
        n, m = np.meshgrid(options, options, indexing="ij")
        near = (abs(n - counts[(*place, 0)]) <= 5) & (abs(m - counts[(*place, 1)]) <= 5)
        miss = np.where(near, abs(n / (n + m) - ratio[place]), np.inf)
        if np.isfinite(miss).any() and np.isfinite(ratio[place]):
            best = np.unravel_index(int(np.argmin(miss)), miss.shape)
            found[place] = options[best[0]], options[best[1]]
    return found


SIDE_DOORS: dict[str, tuple[bool, Any]] = {
    "total": (False, by_total),
    "mean": (False, by_mean),
    "percent": (False, by_percent),
    "standard error": (False, by_standard_error),
    "mean weight": (True, by_mean_weight),
}


@pytest.mark.parametrize("door", SIDE_DOORS)
def test_no_side_door_gives_exact_counts_back(door: str) -> None:
    weights, estimate = SIDE_DOORS[door]
    found, shown = right_counts(PRESET, weights, estimate)
    assert found < shown + 0.1, door


@pytest.mark.parametrize("door", SIDE_DOORS)
def test_with_plain_cells_every_side_door_is_open(door: str) -> None:
    weights, estimate = SIDE_DOORS[door]
    found, _ = right_counts(EXACT, weights, estimate)
    assert found > 0.75, door


# --- splitting one set in many ways ---------------------------------------------------------------------------------------------


def split_estimates(policy: Policy, towns: range) -> tuple[float, float]:
    """How many of 31 splits of a region by ages are answered, and how often their mean, rounded, is the number of ill.

    The region itself is never asked for.
    """
    answered, right = [], []
    for seed in towns:
        town = Town(seed)
        db = town.open(policy)
        truth = int(town.ill[town.code[:, 1] == 0].sum())
        told = []
        for mask in range(1, 32):
            half = [c for i, c in enumerate(CLASSES["age"][1:]) if mask >> i & 1]
            rest = [c for c in CLASSES["age"] if c not in half]
            both = [
                db.ask(tc.query.Tabulate(by=["ill"], where={"region": ["e"], "age": ages})) for ages in (half, rest)
            ]
            if all(answer.status == "answered" for answer in both):
                told.append(sum(answer.table.values[1] for answer in both))
        answered.append(len(told))
        right.append(bool(told) and round(float(np.mean(told))) == truth)
    return float(np.mean(answered)), float(np.mean(right))


def test_splits_of_a_set_that_is_never_named_are_not_all_counted() -> None:
    """Known-weak: who never asks for the set itself splits it more often. What protects a person is the auditor of rows."""
    few = replace(PRESET, restrictions=(TableSize(), Decompositions(most=5)))
    assert 5 < split_estimates(few, range(3))[0] < 31


def test_without_a_limit_on_splits_the_noise_is_averaged_away() -> None:
    """Known-weak: 31 splits in two leave a variance of 6 / 31; three of four counts are exact."""
    endless = replace(PRESET, restrictions=(TableSize(), Decompositions(most=10_000)))
    answered, right = split_estimates(endless, range(16))
    assert answered == 31
    assert right > 0.5
