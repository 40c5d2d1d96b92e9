"""Slow, obvious versions of the partition kernels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np


def sse(x: np.ndarray, labels: np.ndarray) -> float:
    """Sum of squared distances to the own group's mean, group by group."""
    return float(sum(((x[labels == g] - x[labels == g].mean(axis=0)) ** 2).sum() for g in np.unique(labels)))


def compositions(n: int, k: int) -> Iterator[list[int]]:
    """All ways to write n as an ordered sum of parts k..2k-1."""
    if n == 0:
        yield []
    for part in range(k, min(2 * k - 1, n) + 1):
        for rest in compositions(n - part, k):
            yield [part, *rest]


def best_along(x: np.ndarray, order: np.ndarray, k: int) -> float:
    """Least SSE over all cuts of the order into intervals of k..2k-1 records."""
    best = np.inf
    for parts in compositions(len(x), k):
        labels = np.empty(len(x), dtype=np.int64)
        labels[order] = np.repeat(np.arange(len(parts)), parts)
        best = min(best, sse(x, labels))
    return best


def best_of_all(x: np.ndarray, k: int) -> float:
    """Least SSE over all partitions into groups of k..2k-1 records."""

    def visit(i: int, labels: list[int], sizes: list[int]) -> float:
        if i == len(x):
            return sse(x, np.array(labels)) if min(sizes) >= k else np.inf
        best = np.inf
        for g in range(len(sizes) + 1):
            if g == len(sizes) or sizes[g] < 2 * k - 1:
                grown = [*sizes, 1] if g == len(sizes) else [s + (h == g) for h, s in enumerate(sizes)]
                best = min(best, visit(i + 1, [*labels, g], grown))
        return best

    return visit(0, [], [])


def grow(x: np.ndarray, k: int) -> np.ndarray:
    """MDAV's seeds; each next record is the one nearest to the mean of the group so far, by a full scan."""
    labels, group = np.full(len(x), -1), 0

    def take(first: int) -> None:
        nonlocal group
        members = [first]
        labels[first] = group
        while len(members) < k:
            left = np.flatnonzero(labels < 0)
            nearest = left[np.argmin(((x[left] - x[members].mean(axis=0)) ** 2).sum(axis=1))]
            members.append(int(nearest))
            labels[nearest] = group
        group += 1

    def farthest(point: np.ndarray) -> int:
        left = np.flatnonzero(labels < 0)
        return int(left[np.argmax(((x[left] - point) ** 2).sum(axis=1))])

    while (labels < 0).sum() >= 2 * k:
        first = farthest(x[labels < 0].mean(axis=0))
        take(first)
        if (labels < 0).sum() >= 2 * k:
            take(farthest(x[first]))
    labels[labels < 0] = group
    return labels
