"""The generator of load, a process of its own: asks at scheduled times, whatever the server does.

It reads a plan from standard input and writes what came of each step to standard output, both as JSON. A time is counted from
when a question should have been sent, so that a server that falls behind cannot hide it.
"""

from __future__ import annotations

import asyncio
import json
import random
import resource
import sys
import time
from collections import Counter
from typing import Any

from benchmarks.server.http_client import HttpConnection, HttpReply
from benchmarks.server.questions import NewQuestions

__all__ = ["OpenLoop", "kind_of_reply"]


class OpenLoop:
    """Asks a server at a rate.

    Parameters
    ----------
    url
        The server.
    seed
        Which questions come.
    repeated
        Share of questions that were answered before.
    most
        Connections that are open at once at most; a question that finds none free is not sent.

    Notes
    -----
    Whatever is no answer is counted by its kind: ``refused`` with the rule that refused, ``http`` with the status and the
    reason of any other reply, ``connection`` with how it was lost, ``late`` for what had not come when the step was over, and
    ``not sent`` for what found no connection free. The first is what the server is for, the last a limit of the generator, which
    it meets when the server has fallen far behind; the others are errors of the server.
    """

    def __init__(self, url: str, *, seed: int = 1, repeated: float = 0.25, most: int = 500) -> None:
        self.url, self.repeated, self.most = url, repeated, most
        self._new, self._rng = NewQuestions(seed), random.Random(seed)
        self._free: list[HttpConnection] = []
        self._open = 0
        self._answered: list[bytes] = []
        self.asked = 0
        self.kinds: Counter[str] = Counter()
        self.took: dict[str, list[float]] = {"cold": [], "repeated": []}

    async def step(self, rate: float, seconds: float, patience: float = 30.0) -> dict[str, Any]:
        """Ask for some time, wait for what is under way, and return counts, times and the share of a processor."""
        self.asked, self.kinds, self.took = 0, Counter(), {"cold": [], "repeated": []}
        begun, cpu = time.perf_counter(), time.process_time()
        under_way: set[asyncio.Task[None]] = set()
        for i in range(round(rate * seconds)):
            due = begun + i / rate
            await asyncio.sleep(max(due - time.perf_counter(), 0))
            task = asyncio.create_task(self._ask(due))
            under_way.add(task)
            task.add_done_callback(under_way.discard)
        sent, waiting = time.perf_counter() - begun, len(under_way)
        if under_way:
            _, late = await asyncio.wait(under_way, timeout=patience)
            for task in late:
                task.cancel()
            self.kinds["late"] += len(late)
        took = time.perf_counter() - begun
        busy = (time.process_time() - cpu) / took
        found = {"rate": rate, "sent_s": sent, "took_s": took, "cpu": busy, "waiting": waiting, "asked": self.asked}
        return {**found, "kinds": +self.kinds, "times": self.took}

    async def _ask(self, due: float) -> None:
        again = bool(self._answered) and self._rng.random() < self.repeated
        body = self._rng.choice(self._answered) if again else self._new.next()
        self.asked += 1
        if not self._free and self._open >= self.most:
            self.kinds["not sent: no connection is free"] += 1
            return
        connection = self._free.pop() if self._free else HttpConnection(self.url)
        self._open += 1
        try:
            reply = await connection.post("/tabulate", body)
        except (OSError, EOFError) as error:
            self.kinds[f"connection: {type(error).__name__}"] += 1
            return
        finally:
            self._open -= 1
        self._free.append(connection)
        kind = kind_of_reply(reply)
        self.kinds[kind] += 1
        if kind == "answered":
            self.took["repeated" if again else "cold"].append(time.perf_counter() - due)
            if not again:
                self._answered.append(body)


def kind_of_reply(reply: HttpReply) -> str:
    """Return what a reply is: answered, refused by a rule, or something that should not be.

    Examples
    --------
    >>> kind_of_reply(HttpReply(200, b"{}")), kind_of_reply(HttpReply(403, b'{"reasons":["few"]}'))
    ('answered', 'refused: few')
    >>> kind_of_reply(HttpReply(503, b'{"reasons":["busy"]}')), kind_of_reply(HttpReply(500, b"oops"))
    ('http 503: busy', 'http 500')
    """
    if reply.code == 200:
        return "answered"
    try:
        why = ", ".join(json.loads(reply.body)["reasons"])
    except (ValueError, TypeError, KeyError):
        why = ""
    kind = "refused" if reply.code == 403 else f"http {reply.code}"
    return f"{kind}: {why}" if why else kind


async def _run(plan: dict[str, Any]) -> None:
    loop = OpenLoop(plan["url"], seed=plan["seed"], repeated=plan["repeated"])
    for rate, seconds in plan["steps"]:
        print(json.dumps(await loop.step(rate, seconds)), flush=True)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    asyncio.run(_run(json.load(sys.stdin)))
