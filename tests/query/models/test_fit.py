"""The whole way of a regression: refusals in one shape, retries that end, both sides of the result."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError
from tacita.query.models import fit as fit_module
from tacita.query.models.cases import ModelData, Predictor
from tacita.query.models.fit import ModelOutcome, ModelRules, fit_model
from tacita.query.models.result_rules import ResultLimits
from tacita.query.models.sparse_rules import SparseLimits
from tacita.query.models.terms import ModelSpec
from tests.effort import examples
from tests.query.models.builders import full_spec, numbers, sample


@pytest.mark.parametrize(("family", "robust"), [("linear", False), ("linear", True), ("logistic", False)])
def test_a_model_is_answered(family: str, robust: bool) -> None:
    outcome = fit_model(full_spec(family, robust=robust), sample(900, binary=family == "logistic"), count=lambda n: n)
    assert outcome.reasons == ()
    assert outcome.model is not None
    assert outcome.internal is not None
    assert len(outcome.internal.residuals) == outcome.model.n == 900
    assert json.dumps(outcome.model.to_plain(), allow_nan=False)


def test_the_form_is_refused_before_any_record_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(data: ModelData) -> None:
        raise AssertionError

    monkeypatch.setattr(fit_module, "complete_cases", never)
    outcome = fit_model(ModelSpec.of("y", ["g", "h"], [("g", "h")]), sample())
    assert outcome.reasons == ("fully_interacted",)


def test_missing_values_are_left_out_and_counted() -> None:
    data = sample(300)
    x = data.named("x").values.copy()  # type: ignore[union-attr]
    x[:7] = np.nan
    other = np.full(300, np.nan)  # not in the model, so its missing values do not matter
    predictors = (Predictor("x", x), *data.predictors[1:], Predictor("other", other))
    outcome = fit_model(full_spec(), replace(data, predictors=predictors), count=lambda n: n)
    assert outcome.dropped == 7
    assert outcome.model is not None
    assert outcome.model.n == 293
    assert outcome.internal is not None
    assert outcome.internal.rows is not None
    assert int(outcome.internal.rows.sum()) == 293


def predicted_class() -> ModelData:
    """Class d, the rarest, is predicted exactly by its own line."""
    rng = np.random.default_rng(4)
    n = 600
    g = np.repeat([0, 1, 2, 3], [250, 170, 140, 40])
    x = rng.uniform(10, 20, n)
    y = 100 + 3 * x + rng.normal(0, 40, n)
    y[g == 3] = 20 + 9 * x[g == 3] + rng.normal(0, 0.1, 40)
    return ModelData(y, (Predictor("x", x), Predictor("g", codes=g, classes=tuple("abcd"))))


def test_a_refused_result_is_tried_again_with_less_detail() -> None:
    spec = ModelSpec.of("y", ["x", "g"], [("x", "g")])
    refused = fit_model(spec, predicted_class(), ModelRules(retries=0))
    assert refused.reasons == ("local_predictability",)
    assert refused.model is None
    answered = fit_model(spec, predicted_class(), ModelRules(retries=1))
    assert answered.model is not None
    assert answered.model.absorbed == (("g", ("d",)),)


def test_where_no_retry_helps_the_first_refusal_is_told() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=300)
    data = ModelData(x + 1e-3 * rng.normal(size=300), (Predictor("x", x), sample(300).named("g")))
    outcome = fit_model(ModelSpec.of("y", ["x", "g"]), data, ModelRules(retries=50))
    assert outcome.reasons[0] == "r_squared"
    assert outcome.model is None
    assert outcome.internal is None


@pytest.mark.parametrize(
    ("data", "names", "family", "reason"),
    [
        (
            numbers(np.arange(50.0) % 7, x=np.arange(50.0), z=2 * np.arange(50.0)),
            ["x", "z"],
            "linear",
            "dependent_columns",
        ),
        (numbers(np.arange(50.0) > 25, x=np.arange(50.0)), ["x"], "logistic", "separation"),
        (numbers(np.arange(50.0), x=np.arange(50.0) % 7), ["x"], "logistic", "response_not_binary"),
        (numbers(np.arange(50.0) < 3, x=np.arange(50.0) % 7), ["x"], "logistic", "nearly_constant"),
        (numbers(np.arange(11.0), x=np.sin(np.arange(11.0))), ["x"], "linear", "residual_freedom"),
        (numbers([], x=[]), ["x"], "linear", "nearly_constant"),
        (
            numbers(np.arange(50.0) % 7, x=np.arange(50.0)),
            [{"variable": "x", "transform": "log"}],
            "linear",
            "transform_domain",
        ),
    ],
)
def test_what_depends_on_the_data_is_refused_in_the_same_shape(
    data: ModelData, names: list[object], family: str, reason: str
) -> None:
    outcome = fit_model(ModelSpec.of("y", names, family=family), data)
    assert isinstance(outcome, ModelOutcome)
    assert outcome.reasons == (reason,)
    assert outcome.model is None


def test_sparse_categories_are_refused_when_nothing_is_left() -> None:
    codes = np.array([0] * 95 + [1] * 5)
    data = ModelData(np.arange(100.0) % 9, (Predictor("g", codes=codes, classes=("a", "b")),))
    assert fit_model(ModelSpec.of("y", ["g"]), data).reasons == ("sparse_categories",)


def test_an_unknown_predictor_is_an_error() -> None:
    with pytest.raises(DataError, match="'nobody'"):
        fit_model(ModelSpec.of("y", ["nobody"]), sample(50))


@given(st.integers(0, 10**6), st.integers(0, 60), st.sampled_from(["linear", "logistic"]), st.booleans())
@settings(max_examples=examples(25), deadline=None)
def test_every_request_ends_in_an_answer_or_a_refusal(seed: int, n: int, family: str, crossed: bool) -> None:
    """Small, degenerate, repeated values: always one or the other, and what is answered obeys the limits."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 4, n).astype(float)
    g, h = rng.integers(0, 3, n), rng.integers(0, 2, n)
    y = rng.integers(0, 2, n).astype(float)
    data = ModelData(
        y,
        (
            Predictor("x", x),
            Predictor("g", codes=g, classes=tuple("abc")),
            Predictor("h", codes=h, classes=tuple("ab")),
        ),
    )
    spec = ModelSpec.of("y", ["x", "g", "h"], [("g", "h")] if crossed else [], family=family)
    rules = ModelRules(sparse=SparseLimits(count=3), result=ResultLimits(leverage=0.6))
    outcome = fit_model(spec, data, rules)
    assert (outcome.model is None) == bool(outcome.reasons)
    if outcome.internal is not None:
        assert outcome.internal.leverage.max() <= 0.6
        assert outcome.internal.freedom >= 10


def test_rules_as_data() -> None:
    rules = ModelRules(sparse=SparseLimits(count=7), retries=2)
    assert rules.to_plain() == {"sparse": {"count": 7}, "retries": 2}
    assert ModelRules.from_plain(rules.to_plain()) == rules
    with pytest.raises(ParameterError, match="Did you mean 'sparse'"):
        ModelRules.from_plain({"spars": {}})
    with pytest.raises(ParameterError, match="'retries' must be"):
        ModelRules(retries=-1)
