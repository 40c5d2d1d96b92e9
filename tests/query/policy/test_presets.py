"""The presets answer what they are for, refuse the rest, and keep their thresholds to themselves."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from tacita.query import Correlate, Quantiles, Regress, Residuals, Statistic, Tabulate
from tacita.query.requests.request import QueryRequest
from tests.query.builders import opened, survey
from tests.query.noise.dp.public_survey import public_survey

COUNTS = Tabulate(by=["sex", "urban"])
MEANS = Tabulate(by=["sex"], response="income", statistic="mean")
REQUESTS: dict[str, QueryRequest] = {
    "counts": COUNTS,
    "means": MEANS,
    "weighted": Tabulate(by=["sex"], statistic="weighted_count"),
    "percent": Tabulate(by=["sex"], statistic="percent"),
    "households": Tabulate(by=["urban"], unit="households"),
    "regression": Regress(response="income", predictors=["age", "sex"]),
    "residuals": Residuals(response="income", predictors=["age"]),
    "correlation": Correlate(columns=["age", "income"]),
    "quantiles": Quantiles(response="income"),
    "count": Statistic(),
    "sum": Statistic(response="income", statistic="sum"),
    "mean": Statistic(response="income", statistic="mean"),
    "maximum": Statistic(response="income", statistic="maximum"),
}
TABLES = {"counts", "means", "weighted", "percent", "households"}
ANSWERED = {
    "mas": TABLES | {"regression", "residuals", "correlation", "quantiles"},
    "tables": TABLES | {"quantiles"},
    "audited": {"counts", "weighted", "percent", "households", "count", "sum", "mean"},
    "camouflage": {"regression", "sum", "mean", "maximum"},
    "internal": set(REQUESTS) - {"maximum"},
}


@pytest.mark.parametrize("name", ANSWERED)
def test_a_preset_answers_what_it_is_for(name: str) -> None:
    db = opened(survey(), name)
    found = {word: db.ask(request) for word, request in REQUESTS.items()}
    assert {word for word, answer in found.items() if answer.status == "answered"} == ANSWERED[name]
    assert all(answer.reasons for answer in found.values() if answer.status != "answered")


def test_dp_answers_what_is_public() -> None:
    db = opened(public_survey(), "dp")
    assert db.ask(Tabulate(by=["sex", "education"])).status == "answered"
    assert db.ask(Statistic(response="tax", statistic="mean", where={"sex": "female"})).status == "answered"
    assert db.ask(COUNTS).reasons == ("privacy_budget",)
    assert db.ask(REQUESTS["regression"]).reasons == ("not_offered",)


def test_every_preset_is_tried() -> None:
    from tacita.query.policy import presets

    assert set(ANSWERED) | {"dp"} == set(presets())


def test_mas_drops_records_and_keeps_nobody_s_name() -> None:
    db = opened(survey(), "mas")
    shown = db.ask(COUNTS, user="ann").table.values.sum()
    strata = len(np.unique(db.version.stratum))
    assert 2 * strata <= 2000 - shown <= 6 * strata
    assert {entry.user for entry in db.journal.entries()} == {None}


def test_tables_change_counts_by_at_most_their_bound() -> None:
    db = opened(survey(), "tables")
    shown = db.ask(COUNTS).table.values
    truth = db.version.table(("sex", "urban"))
    assert 0 < np.abs(shown - truth).max() <= 5


def test_audited_answers_are_exact() -> None:
    db = opened(survey(), "audited")
    assert db.ask(REQUESTS["sum"]).value == pytest.approx(np.nansum(survey().float("income")))
    assert np.array_equal(db.ask(COUNTS).table.values, db.version.table(("sex", "urban")))


def test_camouflage_covers_the_truth() -> None:
    db = opened(survey(), "camouflage")
    for word, truth in (("sum", np.nansum), ("mean", np.nanmean), ("maximum", np.nanmax)):
        low, high = db.ask(REQUESTS[word]).interval
        assert low < truth(survey().float("income")) < high


SECRETS: dict[str, tuple[str, ...]] = {
    "mas": ("gamma", "4711", "4712", "k=", '"k"'),
    "audited": ("limit", "4711"),
    "internal": ("4711",),
}


@pytest.mark.parametrize("name", SECRETS)
def test_thresholds_never_stand_in_an_answer(name: str) -> None:
    """Thresholds that nobody would write otherwise, refusals of every kind, and everything that leaves."""
    from tacita.query.policy import Policy

    text = re.sub(r"gamma = \d+", "gamma = 4712", Policy.preset(name).to_toml())
    text = re.sub(r"gamma_star = \d+", "gamma_star = 4711", text)
    text = re.sub(r"^k = (10|3)$", "k = 4711", text, flags=re.MULTILINE)
    policy = Policy.from_toml(text)
    db = opened(survey(6000), policy)
    asked: list[Any] = [*REQUESTS.values(), {"kind": "nothing"}, Tabulate(by=["sex"], where={"region": "Corrin"})]
    for request in asked:
        left = db.ask(request).to_json().replace('"universe_gamma"', "")
        assert not [secret for secret in SECRETS[name] if secret in left], left
