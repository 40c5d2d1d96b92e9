"""``python -m benchmarks.chaos``: faults under load; the exit status is 1 when anything was lost."""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.chaos.clock import run_clock_back
from benchmarks.chaos.databases import run_databases_gone
from benchmarks.chaos.disk import run_disk_full
from benchmarks.chaos.kills import run_kills
from benchmarks.chaos.page import faults_page
from benchmarks.chaos.read_only import run_read_only
from benchmarks.server.rows import print_rows
from benchmarks.server.survey import write_survey

_Run = Callable[[Path], list[dict[str, Any]]]
_KINDS = ("kills", "disk", "read-only", "clock", "postgres")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.chaos", description=__doc__)
    parser.add_argument("--kills", type=int, default=50, help="how often a process is killed")
    parser.add_argument("--gone", type=float, default=60.0, help="seconds that the PostgreSQL of the accounts is gone")
    parser.add_argument("--records", type=int, default=100_000, help="records of the survey")
    parser.add_argument("--seed", type=int, default=1, help="what is killed, and when")
    parser.add_argument("--only", choices=_KINDS, nargs="+", default=_KINDS, help="kinds of faults; all by default")
    parser.add_argument("--write", type=Path, help="put the table into a page of the documentation too")
    return parser.parse_args()


def _run(given: argparse.Namespace, folder: Path) -> list[dict[str, Any]]:
    """Run kills first, then the others, two kinds at a time: most of the time they wait."""
    source, seed = write_survey(folder, given.records), given.seed
    faults: dict[str, _Run] = {
        "kills": lambda place: run_kills(place, source, kills=given.kills, seed=seed),
        "disk": lambda place: run_disk_full(place, source, seed=seed),
        "read-only": lambda place: run_read_only(place, source, seed=seed),
        "clock": lambda place: run_clock_back(place, source, seed=seed),
        "postgres": lambda place: run_databases_gone(place, source, seed=seed, gone=given.gone),
    }
    found = {"kills": _tried("kills", faults["kills"], folder / "kills")} if "kills" in given.only else {}
    others = [kind for kind in reversed(_KINDS) if kind in given.only and kind not in found]  # the longest first
    threads = ThreadPoolExecutor(2)
    try:
        rows = threads.map(lambda kind: _tried(kind, faults[kind], folder / kind), others)
        found |= dict(zip(others, rows, strict=True))
    finally:
        threads.shutdown(cancel_futures=True)  # what is under way is undone, and nothing else begun
    return [row for kind in _KINDS for row in found.get(kind, ())]


def _tried(kind: str, run: _Run, folder: Path) -> list[dict[str, Any]]:
    """Run one kind of faults; where a server does not even start, that is what was wrong."""
    try:
        return run(folder)
    except (RuntimeError, OSError, EOFError) as error:
        return [{"fault": kind, "how": "", "times": 0, "wrong": f"{type(error).__name__}: {error}"}]


def main() -> int:
    """Run the faults and print their table."""
    given = _options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what was begun is undone
    with tempfile.TemporaryDirectory(prefix="tacita-chaos-") as name:
        rows = _run(given, Path(name))
    print_rows("faults: what was done, and what was wrong after it", rows)
    if given.write is not None:
        given.write.parent.mkdir(parents=True, exist_ok=True)
        given.write.write_text(faults_page(rows, records=given.records), encoding="utf-8")
    return 1 if any(row["wrong"] for row in rows) else 0


sys.exit(main())
