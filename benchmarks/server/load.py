"""Load on a server: steps of rising rates, then the target rate for long, and what processors, memory and journal say."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.server.running import RunningServer, cpu_seconds, resident_mb
from benchmarks.server.survey import write_settings, write_survey
from tacita.core.keyed import Key
from tacita.query.journal.reading import read_entries
from tacita.query.journal.verify import verify

__all__ = ["LoadPlan", "knee", "run_load", "summary"]


@dataclass(frozen=True, kw_only=True)
class LoadPlan:
    """What is asked.

    Parameters
    ----------
    records
        Records of the survey.
    policy
        A preset or a policy file.
    workers
        Processes of the server that talk to the network.
    target
        Questions a second of the last, long step.
    seconds
        How long that lasts.
    rates
        Rates of the steps before it; the first is low, for the times of a server that has nothing else to do.
    step_seconds
        How long each of these lasts.
    repeated
        Share of questions that were asked before.
    seed
        Which questions come.
    """

    records: int = 1_000_000
    policy: str = "tables"
    workers: int = 2
    target: float = 300.0
    seconds: float = 60.0
    rates: tuple[float, ...] = (10.0, 50.0, 100.0, 200.0, 300.0, 400.0)
    step_seconds: float = 8.0
    repeated: float = 0.3
    seed: int = 1

    @property
    def steps(self) -> list[tuple[float, float]]:
        """Rate and seconds of each step; the first lasts long enough for a percentile."""
        first, *others = self.rates
        low = (first, min(max(self.step_seconds, 20.0), self.seconds))
        return [low, *((rate, self.step_seconds) for rate in others), (self.target, self.seconds)]


def run_load(plan: LoadPlan) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Start a server, ask it, and end it.

    Returns
    -------
    tuple
        A row for each step, and what is known at the end: memory, the knee, and whether the journal has every answer.
    """
    with tempfile.TemporaryDirectory(prefix="tacita-load-") as name:
        folder = Path(name)
        settings = write_settings(folder, write_survey(folder, plan.records), policy=plan.policy)
        server = RunningServer(settings, workers=plan.workers)
        try:
            before = _memory(server)
            rows = list(_steps(plan, server))
            after = _memory(server)
        finally:
            server.stop()
        return rows, {**_memories(before, after), "knee": knee(rows), **_journal(folder, rows)}


def _steps(plan: LoadPlan, server: RunningServer) -> Iterator[dict[str, Any]]:
    given = {"url": server.url, "seed": plan.seed, "repeated": plan.repeated, "steps": plan.steps}
    with _generator(given) as lines:
        used = _used(server)
        for line in lines:
            found = json.loads(line)
            now = _used(server)
            shares = {f"{name} cpu": (now[name] - used[name]) / found["took_s"] for name in now}
            used = now
            yield {**_row(found), **shares}


@contextmanager
def _generator(given: dict[str, Any]) -> Iterator[Any]:
    command = [sys.executable, "-m", "benchmarks.server.generator"]
    root = Path(__file__).resolve().parents[2]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root)
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("The generator has no pipes.")
    try:
        with process.stdin as told:
            json.dump(given, told)
        yield process.stdout
        if process.wait(60):
            raise RuntimeError("The generator ended with an error.")
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def _row(found: dict[str, Any]) -> dict[str, Any]:
    """Return a step as people read it: rates a second, times in milliseconds, processors in cores."""
    row = {"offered/s": found["rate"], "asked": found.get("asked", 0), "answered": found.get("answered", 0)}
    row["answered/s"] = row["answered"] / found["took_s"]
    row |= {name: found.get(name, 0) for name in ("refused", "errors")}
    row["left waiting"] = found["waiting"]
    for kind, times in found["times"].items():
        for percent in (50, 95, 99):
            row[f"{kind} p{percent} ms"] = 1000 * float(np.percentile(times, percent)) if times else float("nan")
    return {**row, "generator cpu": found["cpu"]}


def knee(rows: Sequence[dict[str, Any]]) -> float:
    """Return the highest rate at which at least 95 % were dealt with as they came, and no lower rate failed; 0 for none.

    Examples
    --------
    >>> rows = [{"offered/s": r, "answered/s": a, "refused": 0, "asked": 100, "errors": 0} for r, a in ((10, 10), (99, 50))]
    >>> knee(rows)
    10
    """
    found = 0.0
    for row in sorted(rows, key=lambda row: row["offered/s"]):
        share = 1 - row["refused"] / max(row["asked"], 1)
        if row["answered/s"] < 0.95 * row["offered/s"] * share or row["errors"]:
            break
        found = row["offered/s"]
    return found


def summary(rows: Sequence[dict[str, Any]], facts: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what was asked for beside what was found."""
    low, last = rows[0], rows[-1]
    claims = [
        ("cold p95 at the lowest rate, ms", low["cold p95 ms"], "< 150", low["cold p95 ms"] < 150),
        ("repeated p95 at the lowest rate, ms", low["repeated p95 ms"], "< 10", low["repeated p95 ms"] < 10),
        ("answered a second, long step", last["answered/s"], ">= 300", last["answered/s"] >= 300),
        ("errors, all steps", sum(row["errors"] for row in rows), "0", not any(row["errors"] for row in rows)),
        ("journal", facts["journal"], "verified", facts["journal"] == "verified"),
        ("answers without an entry", facts["missing"], "0", facts["missing"] == 0),
        ("knee, questions a second", facts["knee"], "", None),
    ]
    rows_of_memory = [(name, value, "", None) for name, value in facts.items() if name.endswith("MB")]
    said = {True: "holds", False: "does not hold", None: ""}
    return [{"case": n, "found": v, "target": t, "claim": said[ok]} for n, v, t, ok in (*claims, *rows_of_memory)]


def _used(server: RunningServer) -> dict[str, float]:
    parts = {"engine": server.engine, "workers": server.workers}
    return {name: sum(map(cpu_seconds, pids)) for name, pids in parts.items()}


def _memory(server: RunningServer) -> dict[str, float]:
    parts = {"engine": server.engine, "workers": server.workers}
    return {name: sum(map(resident_mb, pids)) for name, pids in parts.items()}


def _memories(before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
    found = {}
    for name, value in before.items():
        found |= {f"{name} at the begin, MB": value, f"{name} at the end, MB": after[name]}
    return found


def _journal(folder: Path, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Say whether the journal verifies, and how many answers that were received it does not have."""
    path = folder / "survey.journal"
    state = verify(path, key=Key.read(folder / "key")).state
    entered = sum(1 for _ in read_entries(path, status="answered"))
    return {"journal": state, "missing": max(sum(row["answered"] for row in rows) - entered, 0), "entered": entered}
