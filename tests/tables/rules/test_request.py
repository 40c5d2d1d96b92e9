"""The request rule by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.core.errors import DataError
from tacita.tables.rules.request import Request
from tests.tables.tables_by_hand import row_of


def test_only_those_who_asked() -> None:
    table = row_of([[80.0, 20.0], [90.0, 10.0]])
    assert table.units is not None
    asks = np.zeros(4, bool)
    asks[2] = True
    asked = replace(table, units=replace(table.units, asks=asks))
    assert Request(share=70).judge(asked).cells.tolist() == [False, False, True]
    with pytest.raises(DataError, match="'request' column"):
        Request().judge(table)
    with pytest.raises(DataError, match="depth"):
        Request(share=10).judge(asked)


def test_the_share_is_that_of_the_weighted_contribution() -> None:
    """100 with weight 1.9 is 190 of 191, whatever the 100 alone would be."""
    table = row_of([[100.0, 1.0], [5.0, 6.0, 7.0]], weights=[[1.9, 1.0], [1.0, 1.0, 1.0]])
    assert table.units is not None
    asks = np.array([True, False, False, False, False])
    found = Request(share=70).judge(replace(table, units=replace(table.units, asks=asks)))
    assert found.cells[1]
    assert found.above[1] == pytest.approx(190 / 0.7 - 191)
