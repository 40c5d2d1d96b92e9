"""Outliers by sorting plain numbers, one record at a time."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence


def distances(records: Sequence[Sequence[float]]) -> list[float]:
    """The distance of each standardised record from the origin; a missing value is at the mean."""
    columns = list(zip(*records, strict=True))
    facts = []
    for column in columns:
        there = [value for value in column if not math.isnan(value)]
        mean = statistics.fmean(there) if there else 0.0
        sd = statistics.stdev(there) if len(there) > 1 and len(set(there)) > 1 else 1.0
        facts.append((mean, sd))
    found = []
    for record in records:
        z = [0.0 if math.isnan(v) else (v - mean) / sd for v, (mean, sd) in zip(record, facts, strict=True)]
        found.append(math.sqrt(sum(value * value for value in z)))
    return found


def outlier_count(n: int, share: float) -> int:
    """A share of n records, rounded to the nearest number with a half going up, at least one."""
    return min(n, max(1, math.floor(share * n + 0.5)))
