"""Decimals: how many digits after the point the values of a column have, and values rounded to so many."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray

__all__ = ["MOST_DECIMALS", "ceiled", "decimals_of", "floored", "rounded"]


MOST_DECIMALS = 9
"""A column with more decimals counts as continuous: its values are not rounded."""
_FIRST = 1000


def decimals_of(x: FloatArray, *, single: bool = False) -> int | None:
    """Return the fewest decimals with which every value can be written; None where 9 do not suffice, or there is no value.

    ``single`` compares in single precision. O(n) time; for continuous values a thousand of them tell.

    Examples
    --------
    >>> decimals_of(np.array([1200.5, np.nan, 3.25])), decimals_of(np.array([4.0, 1e15])), decimals_of(np.array([1 / 3]))
    (2, 0, None)
    """
    there = x[np.isfinite(x)]
    if not there.size:
        return None
    fewest = 0
    for part in (there[:_FIRST], there[_FIRST:]):
        while fewest <= MOST_DECIMALS and not _are_written(part, fewest, single):
            fewest += 1
    return fewest if fewest <= MOST_DECIMALS else None


def _are_written(x: FloatArray, decimals: int, single: bool) -> bool:
    with np.errstate(over="ignore", invalid="ignore"):
        made = np.round(x, decimals)
    return bool(np.array_equal(made.astype(np.float32), x.astype(np.float32)) if single else np.array_equal(made, x))


def rounded(x: FloatArray, decimals: int) -> FloatArray:
    """Return the values with so many decimals; a value too large to have any stays."""
    return _on_grid(x, decimals, np.rint)


def floored(x: FloatArray, decimals: int) -> FloatArray:
    """Return the largest values with so many decimals that are not above."""
    near = rounded(x, decimals)
    return np.where(near <= x, near, _on_grid(x, decimals, np.floor))


def ceiled(x: FloatArray, decimals: int) -> FloatArray:
    """Return the smallest values with so many decimals that are not below."""
    return -floored(-np.asarray(x), decimals)


def _on_grid(x: FloatArray, decimals: int, rule: np.ufunc) -> FloatArray:
    with np.errstate(over="ignore", invalid="ignore"):
        made = rule(x * 10.0**decimals) / 10.0**decimals
    return np.asarray(np.where(np.isinf(made), x, made))
