"""Parquet, Arrow, DuckDB and Excel in, and what is said about files that cannot be read.

It tests ``tacita.data.formats.arrow_files``, ``tacita.data.formats.excel`` through the only door that they have.
"""

from __future__ import annotations

import datetime
import re
import sys

import duckdb
import openpyxl
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from tacita.core.errors import FileError, ParameterError, SchemaError
from tacita.data.read import read

TABLE = pa.table(
    {
        "i": [1, None, 3],
        "f": [1.5, float("inf"), None],
        "s": ["01", "NA", None],
        "d": [datetime.date(2024, 1, 2), None, datetime.date(1900, 1, 1)],
    }
)


def write_duckdb(path, **tables):
    connection = duckdb.connect(str(path))
    for name, table in tables.items():
        connection.register("incoming", table)
        quoted = name.replace('"', '""')
        connection.execute(f'create table "{quoted}" as select * from incoming')
    connection.close()


def write_excel(path, rows, title="Sheet", **more):
    book = openpyxl.Workbook()
    book.active.title = title
    for name, content in {title: rows, **more}.items():
        sheet = book[name] if name in book.sheetnames else book.create_sheet(name)
        for row in content:
            sheet.append(row)
    book.save(path)


# --- which format -----------------------------------------------------------------------------------------------------


def test_unknown_ending(tmp_path):
    with pytest.raises(FileError) as caught:
        read(tmp_path / "data.parqet")
    assert "Did you mean '.parquet'?" in str(caught.value)
    for known in (".csv", ".tsv", ".txt", ".feather", ".duckdb", ".sav", ".zsav", ".dta", ".sas7bdat", ".xpt", ".xlsx"):
        assert known in str(caught.value)
    with pytest.raises(FileError, match="must end in one of"):
        read(tmp_path / "data")


def test_ending_in_capitals(tmp_path):
    (tmp_path / "DATA.CSV").write_text("a\n1\n")
    assert read(str(tmp_path / "DATA.CSV")).names == ("a",)


def test_missing_file_and_directory(tmp_path):
    with pytest.raises(FileError, match=r"none\.csv' cannot be read: No such file"):
        read(tmp_path / "none.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(FileError, match="is a directory"):
        read(tmp_path / "folder.csv")


@pytest.mark.parametrize("ending", ["csv", "parquet", "feather", "duckdb", "sav", "dta", "sas7bdat", "xpt", "xlsx"])
def test_empty_file(tmp_path, ending):
    (tmp_path / f"data.{ending}").write_bytes(b"")
    with pytest.raises(FileError, match=r"is empty \(0 bytes\)"):
        read(tmp_path / f"data.{ending}")


def test_options_of_another_format(tmp_path):
    parquet.write_table(TABLE, tmp_path / "data.parquet")
    with pytest.raises(ParameterError, match=r"'separator' has no meaning for 'data.parquet'; .* no such option"):
        read(tmp_path / "data.parquet", separator=";")
    write_excel(tmp_path / "data.xlsx", [["a"], [1]])
    with pytest.raises(ParameterError, match=r"'table' has no meaning for 'data.xlsx'; its format takes only sheet"):
        read(tmp_path / "data.xlsx", table="t")


def test_file_without_permission(tmp_path, monkeypatch):
    # Tests may run as root, who may read everything, so the refusal is played.
    (tmp_path / "data.csv").write_text("a\n1\n")

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tacita.data.formats.csv_read.find_form", refuse)
    with pytest.raises(FileError, match=r"'data.csv' cannot be read: Permission denied"):
        read(tmp_path / "data.csv")


# --- Parquet and Arrow --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["parquet", "arrow", "feather", "ipc"])
def test_arrow_formats(tmp_path, ending):
    path = tmp_path / f"data.{ending}"
    if ending == "parquet":
        parquet.write_table(TABLE, path)
    else:
        feather.write_feather(TABLE, path)
    data = read(path)
    assert data.to_arrow().equals(TABLE)
    assert [column.scale for column in data.schema] == ["numeric", "numeric", "nominal", "date"]
    with pytest.raises(Exception, match="infinite"):
        data.float("f")


def test_arrow_stream(tmp_path):
    with pa.ipc.new_stream(tmp_path / "data.arrow", TABLE.schema) as writer:
        writer.write_table(TABLE)
    assert read(tmp_path / "data.arrow").to_arrow().equals(TABLE)


@pytest.mark.parametrize("ending", ["parquet", "feather"])
@pytest.mark.parametrize("keep", [3, 20, 0.5, 0.99])
def test_truncated_arrow_formats(tmp_path, ending, keep):
    path = tmp_path / f"data.{ending}"
    (parquet.write_table if ending == "parquet" else feather.write_feather)(TABLE, path)
    content = path.read_bytes()
    path.write_bytes(content[: keep if isinstance(keep, int) else int(len(content) * keep)])
    with pytest.raises(FileError, match="truncated, damaged or of another format") as caught:
        read(path)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_damaged_page_is_noticed(tmp_path):
    path = tmp_path / "data.parquet"
    parquet.write_table(pa.table({"a": list(range(1000))}), path, write_page_checksum=True, compression="none")
    content = bytearray(path.read_bytes())
    content[200] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(FileError, match="damaged"):
        read(path)


def test_frames_of_pandas_and_polars_in_files(tmp_path):
    frame = pd.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "z"]}).iloc[[2, 0]]
    frame.to_parquet(tmp_path / "data.parquet")
    assert read(tmp_path / "data.parquet").names == ("a", "b")
    view = pa.table({"s": pa.array(["x", None], pa.string_view())})
    feather.write_feather(view, tmp_path / "data.feather", compression="uncompressed")
    assert read(tmp_path / "data.feather").to_arrow().column("s").type == pa.large_string()
    flags = pa.table({"b": pa.ExtensionArray.from_storage(pa.bool8(), pa.array([1, 0], pa.int8()))})
    feather.write_feather(flags, tmp_path / "flags.feather")
    assert read(tmp_path / "flags.feather").to_arrow().column("b").to_pylist() == [1, 0]


def test_schema_of_text_columns_in_parquet(tmp_path):
    table = pa.table(
        {"a": ["1", "refused", "007"], "b": pa.array(["x", "?", "x"]).dictionary_encode(), "c": ["1", "2", "3"]}
    )
    parquet.write_table(table, tmp_path / "data.parquet")
    (tmp_path / "s.toml").write_text('[columns.a]\nscale="numeric"\nmissing=["refused"]\n[columns.b]\nmissing=["?"]\n')
    data = read(tmp_path / "data.parquet", schema=tmp_path / "s.toml")
    assert data.to_arrow(codes=False).to_pydict() == {"a": [1, None, 7], "b": ["x", None, "x"], "c": ["1", "2", "3"]}
    assert data.user_missing["a"].to_pylist() == [None, "refused", None]
    (tmp_path / "s.toml").write_text('[columns.b]\nscale="numeric"\n')
    with pytest.raises(SchemaError, match="'b' is declared numeric"):
        read(tmp_path / "data.parquet", schema=str(tmp_path / "s.toml"))


# --- DuckDB -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["duckdb", "db"])
def test_duckdb_with_one_table(tmp_path, ending):
    write_duckdb(tmp_path / f"data.{ending}", people=TABLE)
    data = read(tmp_path / f"data.{ending}")
    assert data.to_arrow().to_pydict() == TABLE.to_pydict()
    assert data.to_frame().schema.field("d").type == pa.date32()


def test_duckdb_with_several_tables(tmp_path):
    path = tmp_path / "data.duckdb"
    write_duckdb(path, people=TABLE, **{'od"d.name': TABLE.select(["i"])})
    connection = duckdb.connect(str(path))
    connection.execute("create schema other; create table other.people as select 1 as x")
    connection.close()
    with pytest.raises(
        FileError, match=r'has 3 tables; name one of them with table=: od"d.name, other.people, people\.'
    ):
        read(path)
    assert read(path, table="people").names == ("i", "f", "s", "d")
    assert read(path, table='od"d.name').names == ("i",)
    assert read(path, table="other.people").names == ("x",)
    with pytest.raises(FileError, match=r"has no table 'peple'; .* Did you mean 'people'\?"):
        read(path, table="peple")


def test_duckdb_without_a_table(tmp_path):
    write_duckdb(tmp_path / "data.duckdb")
    with pytest.raises(FileError, match="has no table; there is nothing to read"):
        read(tmp_path / "data.duckdb")


@pytest.mark.parametrize("keep", [100, 0.5])
def test_damaged_duckdb(tmp_path, keep):
    path = tmp_path / "data.duckdb"
    write_duckdb(path, people=TABLE)
    content = path.read_bytes()
    path.write_bytes(content[: keep if isinstance(keep, int) else int(len(content) * keep)])
    with pytest.raises(FileError, match="must be a DuckDB database"):
        read(path)


# --- Excel --------------------------------------------------------------------------------------------------------------


def test_excel(tmp_path):
    rows = [
        ["id", "code", "f", "day", "moment", "ok", "mixed", "land", 2024],
        [1, "01", 1.5, datetime.date(2024, 1, 2), datetime.datetime(2024, 1, 2, 3, 4), True, 12, "NA", "1"],
        [2, "02", 2, None, None, False, "NA", "DE", "2"],
        [None, None, None, datetime.date(1999, 1, 1), None, None, 3.5, None, None],
    ]
    write_excel(tmp_path / "data.xlsx", rows)
    data = read(tmp_path / "data.xlsx").to_arrow()
    assert data.to_pydict() == {
        "id": [1, 2, None],
        "code": ["01", "02", None],
        "f": [1.5, 2.0, None],
        "day": [datetime.date(2024, 1, 2), None, datetime.date(1999, 1, 1)],
        "moment": [datetime.datetime(2024, 1, 2, 3, 4), None, None],
        "ok": [True, False, None],
        "mixed": [12.0, None, 3.5],
        "land": ["NA", "DE", None],
        "2024": [1, 2, None],
    }
    assert data.schema.field("day").type == pa.date32()


def test_excel_sheets(tmp_path):
    write_excel(tmp_path / "data.xlsx", [["a"], [1]], title="first", second=[["b"], [2]])
    assert read(tmp_path / "data.xlsx").names == ("a",)
    assert read(tmp_path / "data.xlsx", sheet="second").names == ("b",)
    with pytest.raises(FileError, match=r"has no sheet 'secnd'; it has first, second. Did you mean 'second'\?"):
        read(tmp_path / "data.xlsx", sheet="secnd")


def test_excel_schema(tmp_path):
    rows = [["a", "b"], [1, "refused"], [2, 5]]
    write_excel(tmp_path / "data.xlsx", rows)
    (tmp_path / "s.toml").write_text('[columns.a]\ncategories=["1","2"]\n[columns.b]\nmissing=["refused"]\n')
    data = read(tmp_path / "data.xlsx", schema=tmp_path / "s.toml")
    assert data.to_arrow(codes=False).to_pydict() == {"a": ["1", "2"], "b": [None, 5]}
    assert data.user_missing["b"].to_pylist() == ["refused", None]


def test_excel_errors_and_empty_margins(tmp_path):
    rows = [["a", "b", None], [1, "#N/A", None], ["#DIV/0!", 2, None], [None, None, None]]
    write_excel(tmp_path / "data.xlsx", rows)
    assert read(tmp_path / "data.xlsx").to_arrow().to_pydict() == {"a": [1, None], "b": [None, 2]}


def test_excel_header_troubles(tmp_path):
    write_excel(tmp_path / "empty.xlsx", [])
    with pytest.raises(FileError, match="must begin with a header row, but it is empty"):
        read(tmp_path / "empty.xlsx")
    write_excel(tmp_path / "names.xlsx", [["a", "a", None], [1, 2, 3]])
    with pytest.raises(SchemaError, match=r"Column 3 has no name(.|\n)*Columns 1 and 2 have the same name"):
        read(tmp_path / "names.xlsx")
    for record in (["Meyerhold", 4711.5], [4711, 12], ["Meyerhold", datetime.datetime(1961, 4, 12)]):
        write_excel(tmp_path / "none.xlsx", [record, record])
        with pytest.raises(FileError, match="looks like a record") as caught:
            read(tmp_path / "none.xlsx")
        assert not re.search("Meyer|4711|1961", str(caught.value))
    write_excel(tmp_path / "header.xlsx", [["a", "b"]])
    assert read(tmp_path / "header.xlsx").names == ("a", "b")
    assert len(read(tmp_path / "header.xlsx")) == 0


@pytest.mark.parametrize("keep", [100, 0.5, 0.95])
def test_damaged_excel(tmp_path, keep):
    path = tmp_path / "data.xlsx"
    write_excel(path, [["a"], [1]])
    content = path.read_bytes()
    path.write_bytes(content[: keep if isinstance(keep, int) else int(len(content) * keep)])
    with pytest.raises(FileError, match="damaged"):
        read(path)


@pytest.mark.parametrize(
    ("ending", "package"),
    [("xlsx", "openpyxl"), ("sav", "pyreadstat"), ("dta", "pyreadstat"), ("sas7bdat", "pyreadstat")],
)
def test_missing_package(tmp_path, monkeypatch, ending, package):
    (tmp_path / f"data.{ending}").write_bytes(b"something")
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(FileError, match=rf"need the package '{package}'.*pip install tacita\[formats\]"):
        read(tmp_path / f"data.{ending}")
