"""Differences of two fits: X'X differs by rank one, X'y by the response."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tacita.attack import FitDifference, attack_once
from tacita.attack.judge.model_server import RemoteLimits
from tacita.attack.judge.stage_regression import stage_regression
from tacita.attack.regression.fit_difference import gram_of
from tacita.attack.regression.question import ModelQuestion, equal_to, variable
from tacita.study.red_team.regression import OPEN, served_firms
from tests.attack.regression.builders import firms, served
from tests.oracles.attack.remote_models import fitted_by_statsmodels


def test_the_gram_matrix_is_that_of_the_records() -> None:
    size = firms()["size"]
    x = np.column_stack([np.ones(300), size])
    found = gram_of(fitted_by_statsmodels(firms(), ModelQuestion("turnover", (variable("size"),))))
    np.testing.assert_allclose(found, x.T @ x, rtol=1e-9)
    less = gram_of(
        fitted_by_statsmodels(
            firms(), ModelQuestion("turnover", (variable("size"),), without=equal_to("size", size.max()))
        )
    )
    np.testing.assert_allclose(found - less, np.outer([1, size.max()], [1, size.max()]), rtol=1e-6)


def test_a_perfect_fit_tells_no_gram_matrix() -> None:
    assert np.isnan(gram_of({"n": 3, "variance": 0.0, "errors": [0.0, 0.0]})).all()


def test_it_gives_the_response_of_whoever_is_alone() -> None:
    target, answers = stage_regression(firms(), wanted="turnover", known=["size", "state"])
    claims = FitDifference().run(target, np.random.default_rng(1))[0]
    assert claims.is_sure is not None
    truth = answers.of("turnover")
    np.testing.assert_allclose(claims.said[claims.is_sure], truth[claims.is_sure], rtol=1e-5)
    size, state = target.known["size"], target.known["state"]
    alone = [int(((size == a) & (state == b)).sum()) == 1 for a, b in zip(size, state, strict=True)]
    np.testing.assert_array_equal(claims.is_sure, alone)


@pytest.mark.parametrize(
    ("limits", "standing"),
    [
        (None, "broken"),
        (RemoteLimits(ones=3), "broken"),
        (RemoteLimits(leverage=0.95), "broken"),
        (RemoteLimits(apart=10), "held"),
        (RemoteLimits(figures=3), "held"),
    ],
)
def test_what_it_breaks_and_what_holds_it(limits: RemoteLimits | None, standing: str) -> None:
    target, answers = stage_regression(firms(), wanted="turnover", known=["size", "state"], limits=limits)
    assert attack_once(FitDifference(), target, answers, seed=1).standing == standing


@pytest.mark.parametrize(
    ("policy", "standing"), [(OPEN, "broken"), ("internal", "broken"), ("mas", "held"), ("camouflage", "held")]
)
def test_in_the_words_of_a_server(policy: Any, standing: str) -> None:
    target, answers = served_firms(policy)(1)[:2]
    assert attack_once(FitDifference(), target, answers, seed=1).standing == standing


@pytest.mark.parametrize(("changes", "predictors"), [(True, {"size", "hours"}), (False, {"size"})])
def test_the_second_model_may_have_another_predictor(changes: bool, predictors: set[str]) -> None:
    asked: list[Any] = []

    def ask(request: Any) -> Any:
        asked.append(request["predictors"][0])
        lines = [{"label": "(residual)", "amount": 100.0}]
        rows = [
            {"label": "(intercept)", "estimate": 2.0, "error": 1.0, "effects": []},
            {
                "label": "x",
                "estimate": 1.0,
                "error": 0.5,
                "effects": [{"variable": "x", "transform": None, "class": None}],
            },
        ]
        return {"status": "answered", "model": {"n": 52, "coefficients": rows, "table": {"lines": lines}}}

    FitDifference(changes_predictor=changes).run(served(ask), np.random.default_rng(1))
    assert set(asked) == predictors


def test_what_it_declines() -> None:
    target = stage_regression(firms(), wanted="turnover", known=["state"])[0]
    assert "No number" in FitDifference().declined(target)
