"""Transition matrices, slowly: every basic solution of system (9), and most entropy by a general optimiser."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.optimize import minimize

from tacita.core.arrays import FloatArray, IntArray

__all__ = ["basic_solutions", "entropy_by_optimiser", "intervals_by_vertices", "support_by_hand", "variances_by_pairs"]


def support_by_hand(count: int, bound: int, forbidden: tuple[int, ...]) -> list[int]:
    """What may be added, one result after the other: conditions (3), (5) and (6)."""
    if count == 0:
        return [0]
    return [v for v in range(-bound, bound + 1) if count + v >= 0 and count + v not in forbidden]


def basic_solutions(noise: IntArray, variance: float) -> list[FloatArray]:
    """All vertices of {p: sum 1, mean 0, variance V, p >= 0}: those that stand on three points or fewer."""
    found = []
    for chosen in combinations(range(len(noise)), min(3, len(noise))):
        v = noise[list(chosen)].astype(float)
        rows = np.stack([np.ones(len(v)), v, v * v])
        p, *_ = np.linalg.lstsq(rows, np.array([1.0, 0.0, variance]), rcond=None)
        if np.abs(rows @ p - [1, 0, variance]).max() < 1e-9 and (p > -1e-9).all():
            whole = np.zeros(len(noise))
            whole[list(chosen)] = p
            found.append(whole)
    return found


def intervals_by_vertices(noise: IntArray, variance: float) -> FloatArray:
    """The least and the most of each entry over all vertices."""
    corners = np.array(basic_solutions(noise, variance))
    return np.stack([corners.min(axis=0), corners.max(axis=0)], axis=1)


def variances_by_pairs(noise: IntArray) -> tuple[float, float]:
    """The extreme variances of mean 0: they stand on two points, one on each side."""
    found = [
        -float(a * b)
        for a in noise
        for b in noise
        if a <= 0 <= b  # p = (b, -a) / (b - a) has variance -a b
    ]
    return min(found), max(found)


def entropy_by_optimiser(
    noise: IntArray, variance: float, *, monotone: bool = False, stay: float | None = None
) -> float:
    """The largest entropy, by sequential quadratic programming from several starts."""
    v = noise.astype(float)
    conditions = [
        {"type": "eq", "fun": lambda p: p.sum() - 1},
        {"type": "eq", "fun": lambda p: p @ v},
        {"type": "eq", "fun": lambda p: p @ (v * v) - variance},
    ]
    if stay is not None:
        conditions.append({"type": "eq", "fun": lambda p: p[noise == 0].sum() - stay})
    if monotone:
        right = np.flatnonzero(noise > 0)
        conditions.append({"type": "ineq", "fun": lambda p: p[right[:-1]] - p[right[1:]]})

    def loss(p: FloatArray) -> float:
        safe = np.maximum(p, 1e-12)
        return float((safe * np.log(safe)).sum())

    best = -np.inf
    rng = np.random.default_rng(1)
    for _ in range(3):
        found = minimize(
            loss,
            rng.dirichlet(np.ones(len(v))),
            bounds=[(0, 1)] * len(v),
            constraints=conditions,
            method="SLSQP",
            options={"maxiter": 500, "ftol": 1e-13},
        )
        if found.success:
            best = max(best, -float(found.fun))
    return best
