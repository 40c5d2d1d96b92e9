"""Logistic: a class drawn from the logistic or multinomial regression on the given columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.numeric.synthesis.models.design import RegressionDesign
from tacita.numeric.synthesis.models.model import bayesian_weights
from tacita.numeric.synthesis.variables import ModelVariable

__all__ = ["LogisticModel"]

_PRIOR_SPREAD = 3.0
"""Standard deviation of the prior of a coefficient: what keeps separated classes from infinite ones."""

_MOST_DRAWN = 600
"""Coefficients whose covariance matrix is computed; with more, proper draws come from a Bayesian bootstrap."""

_STEPS = 200
_MOST_NEWTON = 150
"""Coefficients with which Newton's method is quicker."""

_SMALL = 0.2
"""Slope at which the search ends, in units of the standard error of a coefficient."""


@dataclass(frozen=True)
class _FittedLogistic:
    design: RegressionDesign
    classes: IntArray
    coefficients: FloatArray

    def draw(self, x: Sequence[ModelVariable], n: int, rng: np.random.Generator) -> FloatArray:
        drawn, chance = np.empty(n, np.int64), rng.random(n)
        for rows, block in self.design.blocks(x, n):
            ends = np.cumsum(_shares(block @ self.coefficients), axis=1)
            drawn[rows] = (ends < chance[rows, None] * ends[:, -1:]).sum(axis=1)
        return self.classes[np.minimum(drawn, len(self.classes) - 1)].astype(np.float64)


@dataclass(frozen=True)
class LogisticModel:
    """Draw a class with the chances ``exp(x'b_k) / sum_j exp(x'b_j)``; the most frequent class has b = 0.

    The coefficients maximise the likelihood times a normal prior with standard deviation 3 for each of them (numbers in standard
    deviations), the intercepts excepted. The prior is weak, and keeps classes that are separated by a column, for which the
    likelihood has no maximum, from chances of exactly 0 and 1. Proper draws take the coefficients from the normal approximation
    of their posterior distribution; where there are more than 600 of them, the maximum under the weights of a Bayesian bootstrap
    instead.

    Parameters
    ----------
    proper
        Whether the coefficients are drawn.

    Notes
    -----
    The maximum is found by Newton's method, with more than 150 coefficients by L-BFGS, block by block, to a fifth of a standard
    error. Records with the same classes in all columns count as one with their weight.

    References
    ----------
    White, I. R., Daniel, R., Royston, P. (2010), Avoiding bias due to perfect prediction in multiple imputation of incomplete
    categorical variables, Computational Statistics and Data Analysis 54, 2267-2275; Gelman, A. et al. (2008), A weakly
    informative default prior distribution for logistic and other regression models, Annals of Applied Statistics 2, 1360-1383.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> x = ModelVariable(rng.normal(size=4000))
    >>> y = ModelVariable((rng.random(4000) < 1 / (1 + np.exp(-2 * x.values))) * 1.0, 2)
    >>> fitted = LogisticModel().fit(y, [x], rng)
    >>> round(float(fitted.draw([ModelVariable(np.ones(9999))], 9999, rng).mean()), 1)  # 1 / (1 + exp(-2)) is 0.88
    0.9
    """

    proper: bool = False

    uses_bins: ClassVar[bool] = False

    def fit(
        self,
        y: ModelVariable,
        x: Sequence[ModelVariable],
        rng: np.random.Generator,
        *,
        weights: FloatArray | None = None,
    ) -> _FittedLogistic:
        """Maximise. O(n q k) time a step, O(n) memory and a block."""
        n, codes = len(y), y.values.astype(np.int64)
        counts = np.bincount(codes, minlength=max(y.classes, 1))
        classes = np.argsort(-counts, kind="stable")[: int((counts > 0).sum())]
        place = np.empty(len(counts), np.int64)
        place[classes] = np.arange(len(classes))
        shares = np.ones(n) if weights is None else weights * (n / weights.sum())
        design, k = RegressionDesign.of(x), len(classes) - 1
        if not k:
            return _FittedLogistic(design, classes, np.zeros((design.width, 1)))
        is_small = design.width * k <= _MOST_DRAWN
        if self.proper and not is_small:
            shares = bayesian_weights(n, shares, rng)
        x, target, shares = _patterns(x, place[codes], shares)
        found = _maximum(design, x, target, shares, k)
        if self.proper and is_small:
            root = np.linalg.cholesky(_information(design, x, shares, found))
            step = np.linalg.solve(root.T, rng.standard_normal(found.size))
            found = found + step.reshape(found.shape, order="F")
        return _FittedLogistic(design, classes, np.hstack([np.zeros((design.width, 1)), found]))


def _shares(scores: FloatArray) -> FloatArray:
    made = np.exp(scores - scores.max(axis=1, keepdims=True))
    made /= made.sum(axis=1, keepdims=True)
    return np.asarray(made)


def _patterns(
    x: Sequence[ModelVariable], target: IntArray, shares: FloatArray
) -> tuple[Sequence[ModelVariable], IntArray, FloatArray]:
    """Count records that agree in everything as one, where there are few of these patterns."""
    if not len(x):
        counts = np.bincount(target, shares).astype(np.float64)
        return x, np.arange(len(counts), dtype=np.int64), counts
    if any(v.is_number and len(np.unique(v.values[:1000])) > 100 for v in x):
        return x, target, shares
    label = target.copy()
    for variable in x:
        _, codes = np.unique(variable.values, return_inverse=True)
        _, label = np.unique(label * (int(codes.max()) + 1) + codes.ravel(), return_inverse=True)
        if label.max() > 0.7 * len(target):
            return x, target, shares
    first = np.zeros(int(label.max()) + 1, np.int64)
    first[label] = np.arange(len(label))
    return [v.of(first) for v in x], target[first], np.bincount(label, shares).astype(np.float64)


def _maximum(
    design: RegressionDesign, x: Sequence[ModelVariable], target: IntArray, shares: FloatArray, k: int
) -> FloatArray:
    """Return the (q, k) coefficients of all classes but the first."""
    from scipy.optimize import minimize  # loads when used

    n, q, total = len(target), design.width, float(shares.sum())
    penalty = np.full((q, 1), 1 / _PRIOR_SPREAD**2)
    penalty[0] = 0.0
    kept = list(design.blocks(x, n)) if n * q <= 2**25 else None

    counts = np.bincount(target, shares, k + 1)
    chances = np.maximum(counts[1:] / total, 0.5 / total)
    squares = sum((shares[rows] @ (block * block) for rows, block in design.blocks(x, n)), np.zeros(q))
    # In units of its own standard error each coefficient has a like share in the loss, and the search is short.
    unit = 1 / np.sqrt(np.outer(squares, chances * (1 - chances)) + penalty + 1e-3)

    def loss(flat: FloatArray) -> tuple[float, FloatArray]:
        b = flat.reshape(q, k) * unit
        value, slope = 0.5 * float((penalty * b * b).sum()), penalty * b
        for rows, block in design.blocks(x, n) if kept is None else kept:
            scores = np.hstack([np.zeros((len(block), 1)), block @ b])
            top = scores.max(axis=1)
            parts = np.exp(scores - top[:, None])
            sums, own = parts.sum(axis=1), target[rows]
            here = shares[rows]
            value += float(here @ (np.log(sums) + top - scores[np.arange(len(own)), own]))
            away = parts * (here / sums)[:, None]
            away[np.arange(len(own)), own] -= here
            slope = slope + block.T @ away[:, 1:]
        return value, (slope * unit).ravel()

    start = np.zeros((q, k))
    start[0] = np.log(np.maximum(counts[1:], 1e-9) / max(counts[0], 1e-9))
    if q * k <= _MOST_NEWTON:
        return _newton(design, x, shares, loss, start, unit)
    options = {"maxiter": _STEPS, "gtol": _SMALL, "ftol": 0.0}
    found = minimize(loss, (start / unit).ravel(), jac=True, method="L-BFGS-B", options=options)
    return np.asarray(found.x.reshape(q, k) * unit)


def _newton(
    design: RegressionDesign,
    x: Sequence[ModelVariable],
    shares: FloatArray,
    loss: Callable[[FloatArray], tuple[float, FloatArray]],
    start: FloatArray,
    unit: FloatArray,
) -> FloatArray:
    """Find the maximum by Newton's method with halved steps."""
    b, (value, slope) = start, loss((start / unit).ravel())
    for _ in range(_STEPS):
        gradient = (slope.reshape(b.shape) / unit).ravel(order="F")
        step = np.linalg.solve(_information(design, x, shares, b), gradient).reshape(b.shape, order="F")
        for _ in range(40):
            new = loss(((b - step) / unit).ravel())
            if new[0] <= value * (1 + 1e-13):
                break
            step = step / 2
        b, moved = b - step, float(np.abs(step / unit).max())
        value, slope = new
        if moved < 1e-4:
            break
    return b


def _information(design: RegressionDesign, x: Sequence[ModelVariable], shares: FloatArray, b: FloatArray) -> FloatArray:
    """Return the (q k, q k) matrix of second derivatives, class after class."""
    q, k = b.shape
    made = np.zeros((k, q, k, q))
    for rows, block in design.blocks(x, len(shares)):
        p = _shares(np.hstack([np.zeros((len(block), 1)), block @ b]))[:, 1:]
        for i in range(k):
            for j in range(i + 1):
                w = shares[rows] * p[:, i] * ((i == j) - p[:, j])
                part = block.T @ (block * w[:, None])
                made[i, :, j, :] += part
                if i != j:
                    made[j, :, i, :] += part
    prior = np.full(q, 1 / _PRIOR_SPREAD**2)
    prior[0] = 1e-8
    flat = made.reshape(k * q, k * q)
    flat[np.diag_indices(k * q)] += np.tile(prior, k)
    return flat
