"""Significant figures: published numbers keep few of them, so that two fits cannot be differenced to the last record."""

from __future__ import annotations

import math

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ParameterError

__all__ = ["plain_number", "significant_array", "to_decimals", "to_significant"]

_GUARD = 12
"""Figures that a fit has for certain, whatever adds it up in which order."""


def to_significant(value: float, figures: int = 4) -> float:
    """Return a number with so many significant figures.

    The number is rounded to 12 figures first, then to ``figures``, halves to the even digit. What the order of adding changes
    stands behind the twelfth figure, so a number that should be a tie is one, and published figures do not depend on
    threads or machines.

    Parameters
    ----------
    value
        Any number; infinities and missing values stay.
    figures
        Significant figures to keep, 1 to 12.

    Returns
    -------
    float
        The rounded number.

    Raises
    ------
    ParameterError
        When ``figures`` is not between 1 and 12.

    Examples
    --------
    >>> to_significant(31415.9265), to_significant(-0.000123449), to_significant(0.0)
    (31420.0, -0.0001234, 0.0)
    """
    if not 1 <= figures <= _GUARD:
        raise ParameterError(f"to_significant: 'figures' must be in [1, {_GUARD}], got {figures}.")
    if not math.isfinite(value) or value == 0:
        return float(value)
    from decimal import ROUND_HALF_EVEN, Context, Decimal

    firm = Context(prec=_GUARD, rounding=ROUND_HALF_EVEN).create_decimal(Decimal(float(value)))
    return float(Context(prec=figures, rounding=ROUND_HALF_EVEN).create_decimal(firm))


def to_decimals(value: float, decimals: int = 3) -> float:
    """Return a number with so many decimals, halves to even after the twelfth decimal was made sure of.

    Examples
    --------
    >>> to_decimals(0.98765), to_decimals(0.0004)
    (0.988, 0.0)
    """
    return round(round(float(value), _GUARD), decimals) if math.isfinite(value) else float(value)


def significant_array(values: FloatArray, figures: int = 4) -> FloatArray:
    """Return an array, short as coefficients are, with so many significant figures in each entry."""
    return np.array([to_significant(float(v), figures) for v in values.ravel()]).reshape(values.shape)


def plain_number(value: float) -> float | None:
    """Return a number as JSON can have it: None where it is not finite.

    Examples
    --------
    >>> plain_number(float("nan")), plain_number(1.5)
    (None, 1.5)
    """
    return float(value) if math.isfinite(value) else None
