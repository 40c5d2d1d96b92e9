"""Refusals as an oracle: what whoever only looks at which questions were refused finds out.

``tacita.query.restrictions.universe_gamma`` and ``tacita.query.restrictions.small_marginals`` look at counts. Rules
that look at sets tell nothing: two data sets with the same keys and other values are refused alike.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tacita as tc
from tacita.query.cutpoints.given import Given
from tacita.query.policy.policy import Policy
from tacita.query.restrictions import SmallMarginals, TableSize, UniverseGamma
from tacita.query.restrictions.row_audit import RowAudit
from tests.query.attacks.workloads import KEY

BINS = 12


def people(seed: int) -> dict[str, Any]:
    """Ages in twelve bins, two sexes, who is ill; three people of the first bin and sex."""
    rng = np.random.default_rng(seed)
    place, sex = rng.integers(0, BINS, 500), rng.integers(0, 2, 500)
    sex[(place == 0) & (sex == 0)] = 1
    sex[np.flatnonzero(place == 0)[:3]] = 0
    ill = rng.random(500) < 0.4
    return {
        "age": place * 5 + rng.uniform(0.1, 4.9, 500),
        "sex": np.where(sex == 0, "f", "m"),
        "ill": np.where(ill, "yes", "no"),
    }


def opened(columns: dict[str, Any], *rules: Any) -> tc.query.Database:
    data = tc.Microdata.from_frame(pd.DataFrame(columns), keys=["age", "sex"], confidential=["ill"])
    policy = Policy(name="own", requests=("tabulate",), restrictions=(TableSize(), *rules))
    return tc.query.open(data, policy=policy, key=KEY, cutpoints={"age": Given(edges=tuple(np.arange(5.0, 60, 5)))})


def crossings(db: tc.query.Database, most: int = 120) -> tuple[int, int, int]:
    """Ask for ill people of many sets of ages, with and without the first one; only refusals are looked at.

    Bins of one variable are put together, so the count of each set is compared with the one threshold. Returns how
    often the set was refused and answered with the three people of the first age, the contrary, and how many pairs were asked.
    """
    bins = db.catalogue["age"].classes
    up = down = asked = 0
    for some in itertools.islice(itertools.combinations(range(1, len(bins)), 6), most):
        status = []
        for ages in (some, (0, *some)):
            where = {"age": [bins[i] for i in ages], "sex": ["f"], "ill": ["yes"]}
            status.append(db.ask(tc.query.Tabulate(by=["sex"], where=where)).status)
        asked += 1
        up += status == ["refused", "answered"]
        down += status == ["answered", "refused"]
    return up, down, asked


def truth(columns: dict[str, Any]) -> int:
    return int(((columns["age"] < 5) & (columns["sex"] == "f") & (columns["ill"] == "yes")).sum())


def test_a_fixed_threshold_is_an_exact_oracle() -> None:
    """Known-weak, the paper's rule: a refusal that an answer follows when three people join tells that one of them is ill."""
    found = False
    for seed in range(12):
        columns = people(seed)
        up, down, asked = crossings(opened(columns, UniverseGamma(gamma=48, gamma_star=25)), 60)
        assert asked == 60
        assert down == 0
        assert up == 0 or truth(columns) > 0  # never wrong
        found |= up > 0
    assert found


def test_keyed_thresholds_make_the_oracle_err() -> None:
    """With a threshold of its own for every set, sets that grow are refused too: no single pair of refusals proves anything."""
    wrong = 0
    for seed in range(6):
        _, down, _ = crossings(opened(people(seed), UniverseGamma(gamma=48, gamma_star=25, noise=12)), 60)
        wrong += down > 0
    assert wrong >= 4


def test_without_confidential_universes_there_is_no_such_oracle() -> None:
    for seed in range(3):
        up, down, _ = crossings(opened(people(seed), UniverseGamma(gamma=48, gamma_star=25), RowAudit()), 20)
        assert (up, down) == (0, 0)


def test_small_marginals_tell_one_bit_for_each_set_of_variables() -> None:
    """The rule looks at the whole table, so a thousand universes of the same variables are refused alike."""
    columns = people(1)
    columns["sex"][:2] = "x"  # a class of two people
    db = opened(columns, SmallMarginals())
    bins = db.catalogue["age"].classes
    seen: dict[tuple[str, ...], set[str]] = {}
    for age, sex, ill in itertools.product([None, *bins], [None, "f", "m"], [None, "yes"]):
        where = {name: [word] for name, word in (("age", age), ("sex", sex), ("ill", ill)) if word is not None}
        seen.setdefault(tuple(where), set()).add(db.ask(tc.query.Tabulate(by=["ill"], where=where)).status)
    assert all(len(statuses) == 1 for statuses in seen.values())
    assert {"refused", "answered"} == set.union(*seen.values())


@pytest.mark.parametrize("policy", ["audited", "tables", "camouflage"])
def test_other_values_are_refused_alike(policy: str) -> None:
    """The same keys with other confidential values: the same questions are refused, by the same rules."""
    answers = []
    for seed in (1, 2):
        rng = np.random.default_rng(seed)
        keys = {
            name: np.random.default_rng(7).choice(list(letters), 150) for name, letters in (("a", "xyz"), ("b", "uv"))
        }
        frame = pd.DataFrame(
            {**keys, "income": rng.lognormal(9, 1, 150).round(), "ill": rng.choice(["no", "yes"], 150)}
        )
        data = tc.Microdata.from_frame(frame, keys=["a", "b"], confidential=["income", "ill"])
        db = tc.query.open(data, policy=policy, key=KEY)
        asked: list[Any] = []
        for a, b in itertools.product([["x"], ["x", "y"], ["y", "z"]], [["u"], ["v"], ["u", "v"]]):
            where = {"a": a, "b": b}
            asked.append(tc.query.Statistic(response="income", statistic="sum", where=where))
            asked.append(tc.query.Tabulate(by=["b"], where=where))
            asked.append(tc.query.Tabulate(by=["b"], where=where, response="income", statistic="mean"))
        answers.append([(answer.status, answer.reasons, answer.hint) for answer in map(db.ask, asked)])
    assert answers[0] == answers[1]
    assert len({status for status, *_ in answers[0]}) == 2
