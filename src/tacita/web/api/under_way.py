"""Questions under way: how many there may be at once, of one visitor and of all."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tacita.web.api.errors import HttpRefusalError
from tacita.web.settings import ServerLimits

__all__ = ["HeldPlace", "QuestionsUnderWay"]


class HeldPlace:
    """The place of one question; it may be held until its work has ended, also when nobody waits for that any more."""

    def __init__(self) -> None:
        self.work: asyncio.Future[Any] | None = None

    def holds_until(self, work: asyncio.Future[Any]) -> None:
        """Hold the place until some work is done."""
        self.work = work


class QuestionsUnderWay:
    """Counts the questions of one process that are under way.

    Parameters
    ----------
    limits
        How many there may be.

    Notes
    -----
    Whoever does not wait for the end of what he has begun still has it under way: otherwise one visitor could have all threads
    of the engine work for him by asking what takes long and going away.
    """

    def __init__(self, limits: ServerLimits) -> None:
        self.limits = limits
        self._users: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._users.total()

    @contextmanager
    def one_more(self, user: str) -> Iterator[HeldPlace]:
        """Count a question while it is under way.

        Raises
        ------
        HttpRefusalError
            429 when this user has too many, 503 when all together have.
        """
        if self._users[user] >= self.limits.per_visitor:
            hint = "You have too many questions under way; wait for their answers."
            raise HttpRefusalError(429, "at_once", hint, retry_after=1)
        if len(self) >= self.limits.at_once + self.limits.waiting:
            raise HttpRefusalError(503, "busy", "Too many questions are under way; ask again.", retry_after=1)
        self._users[user] += 1
        place = HeldPlace()
        try:
            yield place
        finally:
            if place.work is None or place.work.done():
                self._end(user)
            else:
                place.work.add_done_callback(lambda _: self._end(user))

    def _end(self, user: str) -> None:
        self._users[user] -= 1
        if not self._users[user]:
            del self._users[user]
