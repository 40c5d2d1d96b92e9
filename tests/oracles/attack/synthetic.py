"""Attacks on synthetic data by looking at every pair of records, one after the other."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from tacita.data.microdata import Microdata

Record = Sequence[float]

__all__ = ["attributed", "distance", "holding", "linked", "separating", "threshold_gains"]


def distance(a: Record, b: Record, classes_a: Sequence[int], classes_b: Sequence[int]) -> float:
    """The distance of two records with numbers and classes."""
    numbers = sum((x - y) ** 2 for x, y in zip(a, b, strict=True))
    return math.sqrt(numbers + sum(x != y for x, y in zip(classes_a, classes_b, strict=True)))


def attributed(far: Sequence[float], classes: Sequence[int]) -> tuple[int, float]:
    """The most frequent class of the nearest records, and its share among those that have one."""
    least = min(far)
    votes = Counter(c for d, c in zip(far, classes, strict=True) if d <= least + 1e-9 and c >= 0)
    if not votes:
        return -1, 0.0
    best = max(votes.values())
    return min(c for c, n in votes.items() if n == best), best / votes.total()


def threshold_gains(inside: Sequence[float], outside: Sequence[float]) -> dict[float, float]:
    """For each score: how much larger the share of candidates up to it is than that of others."""
    return {
        t: sum(x <= t for x in inside) / len(inside) - sum(x <= t for x in outside) / len(outside) for t in set(inside)
    }


def separating(inside: Sequence[float], outside: Sequence[float]) -> float:
    """The smallest score with the largest gain; minus infinity where none gains."""
    gains = threshold_gains(inside, outside)
    best = max(gains.values())
    return min(t for t, gain in gains.items() if gain >= best - 1e-12) if best > 0 else -math.inf


def linked(first: Sequence[Sequence[float]], second: Sequence[Sequence[float]], count: int) -> list[int]:
    """For each person the person of the other file at the smallest sum of distances, over his nearest synthetic records.

    ``first[i][s]`` is the distance of a person to a synthetic record, ``second[s][j]`` that of a synthetic record to a person of
    the other file.
    """
    found = []
    for row in first:
        near = sorted(range(len(row)), key=lambda s: (row[s], s))[:count]
        nearest = {s: min(range(len(second[s])), key=lambda j, s=s: (second[s][j], j)) for s in near}  # type: ignore[misc]
        best = min(near, key=lambda s: (row[s] + second[s][nearest[s]], near.index(s)))
        found.append(nearest[best])
    return found


def holding(predicate: Sequence[tuple[str, str, Any]], data: Microdata) -> int:
    """For how many records a predicate holds, record by record."""
    relations: dict[str, Callable[[Any, Any], bool]] = {
        "is": lambda x, v: x is not None and (x == v if isinstance(v, float) else str(x) == v),
        "at most": lambda x, v: x is not None and x <= v,
        "at least": lambda x, v: x is not None and x >= v,
        "is missing": lambda x, _: x is None,
    }
    rows = data.to_arrow(codes=False).to_pylist()
    return sum(all(relations[how](row[name], value) for name, how, value in predicate) for row in rows)
