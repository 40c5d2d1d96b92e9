"""Load on a server: steps of rising rates, then one rate for long, and what processors, memory and journal say of it."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.server.claims import is_error
from benchmarks.server.memory import MemoryWatch
from benchmarks.server.running import RunningServer, cpu_seconds
from benchmarks.server.survey import write_settings, write_survey
from tacita.core.keyed import Key
from tacita.query.journal.reading import read_entries
from tacita.query.journal.verify import verify

__all__ = ["LoadPlan", "LoadResult", "run_load"]


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
        Questions a second of the last, long step: more than shall be answered, for rules refuse some.
    seconds
        How long that lasts.
    rates
        Rates of the steps before it; the first is low, for the times of a server that has nothing else to do.
    step_seconds
        How long each of these lasts.
    repeated
        Share of questions that were asked before; less than may be answered of these, for rules refuse only others.
    seed
        Which questions come.
    """

    records: int = 1_000_000
    policy: str = "tables"
    workers: int = 2
    target: float = 330.0
    seconds: float = 60.0
    rates: tuple[float, ...] = (10.0, 50.0, 100.0, 200.0, 300.0, 400.0)
    step_seconds: float = 8.0
    repeated: float = 0.25
    seed: int = 1

    @property
    def steps(self) -> list[tuple[float, float]]:
        """Rate and seconds of each step; the first lasts long enough for a percentile."""
        first, *others = self.rates
        low = (first, min(max(self.step_seconds, 20.0), self.seconds))
        return [low, *((rate, self.step_seconds) for rate in others), (self.target, self.seconds)]


@dataclass(frozen=True, kw_only=True)
class LoadResult:
    """What came of it.

    Parameters
    ----------
    rows
        A row for each step.
    kinds
        For each step how often each kind of outcome came.
    facts
        What is known at the end: memory at three moments, and whether the journal has every answer.
    """

    rows: list[dict[str, Any]]
    kinds: list[dict[str, int]]
    facts: dict[str, Any]


def run_load(plan: LoadPlan) -> LoadResult:
    """Start a server, ask it, and end it."""
    with tempfile.TemporaryDirectory(prefix="tacita-load-") as name:
        folder = Path(name)
        settings = write_settings(folder, write_survey(folder, plan.records), policy=plan.policy)
        server = RunningServer(settings, workers=plan.workers)
        memory = MemoryWatch(server)
        try:
            found = list(_steps(plan, server, memory))
            memory.wait()
            memory.look()
        finally:
            server.stop()
        rows, kinds = [_row(step) for step in found], [step["kinds"] for step in found]
        return LoadResult(rows=rows, kinds=kinds, facts={"memory": memory.found(), **_journal(folder, kinds)})


def _steps(plan: LoadPlan, server: RunningServer, memory: MemoryWatch) -> Iterator[dict[str, Any]]:
    """Give what the generator says of each step, and what the server used of the processors meanwhile."""
    given = {"url": server.url, "seed": plan.seed, "repeated": plan.repeated, "steps": plan.steps}
    with _generator(given) as lines:
        used = _used(server)
        for number, line in enumerate(lines, 1):
            found = json.loads(line)
            now = _used(server)
            if number == len(plan.steps) - 1:  # all but the long step were to warm up
                memory.look()
                memory.look_in(plan.seconds / 2)
            yield {**found, "used": {name: (now[name] - used[name]) / found["took_s"] for name in now}}
            used = now


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


def _row(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return a step as people read it: rates a second, times in milliseconds, processors in cores."""
    kinds, seconds = found["kinds"], found["took_s"]
    answered = kinds.get("answered", 0)
    refused = sum(n for kind, n in kinds.items() if kind.startswith("refused"))
    cold = len(found["times"]["cold"])
    row: dict[str, Any] = {"offered/s": found["rate"], "sent/s": found["asked"] / found["sent_s"]}
    row |= {"answered": answered, "answered/s": answered / seconds, "dealt with/s": (answered + refused) / seconds}
    row |= {"not asked before, %": 100 * cold / answered if answered else float("nan"), "refused": refused}
    row["errors"] = sum(n for kind, n in kinds.items() if is_error(kind))
    row |= {"not sent": found["asked"] - answered - refused - row["errors"], "left waiting": found["waiting"]}
    for kind, times in found["times"].items():
        for percent in (50, 95, 99):
            row[f"{kind} p{percent} ms"] = 1000 * float(np.percentile(times, percent)) if times else float("nan")
    return {**row, **{f"{name} cpu": share for name, share in found["used"].items()}, "generator cpu": found["cpu"]}


def _used(server: RunningServer) -> dict[str, float]:
    parts = {"engine": server.engine, "workers": server.workers}
    return {name: sum(map(cpu_seconds, pids)) for name, pids in parts.items()}


def _journal(folder: Path, kinds: Sequence[Mapping[str, int]]) -> dict[str, Any]:
    """Say whether the journal verifies, and how many answers that were received it does not have."""
    path = folder / "survey.journal"
    state = verify(path, key=Key.read(folder / "key")).state
    entered = sum(1 for _ in read_entries(path, status="answered"))
    return {"journal": state, "missing": max(sum(found.get("answered", 0) for found in kinds) - entered, 0)}
