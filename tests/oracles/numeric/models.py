"""Regressions by general tools: least squares by the normal equations, logistic by a general minimiser."""

from __future__ import annotations

import numpy as np
from scipy import optimize, stats


def linear(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return coefficients (intercept first) and standard errors."""
    design = np.column_stack([np.ones(len(y)), x])
    inverse = np.linalg.inv(design.T @ design)
    b = inverse @ design.T @ y
    residual = y - design @ b
    return b, np.sqrt(np.diag(inverse) * (residual @ residual) / (len(y) - design.shape[1]))


def logistic(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return coefficients, standard errors and fitted probabilities."""
    design = np.column_stack([np.ones(len(y)), x])

    def loss(b: np.ndarray) -> float:
        return float(np.logaddexp(0, -(2 * y - 1) * (design @ b)).sum())

    def slope(b: np.ndarray) -> np.ndarray:
        return design.T @ (1 / (1 + np.exp(-design @ b)) - y)

    b = optimize.minimize(loss, np.zeros(design.shape[1]), jac=slope, method="BFGS", options={"gtol": 1e-10}).x
    p = 1 / (1 + np.exp(-design @ b))
    return b, np.sqrt(np.diag(np.linalg.inv(design.T @ (design * (p * (1 - p))[:, None])))), p


def overlap(interval: tuple[float, float], other: tuple[float, float]) -> float:
    """Return the overlap of Karr et al.; 0 where the intervals do not meet."""
    common = min(interval[1], other[1]) - max(interval[0], other[0])
    if common <= 0:
        return 0.0
    return 0.5 * (common / (interval[1] - interval[0]) + common / (other[1] - other[0]))


def linear_overlaps(x: np.ndarray, y: np.ndarray, x2: np.ndarray, y2: np.ndarray, level: float) -> list[float]:
    """Return the overlap of each coefficient of a linear model."""
    intervals = []
    for a, b in ((x, y), (x2, y2)):
        coefficients, errors = linear(a, b)
        t = stats.t.ppf((1 + level) / 2, len(b) - len(coefficients))
        intervals.append([(c - t * e, c + t * e) for c, e in zip(coefficients, errors, strict=True)])
    return [overlap(i, j) for i, j in zip(*intervals, strict=True)]
