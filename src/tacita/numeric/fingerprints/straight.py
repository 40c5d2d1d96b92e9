"""Scales taken back: a leaked column in other units, or shifted, is brought onto the scale of the masked one.

Marks have nothing to do with the size of a value, so that a straight line between leaked and masked values takes none away.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray

__all__ = ["same_spread", "straightened"]

_FEWEST = 20
_ROUNDS = 3


def same_spread(leaked: FloatArray, masked: FloatArray) -> FloatArray:
    """Return a leaked column with the median and the spread of the masked one, whoever its records are.

    The spread is the distance of the quantiles 0.1 and 0.9; where there is none, the column stays as it is. O(n log n).

    Examples
    --------
    >>> same_spread(np.array([1.0, 2.0, 3.0]), np.array([1000.0, 2000.0, 3000.0])).round(6).tolist()
    [1000.0, 2000.0, 3000.0]
    """
    both = []
    for x in (leaked, masked):
        there = x[np.isfinite(x)]
        low, middle, high = np.quantile(there, (0.1, 0.5, 0.9)) if len(there) else (0.0, 0.0, 0.0)
        both.append((float(middle), float(high - low)))
    (from_middle, from_spread), (to_middle, to_spread) = both
    if not (from_spread > 0 and to_spread > 0):
        return leaked
    return np.asarray((leaked - from_middle) * (to_spread / from_spread) + to_middle, np.float64)


def straightened(leaked: FloatArray, rows: IntArray, masked: FloatArray) -> FloatArray:
    """Return a leaked column with the straight line taken out that leads to it from the masked values of the same records.

    Least squares, twice again without the records that lie off by more than three median deviations, fit leaked = a + b masked;
    the column becomes (leaked - a) / b. With fewer than 20 records, or b not above 0, it stays as it is. O(n).

    Parameters
    ----------
    leaked
        (n,): a column; NaN where missing.
    rows
        (n,): the masked record behind each, -1 where none is known.
    masked
        (m,): the column of the masked file.

    Examples
    --------
    >>> masked = np.arange(100.0)
    >>> made = straightened(3.0 + 2.0 * masked, np.arange(100), masked)
    >>> float(np.abs(made - masked).max().round(9))
    0.0
    """
    known = np.flatnonzero(rows >= 0)
    x, y = masked[rows[known]], leaked[known]
    there = np.isfinite(x) & np.isfinite(y)
    x, y = x[there], y[there]
    kept, slope, start = np.ones(len(x), bool), 1.0, 0.0
    for _ in range(_ROUNDS):
        spread = float(np.var(x[kept])) if kept.sum() >= _FEWEST else 0.0
        if not spread > 0:
            return leaked
        middle_x, middle_y = float(x[kept].mean()), float(y[kept].mean())
        slope = float(((x[kept] - middle_x) * (y[kept] - middle_y)).mean()) / spread
        start = middle_y - slope * middle_x
        off = np.abs(y - start - slope * x)
        kept = off <= 3.0 * 1.4826 * float(np.median(off)) + 1e-12 * float(np.abs(y).max(initial=0.0))
    return np.asarray((leaked - start) / slope, np.float64) if slope > 0 else leaked
