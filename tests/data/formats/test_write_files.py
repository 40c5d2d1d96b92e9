"""Files out: what stands in them, what does not, and that the same data give the same bytes."""

from __future__ import annotations

import datetime
import errno

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from tacita.core.errors import DataError, FileError, ParameterError, TacitaWarning
from tacita.data.microdata import Microdata
from tacita.data.read import read
from tacita.data.schema import Column, Schema
from tacita.data.write import write, write_release_data

BINARY = ["parquet", "feather", "arrow", "ipc", "sav", "zsav", "dta"]
EVERY = ["csv", "tsv", "txt", *BINARY, "duckdb", "db"]


def from_table(**columns):
    return Microdata.from_frame(pa.table(columns))


@pytest.fixture
def people():
    table = pa.table(
        {
            "id": ["p1", "p2", "p3"],
            "age": [31, -9, 47],
            "income": [1.0, 0.1, None],
            "born": [datetime.date(1990, 5, 17), None, datetime.date(1977, 1, 1)],
        }
    )
    return Microdata.from_frame(table, identifiers=["id"], keys=["age"], missing={"age": [-9]})


def csv_text(data, tmp_path, name="out.csv", **options):
    return write(data, tmp_path / name, **options).read_bytes().decode()


# --- CSV ------------------------------------------------------------------------------------------------------------------


def test_csv_as_it_stands(people, tmp_path):
    assert csv_text(people, tmp_path) == "id,age,income,born\np1,31,1.0,1990-05-17\np2,-9,0.1,\np3,47,,1977-01-01\n"


def test_csv_quotation_marks_where_needed(tmp_path):
    data = from_table(
        **{"a,b": ["x", "y,z", 'say "hi"', "line\nend", "cr\rx", "", None, " blank "], "n": list(range(8))}
    )
    assert csv_text(data, tmp_path) == (
        '"a,b",n\nx,0\n"y,z",1\n"say ""hi""",2\n"line\nend",3\n"cr\rx",4\n"",5\n,6\n blank ,7\n'
    )


def test_csv_separators_and_decimal_signs(tmp_path):
    data = from_table(f=[1.5, -0.25, 3.0], s=["a,b", "c;d", "e\tf"])
    assert csv_text(data, tmp_path, separator=";", decimal=",") == 'f;s\n1,5;a,b\n-0,25;"c;d"\n3,0;e\tf\n'
    assert csv_text(data, tmp_path, "out.tsv") == 'f\ts\n1.5\ta,b\n-0.25\tc;d\n3.0\t"e\tf"\n'
    assert csv_text(data, tmp_path, "b.tsv", separator="|", decimal=",") == "f|s\n1,5|a,b\n-0,25|c;d\n3,0|e\tf\n"
    assert csv_text(data, tmp_path, "c.csv", separator="^") == "f^s\n1.5^a,b\n-0.25^c;d\n3.0^e\tf\n"


def test_csv_numbers_read_back_the_same(tmp_path):
    values = [0.1, 1 / 3, 1e300, 5e-324, 1e16, 123456789.123, -0.0, 2.0**53, float("inf")]
    data = from_table(f=values, i=[2**63 - 1, -(2**63), 0, 1, 2, 3, 4, 5, None])
    for options in ({}, {"separator": ";", "decimal": ","}):
        again = read(write(data, tmp_path / "a.csv", overwrite=True, **options)).to_arrow()
        assert again.equals(data.to_arrow())
        assert np.signbit(again.column("f")[6].as_py())


def test_csv_puts_missing_codes_back(tmp_path):
    (tmp_path / "in.csv").write_text('id,income,job\n1,100,x\n2,refused,?\n3,-9,y\n4,,"a,b"\n')
    (tmp_path / "s.toml").write_text('[columns.income]\nmissing=["refused",-9]\n[columns.job]\nmissing=["?"]\n')
    data = read(tmp_path / "in.csv", schema=tmp_path / "s.toml")
    assert write(data, tmp_path / "out.csv").read_bytes() == (tmp_path / "in.csv").read_bytes()


def test_csv_of_other_types(tmp_path):
    data = from_table(
        b=[True, None],
        t=[datetime.datetime(2024, 1, 2, 3, 4), None],
        d=pa.array(["x", "y"]).dictionary_encode(),
        n=pa.nulls(2),
        c=pa.array([1, 2]).cast(pa.decimal128(25, 2)),
        f=pa.array([1, 0.5], pa.float32()),
    )
    assert csv_text(data, tmp_path, separator=";", decimal=",") == (
        "b;t;d;n;c;f\ntrue;2024-01-02 03:04:00.000000;x;;1,00;1,0\n;;y;;2,00;0,5\n"
    )


def test_csv_cannot_hold(tmp_path):
    with pytest.raises(FileError, match="Column 'x' holds binary, which CSV cannot hold"):
        write(from_table(x=[b"\xff\xfe"]), tmp_path / "a.csv")


def test_csv_in_several_parts(tmp_path):
    data = from_table(i=list(range(300_000)), s=[f"v{i % 7}" for i in range(300_000)])
    assert read(write(data, tmp_path / "a.csv")).to_arrow().equals(data.to_arrow())


def test_csv_options_are_checked(people, tmp_path):
    for options, words in (
        ({"decimal": ","}, "decimal comma needs another separator"),
        ({"decimal": "x"}, "'decimal' must be"),
        ({"separator": ""}, "'separator' must be one character"),
        ({"separator": "7"}, "'separator' must be one character"),
        ({"separator": '"'}, "'separator' must be one character"),
        ({"table": "t"}, "'table' has no meaning for 'a.csv'"),
    ):
        with pytest.raises(ParameterError, match=words):
            write(people, tmp_path / "a.csv", **options)
    for options in ({"separator": ";"}, {"decimal": ","}, {"table": "t"}):
        with pytest.raises(ParameterError, match=r"has no meaning for 'a.parquet'"):
            write(people, tmp_path / "a.parquet", **options)
    assert list(tmp_path.iterdir()) == []


# --- all formats ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", EVERY)
def test_every_format_reads_back(people, tmp_path, ending):
    path = write(people, tmp_path / f"out.{ending}")
    assert path == tmp_path / f"out.{ending}"
    again = read(path, schema=people.schema)
    assert again.same_content(people)
    assert again.user_missing["age"].to_pylist() == [None, -9, None]
    assert [p.name for p in tmp_path.iterdir()] == [f"out.{ending}"]


@pytest.mark.parametrize("ending", [e for e in EVERY if e not in ("duckdb", "db")])
def test_same_data_same_bytes(people, tmp_path, ending):
    first = write(people, tmp_path / f"a.{ending}").read_bytes()
    pieces = pa.concat_tables([people.to_arrow().slice(0, 1), people.to_arrow().slice(1)])
    pieces = pieces.replace_schema_metadata({"pandas": "{}", "made": "today"})
    other = Microdata(pieces, people.schema)
    assert write(other, tmp_path / f"b.{ending}").read_bytes() == first
    assert write(people.take(np.arange(3)), tmp_path / f"c.{ending}").read_bytes() == first


@pytest.mark.parametrize("ending", EVERY)
def test_existing_file_is_kept_unless_told(people, tmp_path, ending):
    path = write(people.drop(["born"]), tmp_path / f"a.{ending}")
    before = path.read_bytes()
    with pytest.raises(FileError, match="exists already"):
        write(people, path)
    assert path.read_bytes() == before
    write(people, path, overwrite=True)
    assert read(path).names == people.names


@pytest.mark.parametrize("ending", ["xlsx", "sas7bdat", "xpt"])
def test_read_only_formats(people, tmp_path, ending):
    with pytest.raises(FileError, match=rf"end in \.{ending} are read but not written here"):
        write(people, tmp_path / f"a.{ending}")


def test_unknown_ending(people, tmp_path):
    with pytest.raises(FileError, match=r"must end in one of .*Did you mean '\.parquet'\?"):
        write(people, tmp_path / "a.parqet")


@pytest.mark.parametrize("ending", EVERY)
def test_directory_that_cannot_be_written(people, tmp_path, ending):
    (tmp_path / "file").write_text("x")
    for folder in (tmp_path / "none", tmp_path / "file"):
        with pytest.raises(FileError, match="cannot be written"):
            write(people, folder / f"a.{ending}")
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_full_disk(people, tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tacita.data.formats.csv_write._lines", full)
    write(people, tmp_path / "b.parquet")
    with pytest.raises(FileError, match=r"'a.csv' cannot be written: No space left on device"):
        write(people, tmp_path / "a.csv")
    assert [p.name for p in tmp_path.iterdir()] == ["b.parquet"]


def test_no_columns(people, tmp_path):
    with pytest.raises(DataError, match="at least one column"):
        write(people.select([]), tmp_path / "a.csv")


@pytest.mark.parametrize("ending", [e for e in EVERY if e not in ("sav", "zsav", "dta")])
def test_no_records(people, tmp_path, ending):
    again = read(write(people.take(np.arange(0)), tmp_path / f"a.{ending}"), schema=people.schema)
    assert again.names == people.names
    assert len(again) == 0


@pytest.mark.parametrize("ending", ["parquet", "feather", "duckdb"])
def test_codes_of_text_that_are_lost_are_told(tmp_path, ending):
    schema = Schema((Column(name="x", scale="numeric", missing=("refused", -9)),))
    data = Microdata(pa.table({"x": [1, None, None]}), schema, user_missing={"x": pa.array([None, "refused", "-9"])})
    with pytest.warns(TacitaWarning, match="so 1 of them are written as plain missing") as caught:
        write(data, tmp_path / f"a.{ending}")
    assert caught[0].filename == __file__
    assert read(tmp_path / f"a.{ending}").to_arrow().column("x").to_pylist() == [1, None, -9]


# --- what must not stand in a file --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", EVERY)
def test_release_has_no_direct_identifiers(people, tmp_path, ending):
    write_release_data(people, tmp_path / f"a.{ending}")
    assert read(tmp_path / f"a.{ending}").names == ("age", "income", "born")
    assert b"p2" not in (tmp_path / f"a.{ending}").read_bytes()
    assert "id" in people.names


def test_release_options(people, tmp_path):
    path = write_release_data(people, tmp_path / "a.csv", separator=";", decimal=",")
    assert path.read_text().splitlines()[1] == "31;1,0;1990-05-17"
    with pytest.raises(FileError, match="exists already"):
        write_release_data(people, path)
    write_release_data(people, path, overwrite=True)
    with pytest.raises(DataError, match="at least one column"):
        write_release_data(people.select(["id"]), tmp_path / "b.csv")


def hidden_remains() -> Microdata:
    """Data whose arrays still hold what is missing in them: a suppressed number, a text, an unused category."""
    validity = pa.py_buffer(b"\x05")  # the second of three is missing
    number = pa.Array.from_buffers(pa.int64(), 3, [validity, pa.py_buffer(np.array([1, 7351735173517351, 3]))])
    offsets = pa.py_buffer(np.array([0, 1, 12, 13], dtype=np.int32))
    text = pa.Array.from_buffers(pa.string(), 3, [validity, offsets, pa.py_buffer(b"aCANARY-7351b")])
    category = pa.DictionaryArray.from_arrays(pa.array([0, None, 1]), ["x", "y", "CANARY-7351"])
    before = pa.array(["CANARY-7351", "p", "q", "r", "CANARY-7351"]).slice(1, 3)
    return from_table(number=number, text=text, category=category, before=before)


@pytest.mark.parametrize("ending", EVERY)
def test_nothing_that_is_missing_stands_in_the_file(tmp_path, ending):
    data = hidden_remains()
    assert data.to_arrow().column("text").to_pylist() == ["a", None, "b"]
    path = write(data, tmp_path / f"a.{ending}")
    content = path.read_bytes()
    if ending in ("feather", "arrow", "ipc"):  # compressed, so look into the buffers
        table = pa.ipc.open_file(path).read_all()
        content = b"".join(
            b.to_pybytes() for c in table.columns for a in c.chunks for b in a.buffers() if b is not None
        )
    if ending == "parquet":
        parquet.write_table(parquet.read_table(path), tmp_path / "plain.parquet", compression="none")
        content += (tmp_path / "plain.parquet").read_bytes()
        assert not pa.types.is_dictionary(parquet.read_schema(path).field("category").type)
    assert b"CANARY" not in content
    assert np.int64(7351735173517351).tobytes() not in content
    assert b"7351735173517351" not in content
    assert read(path).to_arrow().column("before").to_pylist() == ["p", "q", "r"]


def test_parquet_has_no_metadata_of_other_libraries(people, tmp_path):
    table = people.to_arrow().replace_schema_metadata({"pandas": "secret path"})
    write(Microdata(table, people.schema), tmp_path / "a.parquet")
    meta = parquet.read_metadata(tmp_path / "a.parquet")
    assert set(meta.metadata) == {b"ARROW:schema"}
    assert meta.row_group(0).column(0).compression == "ZSTD"


# --- DuckDB ---------------------------------------------------------------------------------------------------------------


def test_duckdb_table_name(people, tmp_path):
    write(people, tmp_path / "a.duckdb")
    write(people, tmp_path / "b.duckdb", table='od"d')
    assert read(tmp_path / "a.duckdb", table="data").names == people.names
    assert read(tmp_path / "b.duckdb", table='od"d').names == people.names
    with pytest.raises(ParameterError, match="'table' must be a plain name"):
        write(people, tmp_path / "c.duckdb", table="a.b")


def test_duckdb_other_tables_are_not_lost(people, tmp_path):
    path = write(people, tmp_path / "a.duckdb", table="people")
    connection = duckdb.connect(str(path))
    connection.execute("create table more as select 1 as x")
    connection.close()
    with pytest.raises(FileError, match="holds 1 other table"):
        write(people, path, table="people", overwrite=True)
    assert read(path, table="more").names == ("x",)


def test_duckdb_in_use(people, tmp_path):
    path = write(people, tmp_path / "a.duckdb")
    (tmp_path / "a.duckdb.wal").write_bytes(b"log")
    with pytest.raises(FileError, match="is in use"):
        write(people, path, overwrite=True)


def test_duckdb_cannot_hold(tmp_path):
    with pytest.raises(FileError, match="must differ in more than upper and lower case; rename: a, A"):
        write(from_table(a=[1], b=[1], A=[2]), tmp_path / "a.duckdb")
    half = pa.array([np.float16(1)], pa.float16())
    assert read(write(from_table(x=half), tmp_path / "a.parquet")).names == ("x",)
    (tmp_path / "a.parquet").unlink()
    assert list(tmp_path.iterdir()) == []
