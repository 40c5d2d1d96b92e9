"""How large the noise of a mask is at each value, and how large a mark may be beside it.

The scale is measured from a masked file and its original, robustly; a mark is a share of it, on the grid of the column.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.numeric.statistics.decimals import MOST_DECIMALS, rounded

__all__ = ["NoiseScale", "amplitudes", "grid_decimals", "in_noise_units", "noise_scale"]

_KNOTS = 16
_FEWEST = 60
"""Records behind each knot of a scale; fewer would tell something of single ones."""
_COARSEST, _MOST = 6, 0.95
"""Grids of up to a million are looked for; so many values must lie on one."""
_TO_SD = 1.4826
"""What a median deviation of normal noise is multiplied by to give a standard deviation."""


class NoiseScale(NamedTuple):
    """How large the noise of a mask is at a masked value: linear between knots, constant beyond them.

    Parameters
    ----------
    at
        Masked values, ascending.
    sd
        Standard deviations of the noise there.
    """

    at: FloatArray
    sd: FloatArray


def noise_scale(original: FloatArray, masked: FloatArray) -> NoiseScale:
    """Measure how large the noise of a mask is: robustly, in up to 16 classes of the masked value with equally many records.

        sd = 1.4826 median |masked - original|   of each class, to two digits.

    Parameters
    ----------
    original, masked
        (n,): the same records; NaN where missing.

    Complexity
    ----------
    O(n log n).

    Notes
    -----
    Copies tell nothing of the original but these few rounded numbers, besides what the masked file tells. With fewer than 120
    records there is one class.

    Examples
    --------
    >>> x = np.linspace(0, 100, 1001)
    >>> scale = noise_scale(x, x + np.where(np.arange(1001) % 2, 3.0, -3.0))
    >>> sorted(set(scale.sd.tolist()))
    [4.4]
    """
    known = np.isfinite(original) & np.isfinite(masked)
    values, off = masked[known], np.abs(masked[known] - original[known])
    if not len(values):
        return NoiseScale(np.zeros(1), np.zeros(1))
    order = np.argsort(values, kind="stable")
    classes = np.array_split(order, max(min(_KNOTS, len(values) // _FEWEST), 1))
    at = np.array([np.median(values[part]) for part in classes])
    sd = _two_digits(np.array([_TO_SD * np.median(off[part]) for part in classes]))
    distinct, first = np.unique(at, return_index=True)  # many equal values: classes that lie on one another
    return NoiseScale(distinct, sd[first])


def amplitudes(values: FloatArray, scale: NoiseScale, share: float, decimals: int | None) -> FloatArray:
    """Return (n,): how far the two variants of each cell lie apart.

    Without rounding it is share x sd. A mark smaller than two steps u of the column's grid becomes none or a whole step by
    chance, which adds a variance in proportion to u; then it is share^2 sd^2 / (2 u), which adds as much as without rounding.

    Parameters
    ----------
    values
        (n,): masked values.
    scale
        The noise at these values.
    share
        Part of the standard deviation of the noise.
    decimals
        Of the column; None where its values are continuous.

    Complexity
    ----------
    O(n).

    Examples
    --------
    >>> flat = NoiseScale(np.array([0.0]), np.array([10.0]))
    >>> amplitudes(np.zeros(1), flat, 0.1, None).tolist(), amplitudes(np.zeros(1), flat, 0.1, 0).tolist()
    ([1.0], [0.5])
    """
    apart = share * np.interp(values, scale.at, scale.sd)
    if decimals is not None:
        step = 10.0**-decimals
        apart = np.where(apart < 2.0 * step, apart**2 / (2.0 * step), apart)
    return np.asarray(np.where(np.isfinite(values), apart, 0.0), np.float64)


def grid_decimals(x: FloatArray) -> int | None:
    """Return the decimals of most values: the coarsest power of ten that 95 of 100 values other than 0 are multiples of.

    Below 0 where people round to tens, hundreds and so on; None where values are continuous. O(n) for each power.

    Examples
    --------
    >>> grid_decimals(np.array([1200.0, 300.0, 0.0])), grid_decimals(np.array([1.25, 3.5])), grid_decimals(np.array([1 / 3]))
    (-2, 2, None)
    """
    there = x[np.isfinite(x) & (x != 0)]
    if not len(there):
        return None
    for decimals in range(-_COARSEST, MOST_DECIMALS + 1):
        if (rounded(there, decimals) == there).mean() >= _MOST:
            return decimals
    return None


def in_noise_units(x: FloatArray, scale: NoiseScale) -> FloatArray:
    """Return values on an axis where the noise of the mask has the standard deviation 1 everywhere. O(n log knots).

    Examples
    --------
    >>> in_noise_units(np.array([0.0, 10.0, 30.0]), NoiseScale(np.array([0.0, 10.0]), np.array([2.0, 2.0]))).tolist()
    [0.0, 5.0, 15.0]
    """
    sd = np.maximum(scale.sd, 0.01 * scale.sd.max(initial=0.0))
    sd = np.where(sd > 0, sd, 1.0)
    steps = np.diff(scale.at) * (1.0 / sd[1:] + 1.0 / sd[:-1]) / 2.0
    inside = np.interp(x, scale.at, np.concatenate([[0.0], np.cumsum(steps)]))
    beyond = np.minimum(x - scale.at[0], 0.0) / sd[0] + np.maximum(x - scale.at[-1], 0.0) / sd[-1]
    return np.asarray(inside + beyond, np.float64)


def _two_digits(x: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        size = np.where(x > 0, np.floor(np.log10(np.where(x > 0, x, 1.0))), 0.0)
    unit = 10.0 ** (size - 1.0)
    return np.asarray(np.round(np.round(x / unit) * unit, 12), np.float64)
