"""Tallies of data in memory."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import ColumnError, DataError, ParameterError
from tacita.data.microdata import Microdata
from tacita.data.tabulate import TallyRequest, as_code, owner_flags, tally

ROWS = {"a": ["p", "q", "p", None], "n": [1.0, 2.0, 1.0, 2.0], "x": [3.0, None, 0.0, 5.0], "w": [2.0, 1.0, 4.0, 1.0]}
DATA = Microdata.from_frame(pa.table(ROWS), weight="w")


def test_by_hand() -> None:
    found = tally(DATA, TallyRequest(by=("a", "n"), responses=("x", "")))
    assert found.categories == (("p", "q"), ("1", "2"))
    cells = {tuple(row): i for i, row in enumerate(found.codes.tolist())}
    assert set(cells) == {(0, 0), (1, 1), (-1, 1)}
    x, count = found.responses
    both = cells[(0, 0)]
    assert (x.records[both], x.weights[both], x.amounts[both]) == (2, 6.0, 6.0)
    assert (x.records[cells[(1, 1)]], x.left_out, count.left_out) == (0, 1, 0)
    assert count.amounts.tolist() == count.weights.tolist()
    assert x.units.are_alone
    assert x.units.owner.tolist() == [0, 2, 3]
    # a zero counts next to nothing, and yet has a weight
    assert x.units.sums[2, 1] / x.units.sums[1, 1] == pytest.approx(4.0)


def test_a_column_that_must_be_there() -> None:
    found = tally(DATA, TallyRequest(by=("a",), present="x"))
    assert found.responses[0].records.sum() == 3


def test_codes_as_text() -> None:
    assert [as_code(v) for v in (1, 1.0, 1.5, "01", True)] == ["1", "1", "1.5", "01", "True"]


def test_one_record_asks_and_all_records_waive() -> None:
    data = Microdata.from_frame(pa.table({"o": ["p", "p", "q", "q", None], "f": [1.0, 0.0, 1.0, 2.0, None]}))
    assert owner_flags(data, "f", "o").tolist()[:2] == [True, True]
    assert owner_flags(data, "f", "o", every=True).tolist()[:2] == [False, True]
    assert owner_flags(data, "f", None).tolist() == owner_flags(data, "f", None, every=True).tolist()


def test_bad_input() -> None:
    with pytest.raises(ColumnError, match="at least one"):
        TallyRequest(by=())
    with pytest.raises(ColumnError, match="'response' names a column twice"):
        TallyRequest(by=("a",), responses=("x", "x"))
    with pytest.raises(ParameterError, match="'depth'"):
        TallyRequest(by=("a",), depth=101)
    with pytest.raises(DataError, match="weight 'x' is negative or missing in 1 records"):
        tally(DATA, TallyRequest(by=("a",), weight="x"))
    assert tally(DATA, TallyRequest(by=("a",), weight=False)).responses[0].weights.sum() == 4
    assert tally(DATA.take(np.empty(0, np.int64)), TallyRequest(by=("a",))).codes.shape == (0, 1)
