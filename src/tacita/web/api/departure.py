"""When refusals leave: at a few moments after they came in, so that the time that they took tells nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from random import SystemRandom

__all__ = ["Departure", "exact_sleep", "leaves_after"]

_NEAR = 0.002
"""Seconds before its end from which a wait is exact."""


class Departure:
    """Holds refusals back until they may leave.

    Parameters
    ----------
    quantum
        Seconds after which a refusal leaves at the earliest; 0 lets everything go at once.
    now
        The clock, in seconds.
    sleep
        How to wait; exactly, by default.
    spread
        Each refusal leaves later by a random part of so many quanta.
    random
        Gives numbers in [0, 1) for that; those of the operating system, by default.

    Notes
    -----
    Refusals leave one, two, four, eight, ... quanta after they came in. With doubled waits there are six moments in two seconds,
    where multiples would be forty: of a slow refusal nobody learns more than the order of its time.

    No machine wakes up to the microsecond, and what it did before tells in how late it is, by so little that only a classifier on
    many refusals sees it. A random part of a quarter of a quantum hides that among far larger differences.
    """

    def __init__(
        self,
        quantum: float,
        *,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] | None = None,
        spread: float = 0.25,
        random: Callable[[], float] | None = None,
    ) -> None:
        self.spread, self._random = spread, random or SystemRandom().random
        self.quantum, self.now, self._sleep = quantum, now, sleep or exact_sleep

    async def hold(self, begun: float) -> None:
        """Wait for the next moment at which what began then may leave."""
        spent = self.now() - begun
        later = self.spread * self.quantum * self._random()
        await self._sleep(max(leaves_after(spent, self.quantum) + later - spent, 0.0))


async def exact_sleep(seconds: float) -> None:
    """Wait to within a tenth of a millisecond.

    Notes
    -----
    The loop of events waits for whole milliseconds. What it waits too long is the part of a millisecond that the work before
    took, so a refusal would show that part when it leaves. The end is waited for in a thread, which wakes up when it is told to.
    """
    until = time.monotonic() + seconds
    if seconds > _NEAR:
        await asyncio.sleep(seconds - _NEAR)
    rest = until - time.monotonic()
    if rest > 0:
        await asyncio.to_thread(time.sleep, rest)


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
