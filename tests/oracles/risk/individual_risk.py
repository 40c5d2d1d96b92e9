"""Individual risk by adding up the series of its definition."""

from __future__ import annotations

import math

__all__ = ["individual_risk_oracle"]


def individual_risk_oracle(f: int, p: float, terms: int = 200_000) -> float:
    """Return sum_{h >= f} 1/h C(h-1, f-1) p^f (1-p)^(h-f), term by term."""
    if p == 1:
        return 1 / f
    probability, total = p**f, 0.0
    for h in range(f, f + terms):
        total += probability / h
        probability *= (1 - p) * h / (h - f + 1)
    return math.fsum([total])
