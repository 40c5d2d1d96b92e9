"""Cells with certain codes."""

from __future__ import annotations

import pytest

from tacita.core.errors import ParameterError
from tacita.tables.unsafe_codes import UnsafeCodes
from tests.tables.tables_by_hand import row_of


def test_codes_that_are_there_and_codes_that_are_not() -> None:
    table = row_of([[5.0, 5.0], [1.0], []])
    assert UnsafeCodes(column="cell", codes=["c1", "c2"]).judge(table).cells.tolist() == [False, False, True, False]
    assert not UnsafeCodes(column="cell").judge(table).cells.any()
    with pytest.raises(ParameterError, match="Did you mean 'cell'"):
        UnsafeCodes(column="cel").judge(table)
