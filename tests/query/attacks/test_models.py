"""Regressions through the server: coefficients differenced, dummies for one record, saturated models.

Least squares with a constant leave residuals that add up to zero in every class of every main effect. So whoever
knows all keys gets the sum of the response in a class from any such model, and the difference of two sums is one record
(``tacita.query.restrictions.related_models``, ``tacita.query.models.publish``).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tacita as tc
from tacita.query.models.fit import ModelRules
from tacita.query.models.publish import PublishedFigures
from tacita.query.models.result_rules import ResultLimits
from tacita.query.policy.policy import Policy
from tacita.query.restrictions import TableSize
from tests.query.attacks.town import CLASSES, Town, universe_less_cell

NAMES = list(CLASSES)
MAS = replace(Policy.preset("mas"), strata=("region",))
PRESET = replace(MAS, restrictions=tuple(r for r in MAS.restrictions if r.name != "row_audit"))
"""The rules on models alone; the auditor of rows is looked at in ``test_mas``."""
OPEN = Policy(
    name="open",
    requests=("regress",),
    restrictions=(TableSize(),),
    parts={"models": ModelRules(figures=PublishedFigures(figures=12), result=ResultLimits(share=1.0))},
)


def class_sum(town: Town, model: Any, where: Any, age: int) -> float:
    """The sum of the response over an age of a universe, from the coefficients and the known counts."""
    inside = Town.inside(where) & (np.arange(len(CLASSES["age"])) == age)[:, None, None]
    estimates = {c.label: c.estimate for c in model.coefficients}
    total = 0.0
    for place in np.argwhere(inside):
        labels = ["(intercept)", *(f"{n}[{CLASSES[n][i]}]" for n, i in zip(NAMES, place, strict=True))]
        total += town.counts[tuple(place)] * sum(estimates.get(label, 0.0) for label in labels)
    return total


def found_by_difference(policy: Policy, more: list[str], towns: range, targets: int = 3) -> tuple[float, int]:
    """The share of targets whose income two models give to within 5 %, and how many second models were refused.

    The second model has further predictors, so that it is not closely related to the first.
    """
    hits = trials = refused = 0
    for seed in towns:
        town = Town(seed, targets=targets)
        db = town.open(policy)
        for cell in town.targets:
            truth = town.columns["income"][(town.code == cell).all(axis=1)][0]
            whole, less = universe_less_cell([list(CLASSES[name]) for name in NAMES], cell)
            models = [
                db.ask(tc.query.Regress(response="income", predictors=predictors, where=where))
                for where, predictors in ((whole, ["age"]), (less, ["age", *more]))
            ]
            trials += 1
            refused += models[1].status == "refused"
            if all(answer.status == "answered" for answer in models):
                sums = [class_sum(town, a.model, w, cell[0]) for a, w in zip(models, (whole, less), strict=True)]
                hits += abs((sums[0] - sums[1]) / truth - 1) < 0.05
    return hits / trials, refused


def test_exact_coefficients_are_differenced_through_the_server() -> None:
    """Known-weak: twelve figures, nothing dropped, no rule on closely related models."""
    assert found_by_difference(OPEN, ["region", "sex"], range(3))[0] > 0.9
    assert found_by_difference(OPEN, [], range(3))[0] > 0.9


def test_closely_related_models_of_close_universes_are_refused() -> None:
    share, refused = found_by_difference(PRESET, [], range(2))
    assert (share, refused) == (0.0, 6)


def test_models_that_are_not_related_tell_nothing() -> None:
    """Two further predictors pass the rule; dropped records and three figures are what protects then."""
    share, refused = found_by_difference(PRESET, ["region", "sex"], range(20), targets=1)
    assert refused == 0
    assert share <= 0.1


@pytest.fixture(scope="module")
def db() -> tc.query.Database:
    return Town(3).open(PRESET)


def test_a_saturated_model_is_refused(db: tc.query.Database) -> None:
    pairs_of = [["age", "region"], ["age", "sex"], ["region", "sex"]]
    asked = tc.query.Regress(response="income", predictors=NAMES, interactions=[*pairs_of, NAMES])
    assert db.ask(asked).reasons in (("fully_interacted",), ("sparse_categories",))
    two = tc.query.Regress(response="income", predictors=["age", "region"], interactions=[["age", "region"]])
    assert db.ask(two).reasons == ("fully_interacted",)


def test_an_interaction_that_is_the_dummy_of_one_record_is_refused(db: tc.query.Database) -> None:
    """Region, sex and age single the target out; with a number beside them the model is not saturated."""
    asked = tc.query.Regress(
        response="income",
        predictors=[*NAMES, "year"],
        interactions=[["age", "region"], ["age", "sex"], ["region", "sex"], NAMES],
    )
    answer = db.ask(asked)
    if answer.status == "answered":  # the class was absorbed: no coefficient is about one record
        labels = [c.label for c in answer.model.coefficients]
        for cell in Town(3).targets:
            assert ":".join(f"{n}[{CLASSES[n][i]}]" for n, i in zip(NAMES, cell, strict=True)) not in labels
    else:
        assert answer.reasons == ("sparse_categories",)


def test_a_response_that_is_a_predictor_is_refused(db: tc.query.Database) -> None:
    for change in ("", "square", "sqrt"):
        predictor = {"variable": "income", "transform": change} if change else "income"
        answer = db.ask({"kind": "regress", "response": "income", "predictors": [predictor]})
        assert answer.status == "refused"


def test_a_correlation_has_three_decimals_and_no_number_of_records(db: tc.query.Database) -> None:
    plain = db.ask(tc.query.Correlate(columns=["income", "year"])).model.to_plain()
    assert set(plain) == {"method", "variables", "matrix"}
    assert all(round(value, 3) == value for row in plain["matrix"] for value in row)
