"""Waits: how long a user must wait, so that attacks of many queries take long enough to be seen."""

from __future__ import annotations

import math

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ParameterError

__all__ = ["seconds_to_wait"]


def seconds_to_wait(asked_at: FloatArray, now: float, *, most: int, window: float, least_gap: float = 0.0) -> float:
    """Return the seconds until a user may ask again; zero when it is now.

    At most ``most`` queries may fall into any span of ``window`` seconds, and two of them must be ``least_gap``
    seconds apart:

        wait = max(0, t_(most) + window - now, t_(1) + least_gap - now),

    with t_(j) the time of the j-th last query.

    Parameters
    ----------
    asked_at
        Times of the user's earlier queries in seconds, in any order; refused ones count as well.
    now
        The present time on the same clock. None is read here.
    most
        Queries that fit into a window.
    window
        Length of the window in seconds.
    least_gap
        Seconds between two queries.

    Raises
    ------
    ParameterError
        When a parameter is not a number that makes sense.

    Notes
    -----
    Times after ``now``, from a clock that was set back, count as asked now: they lengthen no wait beyond the window.
    O(m) time for m queries.

    Examples
    --------
    >>> import numpy as np
    >>> seconds_to_wait(np.array([0.0, 10.0, 20.0]), 25.0, most=3, window=60.0)
    35.0
    >>> seconds_to_wait(np.array([0.0, 10.0, 20.0]), 61.0, most=3, window=60.0)
    0.0
    """
    if most < 1:
        raise ParameterError(f"seconds_to_wait: 'most' must be at least 1, got {most}.")
    for name, value in (("window", window), ("least_gap", least_gap)):
        if not (math.isfinite(value) and value >= 0):
            raise ParameterError(f"seconds_to_wait: '{name}' must be a finite number of at least 0, got {value}.")
    times = np.minimum(np.asarray(asked_at, dtype=np.float64), now)
    if not (math.isfinite(now) and np.isfinite(times).all()):
        raise ParameterError("seconds_to_wait: all times must be finite numbers of seconds.")
    waits = [0.0]
    if len(times) >= most:
        waits.append(float(np.partition(times, len(times) - most)[len(times) - most]) + window - now)
    if len(times):
        waits.append(float(times.max()) + least_gap - now)
    return max(waits)
