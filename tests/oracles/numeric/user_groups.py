"""Groups of users, written down plainly: what remains of interests, near users, and the deepest shared category."""

from __future__ import annotations

import numpy as np

__all__ = ["deepest_shared", "near_users", "remaining", "similarity"]


def similarity(dense: np.ndarray) -> np.ndarray:
    similar = np.minimum(dense[:, None], dense[None]).sum(axis=2)
    np.fill_diagonal(similar, 0)
    return similar


def near_users(dense: np.ndarray, most: int) -> list[list[int]]:
    similar = similarity(dense)
    every = range(len(dense))
    return [[j for j in sorted(every, key=lambda j: (-similar[i, j], j)) if similar[i, j] > 0][:most] for i in every]


def remaining(dense: np.ndarray, level: np.ndarray, lines: np.ndarray, labels: np.ndarray, least: int) -> float:
    """The mean over levels of the mean over users classified there of sum min(a, P) / sum a; levels without users count 0."""
    of_level = []
    for one in range(1, int(level.max(initial=1)) + 1):
        values = []
        for i, row in enumerate(dense):
            group = np.flatnonzero(labels == labels[i])
            share = np.minimum(lines[group] / lines[group].sum(), 1 / len(group))
            profile = share @ dense[group]
            profile[(dense[group] > 0).sum(axis=0) < least] = 0
            has = level == one
            if row[has].sum():
                values.append(np.minimum(row, profile)[has].sum() / row[has].sum())
        of_level.append(np.mean(values) if values else 0.0)
    return float(np.mean(of_level))


def deepest_shared(topics: np.ndarray, sharers: np.ndarray, level: np.ndarray, least: int) -> int:
    fit = [c for c in range(len(level)) if topics[c] and sharers[c] >= least]
    return max(fit, key=lambda c: (level[c], sharers[c], topics[c], -c), default=-1)
