"""Statistics of weighted records: quantiles, linear and logistic regression with design-based standard errors."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import FloatArray

__all__ = ["WeightedFit", "weighted_least_squares", "weighted_logistic", "weighted_quantiles"]


class WeightedFit(NamedTuple):
    """A fitted regression."""

    coefficients: FloatArray
    """(p,): one for each column of the design."""
    errors: FloatArray
    """(p,): standard errors that hold for unequal weights and variances (sandwich)."""


def weighted_quantiles(values: FloatArray, weights: FloatArray, shares: FloatArray) -> FloatArray:
    """Return the smallest values below or at which lie at least these shares of the weight. O(n log n).

    Examples
    --------
    >>> import numpy as np
    >>> weighted_quantiles(np.array([3.0, 1.0, 2.0]), np.array([1.0, 1.0, 2.0]), np.array([0.25, 0.5, 1.0])).tolist()
    [1.0, 2.0, 3.0]
    """
    order = np.argsort(values, kind="stable")
    total = np.cumsum(weights[order])
    # Rounding of the sum must not move a quantile that falls on the edge between two values.
    place = np.searchsorted(total, np.asarray(shares) * total[-1] * (1 - 1e-12))
    return np.asarray(values[order][np.minimum(place, len(values) - 1)], dtype=np.float64)


def weighted_least_squares(x: FloatArray, y: FloatArray, weights: FloatArray) -> WeightedFit:
    """Fit ``min sum w (y - x'b)^2``; columns of x must be independent. O(n p^2).

    Examples
    --------
    >>> import numpy as np
    >>> fit = weighted_least_squares(np.ones((2, 1)), np.array([1.0, 4.0]), np.array([2.0, 1.0]))
    >>> fit.coefficients.round(9).tolist()
    [2.0]
    """
    inverse = np.linalg.inv(x.T @ (x * weights[:, None]))
    b = inverse @ (x.T @ (weights * y))
    return WeightedFit(b, _sandwich(inverse, x * (weights * (y - x @ b))[:, None]))


def weighted_logistic(x: FloatArray, y: FloatArray, weights: FloatArray, *, steps: int = 50) -> WeightedFit:
    """Fit the probability of y = 1 by Newton's method with halved steps. O(n p^2) a step.

    Examples
    --------
    >>> import numpy as np
    >>> fit = weighted_logistic(np.ones((2, 1)), np.array([1.0, 0.0]), np.array([3.0, 1.0]))
    >>> round(float(fit.coefficients[0]), 6)
    1.098612
    """
    b, loss = np.zeros(x.shape[1]), np.inf
    weights = weights / weights.mean()
    for _ in range(steps):
        p = 0.5 * (1 + np.tanh(x @ b / 2))  # has no overflow
        gradient = x.T @ (weights * (y - p))
        inverse = np.linalg.inv(x.T @ (x * (weights * p * (1 - p))[:, None]))
        step = inverse @ gradient
        if np.abs(step).max() < 1e-10:
            break
        for _ in range(30):
            new = float(weights @ np.logaddexp(0.0, np.where(y > 0.5, -1.0, 1.0) * (x @ (b + step))))
            if new <= loss:
                break
            step = step / 2
        b, loss = b + step, new
    p = 0.5 * (1 + np.tanh(x @ b / 2))
    inverse = np.linalg.inv(x.T @ (x * (weights * p * (1 - p))[:, None]))
    return WeightedFit(b, _sandwich(inverse, x * (weights * (y - p))[:, None]))


def _sandwich(inverse: npt.NDArray[np.floating[Any]], scores: FloatArray) -> FloatArray:
    return np.asarray(np.sqrt(np.diag(inverse @ (scores.T @ scores) @ inverse)), dtype=np.float64)
