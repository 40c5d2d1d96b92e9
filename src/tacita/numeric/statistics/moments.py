"""Moments of columns and of groups of records."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray

__all__ = ["column_mean", "column_sd", "covariance", "robust_centre_and_spread", "standardise"]


def _there(column: FloatArray) -> FloatArray:
    """Return the values that are there; the whole column, uncopied, where none is missing."""
    # A sum is NaN when a value is: one pass without a mask in the usual case.
    return column[~np.isnan(column)] if np.isnan(column.sum()) else column


def _mean(values: FloatArray) -> float:
    """Return the mean; that of a constant column is the constant to the last digit, so that its spread is exactly 0."""
    if not values.size:
        return 0.0
    # Rounding can put the mean of equal values beside them: ten times 0.1 do not sum to 1.
    return float(np.clip(values.sum() / values.size, values.min(), values.max()))


def column_mean(x: FloatArray) -> FloatArray:
    """Return the mean of each column over the values that are there; 0 where there are none."""
    return np.array([_mean(_there(column)) for column in x.T])


def column_sd(x: FloatArray) -> FloatArray:
    """Return the standard deviation (denominator n - 1) of each column over the values that are there; 0 below two."""
    found = np.zeros(x.shape[1])
    for j, column in enumerate(x.T):
        values = _there(column)
        if values.size > 1:
            centred = values - _mean(values)
            found[j] = np.sqrt(centred @ centred / (values.size - 1))
    return found


def standardise(x: FloatArray, *, like: FloatArray | None = None) -> FloatArray:
    """Subtract mean and divide by standard deviation of the columns of ``like`` (of ``x`` itself without it).

    A constant column becomes zero where it equals the constant; its differences are not scaled.
    """
    base = x if like is None else like
    sd = column_sd(base)
    return np.asarray((x - column_mean(base)) / np.where(sd > 0, sd, 1.0))


def covariance(x: FloatArray, *, overwrite: bool = False) -> FloatArray:
    """Return the covariance matrix (denominator n), each entry over the records that have both values.

    With ``overwrite`` the values are centred where they lie, which spares a copy of them.
    """
    centred = np.subtract(x, column_mean(x), out=x if overwrite else None)
    product = centred.T @ centred
    if not np.isnan(product).any():
        return np.asarray(product / max(len(x), 1))
    there = (~np.isnan(x)).astype(np.float64)
    centred = np.where(there > 0, centred, 0.0)
    safe = np.maximum(there.T @ there, 1)
    sums = centred.T @ there  # sum of column i over records where j is there
    return np.asarray(centred.T @ centred / safe - (sums / safe) * (sums.T / safe))


def robust_centre_and_spread(x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return median and 1.4826 times the median absolute deviation of each column over the values that are there.

    Where the deviation is 0 the standard deviation takes its place; a column without any spread has 0.
    """
    d = x.shape[1]
    centre, spread = np.zeros(d), np.zeros(d)
    sd = column_sd(x)
    for j in range(d):
        there = x[~np.isnan(x[:, j]), j]
        if there.size:
            centre[j] = np.median(there)
            mad = 1.4826 * float(np.median(np.abs(there - centre[j])))
            spread[j] = mad or sd[j]
    return centre, spread
