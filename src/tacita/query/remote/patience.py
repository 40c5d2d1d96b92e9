"""How long a server is waited for that says: not now."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime

__all__ = ["LONGEST_PAUSE", "MOST_PAUSES", "Patience", "seconds_of"]

LONGEST_PAUSE = 120.0
"""Seconds that a server which is not available is waited for, all pauses together."""

MOST_PAUSES = 4
"""Pauses for a server that is not available."""

_FIRST, _GROWTH, _LONGEST = 0.1, 1.5, 5.0


def seconds_of(retry_after: str, *, now: float | None = None) -> float | None:
    """Return the seconds that a header ``Retry-After`` asks for: a number of seconds, or a date.

    Parameters
    ----------
    retry_after
        What the header has.
    now
        The time of the clock; by default that of this machine.

    Returns
    -------
    float or None
        Seconds, none of them negative; None where the header is neither.

    Examples
    --------
    >>> seconds_of("7"), seconds_of("soon"), seconds_of("Thu, 01 Jan 1970 00:01:00 GMT", now=50.0)
    (7.0, None, 10.0)
    """
    text = retry_after.strip()
    if text.isascii() and text.isdigit() and len(text) <= 9:
        return float(text)
    try:
        then = parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError, OverflowError, OSError):
        return None
    return max(0.0, then - (time.time() if now is None else now))


class Patience:
    """Pauses between one attempt and the next, with an end.

    Parameters
    ----------
    most
        Seconds of all pauses together.
    sleep
        Waits so many seconds.
    pauses
        How many there are; without end where there is no number.

    Examples
    --------
    >>> paused = []
    >>> patience = Patience(1.0, paused.append)
    >>> patience.pause("1"), patience.pause("1"), paused
    (True, False, [1.0])
    """

    def __init__(self, most: float, sleep: Callable[[float], None], *, pauses: int | None = None) -> None:
        self._left, self._sleep, self._next = most, sleep, _FIRST
        self._pauses = math.inf if pauses is None else pauses

    def pause(self, retry_after: str = "") -> bool:
        """Wait as long as the server asks for, or a little longer each time; False where patience ends before."""
        asked = seconds_of(retry_after)
        length = self._next if asked is None else max(asked, _FIRST)
        self._next = min(self._next * _GROWTH, _LONGEST)
        if not math.isfinite(length) or length > self._left or self._pauses < 1:
            return False
        self._left -= length
        self._pauses -= 1
        self._sleep(length)
        return True
