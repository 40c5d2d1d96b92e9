"""Many exact decisions of few different chances: whether noisy counts pass a threshold, without drawing the noise of each."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np

from tacita.core.arrays import BoolArray, IntArray

__all__ = ["happenings", "passing_chance"]

_DIGITS = 120
_WORD = 64
_FURTHER = 5
"""Words that decide where the first is not enough: 384 bits in all, as many as the digits of a chance are worth."""


def passing_chance(count: int, threshold: int, scale: int) -> Fraction:
    """Return the chance that ``count + v > threshold`` for v with chances proportional to exp(-abs(v) / scale).

    With ``p = exp(-1 / scale)``: ``p^(threshold - count + 1) / (1 + p)`` up to the threshold, ``1 - p^(count - threshold) / (1 +
    p)`` above it. Right to 100 digits behind the point.

    Examples
    --------
    >>> round(float(passing_chance(3, 3, 1)), 6), round(float(passing_chance(4, 3, 1) + passing_chance(3, 3, 1)), 6)
    (0.268941, 1.0)
    """
    with localcontext() as context:
        context.prec = _DIGITS
        p = (Decimal(-1) / scale).exp()
        away = (Decimal(-abs(threshold - count + (count <= threshold))) / scale).exp() / (1 + p)
        return Fraction(away) if count <= threshold else 1 - Fraction(away)


def happenings(chances: Sequence[Fraction], which: IntArray, rng: np.random.Generator) -> BoolArray:
    """Return for each entry of ``which`` whether what has that chance happened.

    A chance is held against 64 random bits for all entries at once, and against 320 more for an entry that these leave open: no
    floating point comes between. O(entries) time.

    Examples
    --------
    >>> happenings([Fraction(0), Fraction(1)], np.array([0, 1, 1]), np.random.default_rng(1)).tolist()
    [False, True, True]
    """
    parts = [divmod(chance.numerator << _WORD, chance.denominator) for chance in chances]
    certain = np.array([part >> _WORD for part, _ in parts], bool)
    first = np.array([part & (1 << _WORD) - 1 for part, _ in parts], np.uint64)
    words = rng.integers(0, 1 << _WORD, len(which), dtype=np.uint64)
    found = certain[which] | (words < first[which])
    for place in np.flatnonzero(~certain[which] & (words == first[which])):
        rest = Fraction(parts[which[place]][1], chances[which[place]].denominator)
        drawn = int.from_bytes(rng.bytes(_FURTHER * _WORD // 8), "big")
        found[place] = drawn < rest * (1 << _FURTHER * _WORD)
    return found
