"""Controlled rounding and tabular adjustment of large tables: time, distance, and the gap that is proven."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from benchmarks.table_instances import frequency_table, magnitude_table
from tacita.tables.adjustment.tabular_adjustment import tabular_adjustment
from tacita.tables.rounding.controlled import controlled_rounding

__all__ = ["run"]

_ROUNDINGS = (
    ("rounding, 2-D flat", [(386,), (386,)], None, "150 000 cells in 600 s"),
    ("rounding, 2-D one nested", [(7, 7, 7), (386,)], None, "150 000 cells in 600 s"),
    ("rounding, 2-D both nested", [(6, 5, 10), (6, 5, 10)], None, ""),
    ("rounding, 3-D nested", [(4, 4), (5, 4), (5, 4)], 100.0, "restricted or says so"),
)
_SMALL_ROUNDINGS = (
    ("rounding, 2-D flat", [(60,), (60,)], None, ""),
    ("rounding, 3-D nested", [(2, 2), (2, 3), (2, 2)], 5.0, "restricted or says so"),
)
_ADJUSTMENTS = (
    ("adjustment, 2-D nested", [(5, 4, 3), (6, 5, 2)], 17.0),
    ("adjustment, 3-D nested", [(4, 4), (4, 4), (4, 3)], 14.0),
    ("adjustment, 2-D flat", [(90,), (88,)], 28.0),
)
_SMALL_ADJUSTMENTS = (("adjustment, 2-D nested", [(5, 4), (6, 5)], 17.0),)


def _rounded(case: str, shapes: list[tuple[int, ...]], limit: float | None, target: str) -> dict[str, Any]:
    table = frequency_table(shapes, seed=1)
    begin = time.process_time()
    found = controlled_rounding(table.relations, table.values, base=5, time_limit=limit)
    cpu = time.process_time() - begin
    return {
        "case": case,
        "cells": table.size,
        "relations": len(table.relations),
        "ours_s": found.seconds,
        "cpu_s": cpu,
        "gap_%": 100 * found.gap,
        "additive": not np.any(table.relations.residuals(found.values / 5)),
        "restricted": found.is_restricted,
        "target": target,
    }


def _adjusted(
    case: str, shapes: list[tuple[int, ...]], firms: float, settings: dict[str, Any], target: str
) -> dict[str, Any]:
    table = magnitude_table(shapes, seed=1, firms=firms)
    begin = time.process_time()
    found = tabular_adjustment(table, **settings)
    cpu = time.process_time() - begin
    return {
        "case": case,
        "cells": table.size,
        "relations": len(table.relations),
        "unsafe": int(table.unsafe.sum()),
        "ours_s": found.seconds,
        "cpu_s": cpu,
        "gap_%": 100 * found.gap,
        "additive": not len(table.relations.violated(found.values)),
        "target": target,
    }


def run(quick: bool) -> list[dict[str, Any]]:
    """Round and adjust tables of growing difficulty."""
    rows = [_rounded(*case) for case in (_SMALL_ROUNDINGS if quick else _ROUNDINGS)]
    limit = 10.0 if quick else 60.0
    for case, shapes, firms in _SMALL_ADJUSTMENTS if quick else _ADJUSTMENTS:
        sized = [tuple(shape) for shape in shapes]
        for words, settings, target in (
            ("heuristic", {"method": "heuristic", "time_limit": limit}, ""),
            ("l1", {"gap": 0.01, "time_limit": limit}, "5 % in 60 s, 1 % aimed at"),
            ("l2", {"norm": "l2", "time_limit": limit}, ""),
        ):
            rows.append(_adjusted(f"{case}, {words}", sized, firms, settings, target))
    return rows
