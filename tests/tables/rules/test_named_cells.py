"""Cells that the user names, takes back and locks."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.tables.rules.minimum_frequency import MinimumFrequency
from tacita.tables.rules.named_cells import NamedCells
from tests.tables.tables_by_hand import row_of


def test_named_released_locked() -> None:
    table = row_of([[5.0, 5.0, 5.0], [1.0], [2.0]])
    unsafe = (NamedCells(cells=[{"cell": "c0"}]) | MinimumFrequency()).judge(table)
    assert unsafe.cells.tolist() == [False, True, True, True]
    freed = unsafe.released(table.find({"cell": "c2"}))
    assert freed.cells.tolist() == [False, True, True, False]
    assert freed.above[3] == 0.0
    assert freed.lock(np.array([0])).locked.tolist() == [True, False, False, False]
    with pytest.raises(DataError, match="are unsafe"):
        freed.lock(np.array([1]))


def test_unknown_code() -> None:
    with pytest.raises(ParameterError, match="has no code 'c9'"):
        NamedCells(cells=[{"cell": "c9"}]).judge(row_of([[1.0]]))
