"""Zeros, empty cells and cells that are empty by structure."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tacita.tables.rules.unsafe_zero import UnsafeZero
from tests.tables.tables_by_hand import row_of


def test_three_states() -> None:
    table = row_of([[0.0, 0.0], [], [5.0, 5.0], []])
    table = replace(table, structural=np.array([False, False, False, False, True]))
    assert table.is_zero.tolist() == [False, True, False, False, False]
    assert table.is_empty.tolist() == [False, False, True, False, False]
    assert UnsafeZero().judge(table).cells.tolist() == [False, True, False, False, False]
    assert UnsafeZero(which="empty").judge(table).cells.tolist() == [False, False, True, False, False]
    found = UnsafeZero(which="both", reach=2).judge(table)
    assert found.cells.tolist() == [False, True, True, False, False]
    assert found.above[1] == 2.0
    assert found.below[1] == 0.0
