"""Cell suppression beside a tau-ARGUS engine with HiGHS (pytauargus), on the same tables, both judged by our auditor.

Both sides make the table from the same seeded microdata of firms and find the unsafe cells by their own rules: fewer
than three firms (``FREQ(3,100)``: from 0 to twice the count), or the p % rule with p = 15 (``P(15,1)``). ``apart`` is the
number of cells that only one side calls unsafe, or whose levels differ for another reason than these two: the engine
raises levels below one unit to one, and we raise those below a thousandth of the cell to that. Both sides are held to the
levels of the engine. ``times ours`` sets OPT against our exact method and MOD against our modular one; ``above %`` is the
cost above that of our exact method.

What cannot be made the same:

- Costs. The engine scales them to whole numbers of 1 to 20 000 and minimises those; ``cost`` is by our real ones for both,
  ``gap %`` of OPT by its own.
- Bounds. A cell reaches from 0 to the largest value of the table there, to infinity here; that is the same while the
  grand total is published. Empty cells are published by both.
- Singletons. OPT does nothing about them. MOD has three treatments, which the case "singletons" switches on; here every
  sole contributor is an attacker. ``from seats`` counts the cells that such a one finds although an outsider does not.
- Safety. MOD protects subtable by subtable and leaves it at that, so it may be cheaper than the optimum: see ``at risk``
  and, for its cost once our clean-up has completed its pattern, the row "safe". Our modular method goes on until the whole
  table is safe. ``own audit`` is what the engine's audit says about its pattern; on these tables it counts the cells whose
  upper level is missed, and not those whose lower level is.
- Time. OPT counts computing time, in minutes, so a busy machine stretches it; it is ended after twice the limit. Times
  are those of the suppression alone, without data and audit.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.argus import Answer, Order, ask, is_installed
from benchmarks.table_instances import Shape
from tacita.data.microdata import Microdata
from tacita.tables.auditor.audit import audit
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.seats import SeatsName
from tacita.tables.model.table import Table
from tacita.tables.model.tabulate import tabulate
from tacita.tables.protect.pattern import Pattern
from tacita.tables.protect.problem import Problem
from tacita.tables.protect.protector import make_problem
from tacita.tables.rules.minimum_frequency import MinimumFrequency
from tacita.tables.rules.p_percent import PPercent
from tacita.tables.suppression.exact.exact import exact_suppression
from tacita.tables.suppression.fast.clean_up import clean_up
from tacita.tables.suppression.fast.fast import fast_suppression
from tacita.tables.suppression.modular import modular_suppression

__all__ = ["run"]

P = 15
"""Percent of the p % rule."""
AT_LEAST = 3
"""Firms that make a cell of a frequency table safe."""
PATIENCE = 2.0
"""The engine is ended after so many times the limit: it has to read the data, to stop and to audit too."""
TOTAL = "Total"
COLUMNS = (
    *("secondary", "cost", "above %", "gap %", "seconds", "times ours"),
    *("at risk", "from seats", "own audit", "apart"),
)


@dataclass(frozen=True)
class Case:
    """A table, the rule that judges it, and how long anybody may work on it.

    Parameters
    ----------
    name, shapes
        What it is called, and the children of a node level by level, for each dimension.
    response
        ``turnover``, or ``one`` for a table of counts.
    has_seats
        Whether sole contributors are attackers too.
    seconds
        Time limit of OPT, in minutes that have begun, and of our exact method.
    """

    name: str
    shapes: tuple[Shape, ...]
    response: str
    has_seats: bool = False
    seconds: float = 60.0

    @property
    def is_count(self) -> bool:
        """Whether firms are counted."""
        return self.response == "one"


TINY = ((4, 3), (4, 4))
SMALL = ((5, 4), (6, 5))
LARGE = ((5, 4, 2), (5, 8))
CUBE = ((3, 3), (4, 3), (4,))
QUICK = (
    Case("counts, 2-D", TINY, "one", seconds=10.0),
    Case("amounts, 2-D", TINY, "turnover", seconds=10.0),
    Case("amounts, singletons", SMALL, "turnover", has_seats=True, seconds=5.0),
)
FULL = (
    Case("counts, 2-D", TINY, "one"),
    Case("amounts, 2-D", TINY, "turnover"),
    Case("counts, 2-D", SMALL, "one"),
    Case("amounts, 2-D", SMALL, "turnover"),
    Case("amounts, singletons", SMALL, "turnover", has_seats=True, seconds=10.0),
    Case("amounts, 2-D", LARGE, "turnover", seconds=40.0),
    Case("amounts, 3-D", CUBE, "turnover", seconds=30.0),
)


def _dimension(name: str, shape: Shape) -> Dimension:
    """Codes numbered level by level."""
    codes, sums, level = [TOTAL], [], [TOTAL]
    for width in shape:
        below: list[str] = []
        for code in level:
            parts = tuple(f"{len(codes) + place:04d}" for place in range(width))
            codes += parts
            below += parts
            sums.append((code, parts))
        level = below
    return Dimension(name, tuple(codes), tuple(sums))


def firms(dimensions: list[Dimension], *, seed: int, mean: float = 8.0) -> dict[str, list[Any]]:
    """Firms with a code of every dimension and a skewed turnover in whole numbers."""
    rng = np.random.default_rng(seed)
    leaves = [np.array(dimension.leaves) for dimension in dimensions]
    shape = tuple(len(codes) for codes in leaves)
    members = rng.poisson(mean * np.exp(rng.normal(-0.5, 1.0, shape))).ravel()
    places = np.unravel_index(np.repeat(np.arange(len(members)), members), shape)
    columns: dict[str, list[Any]] = {
        dimension.name: codes[place].tolist()
        for dimension, codes, place in zip(dimensions, leaves, places, strict=True)
    }
    columns["turnover"] = np.ceil(np.exp(rng.normal(4.0, 1.6, members.sum()))).tolist()
    columns["one"] = [1.0] * int(members.sum())
    return columns


def _ours(case: Case, dimensions: list[Dimension], columns: dict[str, list[Any]]) -> tuple[Table, Problem]:
    """Our table and our verdict on its cells."""
    table = tabulate(
        Microdata.from_frame(pa.table(columns)), dimensions, None if case.is_count else case.response, depth=2
    )
    unsafe = (MinimumFrequency(at_least=AT_LEAST, span=100) if case.is_count else PPercent(p=P)).judge(table)
    who: SeatsName = "singletons" if case.has_seats else "none"
    return table, make_problem(table, unsafe, cost="unity" if case.is_count else "value", seats=who)


def _order(case: Case, dimensions: list[Dimension], columns: dict[str, list[Any]], method: str) -> Order:
    rule, cost = (f"FREQ({AT_LEAST},100)", "-2") if case.is_count else (f"P({P},1)", "")
    return Order(columns, dimensions, case.response, rule, cost, method)


def _held_to(problem: Problem, answer: Answer, labels: list[tuple[str, ...]]) -> Problem:
    """The problem with the levels that the engine has; cells that it calls safe keep ours."""
    reach = np.where(answer.unsafe(labels)[:, None], answer.reach(labels), np.stack([problem.below, problem.above], 1))
    return replace(problem, below=reach[:, 0], above=reach[:, 1])


def _verdict(problem: Problem, hidden: np.ndarray, has_seats: bool) -> dict[str, Any]:
    outside = audit(problem, hidden, seats="none")
    row = {
        "secondary": int((hidden & ~problem.unsafe).sum()),
        "cost": float(problem.cost[hidden].sum()),
        "at risk": len(outside.at_risk),
    }
    if has_seats:
        row["from seats"] = len(audit(problem, hidden).at_risk) - len(outside.at_risk)
    return row


def _duel(case: Case) -> list[dict[str, Any]]:
    """All methods of both sides on one table."""
    dimensions = [_dimension(f"d{place + 1}", shape) for place, shape in enumerate(case.shapes)]
    columns = firms(dimensions, seed=1)
    table, problem = _ours(case, dimensions, columns)
    labels = [table.labels(cell) for cell in range(len(table))]
    singles = ",1,1,1" if case.has_seats else ",0,0,0"
    minutes = math.ceil(case.seconds / 60)
    methods = {"MOD": f"MOD(1,{minutes}{singles})"} | ({} if case.has_seats else {"OPT": f"OPT(1,{minutes})"})
    answers: dict[str, Answer] = {}
    for word, method in methods.items():
        with tempfile.TemporaryDirectory() as folder:
            order = _order(case, dimensions, columns, method)
            answers[word] = ask(order, Path(folder), seconds=PATIENCE * case.seconds)
    seen = next((answer for answer in answers.values() if not answer.trouble), None)
    held = problem if seen is None else _held_to(problem, seen, labels)
    rows = _our_rows(case, table, held)
    taken = {"OPT": rows[0]["seconds"], "MOD": rows[2]["seconds"]}
    for word, answer in answers.items():
        row = {"tool": f"ARGUS {word}", "seconds": answer.seconds, "times ours": answer.seconds / taken[word]}
        if answer.trouble:
            rows.append(row | {"secondary": answer.trouble})
            continue
        known = np.maximum(1.0, 1e-3 * problem.values)
        off = np.abs(answer.reach(labels) - np.stack([problem.below, problem.above], 1)).max(axis=1) > known
        apart = (answer.unsafe(labels) != problem.unsafe) | (off & problem.unsafe)
        row |= {"apart": int(apart.sum()), "own audit": "" if answer.missed is None else answer.missed}
        row |= {} if answer.bound is None else {"gap %": 100 * (1 - answer.bound)}
        hidden = answer.hidden(labels)
        row |= _verdict(held, hidden, case.has_seats)
        rows.append(row)
        if row["at risk"] or row.get("from seats"):
            rows.append(_made_safe(case, held, hidden, row))
    return [_dressed(case, problem, row, rows[0]["cost"]) for row in rows]


def _our_rows(case: Case, table: Table, problem: Problem) -> list[dict[str, Any]]:
    works: dict[str, Callable[[], Pattern]] = {
        "exact": lambda: exact_suppression(problem, time_limit=case.seconds),
        "fast": lambda: fast_suppression(problem),
        "modular": lambda: modular_suppression(table, problem),
    }
    rows = []
    for word, work in works.items():
        begin = time.perf_counter()
        pattern = work()
        row = {"tool": f"Tacita {word}", "seconds": time.perf_counter() - begin}
        row |= {"gap %": round(100 * pattern.gap, 6)} if word == "exact" else {}
        rows.append(row | _verdict(problem, pattern.hidden, case.has_seats))
    return rows


def _made_safe(case: Case, problem: Problem, hidden: np.ndarray, row: dict[str, Any]) -> dict[str, Any]:
    """What a pattern that leaks costs once we have completed it: only then can it be compared with safe ones."""
    begin = time.perf_counter()
    whole = clean_up(problem, hidden)
    seconds = row["seconds"] + time.perf_counter() - begin
    return {"tool": f"{row['tool']}, safe", "seconds": seconds} | _verdict(problem, whole, case.has_seats)


def _dressed(case: Case, problem: Problem, row: dict[str, Any], cost: float) -> dict[str, Any]:
    """One row with its columns in order."""
    row["above %"] = 100 * (row["cost"] / cost - 1) if "cost" in row else ""
    filled = {key: row.get(key, "") for key in COLUMNS}
    head = {"case": case.name, "tool": row["tool"], "cells": problem.size, "unsafe": int(problem.unsafe.sum())}
    return head | filled


def run(quick: bool) -> list[dict[str, Any]]:
    """Protect the same tables with both; quick takes tables that are done in seconds."""
    if not is_installed():
        return [{"case": "pytauargus is not installed; pip install tacita[sparring]"}]
    _warm_up()
    return [row for case in (QUICK if quick else FULL) for row in _duel(case)]


def _warm_up() -> None:
    """Compile the kernels."""
    case = Case("", ((2, 2), (2, 2)), "turnover", has_seats=True)
    dimensions = [_dimension(f"d{place + 1}", shape) for place, shape in enumerate(case.shapes)]
    table, problem = _ours(case, dimensions, firms(dimensions, seed=0))
    modular_suppression(table, problem, accepts_leaks=True)
    fast_suppression(problem, accepts_leaks=True)
