"""What was received: how far the cells of a leaked file lean to one variant or the other, summed for each symbol of the code."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.numeric.fingerprints.variants import Variants

__all__ = ["leaning", "received_weights"]

_AS_MARKS = 2.0
"""Marks differ from the masked value by at most so many times half of what lies between the variants."""
_CLIP = 3.0
"""Deviations beyond so many times the usual one count as such: a wrong value must not outweigh many right ones."""


def leaning(leaked: FloatArray, masked: FloatArray, zero: FloatArray, one: FloatArray) -> FloatArray:
    """Return (n,): for each leaked value how far it leans to the variant of 1 (above 0) or that of 0 (below 0).

    With v the masked value and h = (v_1 - v_0) / 2, the deviation t_i is the larger of |h_i| and, where values lie far beyond the
    marks, the median of |x - v| in the column:

        z_i = h_i clip(x_i - v_i, -3 t_i, 3 t_i) / t_i^2.

    A column that was left alone gives 2 (1 - p) or -2 p; whoever adds much noise to a column takes its weight down.

    Parameters
    ----------
    leaked
        (n,): values of one column; NaN where missing.
    masked, zero, one
        (n,): the cells that they were made from, and their variants.

    Complexity
    ----------
    O(n).

    Notes
    -----
    The deviation from the masked value, and not from the middle of the variants, has mean 0 over all codewords. A coalition's
    expected score is the same, since that of a constant is 0; the variance of an innocent one is a third less for symbols that
    are seen, and two thirds less for averages of four.

    Examples
    --------
    >>> leaning(np.array([9.0, 11.0, np.nan]), np.full(3, 10.0), np.full(3, 9.0), np.full(3, 11.0)).tolist()
    [-1.0, 1.0, 0.0]
    """
    off, half = leaked - masked, (one - zero) / 2.0
    told = np.isfinite(off) & (half != 0)
    if not told.any():
        return np.zeros(len(leaked))
    off, size = np.where(told, off, 0.0), np.where(told, np.abs(half), 1.0)
    usual = float(np.median(np.abs(off[told])))
    spread = size if np.median(np.abs(off[told]) / size[told]) <= _AS_MARKS else np.maximum(size, usual)
    return np.asarray(np.where(told, half * np.clip(off, -_CLIP * spread, _CLIP * spread) / spread**2, 0.0))


def received_weights(leaked: FloatArray, rows: IntArray, columns: list[Variants], length: int) -> FloatArray:
    """Return (length,): for each symbol of the code the sum over its cells of how far they lean to 1.

    Parameters
    ----------
    leaked
        (n, d): the marked columns of the leaked file; NaN where missing.
    rows
        (n,): the masked record behind each leaked one, -1 where none is known.
    columns
        The variants of these columns, for all masked records.
    length
        Of the code.

    Raises
    ------
    ParameterError
        When there are not as many columns on both sides.

    Complexity
    ----------
    O(n d + length).

    Notes
    -----
    Two records that were made from one masked record both count: they are copies of one another, or mixed.

    Examples
    --------
    >>> column = Variants(np.array([2.0, 3.0]), np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.array([0, 1]))
    >>> received_weights(np.array([[4.0], [1.0]]), np.array([1, 0]), [column], 2).tolist()
    [-1.0, 1.0]
    """
    if leaked.ndim != 2 or leaked.shape != (len(rows), len(columns)):
        raise ParameterError("'leaked' must have a column for each of 'columns' and a row for each of 'rows'.")
    total, known = np.zeros(length), rows >= 0
    for values, column in zip(leaked[known].T, columns, strict=True):
        here = rows[known]
        weight = leaning(values, column.masked[here], column.zero[here], column.one[here])
        total += np.bincount(column.position[here], weights=weight, minlength=length)
    return total
