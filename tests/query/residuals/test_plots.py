"""Residual plots of questions: which plots, for whom, and nothing true in them."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest

import tacita as tc
from tacita.query.residuals.plots import FITTED

pytestmark = [
    pytest.mark.filterwarnings("ignore:The bins of"),
    pytest.mark.filterwarnings("ignore:No stratum is named"),
]

CANARY = 98765.4321


@cache
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    n = 1500
    size = np.where(rng.random(n) < 0.2, 0.0, rng.gamma(2, 10, n)).round(4)
    wage = (20 + 0.5 * size + rng.normal(0, 5, n)).round(4)
    size[5], wage[5] = 87.6543, CANARY / 1000
    kind = rng.choice(["a", "b", "c", "rare"], n, p=[0.5, 0.3, 0.197, 0.003])
    ill = np.where(rng.random(n) < 1 / (1 + np.exp(-(size - 20) / 10)), "yes", "no")
    return pd.DataFrame({"size": size, "kind": kind, "wage": wage, "ill": ill})


def database(key: bytes = b"0123456789abcdef", **given: Any) -> Any:
    data = tc.Microdata.from_frame(frame(), keys=["size", "kind"], confidential=["wage", "ill"])
    return tc.query.open(data, policy="mas", key=key, **given)


def asked(db: Any = None, *, user: str = "", **given: Any) -> Any:
    wanted = {"response": "wage", "predictors": ["size", "kind"], **given}
    answer = (db or database()).ask(tc.query.Residuals(**wanted), user=user)
    assert answer.status == "answered", answer.reasons
    return answer


def test_the_household_sample_is_answered() -> None:
    db = tc.query.open(tc.samples.household_survey(5000, seed=1), policy="mas", key=b"0123456789abcdef")
    answer = db.ask(tc.query.Residuals(response="income", predictors=["age", "sex"]))
    assert answer.status == "answered"
    kinds = [(plot["variable"], plot["kind"]) for plot in json.loads(answer.to_json())["plots"]["plots"]]
    assert kinds == [(FITTED, "scatter"), ("age", "scatter"), ("sex", "boxes")]


@pytest.mark.parametrize(
    ("given", "kinds"),
    [
        ({}, ["scatter", "scatter", "boxes"]),
        ({"plots": "binned"}, ["boxes", "boxes", "boxes"]),
        ({"response": "ill", "family": "logistic"}, ["averages", "averages", "averages"]),
        ({"response": "ill", "family": "logistic", "plots": "binned"}, ["averages", "averages", "averages"]),
    ],
)
def test_every_model_has_its_plots(given: dict[str, Any], kinds: list[str]) -> None:
    plots = asked(**given).plots.to_plain()["plots"]
    assert [plot["kind"] for plot in plots] == kinds
    assert [plot["variable"] for plot in plots] == [FITTED, "size", "kind"]
    assert ("curve" in plots[0]) == (kinds[0] == "scatter")
    assert plots[2]["suppressed"] == ["rare"]


def test_a_variable_is_drawn_once_over_its_first_effect() -> None:
    terms = [{"variable": "size", "transform": "square"}, "size", "kind"]
    plots = asked(predictors=terms).plots.to_plain()["plots"]
    assert [plot["variable"] for plot in plots] == [FITTED, "square(size)", "kind"]


def test_the_same_question_has_the_same_plots_whoever_asks_and_however() -> None:
    first = asked(user="ann").plots.to_plain()
    assert asked(user="bob").plots.to_plain() == first
    other = {plot["variable"]: plot for plot in asked(predictors=["kind", "size"]).plots.to_plain()["plots"]}
    near = {plot["variable"]: plot for plot in first["plots"]}
    assert other["kind"] == near["kind"]
    assert np.allclose(other["size"]["residuals"], near["size"]["residuals"], atol=0.002)
    assert asked(database(b"another key of 16")).plots.to_plain() != first


def test_another_model_has_other_noise_and_draws() -> None:
    first, other = asked().plots.to_plain()["plots"][1], asked(predictors=["size"]).plots.to_plain()["plots"][1]
    assert np.mean(np.array(first["x"][-200:]) == np.array(other["x"][-200:])) < 0.2
    assert first["residuals"][:200] != other["residuals"][:200]


@pytest.mark.parametrize("plots", ["synthetic", "binned"])
def test_no_true_value_is_in_the_plots(plots: str) -> None:
    text = asked(plots=plots).to_json()
    for word in ("87.65", "98.76", "87.7"):
        assert word not in text
    size = frame()["size"].to_numpy()
    drawn = next(plot for plot in json.loads(text)["plots"]["plots"] if plot["variable"] == "size")
    largest = max(drawn.get("x", [0.0]))
    assert (size > largest).sum() >= 9


def test_no_true_residual_is_in_the_plots() -> None:
    """Points are far from the residuals of records: where they were shown as they are, every one would be met to 3 decimals."""
    from tacita.query.models.analyses import regression_of
    from tacita.query.question import understand

    db = database()
    request = tc.query.Residuals(response="wage", predictors=["size", "kind"])
    question = understand(request, db.version, db.policy, db.history, "", 0.0)
    fit = regression_of(question, request).internal
    assert fit is not None
    x, t = question.version.values("size")[question.rows], fit.standardised
    plot = asked(db).plots.to_plain()["plots"][1]
    met = [bool((np.abs(t[x == a] - b) < 6e-4).any()) for a, b in zip(plot["x"], plot["residuals"], strict=True)]
    assert np.mean(met) < 0.1  # only at the heap of zeros, where some residual is near by chance


def test_settings_of_the_policy_are_used() -> None:
    from tacita.query.residuals.settings import ResidualSettings
    from tacita.query.residuals.source import source_of

    db = database()
    request = tc.query.Residuals(response="wage", predictors=["size"])

    class Parts:
        parts: ClassVar = {"residuals": ResidualSettings(sigma=0.9)}

    class Question:
        version, rows, members, policy = db.version, np.arange(3), _Members(), Parts()

    class Fit:
        rows = None

    assert source_of(Question(), request, Fit()).settings.sigma == 0.9  # type: ignore[arg-type]


class _Members:
    parts = (1, 2, 3)
