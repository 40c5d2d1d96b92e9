"""Tabular adjustment by trying all directions, each with a linear or quadratic programme of another solver's making."""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy.linalg import null_space
from scipy.optimize import linprog, minimize

from tacita.tables.protect.problem import Problem

__all__ = ["nearest_adjustment_oracle", "nearest_table_oracle"]


def nearest_table_oracle(
    rows: np.ndarray, values: np.ndarray, weights: np.ndarray, low: np.ndarray, high: np.ndarray, norm: str
) -> float:
    """Return the least distance of a table with ``rows x = 0`` and ``low <= x <= high``; inf where there is none."""
    if np.any(low > high + 1e-12):
        return float("inf")
    n = len(values)
    size = max(1.0, float(np.abs(values).max()))
    a, lo, hi = values / size, low / size, np.maximum(high, low) / size
    # x and its distance d >= |x - a|
    eye = np.eye(n)
    apart = np.block([[eye, -eye], [-eye, -eye]])
    found = linprog(
        np.concatenate([np.zeros(n), weights]),
        A_ub=apart,
        b_ub=np.concatenate([a, -a]),
        A_eq=np.hstack([rows, np.zeros_like(rows)]) if len(rows) else None,
        b_eq=np.zeros(len(rows)) if len(rows) else None,
        bounds=[*zip(lo, hi, strict=True), *[(0, None)] * n],
        method="highs",
    )
    if found.status == 2:
        return float("inf")
    if norm == "l1":
        return float(found.fun) * size
    # In the null space of the relations only the bounds are left; dependent relations would trouble the method.
    basis = null_space(rows) if len(rows) else np.eye(n)
    start = np.linalg.lstsq(basis, found.x[:n], rcond=None)[0]
    best = minimize(
        lambda y: float(weights @ (basis @ y - a) ** 2),
        start,
        jac=lambda y: 2 * basis.T @ (weights * (basis @ y - a)),
        constraints=[
            {
                "type": "ineq",
                "fun": lambda y, k=k, s=s, b=b: s * (basis[k] @ y - b),
                "jac": lambda _, k=k, s=s: s * basis[k],
            }
            for s, bound in ((1.0, lo), (-1.0, hi))
            for k, b in enumerate(bound.tolist())
            if np.isfinite(b)
        ],
        method="SLSQP",
        options={"maxiter": 2000, "ftol": 1e-15},
    )
    return float(best.fun) * size**2


def nearest_adjustment_oracle(problem: Problem, weights: np.ndarray, norm: str = "l1") -> float:
    """Return the least distance over all directions of the unsafe cells; inf where none is possible."""
    rows = problem.relations.matrix.toarray()
    unsafe = np.flatnonzero(problem.unsafe)
    best = float("inf")
    # A side without a level is no way out: the cell could stand still there.
    sides = [[up for up in (False, True) if (problem.above if up else problem.below)[c] > 0] for c in unsafe.tolist()]
    for ups in product(*sides):
        low, high = problem.lower.copy(), problem.upper.copy()
        low[problem.locked] = high[problem.locked] = problem.values[problem.locked]
        for cell, up in zip(unsafe.tolist(), ups, strict=True):
            if up:
                low[cell] = max(low[cell], problem.values[cell] + problem.above[cell])
            else:
                high[cell] = min(high[cell], problem.values[cell] - problem.below[cell])
        best = min(best, nearest_table_oracle(rows, problem.values, weights, low, high, norm))
    return best
