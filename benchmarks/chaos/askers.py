"""Askers: put questions to a server that may go away at any moment, and remember everything that they were told."""

from __future__ import annotations

import asyncio
import json
import random
import threading
from collections import Counter, defaultdict

from benchmarks.server.http_client import HttpConnection
from benchmarks.server.questions import NewQuestions

__all__ = ["Askers", "is_refusal"]

_SHAPE = {"status", "reasons", "hint", "id", "request"}


class Askers:
    """Some visitors in a thread of their own, each with one question under way.

    Parameters
    ----------
    url
        The server; it may be changed while they ask.
    visitors
        How many.
    seed
        Which questions come.
    pause
        Seconds that each of them waits after a reply.
    """

    def __init__(self, url: str, *, visitors: int = 8, seed: int = 1, pause: float = 0.02) -> None:
        self.url, self.sent = url, 0
        self.answers: defaultdict[bytes, Counter[bytes]] = defaultdict(Counter)
        self.codes: Counter[int] = Counter()
        self.misshapen = self.lost = 0
        self.visitors, self._pause = visitors, pause
        self._new, self._rng = NewQuestions(seed), random.Random(seed)
        self._ends = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._all()), name="askers")

    def __enter__(self) -> Askers:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join()

    @property
    def received(self) -> int:
        """Answers that arrived."""
        return self.codes[200]

    async def _all(self) -> None:
        await asyncio.gather(*(self._one() for _ in range(self.visitors)))

    async def _one(self) -> None:
        while not self._ends.is_set():
            connection, url = HttpConnection(self.url), self.url
            try:
                while url == self.url and not self._ends.is_set():
                    await self._ask(connection)
                    await asyncio.sleep(self._pause)
            except (OSError, EOFError, TimeoutError):
                self.lost += 1
                await asyncio.sleep(0.1)
            finally:
                connection.close()

    async def _ask(self, connection: HttpConnection) -> None:
        known = list(self.answers) if self._rng.random() < 0.5 else []
        body = self._rng.choice(known) if known else self._new.next()
        self.sent += 1
        reply = await asyncio.wait_for(connection.post("/tabulate", body), 30)
        self.codes[reply.code] += 1
        if reply.code == 200:
            self.answers[body][reply.body] += 1
        elif not is_refusal(reply.body):
            self.misshapen += 1


def is_refusal(body: bytes) -> bool:
    """Whether a body has the one shape of everything that is not answered.

    Examples
    --------
    >>> is_refusal(b'{"hint":"","id":"","reasons":["busy"],"request":{},"status":"refused"}'), is_refusal(b"oops")
    (True, False)
    """
    try:
        found = json.loads(body)
    except ValueError:
        return False
    return isinstance(found, dict) and set(found) == _SHAPE
