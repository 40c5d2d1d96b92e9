"""When refusals leave: at a few moments after they came in, so that the time that they took tells nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

__all__ = ["Departure", "leaves_after"]


class Departure:
    """Holds refusals back until they may leave.

    Parameters
    ----------
    quantum
        Seconds after which a refusal leaves at the earliest; 0 lets everything go at once.
    now
        The clock, in seconds.
    sleep
        How to wait.

    Notes
    -----
    Refusals leave one, two, four, eight, ... quanta after they came in. With doubled waits there are six moments in two seconds,
    where multiples would be forty: of a slow refusal nobody learns more than the order of its time.
    """

    def __init__(
        self,
        quantum: float,
        *,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.quantum, self.now, self._sleep = quantum, now, sleep

    async def hold(self, begun: float) -> None:
        """Wait for the next moment at which what began then may leave."""
        spent = self.now() - begun
        await self._sleep(max(leaves_after(spent, self.quantum) - spent, 0.0))


def leaves_after(spent: float, quantum: float) -> float:
    """Return how long after it came in a refusal leaves that took so many seconds.

    Examples
    --------
    >>> [leaves_after(spent, 0.05) for spent in (0.0, 0.02, 0.05, 0.06, 0.11, 0.39)]
    [0.05, 0.05, 0.05, 0.1, 0.2, 0.4]
    """
    if quantum <= 0:
        return spent
    leaves = quantum
    while leaves < spent:
        leaves *= 2
    return leaves
