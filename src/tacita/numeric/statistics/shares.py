"""Shares: the interval of a share that was counted in a sample, and what is left of one without chance."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray

__all__ = ["beyond_chance", "interval_of_share", "intervals_of_shares"]

_NORMAL_95 = 1.959963984540054


def intervals_of_shares(shares: FloatArray, n: int, z: float) -> tuple[FloatArray, FloatArray]:
    """Return Wilson's intervals for several shares of n records, with the quantile z of the normal distribution.

    Examples
    --------
    >>> low, high = intervals_of_shares(np.array([0.0, 0.5]), 10, 1.96)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.0, 0.237], [0.278, 0.763])
    """
    centre = (shares + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(np.maximum(shares * (1 - shares), 0.0) / n + z * z / (4 * n * n))
    return np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)


def interval_of_share(share: float, n: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval for a mean of n values between 0 and 1.

    Of all such values with a given mean, those that are 0 or 1 vary most; for ties, which count 1/m, it is on the safe side.
    """
    low, high = intervals_of_shares(np.array([share]), n, _NORMAL_95)
    return float(low[0]), float(high[0])


def beyond_chance(share: float, chance: float) -> float:
    """Return ``(share - chance) / (1 - chance)``, what is right beyond what chance would have right; 0 where nothing is.

    Examples
    --------
    >>> beyond_chance(0.75, 0.5), beyond_chance(0.2, 0.5), beyond_chance(1.0, 1.0)
    (0.5, 0.0, 0.0)
    """
    return max(0.0, (share - chance) / (1 - chance)) if chance < 1 else 0.0
