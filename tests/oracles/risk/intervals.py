"""Interval disclosure by counting, one value and one width at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction


def middle_rank(value: float, ordered: Sequence[float]) -> Fraction:
    """The mean of the ranks 0, 1, ... that a value has among sorted ones."""
    ranks = [rank for rank, other in enumerate(ordered) if other == value]
    return Fraction(sum(ranks), len(ranks))


def rank_hits(x: Sequence[float], y: Sequence[float], released: Sequence[float], widths: Sequence[int]) -> list[float]:
    """The share of widths whose interval between the order statistics rank -+ p % n holds the original."""
    ordered = sorted(v for v in released if not math.isnan(v))
    n = len(ordered)
    shares = []
    for original, masked in zip(x, y, strict=True):
        if math.isnan(original) or math.isnan(masked):
            shares.append(math.nan)
            continue
        rank, hits = middle_rank(masked, ordered), 0
        for p in widths:
            reach = Fraction(p * n, 100)
            inside = [ordered[r] for r in range(n) if rank - reach <= r <= rank + reach]
            # A pair of tied values has its middle rank between both; a narrow interval is then the value itself.
            low, high = (min(inside), max(inside)) if inside else (masked, masked)
            hits += low <= original <= high
        shares.append(hits / len(widths))
    return shares


def sd_hits(x: Sequence[float], y: Sequence[float], sd: float, widths: Sequence[int]) -> list[float]:
    """The share of widths p with |x - x'| at most p percent of the standard deviation."""
    return [
        math.nan if math.isnan(a) or math.isnan(b) else sum(abs(a - b) <= p / 100 * sd for p in widths) / len(widths)
        for a, b in zip(x, y, strict=True)
    ]
