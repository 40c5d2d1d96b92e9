"""Linear and logistic regression with an intercept, on plain arrays: coefficients, standard errors, probabilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.numeric.statistics.moments import column_mean

__all__ = ["Fit", "independent_columns", "least_squares", "logistic"]


_ALIASED = 1e-7
"""A column whose spread, after the columns before it are taken out, is below this share of its own is not its own."""

_EXACT = 1e-20
"""Residuals whose sum of squares is below this share of the total are rounding: the model fits exactly."""

_BLOCK = 2**15
"""Records that are worked on at a time: a block of the design stays in the processor's cache."""


@dataclass(frozen=True)
class Fit:
    """A fitted regression; the first coefficient is the intercept.

    Parameters
    ----------
    coefficients
        The intercept, then one for each column.
    errors
        Their standard errors; 0 where the model fits exactly.
    freedom
        Residual degrees of freedom.
    fitted
        Fitted values, or probabilities, of the records.
    converged
        Whether a maximum was found; a logistic regression has none where a plane separates some of the records.
    """

    coefficients: FloatArray
    errors: FloatArray
    freedom: int
    fitted: FloatArray
    converged: bool = True


def independent_columns(x: FloatArray) -> BoolArray:
    """Return which columns are not combinations of a constant and of the columns before them. O(n q^2).

    Columns of very different size may stand side by side: each is judged by its own spread.
    """
    mean, gram = column_mean(x), np.zeros((x.shape[1], x.shape[1]))
    for start in range(0, len(x), _BLOCK):
        centred = x[start : start + _BLOCK] - mean
        gram += centred.T @ centred
    # Spread that rounding left of a large constant is none.
    floor = len(x) * (1e-14 * np.abs(x).max(axis=0, initial=0.0)) ** 2
    kept: list[int] = []
    for j in range(x.shape[1]):
        if gram[j, j] <= floor[j]:
            continue
        scale = np.sqrt(np.diag(gram)[[*kept, j]])
        unit = gram[np.ix_([*kept, j], [*kept, j])] / np.outer(scale, scale)
        rest = 1.0
        if kept:
            rest -= float(unit[-1, :-1] @ np.linalg.solve(unit[:-1, :-1], unit[-1, :-1]))
        if rest > _ALIASED**2 + 1e-13 * len(kept):
            kept.append(j)
    return np.isin(np.arange(x.shape[1]), kept)


def least_squares(x: FloatArray, y: FloatArray) -> Fit:
    """Fit y by an intercept and independent columns. O(n q^2) time.

    Examples
    --------
    >>> import numpy as np
    >>> fit = least_squares(np.array([[0.0], [1.0], [2.0]]), np.array([1.0, 2.0, 6.0]))
    >>> fit.coefficients.round(6).tolist(), fit.freedom
    ([0.5, 2.5], 1)
    """
    n, q = x.shape
    mean, y_mean = column_mean(x), float(column_mean(y[:, None])[0])
    centred, deviation = x - mean, y - y_mean
    gram = centred.T @ centred
    scale = np.sqrt(np.diag(gram))
    inverse = np.linalg.inv(gram / np.outer(scale, scale)) / np.outer(scale, scale)
    slopes = inverse @ (centred.T @ deviation)
    slopes += inverse @ (centred.T @ (deviation - centred @ slopes))  # once more, against the rounding of the inverse
    residual = deviation - centred @ slopes
    left = float(residual @ residual)
    left = 0.0 if left <= _EXACT * float(deviation @ deviation) else left
    freedom = n - q - 1
    variance = left / freedom if freedom > 0 else 0.0
    variances = variance * np.concatenate([[1 / n + mean @ inverse @ mean], np.diag(inverse)])
    coefficients = np.concatenate([[y_mean - mean @ slopes], slopes])
    return Fit(coefficients=coefficients, errors=np.sqrt(variances), freedom=freedom, fitted=y - residual)


def logistic(x: FloatArray, y: FloatArray, *, steps: int = 60) -> Fit:
    """Fit the probability of y = 1 by Newton's method with halved steps. O(n q^2) time a step, O(n) memory.

    Columns should be independent. Where some records can be separated the coefficients grow without end; the search
    then stops with fitted probabilities near 0 and 1, and ``converged`` is false.

    Examples
    --------
    >>> import numpy as np
    >>> fit = logistic(np.empty((4, 0)), np.array([1.0, 1.0, 1.0, 0.0]))
    >>> fit.fitted.round(6).tolist(), round(float(fit.coefficients[0]), 6)
    ([0.75, 0.75, 0.75, 0.75], 1.098612)
    """
    n, q = x.shape
    size = np.concatenate([[1.0], np.abs(x).max(axis=0, initial=0.0)])
    coefficients = np.zeros(q + 1)
    loss, gradient, information, fitted = _at(x, y, coefficients)
    gram = 4 * information  # all probabilities are 1/2 here
    moved = np.inf
    for _ in range(steps):
        step = np.asarray(np.linalg.lstsq(information, gradient, rcond=1e-14)[0], dtype=np.float64)
        for _ in range(40):  # a full step may overshoot; the deviance tells
            new = _at(x, y, coefficients + step)
            if new[0] <= loss * (1 + 1e-13):
                break
            step = step / 2
        else:
            break
        coefficients = coefficients + step
        loss, gradient, information, fitted = new
        moved = float((np.abs(step) * size).max())
        if moved < 1e-8 or loss < 1e-9 * n:
            break
    errors = np.sqrt(np.maximum(np.diag(np.linalg.pinv(information)), 0.0))
    return Fit(
        coefficients=coefficients,
        errors=errors,
        freedom=n - q - 1,
        fitted=fitted,
        converged=moved < 1e-8 and _is_determined(information, gram),
    )


def _at(x: FloatArray, y: FloatArray, b: FloatArray) -> tuple[float, FloatArray, FloatArray, FloatArray]:
    """Return deviance, gradient and information at some coefficients, and the fitted probabilities."""
    n, q = x.shape
    fitted = np.empty(n)
    deviance, gradient, information = 0.0, np.zeros(q + 1), np.zeros((q + 1, q + 1))
    for start in range(0, n, _BLOCK):
        rows = slice(start, start + _BLOCK)
        design = np.empty((len(y[rows]), q + 1))
        design[:, 0], design[:, 1:] = 1.0, x[rows]
        linear = design @ b
        p = 0.5 * (1 + np.tanh(linear / 2))  # has no overflow
        fitted[rows] = p
        deviance += 2 * float(np.logaddexp(0.0, np.where(y[rows] > 0.5, -linear, linear)).sum())
        gradient += design.T @ (y[rows] - p)
        design *= np.sqrt(p * (1 - p))[:, None]
        information += design.T @ design  # of one array with itself: half of the work
    return deviance, gradient, information, fitted


def _is_determined(information: FloatArray, gram: FloatArray) -> bool:
    """Whether no combination of columns has lost all weight, as it does where it separates some records."""
    scale = np.sqrt(np.diag(gram))
    scale = np.outer(scale, scale)
    least = float(np.linalg.eigvalsh(information / scale)[0])
    return least > 1e-10 * float(np.linalg.eigvalsh(gram / scale)[0])
