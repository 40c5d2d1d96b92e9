"""Under ``audited`` no set of answers lets a linear solver find anything about fewer records than the limit.

``tacita.query.restrictions.sum_audit`` through ``tacita.query.database``: random workloads against an oracle that
sees everything.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import tacita as tc
from tacita.query.policy.policy import Policy
from tacita.query.restrictions import SetSize, SumAudit, TableSize
from tests.effort import examples
from tests.query.attacks.linear_attacker import finds_small_set, solved_values
from tests.query.attacks.workloads import SmallData, asked_sets, members, questions, small_data

FEW = settings(max_examples=examples(40), deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
THOUSAND = settings(
    max_examples=examples(1000), deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
SIZE_ONLY = Policy(
    name="size", requests=("statistic", "tabulate"), restrictions=(TableSize(), SetSize(k=5)), standard_errors=False
)


def all_that_left(
    data: SmallData, policy: Any, asked: list[Any]
) -> tuple[dict[str, list[np.ndarray]], dict[str, list[float]]]:
    """Ask everything, and collect sets and sums by response; every sum is checked against the records."""
    db = data.open(policy)
    sets: dict[str, list[np.ndarray]] = {name: [] for name in data.numbers}
    sums: dict[str, list[float]] = {name: [] for name in data.numbers}
    for request in asked:
        answer = db.ask(request)
        if answer.status != "answered":
            continue
        for found in asked_sets(data, request, answer):
            if data.weight is None or isinstance(request, tc.query.Statistic):
                assert found.told == pytest.approx(data.columns[found.response][found.inside].sum(), rel=1e-8)
            sets[found.response].append(found.inside)
            sums[found.response].append(found.told)
    return sets, sums


@st.composite
def workloads(draw: st.DrawFn) -> tuple[SmallData, list[Any]]:
    data = draw(small_data())
    return data, draw(questions(data))


def nothing_small_follows(data: SmallData, asked: list[Any]) -> None:
    sets, _ = all_that_left(data, "audited", asked)
    for response, listed in sets.items():
        assert finds_small_set(listed, 3) == set(), response


@FEW
@given(workloads())
def test_no_small_set_follows_from_answers(given_: tuple[SmallData, list[Any]]) -> None:
    nothing_small_follows(*given_)


@pytest.mark.slow
@THOUSAND
@given(workloads())
def test_no_small_set_follows_from_answers_of_a_thousand_workloads(given_: tuple[SmallData, list[Any]]) -> None:
    nothing_small_follows(*given_)


def around(data: SmallData, target: int) -> list[Any]:
    """What somebody asks who wants one record: everybody of each class, with and without the target's other classes."""
    names, own = sorted(data.keys), {name: data.columns[name][target] for name in data.keys}
    asked: list[Any] = []
    for name in names:
        rest = tc.query.Universe({name: [c for c in data.keys[name] if c != own[name]]})
        others = [other for other in names if other != name]
        target_class = {name: [own[name]]}
        asked += [
            rest,
            rest | tc.query.Universe(target_class | {o: [own[o]] for o in others}),
            tc.query.Universe(target_class),
        ]
        for other in others:
            apart = {other: [c for c in data.keys[other] if c != own[other]]}
            asked += [tc.query.Universe(target_class | apart), rest | tc.query.Universe(apart)]
    return [tc.query.Statistic(response="income", statistic=kind, where=w) for kind in ("sum", "mean") for w in asked]


@FEW
@given(small_data(), st.integers(0, 199))
def test_a_tracker_of_one_record_is_stopped(data: SmallData, number: int) -> None:
    assume(all(len(classes) > 1 for classes in data.keys.values()))
    nothing_small_follows(data, around(data, number % len(data)))


def test_without_the_audit_the_same_tracker_finds_the_record() -> None:
    """Known-weak: with a least size alone, values of single records follow and are right."""
    rng = np.random.default_rng(3)
    n = 120
    columns: dict[str, np.ndarray] = {
        name: rng.choice(np.array(list("abcd"), dtype=object), n) for name in ("k0", "k1", "k2")
    }
    columns["income"] = rng.integers(100, 100_000, n).astype(float)
    data = SmallData(columns, {name: tuple("abcd") for name in ("k0", "k1", "k2")}, ("income",), (), None, None)
    cells = np.unique(
        np.stack([columns[name].astype(str) for name in sorted(data.keys)]),
        axis=1,
        return_inverse=True,
        return_counts=True,
    )
    unique = [i for i in range(n) if cells[2][cells[1].ravel()[i]] == 1][:10]
    right = 0
    for target in unique:
        sets, sums = all_that_left(data, SIZE_ONLY, around(data, target))
        solved = solved_values(sets["income"], sums["income"])
        right += abs(solved.get(target, np.inf) - columns["income"][target]) < 1e-3
        assert finds_small_set(all_that_left(data, "audited", around(data, target))[0]["income"], 3) == set()
    assert right >= 8


def test_insiders_find_nothing_about_another() -> None:
    """Whoever knows his own value learns no other: no relation between two records follows, not only no value."""
    weak = Policy(name="weak", requests=("statistic",), restrictions=(TableSize(), SumAudit(limit=2)))
    strong = Policy(name="strong", requests=("statistic",), restrictions=(TableSize(), SumAudit(limit=3)))
    columns: dict[str, np.ndarray] = {
        "k0": np.array(["a", "a", "b", "b", "b", "c", "c", "c"], dtype=object),
        "income": np.arange(1.0, 9.0) * 1000,
    }
    data = SmallData(columns, {"k0": tuple("abc")}, ("income",), (), None, None)
    asked = [
        tc.query.Statistic(response="income", statistic="sum"),
        tc.query.Statistic(response="income", statistic="sum", where={"k0": ["b", "c"]}),
    ]
    assert finds_small_set(all_that_left(data, weak, asked)[0]["income"], 3) == {(0, 1)}
    assert finds_small_set(all_that_left(data, strong, asked)[0]["income"], 3) == set()


def test_users_who_talk_to_each_other_gain_nothing() -> None:
    columns: dict[str, np.ndarray] = {
        "k0": np.array(["a"] * 11 + ["b"] * 12, dtype=object),
        "k1": np.array((["x"] * 10 + ["y"]) + ["x"] * 12, dtype=object),
        "income": np.arange(1.0, 24.0) * 1000,
    }
    data = SmallData(columns, {"k0": tuple("ab"), "k1": tuple("xy")}, ("income",), (), None, None)
    db = data.open("audited")
    first = db.ask(tc.query.Statistic(response="income", statistic="sum", where={"k0": ["a"]}), user="ann")
    second = db.ask(
        tc.query.Statistic(response="income", statistic="mean", where={"k0": ["a"], "k1": ["x"]}), user="bob"
    )
    assert (first.status, second.status, second.reasons) == ("answered", "refused", ("sum_audit",))


def test_gaps_do_not_open_a_way() -> None:
    """Ten records of whom two have a value: the sum is one of two records."""
    income = np.full(30, np.nan)
    income[[0, 1]] = [5000.0, 7000.0]
    income[10:] = np.arange(20.0)
    columns: dict[str, np.ndarray] = {"k0": np.array(["a"] * 10 + ["b"] * 20, dtype=object), "income": income}
    data = SmallData(columns, {"k0": tuple("ab")}, ("income",), (), None, None)
    db = data.open("audited")
    for kind in ("sum", "mean"):
        assert db.ask(tc.query.Statistic(response="income", statistic=kind, where={"k0": ["a"]})).reasons == (
            "sum_audit",
        )
    assert db.ask(tc.query.Tabulate(by=["k0"], response="income", statistic="total")).reasons == ("sum_audit",)
    assert members(data, {"k0": ["a"]}).sum() == 10


def test_nothing_confidential_says_who_is_asked_about() -> None:
    rng = np.random.default_rng(1)
    columns: dict[str, np.ndarray] = {
        "k0": rng.choice(np.array(list("ab"), dtype=object), 200),
        "ill": rng.choice(np.array(["no", "yes"], dtype=object), 200),
        "income": rng.integers(0, 9999, 200).astype(float),
    }
    data = SmallData(columns, {"k0": tuple("ab")}, ("income",), ("ill",), None, None)
    db = data.open("audited")
    bins = db.catalogue["income"].classes
    wheres: list[Any] = [{"ill": ["yes"]}, {"income": [bins[0]]}] if bins else [{"ill": ["yes"]}]
    for where in wheres:
        assert db.ask(tc.query.Statistic(response="income", statistic="mean", where=where)).reasons == (
            "confidential_universe",
        )
        assert db.ask(tc.query.Statistic(statistic="count", where=where)).reasons == ("confidential_universe",)
    assert db.ask(tc.query.Tabulate(by=["ill"])).reasons == ("confidential_universe",)
    assert db.ask(tc.query.Tabulate(by=["ill"], response="income", statistic="mean")).reasons == (
        "confidential_universe",
    )
