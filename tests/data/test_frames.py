"""Frames of other libraries: in, and the same kind out."""

from __future__ import annotations

import datetime as dt
import decimal
import warnings
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from tacita.core.errors import DataError, SchemaError
from tacita.data.microdata import Microdata

PLAIN = {"age": [31, 47, 5], "income": [900.5, None, 0.0], "sex": ["f", None, "m"]}
TABLE = pa.table(PLAIN)


def frames() -> dict[str, Any]:
    return {
        "pandas": TABLE.to_pandas(),
        "polars": pl.from_arrow(TABLE),
        "pyarrow": TABLE,
        "duckdb": duckdb.from_arrow(TABLE),
    }


KINDS = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.Table,
    "duckdb": duckdb.DuckDBPyRelation,
}


def rows(frame: Any) -> list[dict[str, Any]]:
    return Microdata.from_frame(frame).to_arrow().to_pylist()


@pytest.mark.parametrize("kind", KINDS)
def test_same_kind_out(kind: str) -> None:
    data = Microdata.from_frame(frames()[kind], keys=["age", "sex"])
    back = data.to_frame()
    assert isinstance(back, KINDS[kind])
    assert rows(back) == TABLE.to_pylist()
    assert data.schema.keys == ("age", "sex")


@pytest.mark.parametrize("kind", KINDS)
def test_kind_survives_changes(kind: str) -> None:
    data = Microdata.from_frame(frames()[kind])
    changed = data.with_numbers({"age": np.array([1.0, 2.0, 3.0])}).take(np.array([2, 0])).select(["age"])
    assert isinstance(changed.to_frame(), KINDS[kind])
    assert rows(changed.to_frame()) == [{"age": 3}, {"age": 1}]


@pytest.mark.parametrize("kind", KINDS)
def test_missing_codes_come_back(kind: str) -> None:
    data = Microdata.from_frame(frames()[kind], missing={"age": [5], "sex": ["m"]})
    assert data.is_missing("age").tolist() == [False, False, True]
    assert data.is_missing("sex").tolist() == [False, True, True]
    assert rows(data.to_frame()) == TABLE.to_pylist()


@pytest.mark.parametrize("kind", KINDS)
def test_frame_of_the_caller_is_untouched(kind: str) -> None:
    frame = frames()[kind]
    before = str(frame)
    Microdata.from_frame(frame, missing={"age": [5]}).with_numbers({"age": np.zeros(3)}).to_frame()
    assert str(frame) == before


@pytest.mark.parametrize("kind", KINDS)
def test_empty_frames(kind: str) -> None:
    empty = TABLE.slice(0, 0)
    made = {
        "pandas": empty.to_pandas,
        "polars": lambda: pl.from_arrow(empty),
        "pyarrow": lambda: empty,
        "duckdb": lambda: duckdb.from_arrow(empty),
    }[kind]()
    data = Microdata.from_frame(made)
    assert len(data) == 0
    assert data.names == ("age", "income", "sex")
    assert rows(data.to_frame()) == []


def test_record_batch() -> None:
    assert rows(pa.record_batch({"a": [1]})) == [{"a": 1}]


def test_lazy_frame_of_polars_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data = Microdata.from_frame(pl.LazyFrame(PLAIN))
    assert isinstance(data.to_frame(), pl.DataFrame)
    assert data.names == ("age", "income", "sex")


def test_index_of_pandas_is_no_column() -> None:
    frame = pd.DataFrame({"a": [1, 2]}, index=pd.Index([7, 8], name="number"))
    data = Microdata.from_frame(frame)
    assert data.names == ("a",)
    assert "number" not in data.to_frame().columns


def test_column_numbers_of_pandas_become_names() -> None:
    assert Microdata.from_frame(pd.DataFrame({1: [5], 2: [6]})).names == ("1", "2")


def test_categories_of_pandas_and_polars() -> None:
    levels = ["low", "high"]
    ordered = pd.DataFrame({"a": pd.Categorical(["high", "low"], categories=levels, ordered=True)})
    for frame in (ordered, pl.DataFrame({"a": ["high", "low"]}).with_columns(pl.col("a").cast(pl.Enum(levels)))):
        data = Microdata.from_frame(frame)
        assert data.schema["a"].scale == "ordinal"
        assert data.numbers("a").tolist() == [1.0, 0.0]
    back = Microdata.from_frame(ordered).with_numbers({"a": np.array([0.0, 0.0])}).to_frame()
    assert list(back["a"].cat.categories) == levels
    assert back["a"].tolist() == ["low", "low"]


def test_objects_of_pandas_that_arrow_knows() -> None:
    frame = pd.DataFrame(
        {
            "day": pd.Series([dt.date(2024, 1, 1), None], dtype=object),
            "exact": pd.Series([decimal.Decimal("1.5"), None], dtype=object),
            "text": pd.Series(["a", None], dtype=object),
        }
    )
    data = Microdata.from_frame(frame)
    assert [column.scale for column in data.schema] == ["date", "numeric", "nominal"]


def test_mixed_values_are_refused_by_column_without_the_value() -> None:
    frame = pd.DataFrame(
        {"a": pd.Series([1, "secret"], dtype=object), "b": [1, 2], "c": pd.Series([{}, 3], dtype=object)}
    )
    with pytest.raises(SchemaError, match="Column 'a' mixes values") as caught:
        Microdata.from_frame(frame)
    assert len(caught.value.problems) == 2
    assert "secret" not in str(caught.value)


def test_objects_of_polars_are_refused() -> None:
    """Polars would hand out the addresses of the objects as data."""
    with pytest.raises(SchemaError, match="Column 'a' mixes values"):
        Microdata.from_frame(pl.DataFrame({"a": pl.Series([object()], dtype=pl.Object)}))


def test_double_names_are_refused() -> None:
    with pytest.raises(SchemaError, match="Column 'a' occurs 2 times"):
        Microdata.from_frame(pd.DataFrame([[1, 2]], columns=["a", "a"]))


@pytest.mark.parametrize("thing", [{"a": [1]}, [1, 2], None, 7, "file.csv", np.zeros((2, 2))])
def test_what_is_no_frame(thing: Any) -> None:
    with pytest.raises(DataError, match=f"is needed, got {type(thing).__name__}"):
        Microdata.from_frame(thing)


# --- types that come back -------------------------------------------------------------------------------------------------

LEVELS = ["none", "basic", "high"]
SCHOOLED = {
    "schooling": ["high", "none", "basic", "basic"],
    "children": [0, 2, 1, 4],
    "owner": [True, False, True, False],
}


def suppressed(data: Microdata) -> Microdata:
    """Return data with a gap in each column, as local suppression leaves them."""
    gone = np.array([True, False, False, False])
    for name in data.names:
        kept = data.to_arrow().column(name).combine_chunks()
        data = data.with_column(name, pc.if_else(pa.array(gone), pa.scalar(None, kept.type), kept))
    return data


def ordinal(frame: Any) -> Microdata:
    data = Microdata.from_frame(frame, keys=["schooling", "children"], scales={"schooling": "ordinal"})
    return data.with_schema(data.schema.change("schooling", categories=tuple(LEVELS)))


def test_suppressed_whole_numbers_of_pandas_stay_whole() -> None:
    back = suppressed(ordinal(pd.DataFrame(SCHOOLED))).to_frame()
    assert list(back.columns) == list(SCHOOLED)
    assert back["children"].dtype == pd.Int64Dtype()
    assert back["children"].isna().tolist() == [True, False, False, False]
    assert back["children"].sum() == 7
    assert back["owner"].dtype == pd.BooleanDtype()
    assert ordinal(pd.DataFrame(SCHOOLED)).to_frame()["children"].dtype == np.dtype("int64")


def test_suppressed_whole_numbers_of_polars_stay_whole() -> None:
    back = suppressed(ordinal(pl.DataFrame(SCHOOLED))).to_frame()
    assert back.schema["children"] == pl.Int64
    assert back["children"].to_list() == [None, 2, 1, 4]


@pytest.mark.parametrize("kind", ["int8", "int16", "int32", "uint8", "uint64"])
def test_narrow_whole_numbers_keep_their_width(kind: str) -> None:
    data = Microdata.from_frame(pd.DataFrame({"a": np.array([1, 2, 3, 4], dtype=kind)}))
    assert suppressed(data).to_frame()["a"].dtype.name == kind.replace("u", "U").replace("int", "Int")


def test_ordinals_come_back_in_their_order() -> None:
    back = ordinal(pd.DataFrame(SCHOOLED)).to_frame()["schooling"]
    assert back.cat.ordered
    assert back.cat.categories.tolist() == LEVELS
    assert back.max() == "high"
    enum = ordinal(pl.DataFrame(SCHOOLED)).to_frame()["schooling"]
    assert enum.dtype == pl.Enum(LEVELS)
    assert enum.sort().to_list() == ["none", "basic", "basic", "high"]


@pytest.mark.parametrize("frame", [pd.DataFrame(SCHOOLED), pl.DataFrame(SCHOOLED)], ids=["pandas", "polars"])
def test_there_and_back_and_there_again(frame: Any) -> None:
    first = suppressed(ordinal(frame))
    again = Microdata.from_frame(first.to_frame(), keys=["schooling", "children"])
    assert again.schema == first.schema
    assert again.to_frame().equals(first.to_frame())
    assert again.numbers("schooling")[1:].tolist() == [0.0, 1.0, 1.0]


def test_an_order_that_nobody_declared_is_that_of_the_values() -> None:
    data = Microdata.from_frame(pd.DataFrame({"a": ["b", "c", "a"]}), scales={"a": "ordinal"})
    assert data.to_frame()["a"].cat.categories.tolist() == ["a", "b", "c"]


def test_numbers_are_ordered_already() -> None:
    frame = pd.DataFrame({"a": [3, 1, 2]})
    data = Microdata.from_frame(frame, scales={"a": "ordinal"})
    assert data.to_frame().equals(frame)
    turned = data.with_schema(data.schema.change("a", categories=(3, 2, 1)))
    assert turned.to_frame()["a"].cat.categories.tolist() == [3, 2, 1]
    polars = Microdata.from_frame(pl.DataFrame({"a": [3, 1]}), scales={"a": "ordinal"})
    assert polars.with_schema(polars.schema.change("a", categories=(3, 1))).to_frame()["a"].to_list() == [3, 1]


@pytest.mark.parametrize("frame", [pd.DataFrame(SCHOOLED), pl.DataFrame(SCHOOLED)], ids=["pandas", "polars"])
def test_a_value_beside_the_order_keeps_the_column_as_it_is(frame: Any) -> None:
    data = ordinal(frame)
    short = data.schema.change("schooling", categories=("none", "basic"), missing=("high",))
    assert list(data.with_schema(short).to_frame()["schooling"]) == SCHOOLED["schooling"]
    other = data.schema.change("schooling", categories=(1, 2))
    assert list(data.with_schema(other).to_frame()["schooling"]) == SCHOOLED["schooling"]


@pytest.mark.parametrize("frame", [pd.DataFrame(SCHOOLED), pl.DataFrame(SCHOOLED)], ids=["pandas", "polars"])
def test_ordinals_without_records(frame: Any) -> None:
    empty = ordinal(frame).take(np.array([], dtype=np.int64)).to_frame()
    assert list(empty.columns) == list(SCHOOLED)
    assert len(empty) == 0
