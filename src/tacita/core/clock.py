"""A deadline that long work shares out among its steps."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

__all__ = ["Clock"]


@dataclass(frozen=True)
class Clock:
    """A deadline on the monotonic clock; infinite where there is none.

    Examples
    --------
    >>> Clock.of(None).share(0.5) is None
    True
    >>> Clock.of(100.0).share(0.5, most=10.0)
    10.0
    """

    end: float

    @classmethod
    def of(cls, seconds: float | None) -> Clock:
        """Start a clock that runs for some seconds."""
        return cls(np.inf if seconds is None else time.monotonic() + seconds)

    @property
    def left(self) -> float:
        """Seconds that are left, never below 0."""
        return float(max(self.end - time.monotonic(), 0.0))

    def share(self, part: float, *, most: float = np.inf) -> float | None:
        """Return a part of what is left as a time limit; None without a deadline."""
        given = min(self.left * part, most)
        return None if np.isinf(given) else given
