"""Relative differences with the field's rule for zero denominators."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray

__all__ = ["relative_differences", "row_means", "without_rounding"]


_ROUNDING = 1e-12


def relative_differences(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return |x - y| / |x| cell by cell.

    Where x is 0 the denominator is |y|; where both are 0, or one is missing, the cell is NaN: it is left out.
    """
    denominator = np.asarray(np.abs(x))
    np.abs(y, out=denominator, where=x == 0)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        result = np.asarray(x - y)
        np.abs(result, out=result)
        np.divide(result, denominator, out=result)
    result[denominator == 0] = np.nan
    return result


def row_means(cells: FloatArray) -> FloatArray:
    """Return the mean of each row over the cells that are there; 0 for a row with none."""
    there = ~np.isnan(cells)
    return np.asarray(np.where(there, cells, 0.0).sum(axis=1) / np.maximum(there.sum(axis=1), 1))


def without_rounding(values: FloatArray, size: FloatArray | float = 1.0) -> FloatArray:
    """Set to 0 what is not 0 only because of rounding, measured by the ``size`` of what it was computed from.

    As a denominator it would swamp everything else.
    """
    return np.asarray(np.where(np.abs(values) <= _ROUNDING * np.asarray(size), 0.0, values))
