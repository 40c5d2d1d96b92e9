"""Arrow: types, classes in their order, and the same rows."""

from __future__ import annotations

import pyarrow as pa
import pytest

from tacita.query.forms.arrow_form import table_arrow
from tacita.query.tables.cell_table import CellTable
from tests.query.forms.tables import counts, hostile, means


def read(table: CellTable) -> pa.Table:
    return pa.ipc.open_stream(table_arrow(table)).read_all()


@pytest.mark.parametrize("table", [counts(), means(), hostile()])
def test_a_table_is_found_again(table: CellTable) -> None:
    assert {name: read(table)[name].to_pylist() for name in table.to_rows()} == table.to_rows()


def test_variables_are_dictionaries_in_the_order_of_the_catalogue() -> None:
    column = read(counts())["size"]
    assert pa.types.is_dictionary(column.type)
    assert column.chunk(0).dictionary.to_pylist() == ["up to 2", "above 2", "(missing)"]


def test_counts_are_whole_and_gaps_are_null() -> None:
    found = read(counts())["count"]
    assert found.type == pa.int64()
    assert found.to_pylist() == [3, 0, None, 5, 1, 2]
    assert found.null_count == 1
    assert read(means())["mean"].type == pa.float64()
    assert read(means())["mean"].null_count == 1


def test_the_statistic_stands_in_the_schema() -> None:
    assert read(means()).schema.metadata == {b"statistic": b"mean"}
