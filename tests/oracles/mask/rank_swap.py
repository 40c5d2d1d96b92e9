"""Rank swapping by the book: lists of free ranks, one drawn at random."""

from __future__ import annotations

import random
from collections.abc import Sequence


def rank_differences(before: Sequence[float], after: Sequence[float]) -> list[int]:
    """How many ranks each record's value moved; for values without ties."""
    rank = {value: i for i, value in enumerate(sorted(before))}
    assert len(rank) == len(before), "this oracle needs values without ties"
    return [abs(rank[a] - rank[b]) for a, b in zip(before, after, strict=True)]


def partners(n: int, window: int, rng: random.Random) -> list[int]:
    """Going up the ranks, swap each free one with a free one drawn from the next ``window``; itself where none is free."""
    partner, free = list(range(n)), [True] * n
    for i in range(n):
        if not free[i]:
            continue
        free[i] = False
        choices = [j for j in range(i + 1, min(i + window, n - 1) + 1) if free[j]]
        if choices:
            j = rng.choice(choices)
            free[j] = False
            partner[i], partner[j] = j, i
    return partner
