"""Adjustment as a protector."""

from __future__ import annotations

import numpy as np

import tacita as tc
from tacita.tables.adjust import Adjust
from tacita.tables.p_percent import PPercent


def test_unsafe_cells_leave_their_intervals_and_sums_hold() -> None:
    table = tc.tabulate(tc.samples.business_survey(300, seed=2), ["size_class", "region"], "turnover")
    unsafe = PPercent(p=10).judge(table)
    made = Adjust(method="heuristic", time_limit=20).protect(table, unsafe)
    moved = made.values - table.values
    cells = unsafe.cells
    slack = 1e-6 * np.maximum(1.0, np.abs(table.values))
    assert ((moved >= unsafe.above - slack) | (moved <= -unsafe.below + slack))[cells].all()
    assert len(table.relations.violated(made.values)) == 0
    assert not made.hidden.any()
    assert made.bound <= made.cost + 1e-9
    assert made.is_safe
