"""Social networks with loops and sets: distances by paths, scores as their sums stand in the paper, every reach tried."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np

__all__ = ["best_of_all", "distances", "pr", "prf", "public_prf", "threshold_by_product"]

Edges = Iterable[tuple[int, int]]


def distances(users: int, edges: Edges) -> list[list[float]]:
    """Floyd and Warshall."""
    away = [[0.0 if a == b else float("inf") for b in range(users)] for a in range(users)]
    for a, b in edges:
        away[a][b] = away[b][a] = 1.0
    for via, a, b in itertools.product(range(users), repeat=3):
        away[a][b] = min(away[a][b], away[a][via] + away[via][b])
    return away


def pr(j: int, V: np.ndarray, beta: np.ndarray) -> float:
    n, far = beta.shape
    return sum(beta[i, k] * V[j, i, k] for i in range(n) for k in range(far))


def prf(j: int, users: int, edges: Edges, V: np.ndarray, beta: np.ndarray) -> float:
    n, far = beta.shape
    away = distances(users, edges)
    top = 0.0
    for other in range(users):
        for i in range(n):
            for k in range(1, far + 1):
                if other != j and away[j][other] == k:  # I(j, j', k)
                    top += beta[i, k - 1] * V[other, i, k - 1]
    return top / (1 + pr(j, V, beta))


def public_prf(j: int, V: np.ndarray, beta: np.ndarray) -> float:
    """Equation (3)."""
    top = sum(beta[i] * V[other, i] for other in range(len(V)) if other != j for i in range(len(beta)))
    return top / (1 + sum(beta[i] * V[j, i] for i in range(len(beta))))


def best_of_all(j: int, users: int, edges: Edges, reach: np.ndarray, beta: np.ndarray) -> set[tuple[int, ...]]:
    """Every reach of user j tried; those with the highest PRF."""
    n, far = beta.shape
    found: dict[tuple[int, ...], float] = {}
    for own in itertools.product(range(far + 1), repeat=n):
        tried = reach.copy()
        tried[j] = own
        V = np.array([[[float(r >= k) for k in range(1, far + 1)] for r in row] for row in tried])
        found[own] = prf(j, users, edges, V, beta)
    top = max(found.values())
    return {own for own, value in found.items() if value >= top - 1e-12}


def threshold_by_product(trusts: Iterable[float], least: float) -> bool:
    """Whether the product of the trusts along a path reaches what a rule asks for."""
    product = 1.0
    for trust in trusts:
        product *= trust
    return product >= least
