"""Minimum frequency by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import DataError, ParameterError
from tacita.tables.model.link import link
from tacita.tables.model.tabulate import tabulate_means
from tacita.tables.rules.minimum_frequency import MinimumFrequency
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


def test_counts_beside_sums_move_by_one_too() -> None:
    """In one table of several responses, in a pair for means and in linked tables."""
    rows = {"a": list("pqqrrrr"), "b": list("uuvuvuv"), "x": [100.0 * i for i in range(1, 8)]}
    data = tc.Microdata.from_frame(pa.table(rows))
    counts, sums = tc.tabulate(data, ["a"]), tc.tabulate(data, ["b"], "x")
    tables = [
        tc.tabulate(data, ["a"], ["x", ""]),
        tc.tabulate(data, ["a"], ["", "x"]),
        tabulate_means(data, ["a"], "x"),
        link([sums, counts]),
        link([counts, sums]),
    ]
    for table in tables:
        found = MinimumFrequency(at_least=3).judge(table)
        assert table.parts is not None
        is_count = np.array([not name for name in table.responses])[table.parts]
        assert (found.cells & is_count).any()
        assert (found.above[found.cells & is_count] == 1.0).all()
        assert (found.above[found.cells & ~is_count] == 0.3 * table.values[found.cells & ~is_count]).all()
