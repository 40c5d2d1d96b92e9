"""DuckDB databases: tables by name, views that stay inside, nothing written, no way out."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from tacita.core.errors import FileError, ParameterError
from tacita.data.store import open_store
from tacita.data.store.duckdb_origin import open_duckdb


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Three tables, one of them with an awkward name, and views of several kinds."""
    (tmp_path / "other.csv").write_text("secret\ncanary\n")
    path = tmp_path / "office.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("create table people as select 'p' || (9 - i) as id, i as x from range(9) t(i)")
        connection.execute('create table "a ""b""; drop table people; --" ("x;""y" integer)')
        connection.execute('insert into "a ""b""; drop table people; --" values (5)')
        connection.execute("create schema inner_office; create table inner_office.people as select 1 as y")
        connection.execute("create view grouped as select id, sum(x) as x from people group by id")
        connection.execute(f"create view outside as select * from read_csv('{tmp_path / 'other.csv'}')")
        connection.execute(f"create view text_outside as select content from read_text('{tmp_path / 'other.csv'}')")
    return path


def test_a_table_by_its_name(database: Path) -> None:
    assert open_store(database, table="people").floats("x").tolist() == list(range(9))
    ordered = open_store(database, table="people", record_id="id")
    assert ordered.floats("x").tolist() == list(range(8, -1, -1))
    assert open_store(database, table="inner_office.people").floats("y").tolist() == [1.0]
    odd = open_store(database, table='a "b"; drop table people; --')
    assert odd.floats('x;"y').tolist() == [5.0]
    assert open_store(database, table="people").n_records == 9


def test_one_of_several_tables_must_be_named(database: Path) -> None:
    with pytest.raises(FileError, match="name one of them with table="):
        open_store(database)
    with pytest.raises(FileError, match="Did you mean 'people'"):
        open_store(database, table="poeple")


def test_a_view_has_no_order_and_needs_an_id(database: Path) -> None:
    with pytest.raises(ParameterError, match="'record_id' must name"):
        open_store(database, table="grouped")
    view, table = (open_store(database, table=name, record_id="id") for name in ("grouped", "people"))
    assert view.floats("x").tolist() == table.floats("x").tolist()
    assert view.content_digest() == table.content_digest()


@pytest.mark.parametrize("view", ["outside", "text_outside"])
def test_a_view_cannot_reach_another_file(database: Path, view: str) -> None:
    with pytest.raises(FileError) as caught:
        open_store(database, table=view)
    assert "canary" not in str(caught.value)
    assert "other.csv" not in str(caught.value)


def test_nothing_is_written_and_nothing_stays_locked(database: Path) -> None:
    before = database.read_bytes()
    with open_store(database, table="people") as store:
        store.content_digest()
        again = open_store(database, table="people", record_id="id")
        again.floats("x")
        with duckdb.connect(str(database), read_only=True) as other:
            assert other.execute("select count(*) from people").fetchone() == (9,)
    assert database.read_bytes() == before
    with pytest.raises(FileError, match="closed"):
        store.floats("x")


def test_a_database_that_changes_while_it_is_open(database: Path) -> None:
    store = open_store(database, table="people")
    with duckdb.connect(str(database)) as connection:
        connection.execute("update people set x = x + 1")
        connection.execute("checkpoint")
    with pytest.raises(FileError, match="changed or replaced"):
        store.floats("x")


@pytest.mark.parametrize("name", ["*.duckdb", "?.duckdb", "[x].duckdb", "key=value/office.duckdb"])
def test_paths_are_taken_as_they_are(tmp_path: Path, database: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(database.read_bytes())
    assert open_store(path, table="people").names == ("id", "x")


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "fake.db"
    path.write_bytes(b"SQLite format 3\0 canary")
    with pytest.raises(FileError, match="must be a DuckDB database") as caught:
        open_duckdb(path, None)
    assert "canary" not in str(caught.value)


def test_the_only_table_needs_no_name(tmp_path: Path) -> None:
    path = tmp_path / "one.db"
    with duckdb.connect(str(path)) as connection:
        connection.execute("create type mood as enum ('low', 'high')")
        connection.execute(
            "create table t as select 'high'::mood as m, 1.25::decimal(9, 2) as d, 7::hugeint as h, true as b, "
            "date '2020-01-02' as day"
        )
    store = open_store(path)
    assert store.codes("m").categories == ("high",)
    assert store.floats("d").tolist() == [1.25]
    assert store.floats("h").tolist() == [7.0]
    assert store.codes("b").categories == (True,)
    assert store.schema["day"].scale == "date"
