"""Duplicates against a set of rows, also where fingerprints say nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.data.guess import duplicates
from tacita.data.guess.duplicates import count_duplicates
from tacita.data.guess.facts import ValueFacts
from tacita.data.schema import Column


def facts_of(columns: Sequence[pa.Array]) -> list[ValueFacts]:
    return [ValueFacts.of(Column(name=f"x{i}", scale="nominal"), array) for i, array in enumerate(columns)]


ROWS = st.lists(st.tuples(st.none() | st.integers(-1, 1), st.sampled_from(["a", None]), st.sampled_from([0.5, None])))


def as_columns(rows: list[tuple[object, ...]]) -> list[pa.Array]:
    kinds = (pa.int64(), pa.string(), pa.float64())
    return [pa.array([row[j] for row in rows], kind) for j, kind in enumerate(kinds)]


@given(ROWS)
def test_as_many_as_a_set_says(rows: list[tuple[object, ...]]) -> None:
    assert count_duplicates(facts_of(as_columns(rows))) == len(rows) - len(set(rows))


def test_equal_fingerprints_are_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duplicates, "_fingerprints", lambda columns: np.zeros(columns[0].n, dtype=np.uint64))
    rows = [(i % 7, "a", None) for i in range(20)]
    assert count_duplicates(facts_of(as_columns(rows))) == 13


def test_more_records_than_a_block() -> None:
    n = 3 * duplicates._BLOCK // 2
    first = np.arange(n) % (n - 5)
    assert count_duplicates(facts_of([pa.array(first), pa.array(first % 3)])) == 5


def test_no_columns_and_no_records() -> None:
    assert count_duplicates([]) == 0
    assert count_duplicates(facts_of([pa.array([], pa.int64())])) == 0
