"""A path is taken as it is: no character in it makes a pattern, an address, an option, a home directory or a column."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tacita as tc
from tacita.core.errors import FileError
from tacita.data.disk import plain_path
from tacita.data.keys.key_counts import count_keys_of_file
from tacita.data.read import read
from tacita.data.tabulate import TallyRequest
from tacita.data.tabulate_file import tally_file

SPECIAL = {
    "star": "a*",
    "two stars": "**",
    "question mark": "a?",
    "question mark and option": "a?x=1",
    "class": "d[1]",
    "class that is not": "d[!1]",
    "range": "d[0-9]",
    "open bracket": "[",
    "closed bracket": "a]",
    "braces": "{a1,d1}",
    "equals sign": "sex=f",
    "percent": "a%31",
    "apostrophe": "it's",
    "quotation mark": 'say "hi"',
    "backslash": "a\\b",
    "backslash and star": "a\\*",
    "backslash and bracket": "d\\[1]",
    "space": " a b ",
    "comma": "a,b",
    "semicolon": "a;b",
    "line end": "a\nb",
    "tab": "a\tb",
    "letters of the world": "Ünï – 名前 🙂",
    "no letter of the world": "caf\udce9",
    "leading dash": "-a",
    "home": "~",
    "somebody's home": "~root",
    "dollar": "$HOME",
    "hash": "#a",
    "ampersand": "a&b|c",
    "address": "s3:",
    "web address": "http:",
    "memory": ":memory:",
    "service": "md:a",
    "compressed by name": "x.csv.gz",
    "dots": "..a..",
}
NEIGHBOURS = ("a1", "d1", "dx", "a", "b", "x", "ab", "A", "a1b", "sex")


def longer(ending: str) -> Any:
    """An ending whose reader opens files as that of another does; in make test-all."""
    return pytest.param(ending, marks=pytest.mark.slow)


names = pytest.mark.parametrize("name", SPECIAL.values(), ids=SPECIAL.keys())
places = pytest.mark.parametrize("where", ["file", "directory"])

RIGHT = pa.table({"sex": ["f", "f", "m"], "x": [1.0, 2.0, 4.0]})
WRONG = pa.table({"sex": ["f", "q", "q", "q"], "x": [8.0, 8.0, 8.0, 8.0]})


def placed(folder: Path, name: str, ending: str, where: str) -> Path:
    """Return a path with a special name, as the file's or as its directory's."""
    path = folder / f"{name}{ending}" if where == "file" else folder / name / f"data{ending}"
    path.parent.mkdir(exist_ok=True)
    return path


def put(table: pa.Table, path: Path) -> None:
    """Write without the code that is tested."""
    path.parent.mkdir(exist_ok=True)
    if path.suffix == ".parquet":
        with path.open("wb") as file:
            pq.write_table(table, file)
    else:
        rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
        lines = [",".join(table.column_names), *(",".join(map(str, row)) for row in rows)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def surrounded(folder: Path, name: str, ending: str, where: str) -> Path:
    """Put the right file under a special name among wrong ones that its name as a pattern would find."""
    for other in NEIGHBOURS:
        put(WRONG, placed(folder, other, ending, where))
    path = placed(folder, name, ending, where)
    put(RIGHT, path)
    return path


# --- files that are asked on disk ---------------------------------------------------------------------------------------


@names
@places
@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_the_file_that_is_named_is_the_one_that_is_asked(tmp_path: Path, name: str, where: str, ending: str) -> None:
    path = surrounded(tmp_path, name, ending, where)
    found = count_keys_of_file(path, ["sex"])
    assert {found.values(i): int(n) for i, n in enumerate(found.counts)} == {("f",): 2, ("m",): 1}
    tally = tally_file(path, TallyRequest(by=("sex",), responses=("x",)))
    assert sorted(tally.responses[0].amounts.tolist()) == [3.0, 4.0]


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_a_directory_called_key_equals_value_is_no_column(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "region=Z" / "sex=f" / f"firms{ending}"
    path.parent.mkdir(parents=True)
    put(pa.table({"region": ["A", "A", "B"], "sex": ["f", "m", "m"], "turnover": [1.0, 2.0, 4.0]}), path)
    made = tc.tabulate(path, ["region"], "turnover")
    assert sorted(made.values.tolist()) == [3.0, 4.0, 7.0]
    assert int((count_keys_of_file(path, ["sex", "region"]).counts == 1).sum()) == 3
    assert count_keys_of_file(path, ["region"]).categories == (("A", "B"),)


def test_a_column_that_only_a_directory_names_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "year=2020" / "a.parquet"
    path.parent.mkdir()
    put(RIGHT, path)
    with pytest.raises(tc.TacitaError, match="'year' is not in the data"):
        count_keys_of_file(path, ["year"])
    assert read(path).names == ("sex", "x")


def test_relative_paths_are_literal_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    put(WRONG, tmp_path / "home" / "a.parquet")
    for path in (Path("~/a.parquet"), Path("s3:/a.parquet"), Path("file:/a.parquet"), Path("-a.parquet")):
        put(RIGHT, path)
        assert int(count_keys_of_file(path, ["sex"]).records) == 3
        assert len(read(path)) == 3


# --- files that are read and written -----------------------------------------------------------------------------------


@names
@places
@pytest.mark.parametrize("ending", [".csv", ".parquet", ".duckdb", longer(".tsv"), longer(".feather")])
def test_a_file_is_written_and_read_under_any_name(tmp_path: Path, name: str, where: str, ending: str) -> None:
    data = tc.Microdata.from_frame(RIGHT)
    path = placed(tmp_path, name, ending, where)
    before = {p for p in tmp_path.rglob("*") if p != path.parent}
    assert tc.write(data, path) == path
    assert {p for p in tmp_path.rglob("*") if p != path.parent} == before | {path}
    assert read(path).to_arrow().equals(RIGHT)
    tc.write(tc.Microdata.from_frame(WRONG), path, overwrite=True)
    assert len(read(path)) == 4
    assert {p for p in tmp_path.rglob("*") if p != path.parent} == before | {path}


@names
@pytest.mark.parametrize("ending", [".sav", longer(".dta"), ".xlsx"])
def test_files_of_other_programs_under_any_name(tmp_path: Path, name: str, ending: str) -> None:
    path = placed(tmp_path, name, ending, "directory")
    if ending == ".xlsx":
        openpyxl = pytest.importorskip("openpyxl", reason="Excel needs the extra 'formats'")
        book = openpyxl.Workbook()
        for row in [("sex", "x"), ("f", 1), ("f", 2), ("m", 4)]:
            book.active.append(row)
        with path.open("wb") as file:
            book.save(file)
    else:
        pytest.importorskip("pyreadstat", reason="SPSS and Stata need the extra 'formats'")
        tc.write(tc.Microdata.from_frame(RIGHT), path)
    assert read(path).float("x").tolist() == [1.0, 2.0, 4.0]


@names
def test_a_release_under_any_name(tmp_path: Path, name: str) -> None:
    data = tc.Microdata.from_frame(RIGHT)
    release = tc.Recipe([tc.mask.RankSwap(columns=["x"], p=50)]).apply(data, seed=1)
    for overwrite in (False, True):
        release.write(tmp_path / name, overwrite=overwrite)
    assert [os.fsencode(p) for p in tmp_path.iterdir()] == [os.fsencode(tmp_path / name)]
    assert sorted(tc.mask.Release.read_link(tmp_path / name / "internal").tolist()) == [0, 1, 2]


def test_the_link_of_a_release_has_no_column_of_a_directory(tmp_path: Path) -> None:
    out = tmp_path / "original_row=5" / "out"
    out.parent.mkdir()
    data = tc.Microdata.from_frame(RIGHT)
    tc.Recipe([tc.mask.RankSwap(columns=["x"], p=50)]).apply(data, seed=1).write(out)
    assert sorted(tc.mask.Release.read_link(out / "internal").tolist()) == [0, 1, 2]


def test_an_address_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for address in ("s3://bucket/a.parquet", "https://example.org/a.csv", "file:///etc/a.csv"):
        with pytest.raises(FileError, match=r"Only files on disk are read"):
            read(address)
        with pytest.raises(FileError, match="cannot be read"):
            count_keys_of_file(address, ["sex"])
    with pytest.raises(FileError, match="zero byte"):
        read("a\0b.csv")
    with pytest.raises(FileError, match="zero byte"):
        tc.write(tc.Microdata.from_frame(RIGHT), "a\0b.csv")
    assert list(tmp_path.iterdir()) == []


# --- DuckDB databases ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "table", ['say "hi"', "it's", "a;b", "select", "tacita_incoming", "a b", "名", "--x", "SOURCE"]
)
def test_tables_of_any_name(tmp_path: Path, table: str) -> None:
    path = tc.write(tc.Microdata.from_frame(RIGHT), tmp_path / "a.duckdb", table=table)
    assert read(path, table=table).to_arrow().equals(RIGHT)
    assert read(path).to_arrow().equals(RIGHT)


def test_a_name_of_two_tables_is_refused(tmp_path: Path) -> None:
    import duckdb

    with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
        connection.execute('create table "s.t" as select 1 as x; create schema s; create table s.t as select 2 as x')
    with pytest.raises(FileError, match="names two tables"):
        read(tmp_path / "a.duckdb", table="s.t")


def test_a_view_of_another_file_is_not_followed(tmp_path: Path) -> None:
    import duckdb

    put(WRONG, tmp_path / "other.csv")
    with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
        connection.execute(f"create view v as select * from read_csv('{tmp_path / 'other.csv'}')")
    with pytest.raises(FileError, match="view of another file"):
        read(tmp_path / "a.duckdb")


def test_a_database_that_is_read_stays_as_it_is(tmp_path: Path) -> None:
    path = tc.write(tc.Microdata.from_frame(RIGHT), tmp_path / "a.duckdb")
    before = path.read_bytes()
    path.chmod(0o444)
    assert len(read(path)) == 3
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_still_in_the_log_of_a_database_counts(tmp_path: Path) -> None:
    import duckdb

    path, copy = tmp_path / "a?.duckdb", tmp_path / "b[1].duckdb"
    tc.write(tc.Microdata.from_frame(RIGHT), path)
    plain = tmp_path / "plain.duckdb"
    path.rename(plain)
    with duckdb.connect(str(plain), config={"checkpoint_threshold": "1TB"}) as connection:
        connection.execute("insert into data values ('m', 16.0)")
        log = plain.with_name("plain.duckdb.wal").read_bytes()
        copy.with_name("b[1].duckdb.wal").write_bytes(log)
        copy.write_bytes(plain.read_bytes())
    assert sorted(read(copy).float("x").tolist()) == [1.0, 2.0, 4.0, 16.0]


# --- where links cannot be made ----------------------------------------------------------------------------------------


def test_without_links_a_special_path_is_refused_and_a_plain_one_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "symlink_to", refuse)
    put(RIGHT, tmp_path / "sex=f.parquet")
    assert count_keys_of_file(tmp_path / "sex=f.parquet", ["sex"]).records == 3
    assert len(read(tc.write(tc.Microdata.from_frame(RIGHT), tmp_path / "a.duckdb"))) == 3
    put(RIGHT, tmp_path / "d[1].parquet")
    with pytest.raises(FileError, match="special characters"):
        count_keys_of_file(tmp_path / "d[1].parquet", ["sex"])


def test_a_temporary_directory_with_a_special_name_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(RIGHT, tmp_path / "a.parquet")
    monkeypatch.setattr(plain_path.tempfile, "gettempdir", lambda: str(tmp_path / "t*"))
    with pytest.raises(FileError, match="TMPDIR"):
        count_keys_of_file(tmp_path / "a.parquet", ["sex"])
