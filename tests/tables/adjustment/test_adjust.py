"""Adjustment as a protector."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import TacitaError
from tacita.tables.adjustment.adjust import Adjust
from tacita.tables.adjustment.tabular_adjustment import Adjusted
from tacita.tables.rules.minimum_frequency import MinimumFrequency
from tacita.tables.rules.p_percent import PPercent
from tacita.tables.rules.unsafe_zero import UnsafeZero
from tests.tables.tables_by_hand import row_of


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


@pytest.mark.parametrize("norm", ["l1", "l2"])
@pytest.mark.parametrize("method", ["exact", "heuristic"])
@pytest.mark.parametrize("scale", [1.0, 1e-8])
def test_an_unsafe_zero_goes_up(norm: str, method: str, scale: float) -> None:
    """Its level below is 0, because nobody believes in a negative amount; standing still is no protection."""
    rows = [[0.0, 0.0], [5.0, 6.0, 7.0], [5.0, 6.0, 9.0]]
    table = row_of([[scale * amount for amount in row] for row in rows])
    unsafe = UnsafeZero(reach=3 * scale).judge(table)
    assert unsafe.below[1] == 0.0
    made = Adjust(norm=norm, method=method, time_limit=5).protect(table, unsafe)
    assert made.values[1] == pytest.approx(3 * scale)
    assert len(table.relations.violated(made.values)) == 0
    assert made.is_safe
    assert made.exposed == ()


def test_a_zero_without_levels_leaves_by_its_smallest_width() -> None:
    table = row_of([[0.0], [5.0, 6.0, 7.0], [5.0, 6.0, 8.0]])
    unsafe = MinimumFrequency(at_least=3).judge(table)
    assert (unsafe.below[1], unsafe.above[1]) == (0.0, 0.0)
    made = Adjust(time_limit=5).protect(table, unsafe)
    assert made.values[1] == pytest.approx(unsafe.sliding[1], rel=1e-3)


def test_what_does_not_keep_the_promise_is_not_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    table = row_of([[9.0], [5.0, 6.0, 7.0], [5.0, 6.0, 8.0]])
    unsafe = MinimumFrequency(at_least=2).judge(table)
    standing = Adjusted(table.values, unsafe.cells, 0.0, 0.0, "l1", 0, 0.0)
    monkeypatch.setattr("tacita.tables.adjustment.tabular_adjustment.tabular_adjustment", lambda *_, **__: standing)
    with pytest.raises(TacitaError, match="1 unsafe cells are still within") as caught:
        Adjust().protect(table, unsafe)
    assert caught.value.details["cells"] == [1]
    off = replace(standing, values=table.values + np.array([0.0, 9.0, -30.0, 0.0]))
    monkeypatch.setattr("tacita.tables.adjustment.tabular_adjustment.tabular_adjustment", lambda *_, **__: off)
    with pytest.raises(TacitaError, match="1 cells are outside their bounds, 1 sums do not hold"):
        Adjust().protect(table, unsafe)
