"""Differences of geographies: what is found, what published tables say of it, and bad input."""

from __future__ import annotations

import warnings

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import ColumnError, DataError, ParameterError
from tacita.core.keyed import Key
from tacita.tables.readers.geography_differences import DifferencesTold, geography_differences

KEY = Key(bytes(range(3, 67, 2)))
PEOPLE = tc.samples.census_register(20_000, seed=1, regions=60)
FOUND = geography_differences(PEOPLE, "grid", "municipality")


def tables(data: tc.Microdata, *by: str) -> list[tc.Table]:
    return [
        tc.tables.keyed_table(data, [name, *by], key=KEY, identity="person_id", empties=False)
        for name in ("grid", "municipality")
    ]


def test_true_tables_tell_the_groups() -> None:
    told, names = FOUND.subtract(*tables(PEOPLE))
    assert names == ("count",)
    assert told[:, 0].tolist() == FOUND.sizes.tolist()
    assert set(FOUND.sizes.tolist()) == {1, 2}
    found = FOUND.attack(tables(PEOPLE, "sex"), true=tables(PEOPLE, "sex"))
    assert (found.exact, found.described, found.impossible, found.mean) == (100.0, 100.0, 0.0, 0.0)
    parts = dict(zip(found.categories, found.truth.T, strict=True))
    assert (parts["sex=male"] + parts["sex=female"] == parts["sex=Total"]).all()


def test_records_at_risk_are_counted_once() -> None:
    assert FOUND.sizes.max() <= FOUND.at_risk <= FOUND.sizes.sum()
    assert FOUND.records == len(PEOPLE)


def test_noise_hides_the_groups_and_swapping_moves_them() -> None:
    true = tables(PEOPLE, "sex")
    noise = tc.tables.CellKey(key=KEY, D=3, V=2.0)
    noisy = FOUND.attack([noise.protect(table, tc.tables.Unsafe.none(len(table))) for table in true], true=true)
    assert noisy.exact < noisy.guessed
    assert noisy.described == 0.0
    swap = tc.mask.RecordSwap(geography=["municipality", "grid"], risk=["sex"], k=3, rate=30)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tc.TacitaWarning)  # some households find no partner
        swapped = swap.apply(PEOPLE, seed=3)
    moved = FOUND.attack(tables(swapped, "sex"), true=true)
    sizes = list(moved.categories).index("sex=Total")
    assert (moved.told[:, sizes] == moved.truth[:, sizes]).all(), "swapping keeps the number of people of every area"
    assert moved.exact < 100.0


def test_measures_by_hand() -> None:
    found = DifferencesTold(np.array([[1, 1], [2, 0], [1, 0]]), np.array([[1, 1], [5, 0], [-1, 0]]), ("a", "b"), 3)
    assert found.exact == pytest.approx(100 * 4 / 6)
    assert found.guessed == pytest.approx(100 * 4 / 6)
    assert found.clipped == pytest.approx(100 * 5 / 6)
    assert found.described == found.impossible == pytest.approx(100 / 3)
    assert found.mean == pytest.approx(5 / 6)


def test_a_group_in_words() -> None:
    group = int(FOUND.areas.argmin())
    words = FOUND.words(group)
    assert " - (" in words
    assert "TA0" in words
    assert "1kmN" in words


def test_no_crossing_no_group() -> None:
    nested = PEOPLE.with_column("tenure", pa.array(["a"] * len(PEOPLE)))
    found = geography_differences(nested, "grid", "tenure")
    assert (len(found), found.at_risk, found.slivers) == (0, 0, 0)
    assert found.fine_signs.shape[0] == 0


def test_bad_input() -> None:
    with pytest.raises(ParameterError, match="two columns"):
        geography_differences(PEOPLE, "grid", "grid")
    with pytest.raises(ParameterError, match="'below'"):
        geography_differences(PEOPLE, "grid", "municipality", below=1)
    with pytest.raises(ColumnError, match="'squares'"):
        geography_differences(PEOPLE, "squares", "municipality")
    gone = PEOPLE.with_column("tenure", pa.array([None, *["a"] * (len(PEOPLE) - 1)]))
    with pytest.raises(DataError, match="1 records have no code of 'tenure'"):
        geography_differences(gone, "grid", "tenure")
    with pytest.raises(ParameterError, match="same further dimensions"):
        FOUND.subtract(tables(PEOPLE)[0], tables(PEOPLE, "sex")[1])
    with pytest.raises(ParameterError, match="no dimension 'grid'"):
        FOUND.subtract(tables(PEOPLE)[1], tables(PEOPLE)[1])
    with pytest.raises(ParameterError, match="'published' and 'true'"):
        FOUND.attack(tables(PEOPLE)[:1], true=tables(PEOPLE))
