"""Frequencies of key patterns, record against record."""

from __future__ import annotations

import numpy as np

__all__ = ["frequencies_oracle"]


def frequencies_oracle(codes: np.ndarray, amounts: np.ndarray, missing: str) -> np.ndarray:
    """Compare every record with every other, value by value, as the definitions say."""
    n, d = codes.shape
    found = np.zeros(n)
    for r in range(n):
        for s in range(n):
            if missing == "own category":
                matches = all(codes[r, j] == codes[s, j] for j in range(d))
            elif missing == "wildcard":
                matches = all(codes[r, j] == codes[s, j] or -1 in (codes[r, j], codes[s, j]) for j in range(d))
            else:
                matches = all(codes[r, j] == codes[s, j] or codes[r, j] == -1 for j in range(d))
            if matches:
                found[r] += amounts[s]
    return found
