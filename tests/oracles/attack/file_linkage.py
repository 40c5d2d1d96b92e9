"""Attacks on files, slowly: distances and matches pair by pair, and arrangements one by one."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

__all__ = ["cheapest", "matches", "uniform_parts"]


def cheapest(costs: Sequence[Sequence[float]]) -> list[tuple[float, int]]:
    """Return for each query the least cost and how many records have it, to nine digits."""
    found = []
    for row in costs:
        best = min(row)
        found.append((best, sum(cost <= best + 1e-9 * (1 + abs(best)) for cost in row)))
    return found


def distance(query: Sequence[float], record: Sequence[float], gap: float) -> float:
    """Return the squared distance, a gap for each value that is missing on either side."""
    return sum(gap if math.isnan(a) or math.isnan(b) else (a - b) ** 2 for a, b in zip(query, record, strict=True))


def matches(victim: Sequence[str | None], records: Sequence[Sequence[str | None]]) -> list[int]:
    """Return the records that agree with a victim in most columns; a missing value agrees with everything."""
    agree = [sum(a is None or b is None or a == b for a, b in zip(victim, r, strict=True)) for r in records]
    return [i for i, count in enumerate(agree) if count == max(agree)]


def uniform_parts(values: Sequence[str], sizes: Sequence[int]) -> list[dict[str, Fraction]]:
    """Return the chance of each value in each part, over all arrangements in which every part has one value alone.

    The parts stand at the beginning of an arrangement, one after the other.
    """
    kept: list[tuple[str, ...]] = []
    ends = [0, *itertools.accumulate(sizes)]
    for order in itertools.permutations(range(len(values))):
        row = tuple(values[i] for i in order)
        if all(len(set(row[a:b])) <= 1 for a, b in itertools.pairwise(ends)):
            kept.append(row)
    names = sorted(set(values))
    return [
        {name: Fraction(sum(row[a] == name for row in kept), max(len(kept), 1)) for name in names} for a in ends[:-1]
    ]
