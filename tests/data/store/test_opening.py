"""What the name of a source means, and schemas that fit or do not."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tacita as tc
from tacita.core.errors import FileError, ParameterError, SchemaError
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema
from tacita.data.store import open_store


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """Columns of every kind, without a schema."""
    table = pa.table(
        {
            "n": pa.array([1, 2, None], pa.int16()),
            "money": pa.array([Decimal("0.10"), Decimal("12.34"), None], pa.decimal128(9, 2)),
            "yes": [True, None, False],
            "day": [datetime.date(2020, 1, 2), None, datetime.date(2019, 1, 1)],
            "level": pa.DictionaryArray.from_arrays(pa.array([1, 0, 1]), pa.array(["low", "high"]), ordered=True),
        }
    )
    pq.write_table(table, tmp_path / "mixed.parquet")
    return tmp_path / "mixed.parquet"


def test_an_inferred_schema_is_that_of_reading_the_file(mixed: Path) -> None:
    store, data = open_store(mixed), tc.read(mixed)
    assert store.schema == data.schema
    assert store.schema["level"].categories == ("low", "high")
    assert store.codes("level").values.tolist() == [1, 0, 1]
    assert store.codes("yes").categories == (False, True)
    assert store.codes("yes").values.tolist() == [1, -1, 0]
    assert store.codes("day").categories == (datetime.date(2019, 1, 1), datetime.date(2020, 1, 2))
    assert store.floats("money")[:2].tolist() == [0.1, 12.34]


def test_a_schema_object_may_have_another_order(files: Path, survey: Microdata) -> None:
    turned = Schema(tuple(reversed(survey.schema.columns)))
    store = open_store(files / "survey.parquet", schema=turned)
    assert store.schema == turned
    assert store.content_digest() == open_store(survey).content_digest()


def test_a_schema_object_must_name_every_column(files: Path, survey: Microdata) -> None:
    for ending in ("parquet", "duckdb", "csv"):
        with pytest.raises(SchemaError, match="not in the schema: savings"):
            open_store(
                files / f"survey.{ending}", schema=survey.schema.select(n for n in survey.names if n != "savings")
            )


def test_a_schema_with_a_column_that_is_not_there(files: Path, tmp_path: Path) -> None:
    (tmp_path / "wrong.toml").write_text('[columns.incom]\nscale = "numeric"\n\n[columns.sxe]\nscale = "nominal"\n')
    for ending in ("parquet", "duckdb", "csv"):
        with pytest.raises(SchemaError, match="Did you mean 'income'") as caught:
            open_store(files / f"survey.{ending}", schema=tmp_path / "wrong.toml")
        assert len(caught.value.problems) == 2


def test_a_numeric_column_must_be_able_to_hold_numbers(mixed: Path, tmp_path: Path) -> None:
    (tmp_path / "wrong.toml").write_text('[columns.yes]\nscale = "numeric"\n\n[columns.day]\nscale = "numeric"\n')
    with pytest.raises(SchemaError, match="'yes' is declared numeric, but it holds bool") as caught:
        open_store(mixed, schema=tmp_path / "wrong.toml")
    assert len(caught.value.problems) == 2


def test_text_that_is_declared_as_numbers(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": ["1.5", "refused", " 2 "], "y": ["1", "canary", "3"]}), tmp_path / "text.parquet")
    facts = {"x": Column(name="x", scale="numeric", missing=("refused",)), "y": Column(name="y", scale="numeric")}
    store = open_store(tmp_path / "text.parquet", schema=Schema(tuple(facts.values())))
    assert store.floats("x")[[0, 2]].tolist() == [1.5, 2.0]
    with pytest.raises(SchemaError, match="'y' is declared numeric") as caught:
        store.floats("y")
    assert "canary" not in str(caught.value)


def test_missing_codes_are_missing(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": [1, -9, 97], "s": ["a", "refused", "b"]}), tmp_path / "codes.parquet")
    x = Column(name="x", scale="numeric", missing=(-9, (90.0, 99.0)))
    store = open_store(
        tmp_path / "codes.parquet", schema=Schema((x, Column(name="s", scale="nominal", missing=("refused",))))
    )
    assert store.floats("x").tolist()[0] == 1.0
    assert int((store.codes("x").values < 0).sum()) == 2
    assert store.codes("s").categories == ("a", "b")


def test_microdata_under_a_schema_file(survey: Microdata, tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text('[columns.person_id]\nrole = "identifier"\nscale = "nominal"\n')
    store = open_store(survey, schema=tmp_path / "other.toml")
    assert store.schema["age"].roles == ("other",)
    assert store.schema.weight is None


@pytest.mark.parametrize("name", ["gone.parquet", "gone.duckdb", "gone.csv"])
def test_a_file_that_is_not_there(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileError, match="cannot be read"):
        open_store(tmp_path / name)


def test_names_that_mean_nothing(files: Path, survey: Microdata, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="must end in one of"):
        open_store(tmp_path / "survey.odt")
    with pytest.raises(FileError, match="zero byte"):
        open_store("a\0.parquet")
    (tmp_path / "folder.parquet").mkdir()
    with pytest.raises(FileError, match="is no file"):
        open_store(tmp_path / "folder.parquet")
    with pytest.raises(ParameterError, match="got int"):
        open_store(7)  # type: ignore[arg-type]
    for source in (survey, files / "survey.parquet", files / "survey.csv"):
        with pytest.raises(ParameterError, match="'table' has no meaning"):
            open_store(source, table="data")
