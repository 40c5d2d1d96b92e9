"""Camouflage through the server: an attacker with a linear programme over all answered intervals.

He never excludes the truth, and never narrows a record below what is promised (``tacita.query.camouflage.intervals``).
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog

import tacita as tc
from tests.query.attacks.workloads import KEY

P = 10.0


def people(seed: int, n: int = 40) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {
        "a": rng.choice(np.array(list("wxyz")), n),
        "b": rng.choice(np.array(list("uv")), n),
        "c": rng.choice(np.array(list("klm")), n),
        "income": np.round(rng.lognormal(9, 1, n)),
    }


def opened(columns: dict[str, Any]) -> tc.query.Database:
    data = tc.Microdata.from_frame(pd.DataFrame(columns), keys=["a", "b", "c"], confidential=["income"])
    return tc.query.open(data, policy="camouflage", key=KEY)


def universes() -> list[dict[str, list[str]]]:
    """Simple universes of all sizes, single cells among them."""
    some = {"a": ["w", "x", "y", "z"], "b": ["u", "v"], "c": ["k", "l", "m"]}
    found = [{name: [word]} for name, words in some.items() for word in words]
    found += [{"a": [a], "b": [b]} for a, b in itertools.product(some["a"], some["b"])]
    found += [{"a": [a], "b": [b], "c": [c]} for a, b, c in itertools.product(*some.values())]
    return [*found, {}]


def inside(columns: dict[str, Any], where: dict[str, list[str]]) -> np.ndarray:
    return np.array([all(columns[k][i] in v for k, v in where.items()) for i in range(len(columns["income"]))])


def coefficients(columns: dict[str, Any], where: dict[str, list[str]], model: Any) -> Any:
    """What every coefficient of a regression is, as a sum over records, with its interval."""
    members = inside(columns, where)
    design = np.ones((int(members.sum()), len(model.intervals)))
    for place, one in enumerate(model.intervals[1:], 1):
        name, _, word = one.label.partition("[")
        design[:, place] = columns[name][members] == word[:-1]
    for row, one in zip(np.linalg.pinv(design), model.intervals, strict=True):
        whole = np.zeros(len(members))
        whole[members] = row
        yield whole, one.low, one.high


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_linear_programme_never_narrows_below_the_promise(seed: int) -> None:
    columns = people(seed)
    db, income = opened(columns), columns["income"]
    rows: list[np.ndarray] = []
    ends: list[float] = []
    floor, roof = np.full(len(income), -np.inf), np.full(len(income), np.inf)
    for where, kind in itertools.product(universes(), ("sum", "mean", "maximum", "minimum")):
        answer = db.ask(tc.query.Statistic(response="income", statistic=kind, where=where))
        members = inside(columns, where)
        if answer.status != "answered":
            assert not members.any()
            continue
        low, high = answer.interval
        values = income[members]
        exact = {"sum": values.sum(), "mean": values.mean(), "maximum": values.max(), "minimum": values.min()}[kind]
        assert low <= exact <= high
        if kind in ("sum", "mean"):
            row = members / (members.sum() if kind == "mean" else 1)
            rows += [row, -row]
            ends += [high, -low]
        elif kind == "maximum":
            roof[members] = np.minimum(roof[members], high)
        else:
            floor[members] = np.maximum(floor[members], low)
    for where, names in itertools.product(({}, *({"c": [word]} for word in "klm")), (["a"], ["b"], ["a", "b"])):
        model = db.ask(tc.query.Regress(response="income", predictors=names, where=where)).model
        for row, low, high in [] if model is None else coefficients(columns, where, model):
            assert low <= row @ income <= high
            rows += [row, -row]
            ends += [high, -low]
    bounds = np.column_stack([floor, roof])
    assert (floor <= income).all()
    assert (roof >= income).all()
    rng = np.random.default_rng(seed)
    for i in rng.permutation(len(income))[:6]:
        target = np.zeros(len(income))
        target[i] = 1.0
        least, most = (
            sign * linprog(sign * target, A_ub=np.array(rows), b_ub=np.array(ends), bounds=bounds).fun
            for sign in (1, -1)
        )
        room = P / 100 * income[i]
        assert least <= income[i] - room + 1e-6
        assert most >= income[i] + room - 1e-6


def test_the_same_interval_whoever_asks_and_how() -> None:
    db = opened(people(1))
    one = db.ask(tc.query.Statistic(response="income", statistic="sum", where={"a": ["w", "x"]}), user="ann")
    both = tc.query.Universe({"a": ["x"]}) | tc.query.Universe({"a": ["w"], "b": ["u", "v"]})
    other = db.ask(tc.query.Statistic(response="income", statistic="sum", where=both), user="bob")
    assert one.to_json() == other.to_json()


def test_who_is_asked_about_is_not_said_by_the_hidden_variable() -> None:
    rng = np.random.default_rng(4)
    columns = {**people(4, 400), "other": rng.lognormal(9, 1, 400)}
    data = tc.Microdata.from_frame(pd.DataFrame(columns), keys=["a", "b", "c"], confidential=["income", "other"])
    db = tc.query.open(data, policy="camouflage", key=KEY)
    for name in ("income", "other"):
        word = db.catalogue[name].classes[0]
        answer = db.ask(tc.query.Statistic(response="income", statistic="sum", where={name: [word]}))
        assert answer.reasons == ("confidential_universe",)


def test_gaps_are_in_no_answer() -> None:
    columns = people(5)
    columns["income"][:5] = np.nan
    db = opened(columns)
    low, high = db.ask(tc.query.Statistic(response="income", statistic="sum")).interval
    assert low <= np.nansum(columns["income"]) <= high


def test_nothing_but_intervals_leaves() -> None:
    db = opened(people(1))
    for kind in ("sum", "mean", "variance", "sd", "median", "minimum", "maximum"):
        answer = db.ask(tc.query.Statistic(response="income", statistic=kind))
        assert answer.status == "answered"
        assert answer.value is None
        low, high = answer.interval
        assert low < high
    assert db.ask(tc.query.Tabulate(by=["a"])).reasons == ("not_offered",)
    model = db.ask(tc.query.Regress(response="income", predictors=["b"])).model
    assert all(one.low < one.high for one in model.intervals)
    assert model.residual_variance[0] < model.residual_variance[1]
