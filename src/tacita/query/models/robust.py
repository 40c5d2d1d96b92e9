"""Robust linear regression: records with large residuals count less, so that no outlier draws a coefficient."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.query.models.blocks import Standardised, added, over_blocks
from tacita.query.models.design import Design
from tacita.query.models.design_based import design_covariance, wald_lines
from tacita.query.models.linear import LeastSquares, solve_least_squares
from tacita.query.models.model_result import InternalFit
from tacita.query.models.violation import ModelViolation

__all__ = ["fit_robust", "huber_weights", "residual_scale"]

TUNING = 1.345
"""Huber's constant: 95 % efficiency where errors are normal."""

_NORMAL_QUARTILE = 0.6744897501960817
_ROUNDS, _CLOSE = 60, 1e-9


def residual_scale(residuals: FloatArray) -> float:
    """Return the median absolute residual, divided by its value for a standard normal.

    Examples
    --------
    >>> round(residual_scale(np.array([-1.0, 0.0, 1.0, 5.0])), 4)
    1.4826
    """
    return float(np.median(np.abs(residuals))) / _NORMAL_QUARTILE


def huber_weights(residuals: FloatArray, scale: float, tuning: float = TUNING) -> FloatArray:
    """Return min(1, tuning scale / abs(residual)) for each record.

    Examples
    --------
    >>> huber_weights(np.array([0.0, 2.69, -1.0]), 1.0).tolist()
    [1.0, 0.5, 1.0]
    """
    size = np.abs(residuals)
    return np.asarray(np.minimum(1.0, tuning * scale / np.maximum(size, 1e-300)))


def fit_robust(design: Design) -> InternalFit | ModelViolation:
    """Fit a linear model by Huber's M-estimator with fixed settings.

    Iteratively reweighted least squares from the ordinary fit: scale s = MAD of the residuals about 0, weights of
    :func:`huber_weights`, until no standardised coefficient moves by more than 1e-9 of the scale, after 60 rounds at the latest.
    The covariance is Huber's H1,

        k^2 [sum psi(r/s)^2 s^2 / (n - p)] / [mean psi'(r/s)]^2 (X'X)^-1,  k = 1 + p var(psi') / (n mean(psi')^2),

    with p parameters; where the survey's design is given, the sandwich with psi as scores.

    Parameters
    ----------
    design
        Columns over complete cases.

    Returns
    -------
    InternalFit or ModelViolation
        ``robust_scale`` where half of the records fit exactly, ``no_convergence``, or what a linear fit is refused for. Its
        leverages are those of the ordinary fit; its table has Wald tests.

    Complexity
    ----------
    O(n p^2) a round, of which there are 10 to 30; O(n) memory beside the data.

    Notes
    -----
    These are the settings of statsmodels' RLM with HuberT, which tests compare with; RLM itself would hold all records several
    times. Huber's weights see the response only: what an outlying predictor can do is bounded by the limit on leverage,
    which looks at the unweighted design.

    References
    ----------
    Sparks, R. et al. (2008), Remote access methods for exploratory data analysis and statistical modelling:
    Privacy-Preserving Analytics, Computer Methods and Programs in Biomedicine 91, 208-222; Huber, P. (1981), Robust statistics,
    section 7.6.
    """
    data, p, n = design.data, design.width, design.data.size
    if n - p - 1 < 1:
        return ModelViolation("too_few_records", "fewer records than parameters")
    first = solve_least_squares(design, data.weights)
    if isinstance(first, ModelViolation):
        return first
    solved, before = first, _slopes(first, first.standard)
    for _ in range(_ROUNDS):
        scale = residual_scale(solved.residuals)
        if scale <= 1e-12 * first.standard.y_scale:
            return ModelViolation("robust_scale", "half of the records or more fit exactly")
        weights = huber_weights(solved.residuals, scale)
        found = solve_least_squares(design, weights if data.weights is None else weights * data.weights)
        if isinstance(found, ModelViolation):
            return found
        solved, now = found, _slopes(found, first.standard)
        moved, before = float(np.abs(now - before).max()), now
        if moved < _CLOSE * scale:
            return _internal(design, first, solved, residual_scale(solved.residuals))
    return ModelViolation("no_convergence", f"no fixed point after {_ROUNDS} rounds")


def _slopes(solved: LeastSquares, units: Standardised) -> FloatArray:
    """Return the fit at the mean and the slopes, for columns that are standardised as in ``units``."""
    slopes = solved.slopes / solved.standard.scale
    middle = solved.standard.y_mean + slopes @ (units.mean - solved.standard.mean)
    return np.concatenate([[middle], slopes * units.scale])


def _internal(design: Design, first: LeastSquares, solved: LeastSquares, scale: float) -> InternalFit:
    data, p, n = design.data, design.width, design.data.size
    u = solved.residuals / scale
    psi, flat = np.clip(u, -TUNING, TUNING), (np.abs(u) <= TUNING).astype(np.float64)
    coefficients = first.standard.back() @ _slopes(solved, first.standard)
    if data.follows_design:
        w = np.ones(n) if data.weights is None else data.weights
        bread = _inverse(_information(design, first.standard, w * flat))
        covariance, freedom = design_covariance(design, first.standard, w * scale * psi, bread)
    else:
        mean = float(flat.mean())
        k = 1 + (p + 1) / n * float(flat.var()) / mean**2
        amount = k**2 * float((psi**2).sum()) * scale**2 / (n - p - 1) / mean**2
        covariance = amount * _inverse(_information(design, first.standard, np.ones(n)))
        freedom = float(n - p - 1)
    back = first.standard.back()
    covariance = back @ covariance @ back.T
    residual, total = float((_weighted(data.weights, solved.residuals**2)).sum()), first.total
    return InternalFit(
        family="linear",
        design=design,
        coefficients=coefficients,
        covariance=covariance,
        fitted=solved.fitted,
        residuals=solved.residuals,
        standardised=u / np.sqrt(np.maximum(1 - first.leverage, 1e-12)),
        leverage=first.leverage,
        freedom=freedom,
        distribution="t" if data.follows_design else "z",
        residual=min(residual, total),
        total=total,
        lines=wald_lines(design, coefficients, covariance),
        kind="wald",
    )


def _inverse(matrix: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.inv(matrix), dtype=np.float64)


def _weighted(weights: FloatArray | None, values: FloatArray) -> FloatArray:
    return values if weights is None else values * weights


def _information(design: Design, standard: Standardised, weights: FloatArray) -> FloatArray:
    """Return the weighted products of (1, z) with itself."""

    def part(rows: slice) -> FloatArray:
        z = np.empty((design.width + 1, rows.stop - rows.start))
        z[0], z[1:] = 1.0, standard.block(design, rows)
        z *= np.sqrt(weights[rows])
        return np.asarray(z @ z.T)

    return added(over_blocks(design.data.size, part))
