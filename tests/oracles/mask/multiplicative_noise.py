"""Multiplicative noise, number by number as the paper writes it (with the corrections of its misprints)."""

from __future__ import annotations

from itertools import product
from math import comb, exp, log, sqrt

Row = list[float]
Table = list[Row]


def mean(column: Row) -> float:
    return sum(column) / len(column)


def columns(x: Table) -> Table:
    return [list(column) for column in zip(*x, strict=True)]


def product_mean(a: Row, b: Row) -> float:
    return mean([p * q for p, q in zip(a, b, strict=True)])


def covariance(a: Row, b: Row) -> float:
    return product_mean(a, b) - mean(a) * mean(b)


def equation_8(x: Table, k: float) -> Table:
    c = columns(x)
    return [[log(1 + k * covariance(a, b) / product_mean(a, b)) for b in c] for a in c]


def equation_23(x: Table, k: float) -> Table:
    c = columns(x)
    return [[log((1 + k) * product_mean(a, b) / (product_mean(a, b) + k * mean(a) * mean(b))) for b in c] for a in c]


def cholesky(matrix: Table) -> Table:
    d = len(matrix)
    lower = [[0.0] * d for _ in range(d)]
    for i in range(d):
        for j in range(i + 1):
            rest = matrix[i][j] - sum(lower[i][m] * lower[j][m] for m in range(j))
            lower[i][j] = sqrt(rest) if i == j else rest / lower[j][j]
    return lower


def noise(sigma: Table, z: Table) -> Table:
    """exp(E) with E normal: covariance sigma, mean minus half the variance, (9)."""
    lower, d = cholesky(sigma), len(sigma)
    return [[exp(sum(lower[j][m] * row[m] for m in range(d)) - sigma[j][j] / 2) for j in range(d)] for row in z]


def equation_7(x: Table, k: float, z: Table) -> Table:
    s, means = sqrt(1 + k), [mean(c) for c in columns(x)]
    e = noise(equation_8(x, k), z)
    return [
        [((s - 1) * m + v * f) / s for v, f, m in zip(row, fs, means, strict=True)]
        for row, fs in zip(x, e, strict=True)
    ]


def equation_21(x: Table, k: float, z: Table) -> Table:
    s, means = sqrt(1 + k), [mean(c) for c in columns(x)]
    e = noise(equation_23(x, k), z)
    return [
        [((s - 1) * m * f + v * f) / s for v, f, m in zip(row, fs, means, strict=True)]
        for row, fs in zip(x, e, strict=True)
    ]


def equation_15(x: Table, k: float, z: Table, lag: Row) -> Table:
    """(11), (12) and (13): to positive z-scores, scheme (7) on them, and back."""
    c, s = columns(x), sqrt(1 + k)
    n = len(x)
    means, sds = [mean(a) for a in c], [sqrt(covariance(a, a) * n / (n - 1)) for a in c]
    zp = [[(v - m) / sd + g for v, m, sd, g in zip(row, means, sds, lag, strict=True)] for row in x]
    e = noise(equation_8(zp, k), z)
    zm = [
        [((s - 1) * g + v * f) / s for v, f, g in zip(row, fs, lag, strict=True)] for row, fs in zip(zp, e, strict=True)
    ]
    return [[(v - g) * sd + m for v, g, sd, m in zip(row, lag, sds, means, strict=True)] for row in zm]


def shifted_21(x: Table, k: float, z: Table) -> Table:
    """Mixed signs: raise by |min|, scheme (21), lower again."""
    up = [max(0.0, -min(c)) for c in columns(x)]
    raised = [[v + u for v, u in zip(row, up, strict=True)] for row in x]
    return [[v - u for v, u in zip(row, up, strict=True)] for row in equation_21(raised, k, z)]


def equation_27(x: Table, k: float, z: Table) -> Table:
    """A chain over all columns, largest first: mask the last one and the differences, and add up."""
    last = len(x[0]) - 1
    differences = [[row[j] - row[j + 1] for j in range(last)] + [row[last]] for row in x]
    return [[sum(row[j:]) for j in range(last + 1)] for row in shifted_21(differences, k, z)]


def moment(x: Table, p: tuple[int, ...]) -> float:
    total = 0.0
    for row in x:
        term = 1.0
        for value, power in zip(row, p, strict=True):
            term *= value**power
        total += term
    return total / len(x)


def growth(x: Table, k: float, p: tuple[int, ...], *, as_printed: bool = False) -> float:
    """A of (26)."""
    c, d, made = columns(x), len(p), 1.0
    for j in range(d):
        own = product_mean(c[j], c[j])
        made *= ((1 + k) * own / (own + k * mean(c[j]) ** 2)) ** (p[j] * (p[j] - 1) / 2)
        for m in range(j + 1, d):
            cross = product_mean(c[j], c[m])
            below = cross + k * (cross if as_printed else mean(c[j]) * mean(c[m]))
            made *= ((1 + k) * cross / below) ** (p[j] * p[m])
    return made


def equation_25(x: Table, k: float, p: tuple[int, ...], *, as_printed: bool = False) -> float:
    """The moment to be expected after scheme (21)."""
    s, means, total = sqrt(1 + k), [mean(c) for c in columns(x)], 0.0
    for i in product(*(range(power + 1) for power in p)):
        term = moment(x, i)
        for a, b, m in zip(p, i, means, strict=True):
            term *= comb(a, b) * ((s - 1) * m) ** (a - b)
        total += term
    return growth(x, k, p, as_printed=as_printed) * total / s ** sum(p)


def equation_26(masked: Table, k: float, p: tuple[int, ...]) -> float:
    """The moment of the original: masked moments up to order 2, above that (26) solved recursively."""
    if sum(p) <= 2:
        return moment(masked, p)
    s, means, rest = sqrt(1 + k), [mean(c) for c in columns(masked)], 0.0
    for i in product(*(range(power + 1) for power in p)):
        if i != p:
            term = equation_26(masked, k, i)
            for a, b, m in zip(p, i, means, strict=True):
                term *= comb(a, b) * ((s - 1) * m) ** (a - b)
            rest += term
    return moment(masked, p) * s ** sum(p) / growth(masked, k, p) - rest
