"""``python -m benchmarks.server``: load on a server of this machine."""

from __future__ import annotations

import argparse
import datetime
import os
import platform
from pathlib import Path
from typing import Any

from benchmarks.server.claims import kinds_table, summary
from benchmarks.server.load import LoadPlan, run_load
from benchmarks.server.rows import markdown_rows, print_rows


def _options() -> argparse.Namespace:
    plan = LoadPlan()
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server", description=__doc__)
    parser.add_argument("--records", type=int, default=plan.records, help="records of the survey")
    parser.add_argument("--policy", default=plan.policy, help="a preset or a policy file")
    parser.add_argument("--workers", type=int, default=plan.workers, help="processes that talk to the network")
    parser.add_argument("--rate", type=float, default=plan.target, help="questions a second of the long step")
    parser.add_argument("--seconds", type=float, default=plan.seconds, help="how long that lasts")
    parser.add_argument("--step-seconds", type=float, default=plan.step_seconds, help="how long each other step lasts")
    parser.add_argument("--rates", type=float, nargs="+", default=plan.rates, help="rates of the steps before")
    parser.add_argument("--seed", type=int, default=plan.seed, help="which questions come")
    parser.add_argument("--write", type=Path, help="put the tables into a page of the documentation too")
    return parser.parse_args()


def _page(plan: LoadPlan, *tables: list[dict[str, Any]]) -> str:
    day = datetime.date.today().isoformat()
    return "\n".join(
        [
            "# Benchmarks: server",
            "",
            f"A survey of {plan.records:,} records behind `tacita serve` with policy `{plan.policy}` and {plan.workers} workers, "
            "asked over loopback by one generator on the same machine. Questions are sent at their scheduled times whatever the "
            f"server does; {plan.repeated:.0%} were answered before, the others are tables that nobody asked for. Times count "
            "from when a question was due; those of answers only. `cpu` is in cores. Dealt with is what was answered or "
            "refused by a rule; the knee is the highest rate of which 95 % were, a second. Written by `make bench-server`.",
            "",
            *(line for table in tables for line in (*markdown_rows(table), "")),
            f"Measured on {day} with {os.cpu_count()} cores, Python {platform.python_version()}.",
            "",
        ]
    )


def main() -> None:
    """Run the load and print its tables."""
    given = _options()
    plan = LoadPlan(
        records=given.records,
        policy=given.policy,
        workers=given.workers,
        target=given.rate,
        seconds=given.seconds,
        rates=tuple(given.rates),
        step_seconds=given.step_seconds,
        seed=given.seed,
    )
    found = run_load(plan)
    claims, outcomes = (
        summary(found.rows, found.facts),
        kinds_table(found.kinds, [row["offered/s"] for row in found.rows]),
    )
    print_rows("load: rates, answers and times", found.rows)
    print_rows("outcomes: what the generator was told, and whose fault it is", outcomes)
    print_rows("claims: what was asked for, and what was found", claims)
    if given.write is not None:
        given.write.parent.mkdir(parents=True, exist_ok=True)
        given.write.write_text(_page(plan, found.rows, outcomes, claims), encoding="utf-8")


main()
