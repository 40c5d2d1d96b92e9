"""The disk is full: no room for the journal, or for the accounts."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.chaos.faults import Fault, run_fault
from benchmarks.server.survey import write_settings

__all__ = ["run_disk_full"]


def run_disk_full(folder: Path, source: Path, *, seed: int) -> list[dict[str, Any]]:
    """Forbid a process to make its files any longer for a while, as a full disk does, and allow it again.

    Notes
    -----
    The limit is that of the process (``RLIMIT_FSIZE``): it needs no right to mount a file system. The journal may not grow. The
    accounts have a log that is written from its beginning again and again, so their process may not write to any file at all.
    """
    journal = folder / "journal" / "survey.journal"
    faults = {
        "journal": Fault(
            name="disk full: journal",
            how="RLIMIT_FSIZE of the engine at the size of the journal",
            begin=lambda server: _limit(server.engine, str(journal.stat().st_size)),
            end=lambda server: _limit(server.engine, "unlimited"),
        ),
        "accounts": Fault(
            name="disk full: accounts",
            how="RLIMIT_FSIZE of the worker at 0",
            begin=lambda server: _limit(server.workers, "0"),
            end=lambda server: _limit(server.workers, "unlimited"),
        ),
    }
    return [
        run_fault(fault, write_settings(folder / name, source, policy="tables"), seed=seed)
        for name, fault in faults.items()
    ]


def _limit(pids: Iterable[int], size: str) -> None:
    for pid in pids:
        subprocess.run(["prlimit", f"--fsize={size}:unlimited", "--pid", str(pid)], check=True)
