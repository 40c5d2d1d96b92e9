"""Groups of values: bins of the original, values that fill one alone, and what both files have in common."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacita as tc
from tacita.data.microdata import Microdata
from tacita.data.pairing import pair_records
from tacita.data.side_by_side.groups import NumberGroups, comparable_columns, equal_groups, value_groups


def file(**columns: list) -> Microdata:
    return Microdata.from_frame(pa.table({name: pa.array(values) for name, values in columns.items()}))


@given(st.lists(st.integers(-5, 40).map(float), min_size=1, max_size=60), st.integers(2, 8))
def test_every_bin_is_filled_and_a_large_value_stands_alone(values: list, bins: int) -> None:
    x = np.array(values)
    made = NumberGroups.of(x, bins)
    codes = made.codes(x)
    assert set(codes) == set(range(made.size - 1)), "no group of the original is empty but missing"
    assert (np.diff(codes[np.argsort(x, kind="stable")]) >= 0).all()
    for value, count in zip(*np.unique(x, return_counts=True), strict=True):
        if count * bins >= len(x):
            assert set(x[codes == codes[x == value][0]]) == {value}


def test_without_ties_bins_are_of_equal_size() -> None:
    x = np.random.default_rng(1).permutation(1000).astype(float)
    assert np.bincount(NumberGroups.of(x, 5).codes(x)).tolist() == [200] * 5


def test_few_values_take_the_nearest() -> None:
    made = NumberGroups.of(np.array([1.0, 2.0, 4.0, 4.0]), 5)
    assert made.codes(np.array([1.4, 1.6, 2.9, 3.1, 99.0, np.nan])).tolist() == [0, 1, 1, 2, 2, 3]


def test_a_column_without_values_has_one_group_beside_missing() -> None:
    made = NumberGroups.of(np.full(3, np.nan), 5)
    assert made.codes(np.array([1.0, np.nan])).tolist() == [0, 1]


def test_both_files_have_the_bins_of_the_original() -> None:
    data, masked = file(x=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, None]), file(x=[100.0] * 7)
    groups = value_groups(pair_records(data, masked, "order"), "x", 3)
    assert groups.original.tolist() == [0, 0, 1, 1, 2, 2, 3]
    assert groups.masked.tolist() == [2] * 7
    assert groups.short().original.dtype == np.uint8


def test_a_part_has_its_own_records_and_the_whole_has_all() -> None:
    data = file(x=[1.0, 2.0, 3.0, 4.0], a=["p", "q", "p", "q"])
    pair = pair_records(data, data, "order").among(np.array([True, False, False, True]))
    assert value_groups(pair, "x", 2).original.tolist() == [0, 1]
    assert value_groups(pair, "a", 2).masked.tolist() == [0, 1]
    assert len(value_groups(pair, "a", 2, whole=True).masked) == 4


def test_recoded_numbers_count_with_their_middles() -> None:
    data = tc.samples.household_survey(300, seed=1)
    banded = tc.mask.GlobalRecode(breaks={"age": [30, 60]}).apply(data)
    pair = pair_records(data, banded)
    assert comparable_columns(pair, ["age", "sex"]) == ("age", "sex")
    assert set(value_groups(pair, "age", 3).masked) <= {0, 1, 2, 3}
    stranger = Microdata(banded.to_arrow(), banded.schema)
    assert comparable_columns(pair_records(data, stranger), ["age", "sex"]) == ("sex",)


def test_equal_groups_know_equal_values_only() -> None:
    data, masked = file(x=[3.0, 1.0, None, 3.0]), file(x=[3.0, 2.0, None, 9.0])
    groups = equal_groups(pair_records(data, masked, "order"), "x")
    assert groups.original[0] == groups.original[3] == groups.masked[0]
    assert groups.original[2] == groups.masked[2]
    assert groups.masked[1] == groups.masked[3] == groups.size - 1
    assert groups.size - 1 not in groups.original


def test_equal_groups_of_words() -> None:
    data, masked = file(a=["x", "y"]), file(a=["y", "z"])
    groups = equal_groups(pair_records(data, masked, "order"), "a")
    assert groups.original[1] == groups.masked[0]
    assert groups.masked[1] not in groups.original


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_any_size_of_numbers(scale: float) -> None:
    x = np.arange(1.0, 21.0) * scale
    assert np.bincount(NumberGroups.of(x, 4).codes(x)).tolist() == [5] * 4
