"""IL1, IL1s and IL, value by value, as the papers print them (with the misprints of ERRATA.md corrected)."""

from __future__ import annotations

import math
from collections.abc import Sequence

Rows = Sequence[Sequence[float]]


def cell(x: float, y: float) -> float | None:
    """|x - y| / |x|; y takes the place of a zero x in the denominator; None where nothing is left."""
    if math.isnan(x) or math.isnan(y):
        return None
    if x == 0 and y == 0:
        return None
    return abs(x - y) / abs(x if x != 0 else y)


def mean(values: Sequence[float | None]) -> float:
    """Mean of what is there; 0 of nothing."""
    there = [v for v in values if v is not None]
    return sum(there) / len(there) if there else 0.0


def il1_records(x: Rows, y: Rows) -> list[float]:
    """(100/d) sum_j |x_ij - x'_ij| / |x_ij| for each record."""
    return [
        100 * mean([cell(a, b) for a, b in zip(row_x, row_y, strict=True)]) for row_x, row_y in zip(x, y, strict=True)
    ]


def standard_deviation(column: Sequence[float]) -> float:
    """With the denominator n - 1, over the values that are there; 0 below two values."""
    there = [v for v in column if not math.isnan(v)]
    if len(there) < 2 or min(there) == max(there):
        return 0.0
    centre = math.fsum(there) / len(there)
    return math.sqrt(math.fsum((v - centre) ** 2 for v in there) / (len(there) - 1))


def il1s_records(x: Rows, y: Rows) -> list[float]:
    """(1/d) sum_j |x_ij - x'_ij| / (sqrt(2) S_j) for each record; constant columns are left out."""
    spread = [standard_deviation([row[j] for row in x]) for j in range(len(x[0]))]
    return [
        mean(
            [
                None if math.isnan(a) or math.isnan(b) else abs(a - b) / (math.sqrt(2) * s)
                for a, b, s in zip(row_x, row_y, spread, strict=True)
                if s > 0
            ]
        )
        for row_x, row_y in zip(x, y, strict=True)
    ]


def il_parts(x: Rows, y: Rows) -> dict[str, float]:
    """Return MV(X), MV(means), MV(V), MV(S), MAE(R) for complete data, each times 100; V over i <= j, R over i < j."""
    d = len(x[0])

    def moments(rows: Rows) -> tuple[list[float], list[list[float]]]:
        means = [math.fsum(row[j] for row in rows) / len(rows) for j in range(d)]
        v = [
            [math.fsum((r[i] - means[i]) * (r[j] - means[j]) for r in rows) / len(rows) for j in range(d)]
            for i in range(d)
        ]
        return means, v

    (mean_x, v_x), (mean_y, v_y) = moments(x), moments(y)

    def r(v: list[list[float]], i: int, j: int) -> float | None:
        return None if v[i][i] == 0 or v[j][j] == 0 else v[i][j] / math.sqrt(v[i][i] * v[j][j])

    pairs = [(i, j) for i in range(d) for j in range(i, d)]
    above = [(i, j) for i, j in pairs if i < j]
    gaps = [
        None if r(v_x, i, j) is None or r(v_y, i, j) is None else abs(r(v_x, i, j) - r(v_y, i, j))  # type: ignore[operator]
        for i, j in above
    ]
    return {
        "values": 100 * mean([cell(a, b) for p, q in zip(x, y, strict=True) for a, b in zip(p, q, strict=True)]),
        "means": 100 * mean([cell(a, b) for a, b in zip(mean_x, mean_y, strict=True)]),
        "covariances": 100 * mean([cell(v_x[i][j], v_y[i][j]) for i, j in pairs]),
        "variances": 100 * mean([cell(v_x[i][i], v_y[i][i]) for i in range(d)]),
        "correlations": 100 * mean(gaps),
    }
