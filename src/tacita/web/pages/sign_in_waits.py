"""Waits after sign-ins that fail: each one from the same range of addresses takes longer, and not many wait at once."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from tacita.web.accounts.visitor import address_range

__all__ = ["SignInWaits"]


@dataclass
class _Failures:
    """What a range of addresses has tried."""

    times: int = 0
    last: float = 0.0
    waiting: int = 0


class SignInWaits:
    """How long a sign-in that failed waits before it is told so.

    Parameters
    ----------
    first
        Seconds of the first wait; each further one is twice as long.
    longest
        Seconds of the longest wait.
    forget
        Seconds after which a range without a further failure begins anew.
    at_once
        Failures of one range that wait at the same time; more are sent away.
    most
        Ranges that are remembered.
    now
        The clock, in seconds.

    Notes
    -----
    Tokens have 256 bits, so nobody finds one by trying; waits keep those who try all the same from filling logs and threads. A
    sign-in that succeeds never waits: nobody can lock others out. Each process counts for itself.

    Examples
    --------
    >>> waits = SignInWaits()
    >>> [waits.failed("192.0.2.77") for _ in range(3)]
    [0.25, 0.5, 1.0]
    """

    def __init__(
        self,
        *,
        first: float = 0.25,
        longest: float = 8.0,
        forget: float = 900.0,
        at_once: int = 8,
        most: int = 10_000,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.first, self.longest, self.forget, self.at_once, self.most = first, longest, forget, at_once, most
        self._now = now
        self._failures: dict[str, _Failures] = {}

    def failed(self, address: str) -> float | None:
        """Count a failure; return the seconds that it waits, or None where too many wait already.

        Whoever has waited says so by :meth:`waited`.
        """
        found, now = self._range(address), self._now()
        if now - found.last > self.forget and not found.waiting:
            found.times = 0
        found.last = now
        if found.waiting >= self.at_once:
            return None
        found.waiting += 1
        found.times += 1
        return float(min(self.first * 2.0 ** min(found.times - 1, 60), self.longest))

    def waited(self, address: str) -> None:
        """Say that a wait is over."""
        found = self._failures.get(address_range(address))
        if found is not None:
            found.waiting = max(found.waiting - 1, 0)

    def _range(self, address: str) -> _Failures:
        name = address_range(address)
        if name not in self._failures and len(self._failures) >= self.most:
            self._failures = {known: f for known, f in self._failures.items() if f.waiting}
        return self._failures.setdefault(name, _Failures())
