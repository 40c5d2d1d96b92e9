"""Diversity, closeness and likeness, group by group from their definitions; distances by linear programming."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

__all__ = ["distribution", "transport"]


def distribution(values: np.ndarray, n_values: int) -> np.ndarray:
    """Return the share of each value."""
    return np.array([np.mean(values == v) for v in range(n_values)])


def transport(p: np.ndarray, q: np.ndarray, distance: np.ndarray) -> float:
    """Return the earth mover's distance as the linear programme that defines it."""
    m = len(p)
    rows, sides = [], []
    for i in range(m):
        row = np.zeros((m, m))
        row[i] = 1
        rows.append(row.ravel())
        sides.append(p[i])
    for j in range(m):
        row = np.zeros((m, m))
        row[:, j] = 1
        rows.append(row.ravel())
        sides.append(q[j])
    return float(linprog(distance.ravel(), A_eq=np.array(rows), b_eq=np.array(sides)).fun)
