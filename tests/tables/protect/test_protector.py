"""What protectors are given: a problem made of a table and its unsafe cells."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import DataError
from tacita.tables.model.from_cells import table_from_cells
from tacita.tables.protect.protector import make_problem
from tacita.tables.rules.named_cells import NamedCells
from tests.tables.tables_by_hand import row_of


def test_levels_bounds_and_locks() -> None:
    table = row_of([[10.0], [5.0, 6.0, 7.0], []])
    unsafe = NamedCells(cells=[{"cell": "c0"}]).judge(table)
    problem = make_problem(table, unsafe)
    assert problem.unsafe.tolist() == [False, True, False, False]
    assert (problem.below[1], problem.above[1]) == (3.0, 3.0)
    assert problem.locked.tolist() == [False, False, False, True], "a cell without contributors stays published"
    assert not make_problem(table, unsafe, hide_empty=True).locked.any()


def test_values_that_are_not_known_are_named() -> None:
    rows = {"g": ["a", "b", "c", "Total"], "value": [10, 20, np.nan, 60]}
    table = table_from_cells(rows, ["g"], unknown=np.array([0, 0, 1, 0], bool), response="turnover")
    with pytest.raises(DataError, match="1 cells have no value of 'turnover', such as g=c"):
        make_problem(table, NamedCells(cells=[{"g": "a"}]).judge(table))
