"""The table of discrepancies, cell by cell: components from a singular value decomposition, matched by trying all orders."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np

from tests.oracles.loss.losses import cell

Cells = list[tuple[float, float, float]]
"""Original statistic, masked statistic, weight."""


def components(x: np.ndarray, tolerance: float) -> tuple[np.ndarray, np.ndarray]:
    """Return eigenvalues and eigenvectors of the correlations, largest first, from the standardised data."""
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    _, singular, vectors = np.linalg.svd(z, full_matrices=False)
    values = singular**2 / len(x)
    kept = values > tolerance * values[0]
    return values[kept], vectors[kept].T


def matched(u: np.ndarray, v: np.ndarray) -> list[tuple[int, int, float]]:
    """Return (component of u, component of v, sign): the matching with the largest sum of absolute cosines."""
    small, large = (u, v) if u.shape[1] <= v.shape[1] else (v, u)
    best: list[tuple[int, int]] = []
    most = -1.0
    for order in itertools.permutations(range(large.shape[1]), small.shape[1]):
        total = sum(abs(float(small[:, i] @ large[:, j])) for i, j in enumerate(order))
        if total > most + 1e-12:
            most, best = total, list(enumerate(order))
    pairs = best if small is u else [(j, i) for i, j in best]
    return [(i, j, math.copysign(1.0, float(u[:, i] @ v[:, j]))) for i, j in pairs]


def errors(cells: Cells) -> dict[str, float]:
    """Return the three errors of a row of the table."""

    def mean(f: Callable[[float, float], float | None]) -> float:
        found = [(f(a, b), w) for a, b, w in cells]
        there = [(e, w) for e, w in found if e is not None]
        return math.fsum(e * w for e, w in there) / math.fsum(w for _, w in there) if there else 0.0

    return {
        "mean_square_error": mean(lambda a, b: (a - b) ** 2),
        "mean_absolute_error": mean(lambda a, b: abs(a - b)),
        "mean_variation": mean(cell),
    }


def table(
    x: np.ndarray, y: np.ndarray, *, by_eigenvalues: bool, tolerance: float = 1e-8
) -> dict[str, dict[str, float]]:
    """Return all rows for complete files of the same records whose columns vary."""
    d = x.shape[1]
    v_x, v_y = np.cov(x.T, bias=True).reshape(d, d), np.cov(y.T, bias=True).reshape(d, d)
    r_x, r_y = (np.corrcoef(f.T).reshape(d, d) for f in (x, y))
    upper = [(i, j) for i in range(d) for j in range(i, d)]
    rows: dict[str, Cells] = {
        "X": [(a, b, 1.0) for a, b in zip(x.ravel().tolist(), y.ravel().tolist(), strict=True)],
        "means": [(x[:, j].mean(), y[:, j].mean(), 1.0) for j in range(d)],
        "V": [(v_x[i, j], v_y[i, j], 1.0) for i, j in upper],
        "S": [(v_x[j, j], v_y[j, j], 1.0) for j in range(d)],
        "R": [(r_x[i, j], r_y[i, j], 1.0) for i, j in upper if i < j],
    }
    (a, u), (b, v) = components(x, tolerance), components(y, tolerance)
    rows["C"] = [(a[0] * u[i, 0] ** 2, b[0] * v[i, 0] ** 2, 1.0) for i in range(d)]
    rows["RF"], rows["F"] = [], []
    partner = {i: (j, sign) for i, j, sign in matched(u, v)}
    for k in range(len(a)):
        w = d * a[k] / a.sum() if by_eigenvalues else 1.0
        j, sign = partner.get(k, (None, 0.0))
        for i in range(d):
            new = 0.0 if j is None else sign * v[i, j]
            rows["RF"].append((u[i, k] * math.sqrt(a[k]), 0.0 if j is None else new * math.sqrt(b[j]), w))
            rows["F"].append((u[i, k] / math.sqrt(a[k]), 0.0 if j is None else new / math.sqrt(b[j]), w))
    return {name: errors(cells) for name, cells in rows.items() if cells}
