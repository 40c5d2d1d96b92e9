"""SAFE in slow and obvious words: tables as dictionaries of tuples, potentials as sums over all of their cells."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

__all__ = ["best_bound", "deviations_oracle", "potential_oracle", "small_groups"]

Records = Sequence[tuple[Any, ...]]


def small_groups(records: Records, k: int) -> list[tuple[Any, ...]]:
    """Combinations that occur, but less than k times."""
    return [combination for combination, many in Counter(records).items() if many < k]


def deviations_oracle(before: Records, after: Records, tables: Iterable[Sequence[int]]) -> dict[Any, int]:
    """The deviation of every cell of some tables, each given by the places of its variables."""
    found: dict[Any, int] = {}
    for table in tables:
        old, new = (Counter(tuple(row[j] for j in table) for row in rows) for rows in (before, after))
        found |= {(tuple(table), cell): new[cell] - old[cell] for cell in {*old, *new}}
    return found


def potential_oracle(
    counts: Sequence[int], original: Sequence[int], places: Sequence[Sequence[int]], cost: Callable[[int, int], int]
) -> int:
    """The sum over all cells of ``cost(table, deviation)``, from the counts of the elementary cells."""
    total = 0
    for t in range(len(places[0])):
        deviations: Counter[int] = Counter()
        for j, row in enumerate(places):
            deviations[row[t]] += counts[j] - original[j]
        total += sum(cost(t, d) for d in deviations.values())
    return total


def best_bound(original: Sequence[int], places: Sequence[Sequence[int]], k: int) -> int:
    """The least largest deviation of all counts in {0, k, k + 1, ...} with the same total; the last table is the total."""
    n, best = sum(original), sum(original)
    allowed = [0, *range(k, n + 1)]
    for counts in itertools.product(allowed, repeat=len(original)):
        if sum(counts) != n:
            continue
        worst = 0
        for t in range(len(places[0]) - 1):
            deviations: Counter[int] = Counter()
            for j, row in enumerate(places):
                deviations[row[t]] += counts[j] - original[j]
            worst = max(worst, *(abs(d) for d in deviations.values()))
        best = min(best, worst)
    return best
