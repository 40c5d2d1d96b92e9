"""The risk report of a file by going through its records one by one."""

from __future__ import annotations

import math
from typing import Any


def matches(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Whether two combinations agree wherever both have a value."""
    return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))


def risk_oracle(f: int, total: float) -> float:
    """E[1/F | f] by summing the negative binomial distribution term by term."""
    p = f / max(total, f)
    if p == 1:
        return 1 / f
    found, h = 0.0, f
    while True:
        log = math.lgamma(h) - math.lgamma(f) - math.lgamma(h - f + 1) + f * math.log(p) + (h - f) * math.log1p(-p)
        term = math.exp(log) / h
        found += term
        if h > f / p and term < 1e-14 * found:
            return found
        h += 1


def assess_oracle(records: list[tuple[Any, ...]], weights: list[float]) -> dict[str, Any]:
    """Frequencies, population frequencies and risks of every record, missing keys being wildcards."""
    f = [sum(matches(r, s) for s in records) for r in records]
    total = [sum(w for s, w in zip(records, weights, strict=True) if matches(r, s)) for r in records]
    risk = [risk_oracle(a, b) for a, b in zip(f, total, strict=True)]
    return {
        "below": {k: sum(x < k for x in f) for k in (2, 3, 5)},
        "patterns": len(set(records)),
        "expected": sum(risk),
        "largest": max(risk),
        "riskiest": sorted(dict(zip(records, risk, strict=True)).values(), reverse=True),
    }
