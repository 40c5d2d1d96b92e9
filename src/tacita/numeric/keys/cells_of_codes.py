"""Cells of codes: one number for each combination of codes, the same in two files."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tacita.core.arrays import IntArray

__all__ = ["cells_of_codes"]

_LARGEST = 2**62
"""Numbers of cells stay below this, so that they fit into 64 bits."""


def cells_of_codes(
    x: Sequence[IntArray], y: Sequence[IntArray], sizes: Sequence[int]
) -> tuple[IntArray, IntArray, int]:
    """Return the number of the cell that each record of the two files stands in, and how many numbers there are.

    O(n d), and O(n log n) where there are more cells than numbers.

    Parameters
    ----------
    x, y
        For each dimension the codes of the records of the one and of the other file.
    sizes
        Number of codes of each dimension.

    Examples
    --------
    >>> a, b, count = cells_of_codes([np.array([0, 1]), np.array([2, 0])], [np.array([1]), np.array([1])], [2, 3])
    >>> a.tolist(), b.tolist(), count
    ([2, 3], [4], 6)
    """
    a, b, count = x[0].astype(np.int64), y[0].astype(np.int64), sizes[0]
    for next_a, next_b, size in zip(x[1:], y[1:], sizes[1:], strict=True):
        if count > _LARGEST // max(size, 1):  # number the cells that occur before the numbers become too large
            labels = np.unique(np.concatenate([a, b]), return_inverse=True)[1].reshape(-1)
            a, b, count = labels[: len(a)], labels[len(a) :], int(labels.max(initial=-1)) + 1
        a, b, count = a * size + next_a, b * size + next_b, count * size
    return a, b, count
