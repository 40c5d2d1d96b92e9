"""Attacks that know the method, written the slow and obvious way: every masked record against every original."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


def _picked(closeness: list[float], own: int) -> float:
    """Return the chance that one of the best is the own one; the larger the better."""
    best = max(closeness)
    near = [i for i, value in enumerate(closeness) if value >= best - 1e-9 * max(1.0, abs(best))]
    return 1 / len(near) if own in near else 0.0


def rank_order_share(x: FloatArray, y: FloatArray) -> list[float]:
    """Link when every column kept its order and nothing is missing: candidates fit between the ranks in all columns."""
    n, d = x.shape
    sd = [float(np.std(x[:, j], ddof=1)) or 1.0 for j in range(d)]
    found = []
    for i in range(n):
        fits = []
        for c in range(n):
            ok = True
            for j in range(d):
                below, upto = sum(y[:, j] < y[i, j]), sum(y[:, j] <= y[i, j])
                ordered = sorted(x[:, j])
                ok = ok and ordered[below] <= x[c, j] <= ordered[upto - 1]
            fits.append(ok)
        distance = [math.dist(x[c] / sd, y[i] / sd) if fits[c] else math.inf for c in range(n)]
        found.append(_picked([-value for value in distance], i))
    return found


def replay_share(y: npt.NDArray[np.generic]) -> list[float]:
    """One over the number of masked records with the same values."""
    rows = [tuple(row) for row in y.tolist()]
    return [1 / rows.count(row) for row in rows]


def agreement_share(x: IntArray, y: IntArray) -> list[float]:
    """Link by the sum of what agreement in each column is worth."""
    n, d = x.shape
    stays = [float(np.mean(x[:, j] == y[:, j])) for j in range(d)]
    found = []
    for i in range(n):
        weights = []
        for c in range(n):
            total = 0.0
            for j in range(d):
                if x[c, j] == y[i, j] and stays[j] > 0:
                    chance = (1 - stays[j]) * float(np.mean(x[:, j] == y[i, j]))
                    total += min(60.0, math.log2((stays[j] + chance) / chance) if chance > 0 else 60.0)
            weights.append(total)
        found.append(_picked(weights, i))
    return found


def ratio_share(x: FloatArray, y: FloatArray, k: float) -> list[float]:
    """Link by the density of the noise of scheme (21) for positive columns without gaps."""
    s, mean = math.sqrt(1 + k), x.mean(axis=0)
    w = x + (s - 1) * mean
    noise = np.log(1 + k * np.cov(x.T, bias=True).reshape(x.shape[1], -1) / (w.T @ w / len(x)))
    inverse = np.linalg.inv(noise)
    found = []
    for i in range(len(y)):
        error = np.log(s * y[i]) - np.log(w) + np.diag(noise) / 2
        found.append(_picked([-float(row @ inverse @ row) for row in error], i))
    return found
