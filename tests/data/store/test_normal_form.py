"""The same values have the same type in the normal form."""

from __future__ import annotations

import datetime
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import SchemaError
from tacita.data.schema import Column
from tacita.data.store.normal_form import exact_floats, is_number, is_text, normal_form, plain_values, without_missing

MOMENT = datetime.datetime(2020, 1, 2, 3, 4, 5)
UTC = MOMENT.replace(tzinfo=datetime.UTC)


@pytest.mark.parametrize(
    ("values", "kinds"),
    [
        ([1, None, -3], [pa.int8(), pa.int64(), pa.float32(), pa.float64(), pa.decimal128(30, 2)]),
        ([1.5, None, -0.25], [pa.float32(), pa.float64(), pa.decimal128(5, 2)]),
        (["b", None, ""], [pa.string(), pa.large_string()]),
        ([datetime.date(2020, 1, 2), None], [pa.date32(), pa.date64()]),
        ([MOMENT, None], [pa.timestamp("s"), pa.timestamp("us"), pa.timestamp("ns")]),
        ([UTC, None], [pa.timestamp("ms", tz="UTC"), pa.timestamp("us", tz="Europe/Rome")]),
        ([datetime.time(1, 2, 3)], [pa.time32("s"), pa.time64("us"), pa.time64("ns")]),
        ([datetime.timedelta(seconds=3)], [pa.duration("s"), pa.duration("ns")]),
        ([True, None], [pa.bool_()]),
    ],
)
def test_one_type_for_all_types_that_hold_a_value(values: list[object], kinds: list[pa.DataType]) -> None:
    made = [normal_form(pa.chunked_array([pa.array(values).cast(kind)])) for kind in kinds]
    assert len({one.type for one in made}) == 1
    assert all(one.equals(made[0]) for one in made)
    assert made[0].to_pylist() == values


def test_a_dictionary_of_text_stays_one_and_others_do_not() -> None:
    assert normal_form(pa.chunked_array([pa.array(["a"]).dictionary_encode()])).type.value_type == pa.large_string()
    assert normal_form(pa.chunked_array([pa.array([7]).dictionary_encode()])).type == pa.int64()


def test_what_is_finer_or_larger_stays_exact() -> None:
    fine = pa.chunked_array([pa.array([1], pa.timestamp("ns"))])
    assert normal_form(fine).type == pa.timestamp("ns")
    large = pa.chunked_array([pa.array([2**64 - 1], pa.uint64())])
    assert normal_form(large).to_pylist() == [2**64 - 1]


def test_there_is_one_zero() -> None:
    made = normal_form(pa.chunked_array([[0.5, -0.0]]))
    assert not np.signbit(made.to_numpy()[1])


@given(st.lists(st.decimals(-(10**13), 10**13, places=4, allow_nan=False), min_size=1, max_size=20))
def test_decimals_are_the_nearest_doubles(values: list[Decimal]) -> None:
    column = pa.chunked_array([pa.array(values, pa.decimal128(38, 4))])
    assert exact_floats(column).tolist() == [float(value) for value in values]


def test_missing_codes_and_declared_numbers() -> None:
    facts = Column(name="x", scale="numeric", missing=("refused", -9))
    for text in (pa.array(["1", "refused", "-9", None]), pa.array(["1", "refused", "-9", None]).dictionary_encode()):
        assert without_missing(pa.chunked_array([text]), facts).to_pylist() == [1, None, None, None]
    linked = Column(name="x", scale="nominal", missing=("?",), roles=("linked",), linked_to="elsewhere")
    assert without_missing(pa.chunked_array([["a", "?"]]), linked).to_pylist() == ["a", None]


def test_text_that_is_no_date_is_an_error_without_it() -> None:
    with pytest.raises(SchemaError, match="declared date") as caught:
        without_missing(pa.chunked_array([["2020-01-01", "canary"]]), Column(name="d", scale="date"))
    assert "canary" not in str(caught.value)


def test_kinds() -> None:
    assert is_text(pa.large_string())
    assert not is_text(pa.binary())
    assert is_number(pa.decimal128(5, 2))
    assert not is_number(pa.bool_())
    assert plain_values(pa.chunked_array([pa.array(["a"]).dictionary_encode()])).type == pa.string()
