"""Algorithm 13 with everything computed from scratch in every step, and the objective as a double loop."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tests.oracles.risk.linkage import nearest

Rows = list[list[float]]


def standardised(rows: Rows, like: Rows) -> Rows:
    """Subtract the mean and divide by the standard deviation (denominator n - 1) of ``like``."""
    columns = list(zip(*like, strict=True))
    means = [math.fsum(column) / len(column) for column in columns]
    sds = [
        math.sqrt(math.fsum((v - m) ** 2 for v in c) / (len(c) - 1)) or 1.0 for c, m in zip(columns, means, strict=True)
    ]
    return [[(v - m) / s for v, m, s in zip(row, means, sds, strict=True)] for row in rows]


def moment_error(x: Rows, y: Rows) -> float:
    """Expression (5.3) on standardised rows."""

    def mean(rows: Rows, j: int) -> float:
        return math.fsum(row[j] for row in rows) / len(rows)

    def product(rows: Rows, j: int, k: int) -> float:
        return math.fsum(row[j] * row[k] for row in rows) / len(rows)

    d = len(x[0])
    first = [(mean(y, j) - mean(x, j)) ** 2 for j in range(d)]
    second = [(product(y, j, k) - product(x, j, k)) ** 2 for j in range(d) for k in range(j, d)]
    return math.fsum(first) + math.fsum(second)


def relative_error(x: Sequence[float], y: Sequence[float]) -> list[float]:
    """Terms of expression (5.2) for one record; left out where both are 0."""
    pairs = [(a, b) for a, b in zip(x, y, strict=True) if a != 0 or b != 0]
    return [abs(a - b) / abs(a) if a != 0 else 1.0 for a, b in pairs]


def il1(x: Rows, y: Rows) -> float:
    """Expression (5.2), each masked record beside its nearest original in standardised distance."""
    zx, zy = standardised(x, x), standardised(y, x)
    terms = [t for row, z in zip(y, zy, strict=True) for t in relative_error(x[nearest(zx, z)], row)]
    return math.fsum(terms) / len(terms)


def algorithm_13(
    x: Rows,
    y: Rows,
    cells: list[tuple[int, int]],
    draws: list[tuple[int, float]],
    *,
    step: float,
    ratio: float,
    target_e: float,
) -> tuple[np.ndarray, int]:
    """Steps (a) to (i), corrected: undo is taken back, and E and IL1' are restored with the value.

    ``draws`` has for each step the number of a cell and u in (-1, 1). Returns the values and how many steps were kept.
    """
    rows, zx = [list(row) for row in y], standardised(x, x)
    sds = [np.std([row[j] for row in x], ddof=1) or 1.0 for j in range(len(x[0]))]
    error, loss = moment_error(zx, standardised(rows, x)), il1(x, rows)
    goal, kept = ratio * loss, 0
    low, high = 0.99 * goal, 1.01 * goal
    for number, u in draws:
        if error <= target_e and low <= loss <= high:
            break
        i, j = cells[number]
        old = rows[i][j]
        rows[i][j] = old + step * sds[j] * u**3
        new_error, new_loss = moment_error(zx, standardised(rows, x)), il1(x, rows)
        outside = not low <= new_loss <= high and abs(new_loss - goal) >= abs(loss - goal)
        if new_error >= error or outside:
            rows[i][j] = old
        else:
            error, loss, kept = new_error, new_loss, kept + 1
    return np.array(rows), kept
