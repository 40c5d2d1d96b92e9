"""Tables as CSV."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tacita as tc
from tacita.core.errors import ColumnError, DataError, FileError, ParameterError
from tacita.tables.files.read_write import read_table, write_table
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.from_cells import table_from_cells
from tacita.tables.model.tabulate import tabulate
from tacita.tables.rules.unsafe import Unsafe
from tests.effort import examples

CODES = ["01", "1", " 1", "1.5", "é;ß", 'say "so"', "a,b", "00"]


def test_by_hand(tmp_path: Path) -> None:
    table = table_from_cells({"size": ["small", "large"], "value": [1.5, 2]}, ["size"])
    path = write_table(table, tmp_path / "a.csv", hidden=np.array([False, False, True]))
    assert path.read_text() == "size,value,status\nTotal,3.5,published\nsmall,1.5,published\nlarge,,hidden\n"


@settings(max_examples=examples(30))
@given(
    values=st.lists(st.floats(-1e6, 1e6, allow_nan=False), min_size=len(CODES), max_size=len(CODES)),
    form=st.sampled_from([(",", "."), (";", ","), ("\t", "."), ("|", ",")]),
)
def test_round_trip(values: list[float], form: tuple[str, str], tmp_path: Path) -> None:
    separator, decimal = form
    table = table_from_cells({"code": CODES, "value": values}, ["code"])
    path = write_table(table, tmp_path / "a.csv", separator=separator, decimal=decimal, overwrite=True)
    found = read_table(path, separator=separator, decimal=decimal).table
    assert found.dimensions == table.dimensions
    assert found.values.tolist() == table.values.tolist()


def test_business_sample(tmp_path: Path) -> None:
    table = tabulate(tc.samples.business_survey(400, seed=1), ["region", "size_class"], "profit")
    path = write_table(table, tmp_path / "a.csv", include=["count", "lower"])
    found = read_table(path, table.dimensions, response="profit")
    assert found.table.values.tolist() == table.values.tolist()
    assert found.table.counts is not None
    assert table.counts is not None
    assert found.table.counts.tolist() == table.counts.tolist()
    assert np.isneginf(found.table.bounds[0]).all()
    assert found.hidden is None
    assert found.unsafe is None
    # nothing but the inner cells, and not even the empty ones
    lines = path.read_text().splitlines()
    regions, sizes = (set(d.leaves) for d in table.dimensions)
    kept = [
        line
        for line in lines[1:]
        if line.split(",")[0] in regions and line.split(",")[1] in sizes and ",empty" not in line
    ]
    (tmp_path / "b.csv").write_text("\n".join([lines[0], *kept]) + "\n")
    again = read_table(tmp_path / "b.csv", table.dimensions, absent_is_empty=True)
    assert again.table.values == pytest.approx(table.values)


def test_status_and_levels(tmp_path: Path) -> None:
    table = table_from_cells({"a": ["p", "q", "r", "s", "t"], "value": [1, 2, 3, 4, 0]}, ["a"])
    primary, locked = np.zeros(6, bool), np.zeros(6, bool)
    primary[1] = locked[0] = True
    unsafe = Unsafe(primary, primary * 0.5, primary * 1.0, primary * 2.0, ("p",), primary[:, None], locked)
    path = write_table(table, tmp_path / "a.csv", hidden=primary | (np.arange(6) == 2), unsafe=unsafe, secret=True)
    words = [line.split(",")[2] for line in path.read_text().splitlines()[1:]]
    assert words == ["locked", "unsafe", "hidden", "published", "published", "empty"]
    found = read_table(path)
    assert found.hidden is not None
    assert found.unsafe is not None
    assert np.flatnonzero(found.hidden).tolist() == [1, 2]
    assert (found.unsafe.below[1], found.unsafe.above[1], found.unsafe.sliding[1]) == (0.5, 1.0, 2.0)
    assert found.unsafe.locked.tolist() == locked.tolist()
    assert found.table.values.tolist() == table.values.tolist()


def test_structural_cells_and_several_responses(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,value,status\nTotal,3,\np,3,S\nq,0,structural\n")
    assert read_table(tmp_path / "a.csv").table.is_structural.tolist() == [False, False, True]
    firms = tc.samples.business_survey(50, seed=1)
    both = tabulate(firms, ["size_class"], ["", "turnover"])
    path = write_table(both, tmp_path / "b.csv")
    assert path.read_text().splitlines()[1].startswith("Total,count,")
    with pytest.raises(FileError, match="several responses"):
        read_table(path)


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("a,valu\nx,1\n", ColumnError, "Column 'value' is not in"),
        ("value\n1\n", ColumnError, "a column for each dimension"),
        ("a,value\nx,1,2\n", FileError, "Line 2 of 'a.csv' must have 2 fields, got 3"),
        ("a,value\nx,CANARY\n", FileError, "Column 'value' of 'a.csv' must hold numbers, but row 2"),
        ("a,value,status\nx,1,CANARY\n", FileError, "first on row 2; it must be one of published"),
        ("a;value\nx;1,5\ny;1.5\n", FileError, "say which is right"),
        ('a,value\nx,"1\n', FileError, "quotation mark"),
        ("a,value\nx,1\nx,1\n", DataError, "a=x stands on 2 rows"),
        ("a,value\nx,1\ny,\n", DataError, "no finite value"),
        ("a,value\nTotal,7351\nx,1\n", DataError, "not additive"),
    ],
)
def test_damaged_files(text: str, kind: type[Exception], message: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(kind, match=message) as caught:
        read_table(tmp_path / "a.csv")
    assert "CANARY" not in str(caught.value)
    assert "7351" not in str(caught.value)


def test_bad_input(tmp_path: Path) -> None:
    table = table_from_cells({"a": ["p", "q"], "value": [1, 2]}, ["a"])
    path = tmp_path / "a.csv"
    with pytest.raises(ParameterError, match="'include' takes count"):
        write_table(table, path, include=["counts"])
    with pytest.raises(ParameterError, match="the table has no 'cost'"):
        write_table(table, path, include=["cost"])
    with pytest.raises(ParameterError, match="'separator' must be"):
        write_table(table, path, separator="x")
    with pytest.raises(ParameterError, match="another sign than the separator"):
        write_table(table, path, decimal=",")
    clash = table_from_cells({"status": ["p"], "value": [1]}, [Dimension.flat("status", ["p"])])
    with pytest.raises(ParameterError, match="'status' has the name of another column"):
        write_table(clash, path)
    assert not path.exists()
    write_table(table, path)
    with pytest.raises(ParameterError, match="'decimal' must be"):
        read_table(path, decimal="'")
