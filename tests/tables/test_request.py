"""The request rule by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.core.errors import DataError
from tacita.tables.request import Request
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
