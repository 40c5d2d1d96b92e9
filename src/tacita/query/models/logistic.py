"""Logistic regression by Newton's method over blocks of records, with its deviance table."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.query.models.blocks import Standardised, added, moments_of, over_blocks
from tacita.query.models.design import Design
from tacita.query.models.design_based import design_covariance, wald_lines
from tacita.query.models.linear import triangle_of
from tacita.query.models.model_result import InternalFit
from tacita.query.models.violation import ModelViolation

__all__ = ["fit_logistic"]

_STEPS, _HALVINGS = 40, 30
_CLOSE, _CLOSE_ENOUGH = 1e-9, 1e-4
"""Newton's method ends when no coefficient of a standardised column moves by more.

Steps square the distance, and a deviance is flat at its least: after a step of 1e-4 it is right to n 1e-16, which is what the
nested models of the table need.
"""

_FAR = 30.0
"""Odds of exp(30) are a separated record: coefficients are on their way to infinity."""


@dataclass(frozen=True, eq=False)
class _Likelihood:
    """Deviance, gradient and information at some coefficients of standardised columns."""

    deviance: float
    gradient: FloatArray = field(repr=False)
    information: FloatArray = field(repr=False)
    farthest: float


def fit_logistic(design: Design) -> InternalFit | ModelViolation:
    """Fit the probability that the response is 1, and say how sure the coefficients are.

    Newton's method on standardised columns, from the model with the intercept alone; steps are halved while the deviance
    grows. The deviance table refits the nested models of the first 1, 2, ... terms, each from the one before.

    Parameters
    ----------
    design
        Columns over complete cases; the response is 0 or 1.

    Returns
    -------
    InternalFit or ModelViolation
        ``dependent_columns``, ``too_few_records``, ``response_not_binary``, ``separation`` or ``no_convergence`` where there is
        no fit.

    Complexity
    ----------
    O(n p^2) a step, of which there are about six, and about four for each term of the table; O(n) memory beside the data.

    Notes
    -----
    Covariance and errors come from statsmodels' GLM on the triangle of the information matrix, with the scale held at 1. Where
    records are separated the information loses a direction; this, and odds above exp(30), end the search. A refusal for
    separation tells something of the records, so it has the shape of every other refusal.

    Examples
    --------
    >>> from tacita.query.models.cases import ModelData, Predictor
    >>> from tacita.query.models.design import design_of
    >>> from tacita.query.models.terms import ModelSpec
    >>> x, y = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0]), np.array([1.0, 0.0, 0.0, 1.0, 1.0, 0.0])
    >>> made = design_of(ModelSpec.of("y", ["x"], family="logistic"), ModelData(y, (Predictor("x", x),)), {})
    >>> fit_logistic(made).coefficients.round(4).tolist()
    [-0.6931, 1.3863]
    """
    data, p = design.data, design.width
    y = data.response
    if not bool(((y == 0) | (y == 1)).all()):
        return ModelViolation("response_not_binary", "a logistic response must be 0 or 1")
    if data.size - p - 1 < 1:
        return ModelViolation("too_few_records", "fewer records than parameters")
    standard = moments_of(design, None)
    if not 0 < standard.y_mean < 1:
        return ModelViolation("separation", "all records have the same response")
    triangle = triangle_of(standard.correlation, standard.scale)
    if isinstance(triangle, ModelViolation):
        return triangle
    share = standard.y_mean if data.weights is None else float(np.average(y, weights=data.weights))
    start = np.array([np.log(share / (1 - share))])
    deviances = [_likelihood(design, standard, start).deviance]
    for terms in range(1, len(design.terms) + 1):
        width = design.leading(terms)
        if data.follows_design and width < p:  # the table has Wald tests, so nested models are not needed
            continue
        padded = np.concatenate([start, np.zeros(width + 1 - len(start))])
        found = _newton(design, standard, padded, _CLOSE if width == p else _CLOSE_ENOUGH)
        if isinstance(found, ModelViolation):
            return found
        start, at = found
        deviances.append(at.deviance)
    return _internal(design, standard, start, at, deviances)


def _newton(
    design: Design, standard: Standardised, b: FloatArray, close: float
) -> tuple[FloatArray, _Likelihood] | ModelViolation:
    """Return the coefficients with the least deviance, and the likelihood there."""
    at = _likelihood(design, standard, b)
    for _ in range(_STEPS):
        if not _is_determined(at.information):
            return ModelViolation("separation", "the information matrix is singular")
        step = np.linalg.solve(at.information, at.gradient)
        for _ in range(_HALVINGS):  # a full step may overshoot; the deviance tells
            new = _likelihood(design, standard, b + step)
            if new.deviance <= at.deviance * (1 + 1e-12):
                break
            step = step / 2
        else:
            return ModelViolation("no_convergence", "no step lowers the deviance")
        b, at = b + step, new
        if at.farthest > _FAR:
            return ModelViolation("separation", "a fitted probability is 0 or 1")
        if float(np.abs(step).max()) < close:
            return b, at
    return ModelViolation("no_convergence", f"no maximum after {_STEPS} steps")


def _likelihood(design: Design, standard: Standardised, b: FloatArray) -> _Likelihood:
    data, width = design.data, len(b) - 1

    def part(rows: slice) -> tuple[FloatArray, FloatArray, float]:
        z = _with_constant(design, standard, rows, width)
        eta, y = b @ z, data.response[rows]
        small = np.exp(-np.abs(eta))  # has no overflow
        p = np.where(eta >= 0, 1.0, small) / (1 + small)
        w = np.ones(1) if data.weights is None else data.weights[rows]
        wrong = np.maximum(np.where(y > 0.5, -eta, eta), 0.0)
        lost = 2 * float((w * (np.log1p(small) + wrong)).sum())
        slope = np.concatenate([[lost], z @ (w * (y - p))])
        z *= np.sqrt(w * p * (1 - p))
        return slope, z @ z.T, float(np.abs(eta).max(initial=0.0))

    parts = over_blocks(data.size, part)
    sums = added(s for s, _, _ in parts)
    return _Likelihood(float(sums[0]), sums[1:], added(g for _, g, _ in parts), max(f for _, _, f in parts))


def _with_constant(design: Design, standard: Standardised, rows: slice, width: int) -> FloatArray:
    made = np.empty((width + 1, rows.stop - rows.start))
    made[0] = 1.0
    made[1:] = standard.block(design, rows, width)
    return made


def _is_determined(information: FloatArray) -> bool:
    """Whether no combination of columns has lost its weight, as it does where it separates records."""
    scale = np.sqrt(np.maximum(np.diag(information), 0.0))
    if bool((scale <= 0).any()):
        return False
    return float(np.linalg.eigvalsh(information / np.outer(scale, scale))[0]) > 1e-10


def _internal(
    design: Design, standard: Standardised, b: FloatArray, at: _Likelihood, deviances: list[float]
) -> InternalFit:
    data, p = design.data, design.width
    back = standard.back()
    covariance = _covariance(at.information, b)
    fitted, leverage = np.empty(data.size), np.empty(data.size)
    lower = np.linalg.cholesky(covariance)

    def part(rows: slice) -> None:
        z = _with_constant(design, standard, rows, p)
        fitted[rows] = 0.5 * (1 + np.tanh(b @ z / 2))
        leverage[rows] = np.square(lower.T @ z).sum(axis=0)

    over_blocks(data.size, part)
    w = np.ones(1) if data.weights is None else data.weights
    variance = fitted * (1 - fitted)
    leverage *= w * variance
    residuals = data.response - fitted
    freedom, lines = float(data.size - p - 1), _differences(design, deviances)
    coefficients = back @ b
    if data.follows_design:
        covariance, freedom = design_covariance(design, standard, w * residuals, covariance)
        lines = wald_lines(design, coefficients, back @ covariance @ back.T)
    return InternalFit(
        family="logistic",
        design=design,
        coefficients=coefficients,
        covariance=back @ covariance @ back.T,
        fitted=fitted,
        residuals=residuals,
        standardised=residuals / np.sqrt(np.maximum(variance * np.maximum(1 - leverage, 1e-12), 1e-300)),
        leverage=leverage,
        freedom=freedom,
        distribution="t" if data.follows_design else "z",
        residual=at.deviance,
        total=deviances[0],
        lines=lines,
        kind="wald" if data.follows_design else "deviance",
    )


def _covariance(information: FloatArray, b: FloatArray) -> FloatArray:
    """Return the inverse of the information by statsmodels' GLM on its triangle, whose scale is known to be 1."""
    from statsmodels.genmod.families import Gaussian
    from statsmodels.genmod.generalized_linear_model import GLM

    columns = np.zeros((len(b) + 1, len(b)))
    columns[:-1] = np.linalg.cholesky(information).T
    inside = columns @ b
    inside[-1] = 1.0  # a row that no coefficient explains, so that the fit is not perfect
    result = GLM(inside, columns, family=Gaussian()).fit(scale=1.0)
    return np.asarray(result.cov_params())


def _differences(design: Design, deviances: list[float]) -> tuple[tuple[str, int, float], ...]:
    owners = [column.term for column in design.columns]
    return tuple(
        (label, owners.count(t), max(deviances[t] - deviances[t + 1], 0.0))
        for t, label in enumerate(design.terms)
        if t + 1 < len(deviances)
    )
