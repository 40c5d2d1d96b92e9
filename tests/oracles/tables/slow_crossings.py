"""Smallest differences of two geographies by trying every union of coarse areas."""

from __future__ import annotations

from itertools import product

import numpy as np

__all__ = ["smallest_differences"]


def smallest_differences(counts: np.ndarray, most: int) -> dict[tuple[int, int], int]:
    """Return for each pair (fine, coarse) the size of the smallest difference of at most ``most`` that it is in.

    Parameters
    ----------
    counts
        (fine, coarse): records in both areas.
    """
    fine, coarse = counts.shape
    best: dict[tuple[int, int], int] = {}
    for chosen in product([False, True], repeat=coarse):
        inside = [not any(counts[s, m] and not chosen[m] for m in range(coarse)) for s in range(fine)]
        rest = [(s, m) for s in range(fine) for m in range(coarse) if counts[s, m] and chosen[m] and not inside[s]]
        size = sum(int(counts[pair]) for pair in rest)
        if 0 < size <= most:
            for pair in rest:
                best[pair] = min(best.get(pair, size), size)
    return best
