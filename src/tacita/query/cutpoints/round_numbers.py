"""Readable numbers: the simplest decimal between two values, powers of ten, numbers as texts.

A cutpoint may lie anywhere between two neighbouring values. The number with the fewest digits is the one that people read
best, and it is hardly ever the value of a record, which the neighbours themselves would be.
"""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np

from tacita.core.arrays import FloatArray

__all__ = ["decimals_in", "number_text", "power_below", "simplest_between", "two_digits"]

_EXACT_POWER = 22
"""Powers of ten up to this one are exact in floating point."""


def decimals_in(*numbers: float) -> int:
    """Return the most decimals that any of a few numbers is written with, at most 22.

    Examples
    --------
    >>> decimals_in(25000.0), decimals_in(0.25, 10.5), decimals_in()
    (0, 2, 0)
    """
    exponents = [Decimal(repr(float(number))).normalize().as_tuple().exponent for number in numbers]
    return min(max([0, *(-int(exponent) for exponent in exponents)]), _EXACT_POWER)


def power_below(number: float) -> float:
    """Return the largest power of ten that is at most the number, which is above zero.

    Examples
    --------
    >>> power_below(77.0), power_below(0.02)
    (10.0, 0.01)
    """
    exponent = math.floor(math.log10(number))
    for candidate in (exponent + 1, exponent, exponent - 1):  # the logarithm of 1000 may be a hair below 3
        if float(f"1e{candidate}") <= number:
            return float(f"1e{candidate}")
    return number  # only below the smallest power of ten that there is


def two_digits(number: float) -> float:
    """Return the least number of two significant digits that is not below a number above zero.

    Examples
    --------
    >>> two_digits(3.0), two_digits(0.1234), two_digits(9951.0)
    (3.0, 0.13, 10000.0)
    """
    unit = power_below(number) / 10
    made = round(math.ceil(number / unit - 1e-9) * unit, decimals_in(unit))
    return made if made >= number else round(made + unit, decimals_in(unit))


def simplest_between(low: FloatArray, high: FloatArray, *, whole: bool = False) -> FloatArray:
    """Return for each pair the number c with the fewest decimals, or the most zeros at its end, with ``low <= c < high``.

    For powers of ten from large to small, the multiple that lies nearest to the middle of the pair is tried; the first that
    lies in [low, high) is taken. Where none does, ``low`` itself.

    Parameters
    ----------
    low, high
        Finite numbers, ``low < high`` in each place.
    whole
        Whether only whole numbers may be taken; then ``low`` must be whole.

    Complexity
    ----------
    O(n e) for e powers of ten between the largest number and the smallest gap, some twenty as a rule.

    Examples
    --------
    >>> simplest_between(np.array([45871.0, 0.123, -2.0, 2.0]), np.array([46102.0, 0.1234, 7.0, 3.0])).tolist()
    [46000.0, 0.123, 0.0, 2.0]
    """
    found = low.copy()
    if not len(low):
        return found
    left = np.arange(len(low))
    size = max(float(np.max(np.abs(low))), float(np.max(np.abs(high))))
    first = math.ceil(math.log10(size)) + 1 if size > 0 else 0
    gap = float(np.min(high / 4 - low / 4)) * 4
    last = 0 if whole else max(math.floor(math.log10(gap)) - 1 if gap > 0 else -_EXACT_POWER, -300)
    for exponent in range(min(max(first, last), 307), last - 1, -1):
        a, b = low[left], high[left]
        with np.errstate(over="ignore"):
            multiple = np.rint(_scaled(a / 2 + b / 2, -exponent))
            multiple = np.clip(multiple, np.ceil(_scaled(a, -exponent)), np.ceil(_scaled(b, -exponent)) - 1)
            number = _scaled(multiple, exponent)
        fits = (a <= number) & (number < b)
        found[left[fits]] = number[fits]
        left = left[~fits]
        if not len(left):
            break
    return found + 0.0  # no negative zero, which would be printed with its sign


def _scaled(numbers: FloatArray, exponent: int) -> FloatArray:
    """Multiply by a power of ten, by an exact division where the power is below one."""
    power = float(f"1e{abs(exponent)}")
    return numbers * power if exponent >= 0 else numbers / power


def number_text(number: float) -> str:
    """Write a number with the fewest digits that give it back.

    Examples
    --------
    >>> number_text(28000.0), number_text(0.1), number_text(-2.5)
    ('28000', '0.1', '-2.5')
    """
    return repr(float(number)).removesuffix(".0")
