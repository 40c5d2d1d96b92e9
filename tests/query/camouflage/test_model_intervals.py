"""Regressions under camouflage: the truth and every candidate lie in the intervals, and what is confidential explains nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.query import Regress
from tacita.query.answer import Answer
from tacita.query.camouflage.model_intervals import CoefficientInterval, IntervalModel
from tests.query.builders import opened, survey

ASK = Regress(response="income", predictors=["age", "sex", "urban"], interactions=[["age", "sex"]])


def test_the_truth_and_every_candidate_lie_in_the_intervals() -> None:
    db = opened(survey(), "camouflage")
    where = {"urban": [db.catalogue["urban"].classes[0], db.catalogue["urban"].classes[1]]}
    for request in (ASK, replace(ASK, where=where)):
        model = db.ask(request).model
        assert isinstance(model, IntervalModel)
        design, rows = _design(db, request, model)
        hull = db.version.polytope("income", db.policy.part("camouflage"))
        rng = np.random.default_rng(5)
        columns = [db.version.values("income"), *hull.points]
        columns += [rng.dirichlet(np.ones(len(hull.points))) @ hull.points for _ in range(20)]
        for y in columns:
            found, *_ = np.linalg.lstsq(design, y[rows], rcond=None)
            low, high = (np.array([getattr(one, end) for one in model.intervals]) for end in ("low", "high"))
            assert (low <= found + 1e-6 * np.abs(found)).all()
            assert (found <= high + 1e-6 * np.abs(found)).all()
            spread = float(np.square(y[rows] - design @ found).sum()) / (len(rows) - design.shape[1])
            assert model.residual_variance[0] <= spread * (1 + 1e-9)
            assert spread <= model.residual_variance[1] * (1 + 1e-9)


def _design(db, request, model):  # type: ignore[no-untyped-def]
    """The columns of the model by hand, from the labels that were published."""
    question = db._understood(request, "", 0.0)
    rows = question.rows
    keep = ~np.isnan(db.version.values("income")[rows]) & ~np.isnan(db.version.values("age")[rows])
    for name in ("sex", "urban"):
        keep &= db.version.codes(name)[rows] < len(db.catalogue[name].classes)
    rows = rows[keep]

    def column(label: str) -> np.ndarray:
        made = np.ones(len(rows))
        for part in label.split(":") if label != "(intercept)" else ():
            name, _, word = part.partition("[")
            if word:
                code = db.catalogue[name].classes.index(word[:-1])
                made = made * (db.version.codes(name)[rows] == code)
            else:
                made = made * db.version.values(name)[rows]
        return made

    return np.column_stack([column(one.label) for one in model.intervals]), rows


def test_what_is_not_linear_or_not_public_is_refused() -> None:
    db = opened(survey(), "camouflage")
    refused = [
        replace(ASK, robust=True),
        Regress(response="income", predictors=["savings"]),
        Regress(response="sex", predictors=["age"], family="logistic"),
    ]
    for request in refused:
        assert db.ask(request).reasons[0] in ("not_offered", "variable_use")
    assert db.ask(replace(ASK, where={"income": [db.catalogue["income"].all_classes[0]]})).reasons == (
        "confidential_universe",
    )


def test_the_rules_on_forms_and_sparse_classes_hold() -> None:
    refused = opened(survey(20), "camouflage").ask(ASK)
    assert refused.reasons == ("sparse_categories",)
    loose = replace(ASK, interactions=[["sex", "urban"]], predictors=["sex"])
    assert opened(survey(), "camouflage").ask(loose).status == "refused"


def test_an_answer_is_read_again() -> None:
    answer = opened(survey(), "camouflage").ask(ASK)
    again = Answer.from_plain(answer.to_plain())
    assert again.model == answer.model
    assert again.to_json() == answer.to_json()
    with pytest.raises(ParameterError, match="'high' must be an upper end"):
        CoefficientInterval.from_plain({"label": "age", "low": 2.0, "high": 1.0})
