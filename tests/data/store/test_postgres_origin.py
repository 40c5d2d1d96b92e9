"""PostgreSQL for real: a server that the tests start themselves gives what a file gives, and gives nothing away."""

from __future__ import annotations

import datetime
import importlib.util
from pathlib import Path

import pyarrow as pa
import pytest

from tacita.core.errors import FileError, ParameterError, SchemaError
from tacita.data.microdata import Microdata
from tacita.data.store import open_store, postgres_origin
from tacita.data.store.postgres_origin import open_postgres
from tests.data.store.golden import assert_golden
from tests.postgres import Server


@pytest.fixture(scope="module")
def server(postgres_server: Server, survey: Microdata) -> Server:
    """The server with the survey and some tables that are awkward."""
    postgres_server.write(survey.to_arrow(), "survey")
    postgres_server.execute(
        "create type mood as enum ('low', 'high')",
        "create domain euro as numeric(12, 2)",
        "create table kinds (id int8, small int2, money euro, half numeric, text varchar(9), padded char(5), yes bool, "
        "day date, moment timestamp, anywhere timestamptz, feeling mood, unique_number uuid, single float4)",
        "insert into kinds values (2, 7, 1234.56, 'NaN', 'é', 'ab', true, '2020-01-02', '2020-01-02 03:04:05', "
        "'2020-01-02 03:04:05+02', 'high', '00000000-0000-0000-0000-000000000001', 1.5)",
        "insert into kinds (id) values (1)",
        'create table "a ""b""; drop table survey; --" ("x;""y" int, "select" text)',
        """insert into "a ""b""; drop table survey; --" values (5, 'it''s')""",
        "create schema back",
        "create table back.room (id int, v int)",
        "insert into back.room values (2, 20), (1, 10)",
        "create table doubles (id text, x int)",
        "insert into doubles values ('canary', 1), ('canary', 2)",
        "create table odd (id int, j json, a int[])",
        "create table huge (id int, x numeric)",
        "insert into huge values (1, 1e400)",
        "create table nobody (id int, x float8, s text)",
    )
    return postgres_server


def test_a_server_gives_what_a_file_gives(server: Server, survey: Microdata, files: Path) -> None:
    store = open_store(server.url(), schema=files / "survey.toml", table="survey")
    assert_golden(store, survey, "person_id")
    for ending in ("parquet", "duckdb", "csv"):
        file = open_store(files / f"survey.{ending}", schema=files / "survey.toml")
        assert store.schema == file.schema
        assert store.content_digest() == file.content_digest()


def test_another_physical_order_changes_nothing(server: Server, files: Path) -> None:
    before = open_store(server.url(), schema=files / "survey.toml", table="survey")
    server.execute("create index on survey (income)", "cluster survey using survey_income_idx", "analyze survey")
    after = open_store(server.url(), schema=files / "survey.toml", table="survey")
    assert after.content_digest() == before.content_digest()
    assert after.codes("region").values.tobytes() == before.codes("region").values.tobytes()


def test_every_kind_of_column(server: Server) -> None:
    store = open_store(server.url(), table="kinds", record_id="id")
    assert store.record_ids().tolist() == [1, 2]
    assert [store.floats(name)[1] for name in ("small", "money", "single")] == [7.0, 1234.56, 1.5]
    assert store.codes("half").categories == ()
    assert {column.name: column.scale for column in store.schema if column.scale != "numeric"} == {
        "text": "nominal",
        "padded": "nominal",
        "yes": "nominal",
        "day": "date",
        "moment": "date",
        "anywhere": "date",
        "feeling": "nominal",
        "unique_number": "nominal",
    }
    values = {name: store.codes(name).categories for name in store.schema.names}
    assert values["text"] == ("é",)
    assert values["padded"] == ("ab",)
    assert values["yes"] == (True,)
    assert values["feeling"] == ("high",)
    assert values["day"] == (datetime.date(2020, 1, 2),)
    assert values["moment"] == (datetime.datetime(2020, 1, 2, 3, 4, 5),)
    assert values["anywhere"][0].astimezone(datetime.UTC).hour == 1
    assert all(store.codes(name).values[0] == -1 for name in values if name != "id")


def test_names_are_names_and_nothing_else(server: Server) -> None:
    store = open_store(server.url(), table='a "b"; drop table survey; --', record_id='x;"y')
    assert store.floats('x;"y').tolist() == [5.0]
    assert store.codes("select").categories == ("it's",)
    assert open_store(server.url(), table="survey", record_id="person_id").n_records == 600


def test_tables_of_other_schemas_and_empty_ones(server: Server) -> None:
    assert open_store(server.url(), table="back.room", record_id="id").floats("v").tolist() == [10.0, 20.0]
    empty = open_store(server.url(), table="nobody", record_id="id")
    assert empty.n_records == 0
    assert empty.schema["s"].scale == "nominal"


def test_a_table_has_no_order(server: Server) -> None:
    with pytest.raises(ParameterError, match=r"'record_id' must name a column .* has no order"):
        open_store(server.url(), table="survey")


def test_which_table_is_meant(server: Server) -> None:
    with pytest.raises(ParameterError, match="name one of them with table="):
        open_store(server.url())
    with pytest.raises(FileError, match="Did you mean 'survey'"):
        open_store(server.url(), table="survye")


def test_ids_that_repeat_are_told_without_values(server: Server) -> None:
    with pytest.raises(ValueError, match="'id' must be different for each record") as caught:
        open_store(server.url(), table="doubles", record_id="id")
    assert "canary" not in str(caught.value)


def test_columns_that_no_question_can_be_about(server: Server) -> None:
    with pytest.raises(SchemaError, match="'j' holds values of the type json") as caught:
        open_store(server.url(), table="odd", record_id="id")
    assert len(caught.value.problems) == 2
    with pytest.raises(FileError, match="too large for a double") as failed:
        open_store(server.url(), table="huge", record_id="id")
    assert "0000" not in str(failed.value).replace(f":{server.port}", "")
    assert failed.value.__suppress_context__


def test_a_schema_that_names_another_column(server: Server, tmp_path: Path) -> None:
    (tmp_path / "wrong.toml").write_text('[columns.smal]\nscale = "numeric"\n')
    with pytest.raises(SchemaError, match="Did you mean 'small'"):
        open_store(server.url(), table="kinds", record_id="id", schema=tmp_path / "wrong.toml")


# --- who may see what ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", [{"password": "canary-word"}, {"user": "canary-user"}, {"database": "nowhere"}])
def test_a_refused_login_shows_no_credentials(server: Server, change: dict[str, str]) -> None:
    with pytest.raises(FileError, match="refuses the login") as caught:
        open_store(server.url(**change), table="survey")
    assert caught.value.__suppress_context__
    for secret in ("canary", "steward", server.password):
        assert secret not in str(caught.value)


def test_a_server_that_is_not_there() -> None:
    pytest.importorskip("adbc_driver_postgresql", reason="the driver of PostgreSQL is not installed")
    with pytest.raises(FileError, match=r"postgresql://127.0.0.1:1/x does not answer") as caught:
        open_postgres("postgresql://office:canary@127.0.0.1:1/x", "t")
    assert "canary" not in str(caught.value)


def test_what_is_shown_of_a_store_has_no_credentials(server: Server) -> None:
    store = open_store(server.url(), table="back.room", record_id="id")
    assert repr(store) == (
        f"RecordStore: 2 records, 2 columns, from the table 'back.room' of postgresql://127.0.0.1:{server.port}/postgres"
    )
    kept = repr(vars(store)) + repr(vars(store._origin))
    assert server.password not in kept


def test_the_session_can_only_read(server: Server) -> None:
    server.execute(
        "create or replace function public.writes() returns int language sql as 'insert into nobody values (1) returning 1'",
        "create or replace view sly as select 1 as id, public.writes() as x",
    )
    with pytest.raises(FileError, match="cannot be read to the end"):
        open_store(server.url(), table="sly", record_id="id")
    assert open_store(server.url(), table="nobody", record_id="id").n_records == 0


def test_records_that_a_policy_hides_are_an_error(server: Server) -> None:
    server.execute(
        "drop role if exists clerk",
        "create role clerk login password 'word'",
        "create table hidden (id int, x int)",
        "insert into hidden values (1, 1), (2, 2)",
        "alter table hidden enable row level security",
        "create policy some_records on hidden for select to clerk using (id = 1)",
        "grant select on hidden to clerk",
    )
    with pytest.raises(FileError, match="may not read all records"):
        open_store(server.url(user="clerk", password="word"), table="hidden", record_id="id")
    assert open_store(server.url(), table="hidden", record_id="id").n_records == 2


def test_no_session_is_left_behind(server: Server) -> None:
    open_store(server.url(), table="survey", record_id="person_id")
    server.execute(
        "do $$ begin perform pg_sleep(0.05); if (select count(*) from pg_stat_activity where state like 'idle in%') > 0 "
        "then raise exception 'a transaction is open'; end if; end $$"
    )
    left = open_store(server.url(), table="survey", record_id="person_id")
    assert left.n_records == 600


def test_without_the_driver_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_origin, "find_spec", lambda _: None)
    assert importlib.util.find_spec("pyarrow") is not None
    with pytest.raises(FileError, match=r"pip install tacita\[postgres\]"):
        open_postgres("postgresql://db/x", None)


def test_batches_are_put_together() -> None:
    schema = pa.schema([("s", pa.string()), ("x", pa.int64())])
    parts = [
        pa.record_batch([["a", None], [1, 2]], schema=schema),
        pa.record_batch([["b", "a"], [3, 4]], schema=schema),
    ]
    made = postgres_origin._collected(pa.RecordBatchReader.from_batches(schema, parts))
    assert made.column("s").to_pylist() == ["a", None, "b", "a"]
    assert made.column("x").to_pylist() == [1, 2, 3, 4]
    nothing = postgres_origin._collected(pa.RecordBatchReader.from_batches(schema, []))
    assert nothing.schema == schema
