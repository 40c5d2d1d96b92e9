"""Single columns: to and from plain arrays, missing codes, inference, fingerprint."""

from __future__ import annotations

import datetime as dt
import decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import DataError, SchemaError
from tacita.data.columns import (
    fingerprint,
    from_floats,
    from_positions,
    infer_scale,
    infer_schema,
    put_back_missing,
    take_out_missing,
    to_codes,
    to_floats,
    to_positions,
)
from tacita.data.schema import Column, Schema

DAY = dt.date(2024, 2, 29)


def chunked(values: Any, kind: pa.DataType | None = None) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array(values, kind)])


# --- numbers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "column",
    [
        chunked([1, None, 3]),
        chunked([1, None, 3], pa.int8()),
        chunked([1, None, 3], pa.uint64()),
        chunked([1.0, None, 3.0], pa.float32()),
        chunked([decimal.Decimal(1), None, decimal.Decimal(3)]),
        chunked(pa.array([1, None, 3]).dictionary_encode()),
        pa.chunked_array([[1], [None, 3]]),
    ],
    ids=lambda column: str(column.type),
)
def test_numbers_become_floats(column: pa.ChunkedArray) -> None:
    assert np.array_equal(to_floats(column, "a"), [1.0, np.nan, 3.0], equal_nan=True)


def test_a_column_without_any_value_is_all_nan() -> None:
    assert np.isnan(to_floats(pa.chunked_array([pa.nulls(3)]), "a")).all()


@pytest.mark.parametrize("values", [["x"], [True], [DAY]])
def test_what_are_no_numbers(values: list[Any]) -> None:
    with pytest.raises(DataError, match=r"Column 'a' holds .*, which are no numbers"):
        to_floats(chunked(values), "a")


@pytest.mark.parametrize(
    ("values", "kind", "made"),
    [
        ([1, 2], pa.int64(), pa.array([1, 2])),
        ([1, np.nan], pa.int64(), pa.array([1, None])),
        ([np.nan, np.nan], pa.int32(), pa.array([None, None], pa.int32())),
        ([1.5, 2], pa.int64(), pa.array([1.5, 2.0])),
        ([100, 200], pa.int8(), pa.array([100, 200])),
        ([-1, 2], pa.uint16(), pa.array([-1, 2])),
        ([2.0**60, 1], pa.int64(), pa.array([2.0**60, 1.0])),
        ([1.5, np.nan], pa.float32(), pa.array([1.5, None], pa.float32())),
        ([1.5, np.nan], pa.float64(), pa.array([1.5, None])),
        ([], pa.int64(), pa.array([], pa.int64())),
    ],
)
def test_floats_become_what_the_column_was_where_they_fit(
    values: list[float], kind: pa.DataType, made: pa.Array
) -> None:
    result = from_floats(np.array(values, dtype=np.float64), kind)
    assert result.equals(made)
    assert result.type == made.type


@given(st.lists(st.integers(-(2**52), 2**52) | st.none()))
def test_whole_numbers_come_back(values: list[int | None]) -> None:
    array = pa.array(values, pa.int64())
    assert from_floats(to_floats(pa.chunked_array([array]), "a"), pa.int64()).equals(array)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string(), ordered=True)])
def test_positions_become_categories(kind: pa.DataType) -> None:
    made = from_positions(np.array([1.0, np.nan, 0.0]), ("low", "high"), kind)
    assert made.type == kind
    assert made.to_pylist() == ["high", None, "low"]


# --- codes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "values", "categories"),
    [
        (chunked(["b", None, "a", "b"]), [1, -1, 0, 1], ("a", "b")),
        (chunked([3, 1, None]), [1, 0, -1], (1, 3)),
        (chunked([True, None, False]), [1, -1, 0], (False, True)),
        (chunked([DAY, None]), [0, -1], (DAY,)),
        (chunked(pa.array(["b", "a", None]).dictionary_encode()), [1, 0, -1], ("a", "b")),
        (pa.chunked_array([["b"], ["a"]]), [1, 0], ("a", "b")),
        (pa.chunked_array([pa.nulls(2)]), [-1, -1], ()),
        (chunked([], pa.string()), [], ()),
    ],
    ids=str,
)
def test_codes_are_positions_in_sorted_values(
    column: pa.ChunkedArray, values: list[int], categories: tuple[Any, ...]
) -> None:
    found = to_codes(column, Column(name="a", scale="nominal"))
    assert found.values.tolist() == values
    assert found.categories == categories


def test_codes_follow_the_declared_order() -> None:
    facts = Column(name="a", scale="ordinal", categories=("low", "middle", "high"))
    found = to_codes(chunked(["high", None, "low"]), facts)
    assert found.values.tolist() == [2, -1, 0]
    assert found.categories == ("low", "middle", "high")


def test_undeclared_values_are_counted_not_shown() -> None:
    facts = Column(name="a", scale="ordinal", categories=("low", "high"))
    with pytest.raises(DataError, match=r"Column 'a' has 2 value\(s\) that are not among") as caught:
        to_codes(chunked(["secret", "low", "other"]), facts)
    assert caught.value.details == {"values": ["other", "secret"]}
    assert "secret" not in str(caught.value)


def test_codes_do_not_show_the_categories() -> None:
    assert "secret" not in repr(to_codes(chunked(["secret"]), Column(name="a", scale="nominal")))


# --- missing codes ---------------------------------------------------------------------------------------------------


def out(column: Any, *missing: Any) -> tuple[pa.Table, dict[str, pa.Array], pa.Table]:
    table = pa.table({"a": column})
    clean, codes = take_out_missing(table, Schema((Column(name="a", scale="nominal", missing=missing),)))
    return clean, codes, table


@pytest.mark.parametrize(
    ("column", "missing", "gone"),
    [
        (pa.array([1, -9, 3]), (-9,), [False, True, False]),
        (pa.array([1.0, -9.0, 3.0]), (-9,), [False, True, False]),
        (pa.array([1, -9, 3], pa.int8()), (-999, -9.0), [False, True, False]),
        (pa.array([decimal.Decimal(1), decimal.Decimal(-9)]), (-9,), [False, True]),
        (pa.array([89, 90, 99, 100]), ((90, 99),), [False, True, True, False]),
        (pa.array([89.5, None, 99.0]), ((90, 99), 89.5), [True, True, True]),
        (pa.array(["a", "refused"]), ("refused",), [False, True]),
        (pa.array(["a", "refused"], pa.large_string()), ("refused",), [False, True]),
        (pa.array(["a", "refused"]).dictionary_encode(), ("refused",), [False, True]),
        (pa.array([1, -9]).dictionary_encode(), (-9,), [False, True]),
        (pa.array(["a", "refused"], pa.string_view()), ("refused",), [False, True]),
    ],
    ids=lambda value: str(getattr(value, "type", value)),
)
def test_codes_are_missing_and_come_back(column: pa.Array, missing: tuple[Any, ...], gone: list[bool]) -> None:
    clean, codes, table = out(column, *missing)
    assert np.asarray(clean.column("a").is_null()).tolist() == gone
    assert put_back_missing(clean, codes).column("a").to_pylist() == table.column("a").to_pylist()


@pytest.mark.parametrize(
    "column",
    [pa.array(["-9", "x"]), pa.array([True, False]), pa.array([DAY, DAY]), pa.array(["a", "b"]).dictionary_encode()],
    ids=lambda column: str(column.type),
)
@pytest.mark.parametrize("code", [-9, (-9, 5), 1.5], ids=str)
def test_a_code_of_another_kind_never_hits(column: pa.Array, code: Any) -> None:
    clean, codes, table = out(column, code)
    assert codes == {}
    assert clean.equals(table)


def test_nan_is_missing() -> None:
    clean, codes, _ = out(pa.array([1.0, float("nan")]))
    assert clean.column("a").to_pylist() == [1.0, None]
    assert codes == {}


def test_a_code_that_no_longer_fits_stays_out() -> None:
    clean, codes, _ = out(pa.array(["a", "refused"]), "refused")
    numbers = clean.set_column(0, "a", pa.array([1.0, None]))
    assert put_back_missing(numbers, codes).column("a").to_pylist() == [1.0, None]


# --- inference -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "scale"),
    [
        (pa.int64(), "numeric"),
        (pa.float32(), "numeric"),
        (pa.decimal128(5, 2), "numeric"),
        (pa.string(), "nominal"),
        (pa.bool_(), "nominal"),
        (pa.date32(), "date"),
        (pa.timestamp("us"), "date"),
        (pa.dictionary(pa.int8(), pa.string()), "nominal"),
        (pa.dictionary(pa.int8(), pa.string(), ordered=True), "ordinal"),
    ],
)
def test_scale_of_a_type(kind: pa.DataType, scale: str) -> None:
    assert infer_scale(kind) == scale


def test_all_problems_at_once() -> None:
    table = pa.table([[1], [2], [[3]]], names=["a", "a", "c"])
    with pytest.raises(SchemaError) as caught:
        infer_schema(table, {"b": {}, "aa": {}})
    assert len(caught.value.problems) == 4


def test_order_of_an_ordered_category_is_kept() -> None:
    column = pa.DictionaryArray.from_arrays(pa.array([1, 0]), pa.array(["low", "high"]), ordered=True)
    schema = infer_schema(pa.table({"a": column}), {})
    assert schema["a"].categories == ("low", "high")


# --- fingerprint -----------------------------------------------------------------------------------------------------

COLUMNS = {
    "int": pa.array([1, None, 3]),
    "float": pa.array([1.5, None, -0.0]),
    "text": pa.array(["a", None, "bc"]),
    "large": pa.array(["a", None, "bc"], pa.large_string()),
    "bytes": pa.array([b"a", None, b"bc"]),
    "fixed": pa.array([b"ab", None, b"cd"], pa.binary(2)),
    "bool": pa.array([True, None, False]),
    "date": pa.array([DAY, None, dt.date(1999, 1, 1)]),
    "time": pa.array([dt.datetime(2024, 1, 1), None, dt.datetime(2024, 1, 2)]),
    "decimal": pa.array([decimal.Decimal("1.50"), None, decimal.Decimal("2.00")]),
    "null": pa.nulls(3),
    "category": pa.array(["a", None, "bc"]).dictionary_encode(),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_fingerprint_sees_values_not_chunks(name: str) -> None:
    column = COLUMNS[name]
    whole = fingerprint(pa.table({"a": column}))
    cut = pa.table({"a": pa.chunked_array([column.slice(0, 1), column.slice(1)])})
    assert fingerprint(cut) == whole
    assert fingerprint(pa.table({"a": pa.concat_arrays([column, column]).slice(3)})) == whole
    assert fingerprint(pa.table({"b": column})) != whole
    if name != "null":
        assert fingerprint(pa.table({"a": column.take(pa.array([2, 1, 0]))})) != whole
        assert fingerprint(pa.table({"a": column.take(pa.array([0, 2, 1]))})) != whole


def test_fingerprint_keeps_neighbours_apart() -> None:
    assert fingerprint(pa.table({"a": ["ab", "c"]})) != fingerprint(pa.table({"a": ["a", "bc"]}))
    assert fingerprint(pa.table({"a": ["x", ""]})) != fingerprint(pa.table({"a": ["x", None]}))
    assert fingerprint(pa.table({"a": [0, 1]})) != fingerprint(pa.table({"a": [None, 1]}))
    assert fingerprint(pa.table({"a": [1], "b": [2]})) != fingerprint(pa.table({"a": [2], "b": [1]}))


@given(st.lists(st.text(max_size=3) | st.none(), max_size=6), st.lists(st.text(max_size=3) | st.none(), max_size=6))
def test_fingerprints_differ_exactly_when_values_do(one: list[Any], two: list[Any]) -> None:
    a, b = (fingerprint(pa.table({"a": pa.array(values, pa.string())})) for values in (one, two))
    assert (a == b) == (one == two)


# --- positions ----------------------------------------------------------------------------------------------------------


@given(
    st.lists(st.lists(st.none() | st.integers(0, 100), max_size=6), max_size=4),
    st.sampled_from([pa.int8(), pa.int16(), pa.int64(), pa.uint8(), pa.uint64()]),
    st.sampled_from([0, 27, 10**9, 2**63 - 200, 2**64 - 200]),
)
def test_positions_are_those_of_sorting(chunks: list[list[int | None]], kind: pa.DataType, low: int) -> None:
    reach = 2 ** (kind.bit_width - (not pa.types.is_unsigned_integer(kind)))
    moved = [[None if v is None else min(v + low, reach - 1) for v in chunk] for chunk in chunks]
    column = pa.chunked_array([pa.array(chunk, kind) for chunk in moved], kind)
    places, values = to_positions(column)
    plain = [v for chunk in moved for v in chunk]
    known = sorted({v for v in plain if v is not None})
    assert values.type == kind
    assert values.to_pylist() == known
    assert places.dtype == np.int64
    assert places.tolist() == [-1 if v is None else known.index(v) for v in plain]


def test_numbers_in_pieces_with_gaps() -> None:
    for kind in (pa.int8(), pa.int64(), pa.float64(), pa.float32()):
        column = pa.chunked_array([pa.array([1, None], kind), pa.array([], kind), pa.array([-3], kind)])
        np.testing.assert_array_equal(to_floats(column, "x"), [1.0, np.nan, -3.0])
