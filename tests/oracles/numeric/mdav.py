"""MDAV as one would write it down: lists, sorted by (distance, record number), exact sums."""

from __future__ import annotations

from math import fsum

import numpy as np


def mdav_partition_oracle(x: np.ndarray, k: int) -> np.ndarray:
    """Groups in the order of formation; among equal distances the lowest record number wins."""
    records = [[float(value) for value in row] for row in x]
    labels = np.full(len(records), -1, dtype=np.int64)
    left = list(range(len(records)))
    group = 0

    def take(seed: int, forbidden: int | None) -> None:
        nonlocal group
        others = [i for i in left if i not in (seed, forbidden)]
        others.sort(key=lambda i: (_squared(records[i], records[seed]), i))
        for i in [seed, *others[: k - 1]]:
            labels[i] = group
            left.remove(i)
        group += 1

    while len(left) >= 3 * k:
        x_r = _farthest(records, left, _centroid(records, left))
        x_s = _farthest(records, [i for i in left if i != x_r], records[x_r])
        take(x_r, forbidden=x_s)
        take(x_s, forbidden=None)
    if len(left) >= 2 * k:
        take(_farthest(records, left, _centroid(records, left)), forbidden=None)
    labels[left] = group
    return labels


def _squared(a: list[float], b: list[float]) -> float:
    total = 0.0
    for u, v in zip(a, b, strict=True):
        total += (u - v) * (u - v)
    return total


def _centroid(records: list[list[float]], left: list[int]) -> list[float]:
    return [fsum(records[i][j] for i in left) / len(left) for j in range(len(records[0]))]


def _farthest(records: list[list[float]], left: list[int], q: list[float]) -> int:
    return min(left, key=lambda i: (-_squared(records[i], q), i))
