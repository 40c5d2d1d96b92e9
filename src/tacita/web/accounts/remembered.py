"""What was found a moment ago, so that hundreds of requests a second cost one look at the store."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

__all__ = ["ShortMemory"]

T = TypeVar("T")


class ShortMemory(Generic[T]):
    """Things by name, each for a few seconds.

    Parameters
    ----------
    seconds
        How long a thing is remembered, on a clock that never jumps.
    most
        How many things; when there are more, all are forgotten.
    clock
        That clock.

    Examples
    --------
    >>> memory = ShortMemory[int](60)
    >>> memory.put("a", 1)
    >>> memory.get("a"), memory.get("b")
    (1, None)
    """

    def __init__(self, seconds: float, most: int = 10_000, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._most, self._clock = seconds, most, clock
        self._things: dict[str, tuple[float, T]] = {}
        self._lock = threading.Lock()

    def get(self, name: str) -> T | None:
        """Return what is remembered under a name."""
        found = self._things.get(name)
        return None if found is None or self._clock() >= found[0] else found[1]

    def put(self, name: str, thing: T) -> None:
        """Remember something."""
        with self._lock:
            if len(self._things) >= self._most:
                self._things = {}
            self._things[name] = (self._clock() + self._seconds, thing)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._things = {}
