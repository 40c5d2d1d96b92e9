"""Calibration as it is defined: the smallest distance subject to the totals, by a general optimiser."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

__all__ = ["calibration_oracle"]


def calibration_oracle(
    x: np.ndarray,
    totals: np.ndarray,
    start: np.ndarray,
    q: np.ndarray,
    distance: str,
    bounds: tuple[float, float] | None,
) -> np.ndarray:
    """Return the factors w / d that minimise sum d G(w / d) / q; x must have independent columns."""
    low, high = (1e-9, 1e6) if distance == "raking" else (-1e6, 1e6)
    if bounds is not None:
        low, high = bounds
        if distance == "logit":
            low, high = low + 1e-9, high - 1e-9

    def total_distance(g: np.ndarray) -> float:
        return float(np.sum(start / q * _distance(g, distance, bounds)))

    def slope(g: np.ndarray) -> np.ndarray:
        return start / q * _slope(g, distance, bounds)

    constraints = {
        "type": "eq",
        "fun": lambda g: (x.T @ (start * g) - totals) / np.abs(totals).max(),
        "jac": lambda _: (x.T * start) / np.abs(totals).max(),
    }
    found = minimize(
        total_distance,
        np.clip(np.ones(len(start)), low, high),
        jac=slope,
        method="SLSQP",
        bounds=[(low, high)] * len(start),
        constraints=constraints,
        options={"maxiter": 2000, "ftol": 1e-15},
    )
    return np.asarray(found.x)


def _distance(g: np.ndarray, distance: str, bounds: tuple[float, float] | None) -> np.ndarray:
    if distance == "raking":
        return g * np.log(g) - g + 1
    if distance == "logit":
        low, high = bounds
        a = (high - low) / ((1 - low) * (high - 1))
        left, right = g - low, high - g
        return (left * np.log(left / (1 - low)) + right * np.log(right / (high - 1))) / a
    return (g - 1) ** 2 / 2


def _slope(g: np.ndarray, distance: str, bounds: tuple[float, float] | None) -> np.ndarray:
    if distance == "raking":
        return np.log(g)
    if distance == "logit":
        low, high = bounds
        a = (high - low) / ((1 - low) * (high - 1))
        return (np.log((g - low) / (1 - low)) - np.log((high - g) / (high - 1))) / a
    return g - 1
