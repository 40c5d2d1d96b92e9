"""Synthetic values of a numerical variable: masses where many units share a value, a kernel density elsewhere, bounded ends."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.query.residuals.ordered import OrderedUnits

__all__ = ["bandwidths", "end_values", "rounding_step", "synthetic_numbers"]


def end_values(units: OrderedUnits, count: int) -> tuple[float, float]:
    """Return the range of synthetic values: the ``count``-th smallest and the ``count``-th largest value.

    So at least ``count`` units lie at or beyond either end, and neither the smallest nor the largest value is approached.

    Examples
    --------
    >>> end_values(OrderedUnits.of(np.arange(100.0)), 10)
    (9.0, 90.0)
    """
    place = min(count - 1, (units.size - 1) // 2)
    return float(units.values[place]), float(units.values[units.size - 1 - place])


def bandwidths(values: FloatArray, at: IntArray, count: int) -> FloatArray:
    """Return the standard deviation of the kernel at some places of ordered values.

    Silverman's rule h = 0.9 min(sd, IQR / 1.34) n^(-1/5), and at least half the distance between the values ``count`` / 2
    places before and after: every kernel spans ``count`` units, so that no bump of the density is one unit's.

    Parameters
    ----------
    values
        In ascending order.
    at
        Places among them.
    count
        Units that a kernel spans at least.
    """
    n = len(values)
    quartiles = values[[n // 4, (3 * n) // 4]]
    spread, middle = float(values.std()), float(quartiles[1] - quartiles[0]) / 1.34
    h = 0.9 * (min(spread, middle) if middle > 0 else spread) * n**-0.2
    half = -(-count // 2)
    low, high = np.clip(at - half, 0, n - 1), np.clip(at + half, 0, n - 1)
    return np.asarray(np.maximum(h, (values[high] - values[low]) / 2))


def synthetic_numbers(units: OrderedUnits, size: int, count: int, rng: np.random.Generator) -> FloatArray:
    """Return synthetic values of a variable, in ascending order.

    A value that at least ``count`` units share keeps its mass. All other units have a kernel density, which is sampled by
    the inverse of its distribution function: the inverse of the step function of the units chooses a kernel, the inverse of this
    kernel's normal distribution, cut off at the bounds, the value.

    Parameters
    ----------
    units
        The variable.
    size
        Number of synthetic values.
    count
        Fewest units behind a mass, a kernel, and either end.
    rng
        Draws, keyed.

    Returns
    -------
    FloatArray
        At most ``size`` values within :func:`end_values`. Where fewer than ``count`` units have a value of their own, these
        units are left out.

    Complexity
    ----------
    O(n + size log size) after sorting.

    Notes
    -----
    The paper's density estimate has no masses and calls that a shortcoming (incomes of 0). It says nothing of the ends: a
    density has tails beyond the largest value, and its largest draw is near that value. Here the ends are order statistics with
    ``count`` units beyond them, and kernels are cut off there, so that the draws do not pile up at a true value. Units
    beyond the ends have their kernel at the end.

    References
    ----------
    Reiter, J. (2003), Model diagnostics for remote access regression servers, Statistics and Computing 13, 371-380; Lucero et
    al. (2011), section 3.2.1.

    Examples
    --------
    >>> units = OrderedUnits.of(np.concatenate([np.zeros(50), np.arange(1.0, 51.0)]))
    >>> drawn = synthetic_numbers(units, 1000, 10, np.random.default_rng(1))
    >>> bool(450 < (drawn == 0).sum() < 550), bool(drawn.max() < 41)
    (True, True)
    """
    from scipy.special import ndtr, ndtri

    low, high = end_values(units, count)
    masses = units.counts >= count
    place = np.floor(rng.random(size) * units.size).astype(np.int64)
    inside = rng.random(size)
    value = np.searchsorted(units.starts, place, side="right") - 1
    drawn = units.distinct[value]
    smooth = ~masses[value]
    rest = int(units.counts[~masses].sum())
    if rest < count:
        return np.sort(drawn[~smooth])
    loose = units.values if rest == units.size else units.values[np.repeat(~masses, units.counts)]
    loose = np.clip(loose, low, high)  # before any bandwidth is computed: the outermost values have no say in it
    chosen = np.floor(rng.random(int(smooth.sum())) * rest).astype(np.int64)
    centre, h = loose[chosen], bandwidths(loose, chosen, count)
    if low < high:
        h = np.maximum(h, 1e-12 * (high - low))
        first, last = ndtr((low - centre) / h), ndtr((high - centre) / h)
        drawn[smooth] = np.clip(centre + h * ndtri(first + inside[smooth] * (last - first)), low, high)
    else:
        drawn[smooth] = centre
    return np.sort(drawn)


def rounding_step(low: float, high: float, figures: int = 4) -> float:
    """Return the power of ten to which a range is rounded, so that its width keeps so many figures.

    Examples
    --------
    >>> rounding_step(0.0, 80_000.0), rounding_step(1.5, 1.5)
    (10.0, 0.001)
    """
    width = high - low if high > low else max(abs(high), 1e-300)
    return float(10.0 ** (np.floor(np.log10(width)) - figures + 1))
