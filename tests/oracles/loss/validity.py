"""Winkler's criteria, one by one, for complete files."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence


def kolmogorov(x: Sequence[float], y: Sequence[float]) -> float:
    """Return the largest difference of the distribution functions at any value."""
    return max(abs(sum(v <= t for v in x) / len(x) - sum(v <= t for v in y) / len(y)) for t in [*x, *y])


def total_variation(x: Sequence[object], y: Sequence[object]) -> float:
    """Return half the sum of the differences of the shares."""
    before, after = Counter(x), Counter(y)
    return sum(abs(before[c] / len(x) - after[c] / len(y)) for c in set(before) | set(after)) / 2


def moments(rows: Sequence[Sequence[float]]) -> tuple[list[float], list[list[float]]]:
    """Return means and covariances."""
    n, d = len(rows), len(rows[0])
    means = [math.fsum(r[j] for r in rows) / n for j in range(d)]
    return means, [
        [math.fsum((r[i] - means[i]) * (r[j] - means[j]) for r in rows) / n for j in range(d)] for i in range(d)
    ]


def moment_criteria(
    x: Sequence[Sequence[float]], y: Sequence[Sequence[float]], tolerances: tuple[float, float]
) -> list[bool]:
    """Return for one subdomain which criteria pass: means, then covariances i <= j. Columns of x vary."""
    (m, v), (m2, v2) = moments(x), moments(y)
    d = len(m)
    sd = [math.sqrt(v[j][j]) for j in range(d)]
    means = [abs(m[j] - m2[j]) / sd[j] <= tolerances[0] for j in range(d)]
    return means + [abs(v[i][j] - v2[i][j]) / (sd[i] * sd[j]) <= tolerances[1] for i in range(d) for j in range(i, d)]
