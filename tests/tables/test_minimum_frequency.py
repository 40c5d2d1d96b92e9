"""Minimum frequency by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.tables.minimum_frequency import MinimumFrequency
from tests.tables.tables_by_hand import row_of


def test_at_least_cannot_be_misread() -> None:
    table = row_of([[1.0], [1.0, 1.0], [1.0, 1.0, 1.0], []])
    assert MinimumFrequency(at_least=3).judge(table).cells.tolist() == [False, True, True, False, False]


def test_counts_move_by_one_at_least() -> None:
    table = row_of([[1.0], [1.0, 1.0, 1.0, 1.0]])
    counted = replace(table, response="", responses=("",), units=None)
    found = MinimumFrequency(at_least=3, span=10).judge(counted)
    assert found.cells.tolist() == [False, True, False]
    assert (found.below[1], found.above[1]) == (1.0, 1.0)


def test_holdings_count_once() -> None:
    table = row_of([[5.0, 4.0, 3.0]])
    assert table.units is not None
    together = replace(table, holdings=replace(table.units, counts=np.array([2, 2])))
    assert not MinimumFrequency(at_least=3).judge(together).cells[1]
    assert MinimumFrequency(at_least=3, level="holding").judge(together).cells[1]


def test_bad_input() -> None:
    with pytest.raises(ParameterError, match="at_least"):
        MinimumFrequency(at_least=0)
    with pytest.raises(DataError, match="counts"):
        MinimumFrequency().judge(replace(row_of([[1.0]]), units=None, counts=None))
