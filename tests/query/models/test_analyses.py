"""Regressions and correlations of a question: the records as arrays, and the policy's limits."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import DataError
from tacita.query.catalogue import Catalogue, Variable
from tacita.query.models.analyses import correlations_of, load_models, model_data, regression_of, spec_of
from tacita.query.models.correlate import CorrelationLimits
from tacita.query.models.fit import ModelRules
from tacita.query.noise.cell_key import CellKeyNoise
from tacita.query.noise.input_noise import AddedInput
from tacita.query.policy.policy import Policy
from tacita.query.requests.correlate import Correlate
from tacita.query.requests.regress import Regress
from tacita.query.restrictions import TableSize
from tests.query.builders import asked, opened, people, policy_of, survey

DATA = survey()
DB = opened(DATA, "internal")


def test_a_request_is_a_model() -> None:
    request = Regress(
        response="income",
        predictors=["sex", {"variable": "age", "transform": "square"}],  # type: ignore[list-item]
        family="linear",
        robust=True,
    )
    spec = spec_of(request)
    assert (spec.response, spec.family, spec.robust) == ("income", "linear", True)
    assert len(spec.parts()) == 2


def test_arrays_are_those_of_the_records_that_are_analysed() -> None:
    request = Regress(response="income", predictors=["age", "sex", "education"], where={"urban": "city"})
    question = asked(DB, request)
    made = model_data(question, request)
    rows = question.rows
    assert np.array_equal(made.response, DATA.float("income")[rows], equal_nan=True)
    by_name = {p.name: p for p in made.predictors}
    assert np.array_equal(by_name["age"].values, DATA.float("age")[rows])
    assert by_name["sex"].classes == ("female", "male")
    assert by_name["education"].codes.min() == -1, "a missing class is no class"
    assert np.array_equal(made.weights, DATA.float("weight")[rows])
    assert len(np.unique(made.clusters)) == made.clusters.max() + 1


def test_of_a_response_with_two_classes_the_second_is_one() -> None:
    data = people({("a", "yes"): 30, ("b", "no"): 20, ("a", "no"): 10, ("b", "yes"): 12}, ("v", "answer"))
    data = data.with_schema(data.schema.change("answer", roles=("other",)))
    db = opened(data, "internal")
    request = Regress(response="answer", predictors=["v"], family="logistic")
    assert model_data(asked(db, request), request).response.sum() == 42


def test_a_response_with_three_classes_is_refused_even_where_a_catalogue_allows_it() -> None:
    data = people({("a", "x"): 30, ("b", "y"): 20, ("b", "z"): 20}, ("v", "w"))
    draft = opened(data, "internal").catalogue
    loose = Variable(name="w", classes=draft["w"].classes, uses=("table", "response"))
    db = opened(data, "internal", catalogue=Catalogue((draft["v"], loose)))
    request = Regress(response="w", predictors=["v"], family="logistic")
    with pytest.raises(DataError, match="must have two classes"):
        model_data(asked(db, request), request)
    assert db.ask(request).reasons == ("not_computable",)


def test_who_stands_for_nobody_adds_nothing() -> None:
    weight = np.r_[np.zeros(10), np.full(50, 3.0)]
    data = people({("a",): 30, ("b",): 30}, ["v"], w=weight)
    data = data.with_schema(data.schema.change("w", roles=("weight",)))
    db = opened(data, "internal")
    request = Regress(response="wage", predictors=["v"])
    made = model_data(asked(db, request), request)
    assert np.isnan(made.response).sum() == 10
    assert (made.weights > 0).all()


def test_the_policy_s_rules_are_used() -> None:
    request = Regress(response="income", predictors=["age", "sex"])
    rules = ModelRules.from_plain({"form": {"predictors": 1}})
    limited = opened(DATA, policy_of(TableSize(), models=rules))
    assert regression_of(asked(limited, request), request).violations
    assert not regression_of(asked(DB, request), request).violations
    asked_for = Correlate(columns=["earnings", "income"])
    strict = opened(DATA, policy_of(TableSize(), correlations=CorrelationLimits(records=100_000)))
    assert correlations_of(asked(strict, asked_for), asked_for).violations


def test_the_number_of_records_is_told_only_beside_exact_counts() -> None:
    request = Regress(response="income", predictors=["age"])
    assert regression_of(asked(DB, request), request).model.n is not None
    noisy = opened(DATA, policy_of(TableSize(), requests=["tabulate", "regress"], cells=CellKeyNoise()))
    assert regression_of(asked(noisy, request), request).model.n is None


def test_input_noise_is_in_models_and_correlations() -> None:
    policy = Policy(
        restrictions=(TableSize(),), requests=("regress", "correlate"), parts={"input": AddedInput(sd=9000.0)}
    )
    noisy = opened(DATA, policy)
    request = Regress(response="income", predictors=["age"])
    one, other = (model_data(asked(db, request), request).response for db in (DB, noisy))
    assert not np.array_equal(one, other, equal_nan=True)
    pair = Correlate(columns=["income", "tax"])
    shown = [db.ask(pair).to_json() for db in (DB, noisy)]
    assert shown[0] != shown[1]


def test_correlations_are_those_of_the_records() -> None:
    pair = Correlate(columns=["age", "income"], where={"urban": "town"})
    found = correlations_of(asked(DB, pair), pair)
    rows = asked(DB, pair).rows
    x, y, w = (DATA.float(name)[rows] for name in ("age", "income", "weight"))
    ok = ~np.isnan(x + y)
    covariance = np.cov(x[ok], y[ok], aweights=w[ok])
    truth = covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
    assert found.to_plain()["matrix"][0][1] == pytest.approx(truth, abs=0.01)


def test_loading_is_done_once_and_does_nothing_else() -> None:
    assert load_models() is None
