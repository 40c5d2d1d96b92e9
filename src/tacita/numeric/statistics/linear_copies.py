"""Columns that are a copy, a total or another linear combination of others, in all records or nearly all."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray

__all__ = ["depends_on", "linear_copies"]


_RECORDS = 1000
_FEWEST = 20
_NEARLY_ALL = 0.95
_EXACT = 1e-3
_ROUNDS = 10
_FAR = 0.7
"""Median distance from a fit, in the spread of a column, above which the others say nearly nothing about it."""


def linear_copies(u: FloatArray, x: FloatArray) -> list[tuple[int, ...]]:
    """Return for each column of u the columns of x that it is a linear combination of; see :func:`depends_on`.

    One decomposition tells which columns of u the others say anything about; only these are looked at closely. O(d^3) time.
    """
    rows = _rows(np.asarray(~np.isnan(x).any(axis=1)), x.shape[1])
    if not len(rows):
        return [()] * u.shape[1]
    basis = np.linalg.qr(_design(x[rows]))[0]
    side = np.nan_to_num(np.column_stack([_scaled(u[rows, j]) for j in range(u.shape[1])]))
    off = np.median(np.abs(side - basis @ (basis.T @ side)), axis=0)
    return [depends_on(u[:, j], x) if off[j] <= _FAR else () for j in range(u.shape[1])]


def depends_on(u: FloatArray, x: FloatArray) -> tuple[int, ...]:
    """Return the columns of x of which u is a linear combination in 95 of 100 records or more; none where it is none.

    Least squares, repeated on the half of the records that fit best, find the relation that most records keep. A record
    keeps it to within a thousandth of the spread of u, so that a rounded copy counts. About a thousand records are looked at.

    Examples
    --------
    >>> a, b = np.arange(40.0) ** 2, np.arange(40.0) % 7
    >>> depends_on(a + b, np.column_stack([a, b, np.cos(a)]))
    (0, 1)
    >>> depends_on(np.sin(a), np.column_stack([a, b]))
    ()
    """
    rows = _rows(~np.isnan(u) & ~np.isnan(x).any(axis=1), x.shape[1])
    if not len(rows):
        return ()
    design, side = _design(x[rows]), _scaled(u[rows])
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


def _rows(whole: BoolArray, d: int) -> IntArray:
    """Return the records that are looked at; none where they are too few to say anything."""
    rows = np.flatnonzero(whole)
    if len(rows) < _FEWEST + 2 * d:
        return rows[:0]
    return rows[np.linspace(0, len(rows) - 1, min(len(rows), _RECORDS + 10 * d)).astype(np.int64)]


def _design(x: FloatArray) -> FloatArray:
    return np.column_stack([*(_scaled(x[:, j]) for j in range(x.shape[1])), np.ones(len(x))])


def _scaled(values: FloatArray) -> FloatArray:
    return (values - np.nanmedian(values)) / _spread(values) if not np.isnan(values).all() else np.zeros(len(values))


def _spread(values: FloatArray) -> float:
    """Return the median distance from the median, of the values that differ from it; 1 where none does."""
    far = np.abs(values - np.nanmedian(values))
    far = far[far > 0]
    return float(np.median(far)) if far.size else 1.0
