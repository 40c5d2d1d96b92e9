"""Tables with keys: records that arrive and leave, revisions, missing codes, bad identities."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import ColumnError, DataError, ParameterError
from tacita.core.keyed import Key
from tacita.tables.perturbation.keyed_table import KeyedTable, keyed_by_rows, keyed_table
from tests.tables.perturbation.test_cell_key import KEY, people


def made_of(data: tc.Microdata, by: object = ("region", "sex"), **given: object) -> KeyedTable:
    return keyed_table(data, list(by), key=KEY, identity="id", **given)  # type: ignore[call-overload, arg-type]


def test_records_arrive_and_leave() -> None:
    data = people()
    all_of = made_of(data)
    first = made_of(data.take(np.arange(300)), all_of.dimensions)
    later = made_of(data.take(np.arange(300, 400)), all_of.dimensions)
    grown = first.with_records(arrived=later)
    assert np.array_equal(grown.sums, all_of.sums)
    assert np.array_equal(grown.values, all_of.values)
    shrunk = all_of.with_records(left=later)
    assert np.array_equal(shrunk.sums, first.sums)


def test_what_does_not_fit_is_refused() -> None:
    data = people()
    made = made_of(data)
    other_key = keyed_table(data, made.dimensions, key=Key(bytes(range(4, 68, 2))), identity="id")
    for other in (other_key, made_of(data, made.dimensions, unit="household"), made_of(data, ["sex"])):
        with pytest.raises(ParameterError, match="same cells, unit and key"):
            made.with_records(arrived=other)
    with pytest.raises(DataError, match="more records leave"):
        made_of(data.take(np.arange(10)), made.dimensions).with_records(left=made)
    with pytest.raises(ParameterError, match="tables of counts"):
        made_of(data, response="income").with_records(arrived=made)


def test_records_without_a_code_have_keys_too() -> None:
    frame = pa.table({"id": [5, 6, 7], "a": pa.array(["x", None, "x"]), "x": [1.0, 2.0, None]})
    data = tc.Microdata.from_frame(frame)
    made = made_of(data, ["a"])
    lost = made.find({"a": "missing"})[0]
    assert made.counts is not None
    assert made.counts[lost] == 1
    with pytest.warns(UserWarning, match="left out"):
        sums = made_of(data, ["a"], response="x")
    assert np.array_equal(sums.sums[sums.find({"a": "missing"})], made.sums[[lost]])
    assert (sums.sums[0] < made.sums[0]).all()  # the record without a value is not in the set


@pytest.mark.parametrize(
    ("ids", "words"),
    [([1, 1, 2], "1 of 3 values repeat"), ([1, None, 2], "1 have none"), ([1.5, 2.5, 3.5], "whole numbers or text")],
)
def test_bad_identities_are_refused(ids: list[object], words: str) -> None:
    data = tc.Microdata.from_frame(pa.table({"id": ids, "a": ["x", "y", "x"]}))
    with pytest.raises(DataError, match=words):
        made_of(data, ["a"])


def test_text_identities_are_hashed() -> None:
    data = tc.Microdata.from_frame(pa.table({"id": ["p", "q", "r"], "a": ["x", "y", "x"]}))
    made = made_of(data, ["a"])
    assert (made.sums > 0).all()
    with pytest.raises(DataError, match="1 of 2 values repeat"):
        made_of(tc.Microdata.from_frame(pa.table({"id": ["p", "p"], "a": ["x", "y"]})), ["a"])


def test_an_unknown_identity_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ColumnError, match="Did you mean 'id'"):
        keyed_table(people(), ["sex"], key=KEY, identity="idd")
    tc.write(people(), tmp_path / "p.parquet")
    with pytest.raises(ColumnError, match="Did you mean 'id'"):
        keyed_table(tmp_path / "p.parquet", ["sex"], key=KEY, identity="idd")


def test_files_are_for_counts(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="need data in memory"):
        keyed_table(tmp_path / "p.parquet", ["sex"], "income", key=KEY, identity="id")


def test_impossible_cells_stay_so() -> None:
    data = tc.Microdata.from_frame(pa.table({"id": [1, 2], "a": ["x", "y"], "b": ["u", "v"]}))
    made = made_of(data, ["a", "b"], structural=[{"a": "x", "b": "v"}])
    assert made.is_structural.sum() == 1
    with pytest.raises(DataError, match="impossible have records"):
        made_of(data, ["a", "b"], structural=[{"a": "x", "b": "u"}])


def test_rows_stand_for_people_where_nobody_says_who_they_are() -> None:
    data = people()
    made = keyed_by_rows(tc.tabulate(data, ["region", "sex"], "income"), KEY)
    other = keyed_by_rows(tc.tabulate(data, ["sex"], "income"), KEY)
    both = [table.sums[table.find({"sex": "f"})[0]].tolist() for table in (made, other)]
    assert both[0] == both[1]
    assert made.contributors is not None
    assert made.contributors.shape == (len(made), 5)
