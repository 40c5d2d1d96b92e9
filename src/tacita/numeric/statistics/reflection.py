"""Reflection: values that lie outside an interval are mirrored at its ends until they lie inside."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray

__all__ = ["reflected"]


def reflected(x: FloatArray, low: float, high: float) -> FloatArray:
    """Return the values within [low, high]; those inside stay as they are, ends may be infinite. O(n) time.

    Examples
    --------
    >>> reflected(np.array([-3.0, 4.0, 12.0, 27.0]), 0.0, 10.0).tolist()
    [3.0, 4.0, 8.0, 7.0]
    >>> reflected(np.array([-3.0, 40.0]), 0.0, np.inf).tolist()
    [3.0, 40.0]
    """
    outside = (x < low) | (x > high)
    if not outside.any():
        return x
    made = x.copy()
    far = x[outside]
    if np.isinf(low):
        made[outside] = 2 * high - far
    elif np.isinf(high):
        made[outside] = 2 * low - far
    elif high == low:
        made[outside] = low
    else:
        width = high - low
        place = np.mod(far - low, 2 * width)
        made[outside] = np.clip(low + np.where(place > width, 2 * width - place, place), low, high)
    return made
