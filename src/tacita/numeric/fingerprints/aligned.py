"""Leaked records and masked ones: which record of the office's own file each record of a leaked file was made from.

A leaked record differs from the masked one by marks, which are small beside the noise of the mask, and by whatever was done to
hide its origin. The nearest masked record is the one it was made from, unless another is nearly as near.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ParameterError

__all__ = ["Alignment", "align_records"]

_AMBIGUOUS = 0.7
"""A nearest record counts when its distance is below this share of that of the second nearest."""
_MOST = 0.9
"""So many records must lie near the one in their row for the order to count."""
_PATTERNS = 64


class Alignment(NamedTuple):
    """Which masked record each leaked one was made from.

    Parameters
    ----------
    rows
        (n,): row in the masked file, -1 where no record is clearly the nearest.
    by
        ``"order"`` where the records stand in the order of the masked file, otherwise ``"nearest"``.
    """

    rows: IntArray
    by: str

    @property
    def found(self) -> int:
        """Number of leaked records whose origin is known."""
        return int((self.rows >= 0).sum())


def align_records(leaked: FloatArray, masked: FloatArray, scale: FloatArray) -> Alignment:
    """Find the masked record behind each leaked one.

    Both files as they are, when they have equally many records and most lie nearer to the record in their row than half of the
    columns' noise; otherwise each leaked record goes to the masked one that is nearest in units of ``scale``.

    Parameters
    ----------
    leaked
        (n, d): the columns that both files have; NaN where missing.
    masked
        (m, d): the office's own file.
    scale
        (d,): what a difference of 1 is in each column, such as the standard deviation of the mask's noise.

    Raises
    ------
    ParameterError
        When the files do not have the same columns, or none.

    Complexity
    ----------
    O((n + m) log m) time for each pattern of gaps and few columns, O((n + m) d) memory.

    Notes
    -----
    Values that are missing in the leaked file are left out of the distance, for each of the 64 most frequent patterns of gaps; a
    value that is missing in the masked file counts as the median of its column. A record that is found for nobody, or wrongly,
    costs evidence and never makes any.

    Examples
    --------
    >>> masked = np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0]])
    >>> align_records(np.array([[9.7, 0.1], [0.2, -0.1]]), masked, np.ones(2)).rows.tolist()
    [1, 0]
    """
    if leaked.ndim != 2 or masked.ndim != 2 or leaked.shape[1] != masked.shape[1] or not masked.shape[1]:
        raise ParameterError("'leaked' and 'masked' must have the same columns, at least one.")
    if not len(leaked) or not len(masked):
        return Alignment(np.full(len(leaked), -1, np.int64), "nearest")
    unit = np.where(np.isfinite(scale) & (scale > 0), scale, 1.0)
    if len(leaked) == len(masked) and _in_order(leaked, masked, unit).mean() > _MOST:
        return Alignment(np.arange(len(leaked), dtype=np.int64), "order")
    middle = _middles(masked)
    points, known = (np.where(np.isfinite(masked), masked, middle) - middle) / unit, np.isfinite(leaked)
    rows = np.full(len(leaked), -1, np.int64)
    patterns, of_pattern = np.unique(known, axis=0, return_inverse=True)
    sizes = np.bincount(of_pattern.ravel(), minlength=len(patterns))
    for number in np.argsort(-sizes, kind="stable")[:_PATTERNS]:
        columns, here = np.flatnonzero(patterns[number]), np.flatnonzero(of_pattern.ravel() == number)
        if len(columns):
            places = (leaked[np.ix_(here, columns)] - middle[columns]) / unit[columns]
            rows[here] = _nearest(places, points[:, columns])
    return Alignment(rows, "nearest")


def _nearest(places: FloatArray, points: FloatArray) -> IntArray:
    """Return the nearest point of each place, -1 where another is nearly as near."""
    if len(points) == 1:
        return np.zeros(len(places), np.int64)
    distance, row = cKDTree(points).query(places, k=2, workers=1)
    return np.where(distance[:, 0] < _AMBIGUOUS * distance[:, 1], row[:, 0], -1).astype(np.int64)


def _in_order(leaked: FloatArray, masked: FloatArray, unit: FloatArray) -> BoolArray:
    """Whether each leaked record lies near the masked one in the same row."""
    with np.errstate(invalid="ignore"):
        off = np.abs(leaked - masked) / unit
    both = np.isfinite(off)
    near = np.where(both, off, 0.0).sum(axis=1) <= 0.5 * both.sum(axis=1)
    return np.asarray(near & both.any(axis=1))


def _middles(x: FloatArray) -> FloatArray:
    return np.array([np.median(column[np.isfinite(column)]) if np.isfinite(column).any() else 0.0 for column in x.T])
