"""Kills under load: the engine, a worker, the supervisor, or all of them at once, again and again."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks.chaos.askers import Askers
from benchmarks.chaos.checks import violations
from benchmarks.server.http_client import HttpConnection
from benchmarks.server.running import RunningServer
from benchmarks.server.survey import write_settings
from tacita.query.journal.reading import read_entries

__all__ = ["is_answering", "run_kills"]

KILLED = ("engine", "worker", "supervisor", "tree")


def run_kills(folder: Path, source: Path, *, kills: int, seed: int) -> list[dict[str, Any]]:
    """Kill processes of a server that is asked all the time; return a row for each kind and one for the end.

    Parameters
    ----------
    folder
        Where the server keeps its files.
    source
        The data.
    kills
        How often.
    seed
        What is killed, and when.

    Notes
    -----
    A whole server that is killed seldom leaves half a line in its journal, so that every such kill plants one.
    """
    rng, journal = random.Random(seed), folder / "survey.journal"
    settings = write_settings(folder, source, policy="tables")
    server = RunningServer(settings, workers=2)
    times, longest, planted, wrong = Counter[str](), Counter[str](), 0, Counter[str]()
    try:
        with Askers(server.url, seed=seed) as asked:
            for number in range(kills):
                what = KILLED[number] if number < len(KILLED) else rng.choice(KILLED)
                time.sleep(rng.uniform(0.2, 1.5))
                begun = time.monotonic()
                wrong[what] += not _killed(server, what, rng)
                if what in ("supervisor", "tree"):
                    planted += what == "tree" and _tear(journal)
                    server = RunningServer(settings, workers=2)
                    asked.url = server.url
                wrong[what] += not is_answering(server.url, 60)
                times[what] += 1
                longest[what] = max(longest[what], round(1000 * (time.monotonic() - begun)))
        found = violations(folder, asked, server.url, journal=journal)
    finally:
        server.stop()
    recovered = sum(1 for entry in read_entries(journal) if entry.kind == "recovery")
    if recovered < planted:
        found.append(f"torn lines: {planted}, recovered: {recovered}")
    rows = [
        {"fault": f"kill -9: {what}", "times": n, "back after at most, ms": longest[what], "wrong": wrong[what] or ""}
        for what, n in times.items()
    ]
    told = f"sent {asked.sent}, answered {asked.received}, torn lines {planted}"
    return [*rows, {"fault": f"after all kills: {told}", "times": 1, "wrong": "; ".join(found)}]


def is_answering(url: str, patience: float) -> bool:
    """Whether a server answers a question within some seconds."""
    return asyncio.run(_answers(url, time.monotonic() + patience))


async def _answers(url: str, until: float) -> bool:
    while time.monotonic() < until:
        connection = HttpConnection(url)
        with suppress(OSError, EOFError, TimeoutError):
            if (await asyncio.wait_for(connection.get("/health"), 5)).code == 200:
                return True
        connection.close()
        await asyncio.sleep(0.05)
    return False


def _killed(server: RunningServer, what: str, rng: random.Random) -> bool:
    """Kill something; say whether whatever should end with it has."""
    if what == "supervisor":
        return server.kill_supervisor()
    if what == "tree":
        server.kill_tree()
        return True
    pids = server.engine if what == "engine" else server.workers
    if pids:
        with suppress(ProcessLookupError):
            os.kill(rng.choice(pids), signal.SIGKILL)
    return bool(pids)


def _tear(journal: Path) -> bool:
    """Put half a line at the end of a journal whose last line is whole."""
    content = journal.read_bytes()
    if not content.endswith(b"\n"):
        return False
    last = content[:-1].rpartition(b"\n")[2]
    with journal.open("ab") as file:
        file.write(last[: len(last) // 2])
    return True
