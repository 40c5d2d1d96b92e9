"""Linkage attacks and prediction by neighbours, one pair of records at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

Rows = Sequence[Sequence[float]]


def mahalanobis_share(x: np.ndarray, y: np.ndarray, own: Sequence[int]) -> list[float]:
    """Linkage by (a - b)' S+ (a - b), with the pseudo-inverse of the original's covariance matrix."""
    inverse = np.linalg.pinv(np.atleast_2d(np.cov(x, rowvar=False)), rcond=1e-9, hermitian=True)
    shares = []
    for query, mine in zip(y, own, strict=True):
        distances = [float((row - query) @ inverse @ (row - query)) for row in x]
        smallest = min(distances)
        ties = [d <= smallest + 1e-7 * (1 + abs(smallest)) for d in distances]
        shares.append(1 / sum(ties) if ties[mine] else 0.0)
    return shares


def swap_candidates(originals: Rows, record: Sequence[float], p: float) -> list[int]:
    """The originals that a rank-swapped record can come from, by trying every rank of its value in every column."""
    left = list(range(len(originals)))
    for j, value in enumerate(record):
        if math.isnan(value):
            continue
        column = sorted(row[j] for row in originals if not math.isnan(row[j]))
        if not column:
            continue
        reach = math.floor(p * len(column) / 100 + 1e-9)
        possible = {
            column[other]
            for rank, held in enumerate(column)
            if held == value
            for other in range(max(0, rank - reach), min(len(column), rank + reach + 1))
        }
        left = [i for i in left if not math.isnan(originals[i][j]) and originals[i][j] in possible]
    return left


def levels(a: Sequence[float], b: Sequence[float], widths: Sequence[float]) -> list[int | None]:
    """The level of agreement in each column; None where a value is missing."""
    return [
        None if math.isnan(p) or math.isnan(q) else sum(abs(p - q) > width for width in widths)
        for p, q in zip(a, b, strict=True)
    ]


def middle_percents(column: Sequence[float]) -> list[float]:
    """Each value's middle rank within its column, in percent of the values that are there."""
    there = [v for v in column if not math.isnan(v)]
    return [
        math.nan
        if math.isnan(v)
        else 100 * (sum(w < v for w in there) + 0.5 * (sum(w == v for w in there) - 1) + 0.5) / len(there)
        for v in column
    ]


def weight_share(
    x: Rows, y: Rows, own: Sequence[int], widths: Sequence[float], weights: Sequence[Sequence[float]]
) -> list[float]:
    """1/m where the own original is one of the m with the largest total weight."""
    shares = []
    for record, mine in zip(y, own, strict=True):
        totals = [
            sum(w[level] for w, level in zip(weights, levels(row, record, widths), strict=True) if level is not None)
            for row in x
        ]
        best = max(totals)
        shares.append(1 / totals.count(best) if totals[mine] == best else 0.0)
    return shares


def em_free(
    patterns: Sequence[Sequence[int]], kinds: int, share: float, rounds: int
) -> tuple[list[list[float]], list[list[float]]]:
    """Textbook EM of the mixture of matches and others, over every single pair; a level of ``kinds`` is missing."""
    d = len(patterns[0])
    m = [[0.5 ** (k + 1) / (1 - 0.5**kinds) for k in range(kinds)] for _ in range(d)]
    u = []
    for j in range(d):
        seen = [p[j] for p in patterns if p[j] < kinds]
        u.append([max(seen.count(k) / max(len(seen), 1), 1e-9) for k in range(kinds)])
    for _ in range(rounds):
        chance = []
        for p in patterns:
            a = share * math.prod(m[j][p[j]] for j in range(d) if p[j] < kinds)
            b = (1 - share) * math.prod(u[j][p[j]] for j in range(d) if p[j] < kinds)
            chance.append(a / (a + b))
        for j in range(d):
            for table, weight in ((m, chance), (u, [1 - c for c in chance])):
                whole = sum(w for p, w in zip(patterns, weight, strict=True) if p[j] < kinds)
                if whole > 0:
                    table[j] = [
                        max(sum(w for p, w in zip(patterns, weight, strict=True) if p[j] == k) / whole, 1e-9)
                        for k in range(kinds)
                    ]
    return m, u


def neighbour_centre(
    points: Rows, values: Sequence[float], query: Sequence[float], k: int, left_out: int, *, median: bool = False
) -> float:
    """The mean or median value of the k nearest points; those as near as the k-th share its places."""
    pool = sorted(
        (sum((a - b) ** 2 for a, b in zip(point, query, strict=True)), value)
        for i, (point, value) in enumerate(zip(points, values, strict=True))
        if i != left_out
    )
    k = min(k, len(pool))
    if k == 0:
        return sum(values) / len(values)
    last = pool[k - 1][0]
    near = [v for d, v in pool if d < last * (1 - 1e-9)]
    tied = [v for d, v in pool if last * (1 - 1e-9) <= d <= last * (1 + 1e-9)]
    if not median:
        return (sum(near) + (k - len(near)) * sum(tied) / len(tied)) / k
    # Whole numbers of copies that stand in the right proportion.
    return float(np.median(near * len(tied) + tied * (k - len(near))))
