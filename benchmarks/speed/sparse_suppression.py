"""Cell suppression on sparse, deep tables: few firms by all levels of region and activity, search and audit in processor time.

The machine was busy, which stretches processor time as well: within the same hour the first code, that of ``search was``, took
62, 52 and 70 s on it, for patterns that cost 13866, 8528 and 4525.
"""

from __future__ import annotations

import time
from typing import Any

from benchmarks.table_instances import frequency_table
from tacita.data.samples import business_survey
from tacita.tables.auditor.audit import audit
from tacita.tables.model.tabulate import tabulate
from tacita.tables.protect.protector import make_problem
from tacita.tables.rules.minimum_frequency import MinimumFrequency
from tacita.tables.rules.p_percent import PPercent
from tacita.tables.suppression.fast.fast import fast_suppression
from tacita.tables.suppression.good_pattern import good_pattern
from tacita.tables.suppression.smaller_problem import SmallerProblem

__all__ = ["run"]

BEFORE = {500: (44.4, 12.3), 2000: (32.3, 19.6), 10_000: (28.7, 14.8)}
"""Seconds of processor time on the same machine: the search with every cell, before lengths of edges were kept, and the audit of
the present pattern before cells that move alike were merged."""


def _row(firms: int) -> dict[str, Any]:
    """Protect and audit one table, and search once more with every cell left in."""
    table = tabulate(business_survey(firms, seed=1), ["region", "activity"], "turnover")
    rules = MinimumFrequency(at_least=3, level="holding") | PPercent(p=10, level="holding")
    problem = make_problem(table, rules.judge(table))
    begin = time.process_time()
    pattern = fast_suppression(problem)
    searched = time.process_time()
    verdict = audit(problem, pattern.hidden)
    audited = time.process_time()
    whole = good_pattern(problem).hidden
    left_in = time.process_time() - audited
    was, audit_was = BEFORE[firms]
    return {
        "case": f"{firms} firms by region and activity",
        "cells": problem.size,
        "cells left": SmallerProblem.of(problem).problem.size,
        "unsafe": int(problem.unsafe.sum()),
        "seats": verdict.seats,
        "hidden": int(pattern.hidden.sum()),
        "cost": pattern.cost,
        "search_s": searched - begin,
        "audit_s": audited - searched,
        "at risk": len(verdict.at_risk),
        "search was": was,
        "audit was": audit_was,
        "times faster": was / (searched - begin),
        "every cell left in": f"{left_in:.1f} s, cost {float(problem.cost[whole].sum()):.0f}",
        "target": "a tenth of the search",
    }


def run(quick: bool) -> list[dict[str, Any]]:
    """Protect, audit, and print; quick takes the smallest table alone."""
    fast_suppression(frequency_table(((2, 2), (2, 2)), seed=0))  # loads the kernels
    return [_row(firms) for firms in ((500,) if quick else (500, 2000, 10_000))]
