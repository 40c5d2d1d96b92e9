"""Rounding outwards: what floating-point numbers and few digits take away must never narrow an interval.

A candidate that an interval does not contain would be ruled out, so every end gets the largest error that its computation can
have, and is then rounded away from the middle.
"""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import NamedTuple

import numpy as np

from tacita.core.errors import ParameterError

__all__ = ["SUM_ERROR", "Bounds", "rounded_outward", "widened"]

SUM_ERROR = 256 * float(np.finfo(np.float64).eps)
"""Error of a sum that numpy adds pairwise, as a share of the sum of absolute terms: at most 16 + log2(n / 128) roundings a term,
and a few more for the terms themselves, which are products and convex combinations."""

MOST_DIGITS = 17


class Bounds(NamedTuple):
    """An answer: the statistic lies between ``low`` and ``high``."""

    low: float
    high: float


def widened(low: float, high: float, error: float) -> Bounds:
    """Return the interval with ``error`` added on both sides, and one more step of the last bit.

    Examples
    --------
    >>> widened(1.0, 2.0, 0.5)
    Bounds(low=0.49999999999999994, high=2.5000000000000004)
    """
    return Bounds(math.nextafter(low - error, -math.inf), math.nextafter(high + error, math.inf))


def rounded_outward(bounds: Bounds, digits: int | None) -> Bounds:
    """Return the interval with ends of so many significant digits, the lower one rounded down and the upper one up.

    Parameters
    ----------
    bounds
        The interval.
    digits
        Significant digits, from 1 to 17; None leaves the interval as it is.

    Raises
    ------
    ParameterError
        When ``digits`` is outside of this.

    Notes
    -----
    The digits are found in exact decimal arithmetic. Turning the decimal back into the nearest float keeps the order of numbers,
    so it never passes the end that was rounded.

    Examples
    --------
    >>> rounded_outward(Bounds(1234.5, 1298.7), 3)
    Bounds(low=1230.0, high=1300.0)
    >>> rounded_outward(Bounds(-0.012345, 0.0), 2)
    Bounds(low=-0.013, high=0.0)
    """
    if digits is None:
        return bounds
    if isinstance(digits, bool) or not isinstance(digits, int) or not 1 <= digits <= MOST_DIGITS:
        raise ParameterError(f"interval: 'digits' must be a whole number from 1 to {MOST_DIGITS}, got {digits!r}.")
    down, up = Context(prec=digits, rounding=ROUND_FLOOR), Context(prec=digits, rounding=ROUND_CEILING)
    return Bounds(_rounded(bounds.low, down), _rounded(bounds.high, up))


def _rounded(value: float, context: Context) -> float:
    return value if not math.isfinite(value) or value == 0 else float(context.plus(Decimal(value)))
