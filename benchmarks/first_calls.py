"""What a first call costs more than the second: methods, requests to a database, studies; each in a fresh process.

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
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["LIMIT", "main"]

ROOT = Path(__file__).resolve().parents[1]
LIMIT = 1.5
"""Seconds that a first call may cost more than the second."""


def _one(kind: str, name: str) -> None:
    """Call something twice and print both times as JSON."""
    warnings.simplefilter("ignore")
    calls = {"query": _query, "study": _study, "restriction": _restriction}.get(kind, lambda name: _method(kind, name))(
        name
    )
    seconds = []
    for call in calls:
        started = time.perf_counter()
        try:
            call()
        except Exception as error:  # noqa: BLE001  a method that refuses the file is told apart, not left out
            print(json.dumps({"refused": type(error).__name__}))
            return
        seconds.append(time.perf_counter() - started)
    print(json.dumps({"first": seconds[0], "second": seconds[1], "numba": "numba" in sys.modules}))


def _method(kind: str, name: str) -> list[Callable[[], Any]]:
    """A mask, measure, rule or protector, on the files of the conformance suite."""
    from tests.conformance import examples
    from tests.conformance.table_examples import table, verdict_on

    from tacita.core import registry

    made: Any = examples.example(registry.find(kind, name))  # type: ignore[arg-type]
    data = examples.survey()
    masked, case = examples.disturbed(data, 0.1), table("ordinary")
    unsafe = verdict_on(case.name) if kind == "protector" else None
    call: dict[str, Callable[[], Any]] = {
        "mask": lambda: made.apply(data, seed=1) if made.traits.stochastic else made.apply(data),
        "loss": lambda: made(data, masked, pairing="order"),
        "risk": lambda: made(data, masked, pairing="order"),
        "rule": lambda: made.judge(case.table),
        "protector": lambda: made.protect(case.table, unsafe),
    }
    return [call[kind]] * 2


def _opened(policy: Any) -> Any:
    import tacita as tc

    return tc.query.open(tc.samples.household_survey(600, seed=1), policy=policy, key=b"a key for a benchmark")


def _restriction(name: str) -> list[Callable[[], Any]]:
    """A restriction, on two questions to the same database."""
    from tests.conformance import examples
    from tests.query.builders import asked, policy_of

    from tacita.core import registry
    from tacita.query.requests import Tabulate

    made: Any = examples.example(registry.find("restriction", name))
    db = _opened(policy_of(made))
    questions = [asked(db, Tabulate(by=[by], where={"urban": ["city"]})) for by in ("sex", "marital")]
    return [lambda question=question: made.applies(question) and made.judge(question) for question in questions]


def _query(name: str) -> list[Callable[[], Any]]:
    """Two requests of one kind to the same database, the second about something else."""
    from tacita.query.requests import KINDS_OF_REQUEST, request_from_plain

    forms = {
        "tabulate": [{"by": ["sex"], "statistic": "percent"}, {"by": ["urban"], "statistic": "percent"}],
        "statistic": [{"response": "income", "statistic": "mean"}, {"response": "tax", "statistic": "mean"}],
        "quantiles": [{"response": "income"}, {"response": "tax"}],
        "correlate": [{"columns": ["income", "age"]}, {"columns": ["tax", "age"]}],
        "regress": [
            {"response": "income", "predictors": ["age", "sex"]},
            {"response": "tax", "predictors": ["age", "sex"]},
        ],
    }
    forms["residuals"] = forms["regress"]
    if set(forms) != set(KINDS_OF_REQUEST):
        raise RuntimeError("every kind of request needs an example here")
    db = _opened("internal")

    def ask(form: dict[str, Any]) -> None:
        answer = db.ask(request_from_plain({"kind": name, **form}))
        if answer.status != "answered":
            raise RuntimeError(str(answer))

    return [lambda form=form: ask(form) for form in forms[name]]


def _study(name: str) -> list[Callable[[], Any]]:
    """A study with one replicate, twice."""
    from tacita.study.base import find_study

    return [lambda: find_study(name).run(replicates=1)] * 2


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
        "What the first call of each method, of each kind of request to a database and of each study costs more than",
        "the second, in seconds, each in a fresh process with an empty home",
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
    from tacita.query.requests import KINDS_OF_REQUEST
    from tacita.study import studies

    rows = []
    listed = [(method.kind, method.name) for method in registry.methods()]
    listed += [("query", name) for name in sorted(KINDS_OF_REQUEST)] + [("study", one.name) for one in studies()]
    for kind, name in listed:
        found = _measured(given.python, kind, name)
        rows.append((kind, name, found))
        print(f"{kind:12} {name:32} {json.dumps(found)}", flush=True)
    timed = [(found["first"] - found["second"], kind, name) for kind, name, found in rows if "first" in found]
    worst = max(timed)
    total = f"{len(timed)} of them; the largest difference is {worst[0]:.2f} s ({worst[1]} `{worst[2]}`)."
    print(total)
    if given.write:
        given.write.write_text(_page(rows, total), encoding="utf-8")
    return int(worst[0] > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
