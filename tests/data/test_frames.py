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
