"""Bounds narrowed by sums, one sum after the other: less than a programme finds, and fast on any number of cells."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray

__all__ = ["narrowed_by_sums"]

SWEEPS = 20


def narrowed_by_sums(
    start: IntArray,
    cells: IntArray,
    signs: FloatArray,
    low: FloatArray,
    high: FloatArray,
    *,
    change: float,
    whole: bool = False,
) -> tuple[FloatArray, FloatArray]:
    """Return bounds of cells, each narrowed by what the other cells of its sums leave for it.

    Parameters
    ----------
    start, cells, signs
        Sums that are 0: sum j has the cells ``cells[start[j]:start[j + 1]]`` with these signs.
    low, high
        (n,): bounds of the cells.
    change
        Sweeps go on until no bound changes by more than this.
    whole
        Whether cells are whole numbers, so that bounds can be rounded inwards.

    Notes
    -----
    Sums are used one by one, again and again: total from parts, part from total and the other parts. Several sums at once could
    say more. O(m) for m entries of the sums, times a few sweeps.

    Examples
    --------
    >>> ends = np.array([2.5, 0.0, 0.0]), np.array([7.5, 2.5, 2.5])
    >>> low, high = narrowed_by_sums(np.array([0, 3]), np.arange(3), np.array([1.0, -1, -1]), *ends, change=0.0)
    >>> np.abs(low).tolist(), high.tolist()
    ([2.5, 0.0, 0.0], [5.0, 2.5, 2.5])
    """
    low, high = low.copy(), high.copy()
    if not len(cells):
        return low, high
    sums = len(start) - 1
    row = np.repeat(np.arange(sums), np.diff(start))
    for _ in range(SWEEPS):
        least = np.where(signs > 0, signs * low[cells], signs * high[cells])
        most = np.where(signs > 0, signs * high[cells], signs * low[cells])
        # sign x = -(sum of the others), and these lie between their least and their most
        at_most = (least - np.bincount(row, least, sums)[row]) / signs
        at_least = (most - np.bincount(row, most, sums)[row]) / signs
        new_low, new_high = low.copy(), high.copy()
        np.minimum.at(new_high, cells, np.maximum(at_most, at_least))
        np.maximum.at(new_low, cells, np.minimum(at_most, at_least))
        if whole:
            new_low, new_high = np.ceil(new_low - 1e-6), np.floor(new_high + 1e-6)
        moved = max(float((new_low - low).max(initial=0.0)), float((high - new_high).max(initial=0.0)))
        low, high = new_low, new_high
        if moved <= change:
            break
    return low, high
