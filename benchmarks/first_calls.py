"""What the first call of a method costs more than the second: every method of the registry, each in a fresh process.

    python -m benchmarks.first_calls                               all methods, with the Python that runs this
    python -m benchmarks.first_calls --python VENV/bin/python      with an installed wheel, as a user has it
    python -m benchmarks.first_calls --write docs/benchmarks/first-calls.md

A process has an empty home directory and writes no bytecode, so nothing that an earlier call left behind can help. It builds the
files of the conformance suite (600 records, a table of 16 cells) before the clock starts.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

__all__ = ["LIMIT", "main"]

ROOT = Path(__file__).resolve().parents[1]
LIMIT = 1.5
"""Seconds that a first call may cost more than the second."""


def _one(kind: str, name: str) -> None:
    """Call one method twice and print both times as JSON."""
    from tests.conformance import examples
    from tests.conformance.table_examples import table, verdict_on

    from tacita.core import registry

    warnings.simplefilter("ignore")
    made: Any = examples.example(registry.find(kind, name))  # type: ignore[arg-type]
    data = examples.survey()
    masked, case = examples.disturbed(data, 0.1), table("ordinary")
    unsafe = verdict_on(case.name) if kind == "protector" else None
    calls = {
        "mask": lambda: made.apply(data, seed=1) if made.traits.stochastic else made.apply(data),
        "loss": lambda: made(data, masked, pairing="order"),
        "risk": lambda: made(data, masked, pairing="order"),
        "rule": lambda: made.judge(case.table),
        "protector": lambda: made.protect(case.table, unsafe),
    }
    seconds = []
    for _ in range(2):
        started = time.perf_counter()
        try:
            calls[kind]()
        except Exception as error:  # noqa: BLE001  a method that refuses the file is told apart, not left out
            print(json.dumps({"refused": type(error).__name__}))
            return
        seconds.append(time.perf_counter() - started)
    print(json.dumps({"first": seconds[0], "second": seconds[1], "numba": "numba" in sys.modules}))


def _measured(python: str, kind: str, name: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as home:
        kept = {key: value for key, value in os.environ.items() if key in {"PATH", "LANG", "LC_ALL"}}
        surroundings = {**kept, "HOME": home, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [python, "-m", "benchmarks.first_calls", "--method", kind, name],
            env=surroundings,
            capture_output=True,
            text=True,
            check=False,
            cwd=home,
        )
    if done.returncode:
        return {"refused": (done.stderr.strip().splitlines() or ["?"])[-1][:80]}
    return dict(json.loads(done.stdout.splitlines()[-1]))


def _page(rows: list[tuple[str, str, dict[str, Any]]], machine: str) -> str:
    lines = [
        "# First calls",
        "",
        "What the first call of each method costs more than the second, in seconds, each in a fresh process with an empty home",
        f"directory: no compilation happens, only libraries are loaded. No difference may be above {LIMIT} s. Written by",
        "`python -m benchmarks.first_calls --write docs/benchmarks/first-calls.md`.",
        "",
        machine,
        "",
        "| kind | method | first call | second call | difference |",
        "|---|---|---|---|---|",
    ]
    for kind, name, found in rows:
        if "refused" in found:
            lines.append(f"| {kind} | `{name}` | refuses the file ({found['refused']}) | | |")
        else:
            a, b = found["first"], found["second"]
            lines.append(f"| {kind} | `{name}` | {a:.2f} | {b:.2f} | {a - b:.2f} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Run the benchmark; 1 when a first call costs more than it may."""
    parser = argparse.ArgumentParser(description="What first calls cost more than second ones.")
    parser.add_argument("--method", nargs=2, metavar=("KIND", "NAME"), help=argparse.SUPPRESS)
    parser.add_argument("--python", default=sys.executable, help="the Python of the installation to look at")
    parser.add_argument("--write", type=Path, help="a page to write")
    given = parser.parse_args()
    if given.method:
        _one(*given.method)
        return 0
    from tacita.core import registry

    rows = []
    for method in list(registry.methods()):
        found = _measured(given.python, method.kind, method.name)
        rows.append((method.kind, method.name, found))
        print(f"{method.kind:10} {method.name:32} {json.dumps(found)}", flush=True)
    timed = [(found["first"] - found["second"], kind, name) for kind, name, found in rows if "first" in found]
    worst = max(timed)
    total = f"{len(timed)} methods; the largest difference is {worst[0]:.2f} s ({worst[1]} `{worst[2]}`)."
    print(total)
    if given.write:
        given.write.write_text(_page(rows, total), encoding="utf-8")
    return int(worst[0] > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
