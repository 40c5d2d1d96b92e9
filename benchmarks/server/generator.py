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

from benchmarks.server.http_client import HttpConnection
from benchmarks.server.questions import NewQuestions

__all__ = ["OpenLoop"]


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
        Connections that are open at once at most; what finds none free counts as an error.
    """

    def __init__(self, url: str, *, seed: int = 1, repeated: float = 0.3, most: int = 500) -> None:
        self.url, self.repeated, self.most = url, repeated, most
        self._new, self._rng = NewQuestions(seed), random.Random(seed)
        self._free: list[HttpConnection] = []
        self._open = 0
        self._answered: list[bytes] = []
        self.counts: Counter[str] = Counter()
        self.took: dict[str, list[float]] = {"cold": [], "repeated": []}

    async def step(self, rate: float, seconds: float, patience: float = 30.0) -> dict[str, Any]:
        """Ask for some time, wait for what is under way, and return counts, times and the share of a processor."""
        self.counts, self.took = Counter(), {"cold": [], "repeated": []}
        begun, cpu = time.perf_counter(), time.process_time()
        under_way: set[asyncio.Task[None]] = set()
        for i in range(round(rate * seconds)):
            due = begun + i / rate
            await asyncio.sleep(max(due - time.perf_counter(), 0))
            task = asyncio.create_task(self._ask(due))
            under_way.add(task)
            task.add_done_callback(under_way.discard)
        sent, self.counts["waiting"] = time.perf_counter() - begun, len(under_way)
        if under_way:
            _, late = await asyncio.wait(under_way, timeout=patience)
            for task in late:
                task.cancel()
            self.counts["errors"] += len(late)
        took = time.perf_counter() - begun
        busy = (time.process_time() - cpu) / took
        return {"rate": rate, "sent_s": sent, "took_s": took, "cpu": busy, **self.counts, "times": self.took}

    async def _ask(self, due: float) -> None:
        again = bool(self._answered) and self._rng.random() < self.repeated
        body = self._rng.choice(self._answered) if again else self._new.next()
        self.counts["asked"] += 1
        if not self._free and self._open >= self.most:
            self.counts["errors"] += 1
            return
        connection = self._free.pop() if self._free else HttpConnection(self.url)
        self._open += 1
        try:
            reply = await connection.post("/tabulate", body)
        except (OSError, EOFError):
            self.counts["errors"] += 1
            return
        finally:
            self._open -= 1
        self._free.append(connection)
        kind = {200: "answered", 403: "refused"}.get(reply.code, "errors")
        self.counts[kind] += 1
        if kind == "errors":
            self.counts[f"http_{reply.code}"] += 1
        elif kind == "answered":
            self.took["repeated" if again else "cold"].append(time.perf_counter() - due)
            if not again:
                self._answered.append(body)


async def _run(plan: dict[str, Any]) -> None:
    loop = OpenLoop(plan["url"], seed=plan["seed"], repeated=plan["repeated"])
    for rate, seconds in plan["steps"]:
        print(json.dumps(await loop.step(rate, seconds)), flush=True)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    asyncio.run(_run(json.load(sys.stdin)))
