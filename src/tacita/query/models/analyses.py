"""Regressions and correlations of a question: its records as arrays for the models, and the policy's limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import DataError
from tacita.query.models.cases import ModelData, Predictor
from tacita.query.models.correlate import CorrelationLimits, CorrelationOutcome, correlate
from tacita.query.models.fit import ModelOutcome, ModelRules, fit_model
from tacita.query.models.terms import ModelSpec
from tacita.query.requests.correlate import Correlate
from tacita.query.requests.regress import Regress

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["correlations_of", "load_models", "model_data", "regression_of", "spec_of"]


def load_models() -> None:
    """Load what regressions need; the first one would take most of a second longer otherwise."""
    import statsmodels.genmod.generalized_linear_model
    import statsmodels.regression.linear_model  # noqa: F401


def spec_of(request: Regress) -> ModelSpec:
    """Return the model that a request asks for."""
    listed = [
        e.variable if not e.transform else {"variable": e.variable, "transform": e.transform}
        for e in request.predictors
    ]
    return ModelSpec.of(request.response, listed, request.interactions, family=request.family, robust=request.robust)


def model_data(question: Question, request: Regress) -> ModelData:
    """Return response, predictors and design of the records that are analysed, as arrays."""
    version, rows = question.version, question.rows
    noise = question.policy.part("input")

    def numbers(name: str) -> FloatArray:
        return version.analysed(name, noise if "response" in version.catalogue[name].uses else None)[rows]

    def predictor(name: str) -> Predictor:
        variable = version.catalogue[name]
        if variable.is_numeric:
            bounds = version.column(name).bounds
            return Predictor(name, numbers(name), lowest=None if bounds is None else bounds[0])
        codes = version.codes(name)[rows].astype(np.int64)
        missing = len(variable.classes)
        return Predictor(name, codes=np.where(codes == missing, -1, codes), classes=variable.classes)

    response = version.catalogue[request.response]
    if response.is_numeric:
        y = numbers(request.response)
    elif len(response.classes) != 2:
        raise DataError(f"The response '{request.response}' must have two classes to be explained.")
    else:  # of two classes the second one is 1
        codes = version.codes(request.response)[rows].astype(np.float64)
        y = np.where(codes > 1, np.nan, codes)
    names = dict.fromkeys(effect.variable for effect in request.predictors)
    weights = None if version.weights is None else version.weights[rows]
    design = version.design
    clusters = None if design.cluster is None else np.unique(design.cluster[rows], return_inverse=True)[1]
    strata = np.unique(design.stratum[rows], return_inverse=True)[1] if design.strata > 1 else None
    if weights is not None and not (weights > 0).all():  # who stands for nobody adds nothing
        y = np.where(weights > 0, y, np.nan)
        weights = np.where(weights > 0, weights, 1.0)
    return ModelData(y, tuple(predictor(name) for name in names), weights, strata, clusters)


def regression_of(question: Question, request: Regress) -> ModelOutcome:
    """Fit the model of a request to the records that are analysed, where the policy's limits allow it.

    Notes
    -----
    The number of records that is published is that of the records that were analysed; where the policy drops records,
    these are fewer than the universe has. Where counts of tables carry noise no number is published: it would be the
    count of the same records without.
    """
    rules: ModelRules = question.policy.part("models") or ModelRules()
    count = None if question.policy.is_noisy_in_cells else _as_it_is
    return fit_model(spec_of(request), model_data(question, request), rules, count=count)


def _as_it_is(n: int) -> int:
    return n


def correlations_of(question: Question, request: Correlate) -> CorrelationOutcome:
    """Return the correlations of a request, where the policy's limits allow it."""
    version, rows = question.version, question.rows
    noise = question.policy.part("input")
    columns = [version.analysed(name, noise)[rows] for name in request.columns]
    limits: CorrelationLimits = question.policy.part("correlations") or CorrelationLimits()
    weights = None if version.weights is None else version.weights[rows]
    return correlate(request.columns, columns, kind=request.method, weights=weights, limits=limits)
