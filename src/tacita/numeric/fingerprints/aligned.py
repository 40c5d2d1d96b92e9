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
    O((n + m) log m) time for few columns, O((n + m) d) memory.

    Notes
    -----
    A value that is missing in either file is left out of the distance; it counts as the median of the column for the search, so
    that records with many gaps may be found for nobody, which costs evidence and never makes any.

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
    middle = _middles(masked)
    places = [(np.where(np.isfinite(x), x, middle) - middle) / unit for x in (leaked, masked)]
    if len(leaked) == len(masked) and _in_order(leaked, masked, unit).mean() > 0.9:
        return Alignment(np.arange(len(leaked), dtype=np.int64), "order")
    tree = cKDTree(places[1])
    distance, row = tree.query(places[0], k=min(2, len(masked)), workers=1)
    if len(masked) == 1:
        return Alignment(np.zeros(len(leaked), np.int64), "nearest")
    is_clear = distance[:, 0] < _AMBIGUOUS * distance[:, 1]
    return Alignment(np.where(is_clear, row[:, 0], -1).astype(np.int64), "nearest")


def _in_order(leaked: FloatArray, masked: FloatArray, unit: FloatArray) -> BoolArray:
    """Whether each leaked record lies near the masked one in the same row."""
    with np.errstate(invalid="ignore"):
        off = np.abs(leaked - masked) / unit
    both = np.isfinite(off)
    near = np.where(both, off, 0.0).sum(axis=1) <= 0.5 * both.sum(axis=1)
    return np.asarray(near & both.any(axis=1))


def _middles(x: FloatArray) -> FloatArray:
    return np.array([np.median(column[np.isfinite(column)]) if np.isfinite(column).any() else 0.0 for column in x.T])
