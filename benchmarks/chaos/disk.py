"""The disk fails: no room for the journal. Nothing is answered then, in one shape, and everything again afterwards."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from typing import Any

from benchmarks.chaos.askers import Askers
from benchmarks.chaos.checks import violations
from benchmarks.server.running import RunningServer
from benchmarks.server.survey import write_settings

__all__ = ["run_disk_full"]


def run_disk_full(folder: Path, source: Path, *, seed: int, seconds: float = 4.0) -> list[dict[str, Any]]:
    """Forbid the engine to make its journal any longer for a while, as a full disk does, and allow it again.

    Notes
    -----
    The limit is that of the process (``RLIMIT_FSIZE``): it needs no right to mount a file system.
    """
    journal = folder / "survey.journal"
    server = RunningServer(write_settings(folder, source, policy="tables"), workers=1)
    try:
        with Askers(server.url, seed=seed) as asked:
            time.sleep(seconds)
            _limit(server, str(journal.stat().st_size))
            time.sleep(0.5)
            before, refused = asked.received, asked.codes[503]
            time.sleep(seconds)
            during, told = asked.received - before, asked.codes[503] - refused
            _limit(server, "unlimited")
            time.sleep(1.0)
            before = asked.received
            time.sleep(seconds)
            after = asked.received - before
        found = violations(folder, asked, server.url, journal=journal)
    finally:
        server.stop()
    found += [f"answered while full: {during}"] if during else []
    found += [] if told else ["nobody was told 503"]
    found += [] if after else ["it does not answer again"]
    return [{"fault": f"disk full: 503 for {told}, then answered {after}", "times": 1, "wrong": "; ".join(found)}]


def _limit(server: RunningServer, size: str) -> None:
    for pid in server.engine:
        subprocess.run(["prlimit", f"--fsize={size}:unlimited", "--pid", str(pid)], check=True)
