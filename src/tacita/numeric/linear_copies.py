"""Columns that are a copy, a total or another linear combination of others, in all records or nearly all."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["depends_on"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_MOST_RECORDS = 5000
_FEWEST = 20
_NEARLY_ALL = 0.95
_EXACT = 1e-3
_ROUNDS = 10


def depends_on(u: FloatArray, x: FloatArray) -> tuple[int, ...]:
    """Return the columns of x of which u is a linear combination in 95 of 100 records or more; none where it is none.

    Least squares, repeated on the half of the records that fit best, find the relation that most records keep. A record
    keeps it to within a thousandth of the spread of u, so that a rounded copy counts. Up to 5000 records are
    looked at. O(n d^2) time.

    Examples
    --------
    >>> a, b = np.arange(40.0) ** 2, np.arange(40.0) % 7
    >>> depends_on(a + b, np.column_stack([a, b, np.cos(a)]))
    (0, 1)
    >>> depends_on(np.sin(a), np.column_stack([a, b]))
    ()
    """
    whole = ~np.isnan(u) & ~np.isnan(x).any(axis=1)
    rows = np.flatnonzero(whole)
    rows = rows[np.linspace(0, len(rows) - 1, min(len(rows), _MOST_RECORDS)).astype(np.int64)] if len(rows) else rows
    if len(rows) < _FEWEST + 2 * x.shape[1]:
        return ()
    spread = _spread(u[rows])
    design = (x[rows] - np.median(x[rows], axis=0)) / [_spread(x[rows, j]) for j in range(x.shape[1])]
    design, side = np.column_stack([design, np.ones(len(rows))]), (u[rows] - np.median(u[rows])) / spread
    best = np.arange(len(rows))
    for _ in range(_ROUNDS):
        fit = np.linalg.lstsq(design[best], side[best], rcond=None)[0]
        off = np.abs(side - design @ fit)
        if (off <= _EXACT).mean() >= _NEARLY_ALL:
            return tuple(int(j) for j in np.flatnonzero(np.abs(fit[:-1]) > _EXACT))
        nearest = np.sort(np.argsort(off, kind="stable")[: (len(rows) + design.shape[1]) // 2 + 1])
        if np.array_equal(nearest, best):
            break
        best = nearest
    return ()


def _spread(values: FloatArray) -> float:
    """Return the median distance from the median, of the values that differ from it; 1 where none does."""
    far = np.abs(values - np.median(values))
    far = far[far > 0]
    return float(np.median(far)) if far.size else 1.0
