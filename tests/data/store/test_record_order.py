"""The order of records and what identifies them, against Python's own sorting and hashing."""

from __future__ import annotations

import hashlib

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ColumnError, DataError, ParameterError
from tacita.data.schema import Column, Schema
from tacita.data.store.record_order import choose_record_id, order_of, row_numbers, to_ids

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=4)


@given(st.lists(TEXT, unique=True, max_size=12))
def test_text_is_ordered_by_its_bytes(values: list[str]) -> None:
    order = order_of(pa.chunked_array([pa.array(values, pa.string())]), "id")
    wanted = sorted(range(len(values)), key=lambda i: values[i].encode("utf-8"))
    assert (list(range(len(values))) if order is None else order.tolist()) == wanted


@given(st.lists(st.integers(-(2**63), 2**63 - 1), unique=True, max_size=12))
def test_whole_numbers_are_ordered_by_size(values: list[int]) -> None:
    column = pa.chunked_array([pa.array(values, pa.int64())])
    order = order_of(column, "id")
    assert (values if order is None else [values[i] for i in order]) == sorted(values)
    assert to_ids(column, "id").tolist() == [value % 2**64 for value in values]


def test_ids_in_order_need_no_work() -> None:
    assert order_of(pa.chunked_array([["a", "b"], ["c"]]), "id") is None


@given(st.lists(TEXT, unique=True, max_size=8))
def test_text_is_hashed_as_everybody_would(values: list[str]) -> None:
    found = to_ids(pa.chunked_array([pa.array(values, pa.string())]), "id")
    digests = [hashlib.sha256(value.encode("utf-8")).digest() for value in values]
    assert found.tolist() == [[int.from_bytes(d[:8], "little"), int.from_bytes(d[8:16], "little")] for d in digests]
    assert found.shape == (len(values), 2)


def test_one_id_in_several_types_is_one_id() -> None:
    kinds = [pa.int8(), pa.int64(), pa.uint32(), pa.float64(), pa.decimal128(30, 0)]
    assert {tuple(to_ids(pa.chunked_array([pa.array([3, 1]).cast(kind)]), "id")) for kind in kinds} == {(3, 1)}
    texts = [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())]
    assert len({to_ids(pa.chunked_array([pa.array(["b", "a"]).cast(kind)]), "id").tobytes() for kind in texts}) == 1


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (["canary", "b", "canary", "canary"], "2 of its 4 values repeat"),
        ([7777, 1, 7777], "1 of its 3 values repeat"),
        (["canary", None], "1 have none"),
        ([1.5, 2.5], "whole numbers or text"),
        ([True, False], "whole numbers or text"),
    ],
)
def test_bad_ids_are_told_without_values(values: list[object], said: str) -> None:
    with pytest.raises(DataError, match=said) as caught:
        order_of(pa.chunked_array([pa.array(values)]), "person")
    assert "'person'" in str(caught.value)
    assert not {"canary", "7777", "1.5"} & set(str(caught.value).replace(",", " ").split())


def test_which_column_identifies() -> None:
    def schema(*identifiers: str) -> Schema:
        return Schema(
            tuple(
                Column(name=n, scale="nominal", roles=("identifier",) if n in identifiers else ("other",))
                for n in "abc"
            )
        )

    assert choose_record_id(schema("b"), None, shown="x", has_order=False) == "b"
    assert choose_record_id(schema("b"), "c", shown="x", has_order=False) == "c"
    assert choose_record_id(schema("a", "b"), None, shown="x", has_order=True) is None
    assert choose_record_id(schema(), None, shown="x", has_order=True) is None
    with pytest.raises(ParameterError, match="'record_id' must name"):
        choose_record_id(schema("a", "b"), None, shown="x", has_order=False)
    with pytest.raises(ColumnError, match="'d' is not in the data"):
        choose_record_id(schema(), "d", shown="x", has_order=True)


def test_rows_are_numbered() -> None:
    assert row_numbers(3).tolist() == [0, 1, 2]
