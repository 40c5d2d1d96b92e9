"""Under ``mas`` the best linear attacker's gain over guessing, with its interval, for every way of asking.

The intruder knows the keys of everybody and wants a confidential class, or an amount, of a person who is alone in his
cell. Drop q (``tacita.query.subsample.drop_q``) blurs one difference of two coarse tables; it does not withstand the same
difference many times, nor in tables that show how many were dropped in each row. What withstands is an auditor of rows beside it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tacita as tc
from tacita.core.errors import TacitaWarning
from tacita.query.policy.policy import Policy
from tacita.query.subsample.drop_q import DropFixed
from tests.query.attacks.linear_attacker import Rate
from tests.query.attacks.town import (
    CLASSES,
    Town,
    attacked,
    by_condition,
    by_model,
    direct,
    mixed,
    pairs,
    universe_less_cell,
)

BOUND = 0.1
"""What an attacker may gain over guessing: of a hundred persons he is right about ten more."""

PRESET = replace(Policy.preset("mas"), strata=("region",))
WEAK = replace(PRESET, restrictions=tuple(r for r in PRESET.restrictions if r.name not in ("row_audit", "sparsity")))
"""The paper's own rules, without the auditor of rows."""
FEW, MANY = range(12), range(100)
FINE = ("age", "region")

ATTACKS: dict[str, dict[str, Any]] = {
    "the table by all keys": {"strategy": direct},
    "one difference": {"strategy": pairs()},
    "one difference in fine tables": {"strategy": pairs(FINE)},
    "five differences": {"strategy": pairs(), "universes": 5},
    "twenty differences": {"strategy": pairs(), "universes": 20},
    "five padded differences": {"strategy": pairs(padded=True), "universes": 5},
    "an insider's five differences": {"strategy": pairs(), "universes": 5, "alone": 2, "insider": True},
    "thirty universes of all kinds": {"strategy": mixed(), "universes": 30},
    "thirty universes in fine tables": {"strategy": mixed(FINE), "universes": 30},
}
LONG_ATTACKS: dict[str, dict[str, Any]] = {
    "twenty differences of the ill alone": {"strategy": pairs(), "universes": 20, "ask": by_condition, "targets": 1},
    "twenty regressions": {"strategy": pairs(), "universes": 20, "ask": by_model, "targets": 1},
}
every_attack = pytest.mark.parametrize("name", ATTACKS)


def measured(policy: Policy, name: str, towns: range = FEW, **more: Any) -> Rate:
    return attacked(policy, towns=towns, **{**(ATTACKS | LONG_ATTACKS)[name], "tries": 40, **more})


@every_attack
def test_the_gain_stays_below_the_bound(name: str) -> None:
    found = measured(PRESET, name, FEW[:4], tries=8)
    assert found.gain < BOUND, f"{name}: {found}"


def test_regressions_are_audited_as_tables_are() -> None:
    """The fitted probabilities of a class add up to the number of ill in it, so a model tells what a table tells.

    The second model has two terms more and is not closely related to the first, and the first universe less the second is one
    person.
    """
    town = Town(0)
    db = town.open(PRESET)
    whole, less = universe_less_cell([list(classes) for classes in CLASSES.values()], town.targets[0])
    assert by_model(db, town, whole, ("region",), 0.0) is not None
    assert by_model(db, town, less, ("region",), 0.0) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", [*ATTACKS, *LONG_ATTACKS])
def test_the_interval_of_the_gain_stays_below_the_bound_in_a_hundred_towns(name: str) -> None:
    found = measured(PRESET, name, MANY)
    assert found.interval()[1] < BOUND, f"{name}: {found}"


# --- known-weak: the same attackers win -----------------------------------------------------------------------------------------


def test_averaging_beats_drop_q_alone() -> None:
    """One coarse difference gains little; twenty give most people away. 2 to 6 of 1500 records are dropped each time."""
    gains = [measured(WEAK, name, range(12)) for name in ("one difference", "five differences", "twenty differences")]
    assert gains[0].interval()[0] < 0.1  # of 36 targets: chance alone moves a gain by 0.08
    assert gains[2].interval()[0] > 0.1
    assert max(gains[0].gain, gains[1].gain) < gains[2].gain


def test_one_dropped_record_hides_nobody() -> None:
    weak = replace(WEAK, strata=(), parts={**PRESET.parts, "subsample": DropFixed(q=1)})
    assert measured(weak, "five differences").interval()[0] > 0.15


def test_without_strata_padding_wins() -> None:
    """The large region takes the dropped records; within strata the same padding gains no more than plain differences."""
    weak = replace(WEAK, strata=())
    assert measured(weak, "five padded differences").interval()[0] > 0.15
    assert measured(WEAK, "five padded differences").gain < measured(weak, "five padded differences").gain


# --- amounts ---------------------------------------------------------------------------------------------------------


def found_amounts(policy: Policy, towns: range) -> float:
    """The share of targets whose income a difference of two totals gives to within 1 %.

    He takes the rows of his target's age and region, where the counts show that nobody was dropped.
    """
    hits = trials = 0
    for seed in towns:
        town = Town(seed)
        db = town.open(policy)
        income = town.columns["income"]
        for number, cell in enumerate(town.targets):
            trials += 1
            rng = np.random.default_rng([seed, number])
            truth = income[(town.code == cell).all(axis=1)][0]
            for wheres, by in (ask for ask, _ in zip(pairs(FINE)(town, cell, rng), range(5), strict=False)):
                told = []
                for where in wheres:
                    counts = db.ask(tc.query.Tabulate(by=by, where=where))
                    totals = db.ask(tc.query.Tabulate(by=by, where=where, response="income", statistic="total"))
                    if "refused" in (counts.status, totals.status):
                        break
                    row = town.inside(where)[cell[0], cell[1]] @ town.counts[cell[0], cell[1]]
                    if counts.table.values[cell[:2]] == row:
                        told.append(totals.table.values[cell[:2]])
                if len(told) == 2 and abs((told[0] - told[1]) / truth - 1) < 0.01:
                    hits += 1
                    break
    return hits / trials


def test_no_amount_is_found_by_differences_of_totals() -> None:
    assert found_amounts(WEAK, range(5)) > 0.1
    assert found_amounts(PRESET, range(5)) == 0


def test_an_insider_of_a_small_cell_learns_no_other_value() -> None:
    """Mean and standard error are two equations: in a cell of three, one who knows himself solves for both others."""
    rng = np.random.default_rng(1)
    n, area = 3000, np.array(["n", "s"], dtype=object)
    columns: dict[str, Any] = {"region": rng.choice(area, n), "income": np.round(rng.lognormal(10, 1, n))}
    columns["region"][:3] = "w"
    income = columns["income"]
    data = tc.Microdata.from_frame(pd.DataFrame(columns), keys=["region"], confidential=["income"])
    with pytest.warns(TacitaWarning, match="No stratum"):
        db = tc.query.open(data, policy="mas", key=b"the key of an insider")
    asked = tc.query.Tabulate(by=["region"], response="income", statistic="mean")
    assert "cell_size" in db.ask(asked).reasons
    loose = replace(
        db.policy, restrictions=tuple(r for r in db.policy.restrictions if r.name == "table_size"), parts={}
    )
    table = tc.query.open(data, policy=loose, key=b"the key of an insider").ask(asked).table
    mean, error = table.values[2], table.errors[2]
    squares = 9 * error**2 * (n - 1) / n - (income[0] - mean) ** 2  # of both others about the mean
    middle = (3 * mean - income[0]) / 2
    half = np.sqrt(max(squares / 2 - (middle - mean) ** 2, 0.0))
    assert np.allclose(sorted([middle - half, middle + half]), sorted(income[1:3]), rtol=0.01), (
        "without the rule he wins"
    )


def test_the_universes_of_an_attack_are_what_they_say() -> None:
    """The attackers' own arithmetic: two universes that differ by one cell, and nothing else."""
    chosen = [list("abc"), ["e", "n"], ["f", "m"]]
    whole, less = universe_less_cell(chosen, (1, 0, 1))
    apart = np.argwhere(Town.inside(whole) != Town.inside(less))
    assert apart.tolist() == [[1, 0, 1]]
