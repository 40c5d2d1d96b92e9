"""Shares: the interval of a share that was counted in a sample, and what is left of one without chance."""

from __future__ import annotations

import math

__all__ = ["beyond_chance", "interval_of_share"]

_NORMAL_95 = 1.959963984540054


def interval_of_share(share: float, n: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval for a mean of n values between 0 and 1.

    Of all such values with a given mean, those that are 0 or 1 vary most; for ties, which count 1/m, it is on the safe side.
    """
    z = _NORMAL_95
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(max(share * (1 - share), 0.0) / n + z * z / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


def beyond_chance(share: float, chance: float) -> float:
    """Return ``(share - chance) / (1 - chance)``, what is right beyond what chance would have right; 0 where nothing is.

    Examples
    --------
    >>> beyond_chance(0.75, 0.5), beyond_chance(0.2, 0.5), beyond_chance(1.0, 1.0)
    (0.5, 0.0, 0.0)
    """
    return max(0.0, (share - chance) / (1 - chance)) if chance < 1 else 0.0
