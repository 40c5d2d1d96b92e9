"""Compact columns give back every value, bit by bit."""

from __future__ import annotations

import datetime

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import DataError
from tacita.data.columns import to_codes
from tacita.data.schema import Column
from tacita.data.store.compact import Coded, Numbers, Verbatim, code_dtype, compact_column, narrow

NUMERIC, NOMINAL = Column(name="x", scale="numeric"), Column(name="x", scale="nominal")


def chunks(values: object, kind: pa.DataType | None = None) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array(values, kind)])


@given(st.lists(st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1), st.integers(-200, 200)), max_size=20))
def test_whole_numbers_come_back(values: list[int | None]) -> None:
    kept = compact_column(chunks(values, pa.int64()), NUMERIC)
    assert isinstance(kept, Numbers)
    wanted = np.array([np.nan if v is None else float(v) for v in values], dtype=np.float64)
    np.testing.assert_array_equal(kept.floats(), wanted)


@given(
    st.lists(
        st.one_of(
            st.none(),
            st.floats(allow_nan=False),
            st.floats(width=32, allow_nan=False),
            st.decimals(-10000, 10000, places=2).map(float),
        ),
        max_size=20,
    )
)
def test_floats_come_back(values: list[float | None]) -> None:
    kept = compact_column(chunks(values, pa.float64()), NUMERIC)
    assert isinstance(kept, Numbers)
    wanted = np.array([np.nan if v is None else v for v in values], dtype=np.float64)
    np.testing.assert_array_equal(kept.floats(), wanted)


@pytest.mark.parametrize(
    ("values", "dtype", "divisor"),
    [
        ([1.0, -127.0], np.int8, 1.0),
        ([1.0, -128.0], np.int16, 1.0),
        ([1.0, 40000.0], np.int32, 1.0),
        ([0.5, 1.0], np.int8, 10.0),
        ([1234.56, 0.1], np.int32, 100.0),
        ([0.0001, 2.0], np.int16, 10000.0),
        ([2.0**40 + 2.0**20, 0.5], np.float32, 1.0),
        ([1 / 3, 0.5], np.float64, 1.0),
        ([float("inf"), 1.0], np.float32, 1.0),
    ],
)
def test_the_narrowest_form_is_found(values: list[float], dtype: type, divisor: float) -> None:
    kept = narrow(np.array([*values, np.nan]))
    assert (kept.stored.dtype, kept.divisor) == (np.dtype(dtype), divisor)
    np.testing.assert_array_equal(kept.floats(), [*values, np.nan])
    assert np.isnan(kept.arrow().to_numpy(zero_copy_only=False)[-1])


def test_a_glance_at_the_first_values_is_not_trusted() -> None:
    values = np.ones(5000)
    values[-1] = 1 / 3
    assert narrow(values).stored.dtype == np.float64


@pytest.mark.parametrize("kind", [pa.int8(), pa.uint8(), pa.int32(), pa.uint64(), pa.float32(), pa.decimal128(30, 2)])
def test_the_type_of_the_source_does_not_matter(kind: pa.DataType) -> None:
    kept = compact_column(chunks([1, 2, None, 100]).cast(kind), NUMERIC)
    assert isinstance(kept, Numbers)
    assert kept.stored.dtype == np.int8
    assert kept.is_whole
    assert list(kept.blocks()) == list(narrow(np.array([1.0, 2.0, np.nan, 100.0])).blocks())


def test_long_whole_numbers_stay_apart() -> None:
    one, other = (compact_column(chunks([2**60 + i]), NUMERIC) for i in (0, 1))
    assert isinstance(one, Numbers)
    assert isinstance(other, Numbers)
    assert one.floats() == other.floats()
    assert list(one.blocks()) != list(other.blocks())
    assert other.arrow().to_pylist() == [2**60 + 1]


def test_a_column_of_nothing_is_missing() -> None:
    kept = compact_column(pa.chunked_array([pa.nulls(3)]), NUMERIC)
    assert isinstance(kept, Numbers)
    assert np.isnan(kept.floats()).all()
    assert compact_column(pa.chunked_array([pa.nulls(3)]), NOMINAL).arrow().null_count == 3


def test_what_is_no_number_is_an_error() -> None:
    with pytest.raises(DataError, match="holds bool, which are no numbers"):
        compact_column(chunks([True]), NUMERIC)


VALUES = st.lists(st.one_of(st.none(), st.sampled_from(["b", "a", "", "é", "zz"])), max_size=12)


@given(VALUES, st.booleans())
def test_codes_are_those_of_microdata(values: list[str | None], declared: bool) -> None:
    facts = Column(name="x", scale="ordinal", categories=("zz", "é", "", "a", "b")) if declared else NOMINAL
    plain = chunks(values, pa.string())
    for column in (plain, plain.dictionary_encode(), plain.cast(pa.large_string())):
        kept, wanted = compact_column(column, facts), to_codes(plain, facts)
        assert isinstance(kept, Coded)
        np.testing.assert_array_equal(kept.values, wanted.values)
        assert tuple(kept.categories.to_pylist()) == wanted.categories
        assert kept.arrow().to_pylist() == values
        assert kept.values.dtype == np.int8


def test_codes_are_as_narrow_as_their_number_allows() -> None:
    assert [code_dtype(n) for n in (0, 127, 128, 32767, 32768, 2**31 - 1, 2**31)] == [
        np.int8,
        np.int8,
        np.int16,
        np.int16,
        np.int32,
        np.int32,
        np.int64,
    ]


def test_dates_and_declared_numbers_are_categories() -> None:
    day = datetime.date(2020, 2, 29)
    assert compact_column(chunks([day, None]), Column(name="d", scale="date")).arrow().to_pylist() == [day, None]
    sizes = Column(name="n", scale="ordinal", categories=(3, 2, 1))
    kept = compact_column(chunks([1.0, 3.0]), sizes)
    assert isinstance(kept, Coded)
    assert kept.values.tolist() == [2, 0]


def test_identifiers_are_kept_as_they_are() -> None:
    for values in (["b", "a", None], [3, None, 1]):
        kept = compact_column(chunks(values), NOMINAL, verbatim=True)
        assert isinstance(kept, Verbatim)
        assert kept.arrow().to_pylist() == values
        assert kept.nbytes > 0


def test_categories_of_another_kind_than_their_column() -> None:
    facts = Column(name="x", scale="ordinal", categories=(1, "canary"))
    with pytest.raises(DataError, match="of the kind that their column holds") as caught:
        compact_column(chunks([1, 1]), facts)
    assert "canary" not in str(caught.value)
