"""Facts of a column against counting by hand."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.data.guess.facts import ValueFacts, encoded_column
from tacita.data.schema import Column

NAMED = Column(name="x", scale="numeric")


@given(
    st.one_of(
        st.lists(st.none() | st.integers(-5, 5), max_size=40),
        st.lists(st.none() | st.integers(-(2**62), 2**62), max_size=40),
        st.lists(st.none() | st.floats(allow_nan=False).map(lambda x: x + 0.0), max_size=40),
        st.lists(st.none() | st.text(max_size=2), max_size=40),
    )
)
def test_values_and_counts_are_those_of_the_records(values: list[object]) -> None:
    facts = ValueFacts.of(NAMED, pa.chunked_array([pa.array(values)]))
    there = [value for value in values if value is not None]
    assert dict(zip(facts.values.to_pylist(), facts.counts.tolist(), strict=True)) == Counter(there)
    assert (facts.n, facts.absent, facts.distinct) == (len(values), len(values) - len(there), len(set(there)))
    runs = sum(1 for a, b in pairwise(values) if (a or 0) != (b or 0)) + bool(values)
    if facts.codes is None:
        assert facts.runs == runs


@pytest.mark.parametrize("kind", [pa.int8(), pa.uint8(), pa.int64(), pa.uint64(), pa.float32()])
def test_every_kind_of_number(kind: pa.DataType) -> None:
    facts = ValueFacts.of(NAMED, pa.array([7, 120, 7, None], kind))
    assert (facts.values.to_pylist(), facts.counts.tolist(), facts.is_whole) == ([7, 120], [2, 1], True)


def test_extremes_of_integers() -> None:
    facts = ValueFacts.of(NAMED, pa.array([2**63 - 1, -(2**63), 2**63 - 1]))
    assert (facts.values.to_pylist(), facts.counts.tolist()) == ([-(2**63), 2**63 - 1], [1, 2])


def test_usual_numbers_are_without_suspected_codes() -> None:
    facts = ValueFacts.of(NAMED, pa.array([1, 2, 3, 2, 1, 99, float("inf")]))
    assert facts.usual_numbers.tolist() == [1, 2, 3]
    assert ValueFacts.of(NAMED, pa.array(["a"])).usual_numbers.size == 0


def test_equal_digits() -> None:
    assert ValueFacts.of(NAMED, pa.array([110, 962])).has_equal_digits(3)
    assert not ValueFacts.of(NAMED, pa.array([98, 962])).has_equal_digits(2)


def test_codes_of_columns_without_values() -> None:
    codes, values = encoded_column(pa.nulls(3))
    assert (codes.tolist(), len(values)) == ([-1, -1, -1], 0)
    assert np.array_equal(ValueFacts.of(NAMED, pa.nulls(3, pa.int64())).counts, [])


def test_the_repr_shows_no_value() -> None:
    assert "987654" not in repr(ValueFacts.of(NAMED, pa.array([987654, 3])))
