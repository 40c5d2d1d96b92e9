"""Ranks and order statistics."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["mid_ranks", "rank_window"]

FloatArray = npt.NDArray[np.float64]


def mid_ranks(values: FloatArray, ordered: FloatArray) -> FloatArray:
    """Return the rank 0, 1, ... of each value among the sorted ``ordered``; tied values share their middle rank."""
    first = np.searchsorted(ordered, values, side="left")
    last = np.searchsorted(ordered, values, side="right") - 1
    return np.asarray((first + last) / 2)


def rank_window(ranks: FloatArray, ordered: FloatArray, width: float) -> tuple[FloatArray, FloatArray]:
    """Return the order statistics at ``rank - width`` and ``rank + width``, cut at the ends of the file."""
    n = len(ordered)
    lower = np.clip(np.ceil(ranks - width - 1e-9), 0, n - 1).astype(np.int64)
    upper = np.clip(np.floor(ranks + width + 1e-9), 0, n - 1).astype(np.int64)
    return ordered[lower], ordered[upper]
