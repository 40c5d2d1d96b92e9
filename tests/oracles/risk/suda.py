"""Minimal sample uniques by trying all sets of columns for every record."""

from __future__ import annotations

import itertools

import numpy as np

__all__ = ["minimal_uniques_oracle"]


def minimal_uniques_oracle(codes: np.ndarray, largest: int) -> list[list[tuple[int, ...]]]:
    """Return the minimal sample uniques of each record."""
    n, d = codes.shape
    found: list[list[tuple[int, ...]]] = [[] for _ in range(n)]
    for size in range(1, min(largest, d) + 1):
        for columns in itertools.combinations(range(d), size):
            for row in range(n):
                same = sum((codes[other, list(columns)] == codes[row, list(columns)]).all() for other in range(n))
                known = (codes[row, list(columns)] >= 0).all()
                if same == 1 and known and not any(set(msu) <= set(columns) for msu in found[row]):
                    found[row].append(columns)
    return found
