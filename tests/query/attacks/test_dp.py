"""Differential privacy through the server: nothing leaves but what the budget pays for.

``tacita.query.noise.dp.privacy``: which questions are refused, and when, is the same for all data with the same public schema.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import tacita as tc
from tacita.query.policy.policy import Policy
from tests.query.attacks.workloads import KEY


def opened(ages: str, sexes: str, **more: Any) -> tc.query.Database:
    """People with public classes of sex and age."""
    frame = pd.DataFrame({"sex": list(sexes), "age": list(ages), "tax": np.arange(len(ages), dtype=float)})
    data = tc.Microdata.from_frame(frame, keys=["sex", "age"], confidential=["tax"])
    schema = data.schema.change("sex", public=True, categories=("f", "m"))
    schema = schema.change("age", public=True, categories=("o", "y")).change("tax", public=True, bounds=(0, 100))
    return tc.query.open(data.with_schema(schema), policy=Policy.preset("dp"), key=KEY, **more)


def asked() -> list[Any]:
    found: list[Any] = []
    for where in ({}, {"sex": ["f"]}, {"sex": ["f"], "age": ["o"]}, {"age": ["y"]}):
        found += [tc.query.Tabulate(by=["age"], where=where), tc.query.Statistic(statistic="count", where=where)]
        found += [
            tc.query.Statistic(response="tax", statistic=kind, where=where) for kind in ("sum", "mean", "maximum")
        ]
    return found


def test_statuses_are_those_of_every_other_data_set() -> None:
    """Nobody in a universe, one person or all: a refusal that depends on it would be an answer that nobody pays for."""
    told = []
    for ages, sexes in (("oyoyoy", "fmfmfm"), ("yyyyyo", "mmmmmf"), ("yyyyyy", "mmmmmm")):
        db = opened(ages, sexes)
        told.append([(a.status, a.reasons, a.hint) for a in map(db.ask, asked())])
    assert told[0] == told[1] == told[2]
    assert {"answered", "refused"} == {status for status, *_ in told[0]}


def test_every_answer_is_paid_for_and_then_nothing_is_answered() -> None:
    """A budget of 2 at 0.05 each: 40 answers, whoever asks, and in other words they are no cheaper."""
    db = opened("oyoyoy" * 10, "fmfmfm" * 10)
    classes = [["f"], ["m"]]
    by = [["age"], ["sex"], ["age", "sex"], ["sex", "age"]]
    wheres: list[dict[str, list[str]]] = [{}, *({"sex": c} for c in classes), {"age": ["o"]}, {"age": ["y"]}]
    wheres += [{"sex": c, "age": a} for c in classes for a in (["o"], ["y"])]
    questions = [tc.query.Tabulate(by=b, where=w) for b in by for w in wheres]
    questions += [
        tc.query.Statistic(response="tax", statistic=kind, where=w) for kind in ("sum", "mean") for w in wheres
    ]
    statuses = [db.ask(question, user=str(i)).status for i, question in enumerate(questions)]
    assert statuses.count("answered") == 40
    assert set(statuses[40:]) == {"refused"}


def test_the_same_question_is_free_and_has_the_same_answer() -> None:
    db = opened("oyoyoy" * 10, "fmfmfm" * 10)
    first = db.ask(tc.query.Tabulate(by=["age"], where={"sex": ["f", "m"]})).to_json()
    again = [db.ask(tc.query.Tabulate(by=["age"])).to_json() for _ in range(50)]
    assert set(again) == {first}
    assert db.ask(tc.query.Tabulate(by=["sex"])).status == "answered"


def test_what_was_made_from_the_data_is_not_answered() -> None:
    """Classes that were found in the data, and bounds that nobody has declared."""
    frame = pd.DataFrame({"sex": list("fmfm"), "tax": [1.0, 2.0, 3.0, 4.0]})
    db = tc.query.open(tc.Microdata.from_frame(frame, keys=["sex"], confidential=["tax"]), policy="dp", key=KEY)
    assert db.ask(tc.query.Tabulate(by=["sex"])).reasons == ("privacy_budget",)
    assert db.ask(tc.query.Statistic(response="tax", statistic="sum")).reasons == ("privacy_budget",)


def test_the_noise_is_as_large_as_the_price_says() -> None:
    """An answer at 0.05 has Laplace noise of scale 20; ten people in tables of two and four cells are not to be seen."""
    db = opened("o" * 10, "f" * 10)
    told = [
        db.ask(tc.query.Tabulate(by=by)).table.values.ravel()
        for by in (["sex"], ["age"], ["sex", "age"], ["age", "sex"])
    ]
    off = np.concatenate([abs(values - np.where(np.arange(len(values)) == 0, 10, 0)) for values in told])
    assert off.max() > 3
