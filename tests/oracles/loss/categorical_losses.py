"""Losses of categories, value by value and cell by cell. None is a missing value."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence

Column = Sequence[str | None]


def direct(x: Column, y: Column, order: Sequence[str] | None) -> list[float]:
    """Distances of one column; ``order`` is that of an ordinal one."""
    found = []
    for a, b in zip(x, y, strict=True):
        if a == b:
            found.append(0.0)
        elif order is None or a not in order or b not in order:
            found.append(1.0)
        else:
            low, high = sorted((order.index(a), order.index(b)))
            found.append(len(order[low:high]) / len(order))
    return found


def contingency(x: Sequence[Column], y: Sequence[Column], dimension: int) -> dict[str, float]:
    """Return the raw sum over all tables, the sum over cells, and the mean share of records in another cell."""
    raw, cells, shares = 0.0, 0, []
    for k in range(1, dimension + 1):
        for chosen in itertools.combinations(range(len(x)), k):
            before = Counter(zip(*(x[j] for j in chosen), strict=True))
            after = Counter(zip(*(y[j] for j in chosen), strict=True))
            both = set(before) | set(after)
            raw += sum(abs(before[c] - after[c]) for c in both)
            cells += math.prod(len(set(x[j]) | set(y[j])) for j in chosen)
            n, m = len(x[0]), len(y[0])
            shares.append(sum(abs(before[c] / n - after[c] / m) for c in both) / 2)
    return {"sum": raw, "per_cell": raw / cells, "value": 100 * sum(shares) / len(shares)}


def bits(shares: Sequence[float]) -> float:
    """Return the entropy of shares that sum to 1."""
    return -sum(p * math.log2(p) for p in shares if p > 0)


def entropy_records(x: Column, y: Column) -> list[float]:
    """Return H(V | V' = v') of each record, the matrix estimated, by Bayes' rule written out."""
    n = len(x)
    prior = {v: x.count(v) / n for v in set(x)}
    moved = {
        (v, w): sum(a == v and b == w for a, b in zip(x, y, strict=True)) / x.count(v) for v in prior for w in set(y)
    }
    return [_posterior_bits(prior, {v: moved[v, w] for v in prior}) for w in y]


def entropy_given(x: Column, y: Column, categories: Sequence[str], matrix: Sequence[Sequence[float]]) -> list[float]:
    """Return H(V | V' = v') of each record under a given matrix."""
    prior = {v: x.count(v) / len(x) for v in categories}
    return [_posterior_bits(prior, {v: matrix[i][categories.index(w)] for i, v in enumerate(categories)}) for w in y]


def _posterior_bits(prior: dict, moved: dict) -> float:
    total = sum(prior[v] * moved[v] for v in prior)
    if total == 0:
        return bits(list(prior.values()))
    return bits([prior[v] * moved[v] / total for v in prior])
