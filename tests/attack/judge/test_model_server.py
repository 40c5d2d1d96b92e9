"""The remote access: closed forms against real regressions, and its limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.attack.judge.model_server import ModelServer, RemoteLimits
from tacita.attack.regression.question import (
    MadeColumn,
    ModelQuestion,
    all_of,
    any_class,
    beyond,
    either_of,
    equal_to,
    far_out,
    variable,
    within_amount,
    within_ratio,
)
from tacita.core.errors import AttackError
from tests.attack.regression.builders import firms
from tests.oracles.attack.remote_models import fitted_by_statsmodels

LARGEST = float(firms()["size"].max())
ELSEWHERE = "n" if firms()["state"][firms()["size"].argmax()] != "n" else "s"
"""A state that the largest firm is not in."""
REGRESSORS = [
    (equal_to("size", LARGEST),),
    (equal_to("size", 9.0),),
    (within_amount("size", 20.0, 3.0),),
    (within_ratio("size", 40.0, 0.1),),
    (all_of(equal_to("state", "n"), within_ratio("size", 40.0, 0.2)),),
    (beyond("size", 30.0, is_above=True),),
    (beyond("size", 12.0, is_above=False),),
    (far_out("size", LARGEST, 1e-4),),
    (far_out("size", 9.0, 1e-2, equal_to("state", "s")),),
    (variable("size"),),
    (MadeColumn("square", ("size",)),),
    (equal_to("size", LARGEST), variable("size")),
    (either_of(equal_to("size", LARGEST), equal_to("state", ELSEWHERE)), equal_to("state", ELSEWHERE)),
    (far_out("size", LARGEST, 1e-3), variable("size"), MadeColumn("square", ("size",))),
]


@pytest.mark.parametrize("regressors", REGRESSORS, ids=[" ".join(c.kind for c in r) for r in REGRESSORS])
@pytest.mark.parametrize("without", [None, all_of(equal_to("state", "s"), beyond("size", 20.0, is_above=False))])
def test_it_prints_what_a_real_regression_gives(regressors: tuple[MadeColumn, ...], without: MadeColumn | None) -> None:
    question = ModelQuestion(
        "turnover",
        regressors,
        at=tuple(1.0 + i for i in range(len(regressors))),
        without=without,
        tells=("moments", "covariance", "maximum", "zeros"),
    )
    columns = firms()
    found, real = ModelServer(columns)(question), fitted_by_statsmodels(columns, question)
    for name in ("coefficients", "errors", "covariance", "variance", "fitted", "means", "variances"):
        scale = np.abs(real[name]).max()
        np.testing.assert_allclose(found[name], real[name], rtol=1e-6, atol=1e-9 * scale, err_msg=name)
    assert (found["n"], found["maximum"], found["zeros"]) == (real["n"], real["maximum"], real["zeros"])


def test_classes_are_the_table_of_means() -> None:
    columns = firms()
    found = ModelServer(columns)(ModelQuestion("turnover", (any_class("state", "size"),)))
    for words, mean in zip(found["classes"], found["coefficients"], strict=True):
        inside = (columns["state"] == words[0]) & (columns["size"] == words[1])
        assert mean == pytest.approx(columns["turnover"][inside].mean())
    counts = np.rint(found["variance"] / found["errors"] ** 2)
    assert counts.sum() == len(columns["size"])


DUMMY = ModelQuestion("turnover", (equal_to("size", LARGEST),))


@pytest.mark.parametrize(
    ("limits", "question", "rule"),
    [
        (RemoteLimits(ones=3), DUMMY, "few_ones"),
        (RemoteLimits(leverage=0.5), DUMMY, "leverage"),
        (RemoteLimits(columns=("variable",)), DUMMY, "column_not_approved"),
        (RemoteLimits(tells=()), replace(DUMMY, tells=("moments",)), "not_told"),
        (RemoteLimits(), ModelQuestion("turnover", (equal_to("size", -1.0),)), "dependent_columns"),
        (RemoteLimits(), ModelQuestion("turnover", (variable("size"), variable("size"))), "dependent_columns"),
        (RemoteLimits(), replace(DUMMY, without=beyond("size", 0.0, is_above=True)), "too_few_records"),
        (RemoteLimits(ones=3), ModelQuestion("turnover", (any_class("size"),)), "few_ones"),
        (RemoteLimits(leverage=0.5), ModelQuestion("turnover", (any_class("size"),)), "leverage"),
    ],
)
def test_rules(limits: RemoteLimits, question: ModelQuestion, rule: str) -> None:
    assert ModelServer(firms(), limits)(question) == {"refused": rule}


def test_close_universes_are_refused_and_equal_ones_are_not() -> None:
    server = ModelServer(firms(), RemoteLimits(apart=10))
    question = ModelQuestion("turnover", (variable("size"),))
    one_less = replace(question, without=equal_to("size", LARGEST))
    assert "n" in server(question)
    assert server(one_less) == {"refused": "close_universes"}
    assert "n" in server(question)
    assert "n" in server(replace(question, without=equal_to("state", "n")))


def test_figures() -> None:
    question = ModelQuestion("turnover", (variable("size"),), at=(17.0,))
    exact, rounded = ModelServer(firms())(question), ModelServer(firms(), RemoteLimits(figures=3))(question)
    assert rounded["fitted"] == pytest.approx(float(f"{exact['fitted']:.2e}"))
    np.testing.assert_allclose(rounded["errors"], [float(f"{error:.2e}") for error in exact["errors"]])


def test_bad_questions() -> None:
    server = ModelServer(firms())
    with pytest.raises(AttackError, match="no variable 'age'"):
        server(ModelQuestion("turnover", (variable("age"),)))
    with pytest.raises(AttackError, match="'state' must be a number"):
        server(ModelQuestion("state", (variable("size"),)))
    with pytest.raises(AttackError, match="'state' has classes"):
        server(ModelQuestion("turnover", (beyond("state", 1.0, is_above=True),)))
    with pytest.raises(AttackError, match="only regressor"):
        server(ModelQuestion("turnover", (any_class("state"), variable("size"))))
