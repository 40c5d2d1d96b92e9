"""Costs of hiding a cell."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.core.errors import DataError
from tacita.tables.protect.costs import cell_costs
from tests.tables.tables_by_hand import row_of


def test_each_kind_orders_cells_as_it_says() -> None:
    table = row_of([[100.0], [5.0, 5.0, 5.0], [0.0]])
    unsafe = np.array([False, True, False, False])
    assert (cell_costs(table, unsafe, "unity") == 1.0).all()
    for kind in ("value", "log"):
        cost = cell_costs(table, unsafe, kind)  # type: ignore[arg-type]
        assert cost[0] > cost[1] > cost[2] > cost[3] > 0
    frequency = cell_costs(table, unsafe, "frequency")
    assert frequency[2] > frequency[1]
    assert cell_costs(table, unsafe, "distance").tolist() == [2.0, 1.0, 2.0, 2.0]


def test_box_cox_runs_from_logarithm_to_value() -> None:
    table = row_of([[1000.0], [10.0]])
    unsafe = np.zeros(3, bool)
    steep, half, flat = (cell_costs(table, unsafe, "value", power=p) for p in (1.0, 0.5, 1e-12))
    assert steep[1] / steep[2] > half[1] / half[2] > flat[1] / flat[2]
    assert flat == pytest.approx(cell_costs(table, unsafe, "log"))


def test_own_costs_and_what_is_lacking() -> None:
    table = row_of([[5.0], [6.0]])
    unsafe = np.zeros(3, bool)
    with pytest.raises(DataError, match="cost variable"):
        cell_costs(table, unsafe, "own")
    own = cell_costs(replace(table, cost=np.array([9.0, 1.0, 0.0])), unsafe, "own")
    assert own[0] > own[1] > own[2] > 0
    with pytest.raises(DataError, match="how many records"):
        cell_costs(replace(table, counts=None), unsafe, "frequency")


def test_cells_out_of_reach_are_far() -> None:
    table = row_of([[5.0], [6.0]])
    assert cell_costs(table, np.zeros(3, bool), "distance").tolist() == [2.0, 2.0, 2.0]
