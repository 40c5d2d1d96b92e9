"""Kills under load: the engine, a worker, the supervisor, or all of them at once, again and again."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any

from benchmarks.chaos.askers import Askers
from benchmarks.chaos.checks import violations
from benchmarks.server.running import RunningServer
from benchmarks.server.survey import write_settings
from tacita.query.journal.reading import read_entries

__all__ = ["is_back", "run_kills"]

_HOW = {
    "engine": "the supervisor starts it again",
    "worker": "the supervisor starts it again",
    "supervisor": "the others end by themselves; started again",
    "tree": "half a line put at the end of the journal; started again",
}
KILLED, _OFTEN = tuple(_HOW), (3, 2, 1, 1)
_WORKERS = 2


def run_kills(folder: Path, source: Path, *, kills: int, seed: int, seconds: float = 270.0) -> list[dict[str, Any]]:
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
    seconds
        How long that may take; when it is over, what is lacking is called wrong.

    Notes
    -----
    A single process is killed more often than a whole server, which takes longer to come back. A whole server that is killed
    seldom leaves half a line in its journal, so that every such kill plants one.
    """
    rng, journal = random.Random(seed), folder / "survey.journal"
    settings = write_settings(folder, source, policy="tables")
    server = RunningServer(settings, workers=_WORKERS)
    times, longest, planted, wrong = Counter[str](), Counter[str](), 0, Counter[str]()
    try:
        with Askers(server.url, seed=seed, pause=0.05) as asked:
            until = time.monotonic() + seconds
            while times.total() < kills and time.monotonic() < until:
                number = times.total()
                what = KILLED[number] if number < len(KILLED) else rng.choices(KILLED, _OFTEN)[0]
                time.sleep(rng.uniform(0.1, 1.2))
                begun = time.monotonic()
                killed, is_done = _killed(server, what, rng)
                if what in ("supervisor", "tree"):
                    planted += what == "tree" and _tear(journal)
                    server = RunningServer(settings, workers=_WORKERS)
                    asked.url = server.url
                wrong[what] += not (is_done and is_back(server, asked, killed, 60))
                times[what] += 1
                longest[what] = max(longest[what], round(1000 * (time.monotonic() - begun)))
        found = violations(folder, asked, server.url, journal=journal)
    finally:
        server.stop()
    recovered = sum(1 for entry in read_entries(journal) if entry.kind == "recovery")
    if times.total() < kills:
        found.append(f"only {times.total()} of {kills} kills in {seconds:g} s")
    if recovered < planted:
        found.append(f"torn lines: {planted}, recovered: {recovered}")
    rows = [
        _row(f"kill -9: {what}", _HOW[what], n, longest[what], _not_so(what, wrong[what])) for what, n in times.items()
    ]
    told = f"sent {asked.sent}, answered {asked.received}, torn lines planted {planted}"
    return [*rows, _row("after all kills", told, 1, "", "; ".join(found))]


def _row(fault: str, how: str, times: int, back: int | str, wrong: str) -> dict[str, Any]:
    return {
        "fault": fault,
        "how": how,
        "times": times,
        "meanwhile": "",
        "back after at most, ms": back,
        "wrong": wrong,
    }


def _not_so(what: str, times: int) -> str:
    return f"{what} not killed, or not back: {times}" if times else ""


def is_back(server: RunningServer, asked: Askers, killed: Collection[int], patience: float) -> bool:
    """Whether a server has all its processes again within some seconds, and answers.

    Parameters
    ----------
    server
        The server.
    asked
        Those who ask it.
    killed
        Processes that were killed.
    patience
        Seconds.

    Notes
    -----
    Each of those who ask may have got one answer that was on its way before; one more is a new one.
    """
    until = time.monotonic() + patience
    while len(server.engine) != 1 or len(server.workers) != _WORKERS or {*server.engine, *server.workers} & {*killed}:
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    before = asked.received
    while asked.received <= before + asked.visitors:
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


def _killed(server: RunningServer, what: str, rng: random.Random) -> tuple[list[int], bool]:
    """Kill something; return what was, and whether whatever should end with it has."""
    if what == "supervisor":
        return server.tree, server.kill_supervisor()
    if what == "tree":
        pids = server.tree
        server.kill_tree()
        return pids, True
    found = server.engine if what == "engine" else server.workers
    if not found:
        return [], False
    pid = rng.choice(found)
    os.kill(pid, signal.SIGKILL)
    return [pid], True


def _tear(journal: Path) -> bool:
    """Put half a line at the end of a journal whose last line is whole."""
    content = journal.read_bytes()
    if not content.endswith(b"\n"):
        return False
    last = content[:-1].rpartition(b"\n")[2]
    with journal.open("ab") as file:
        file.write(last[: len(last) // 2])
    return True
