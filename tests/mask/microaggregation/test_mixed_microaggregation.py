"""Mixed microaggregation: k-anonymity on keys of any scale by recount, means, medians and modes, missing values."""

from __future__ import annotations

import datetime as dt
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacita as tc
from tacita.core.errors import ColumnError, DataError, TacitaWarning
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema
from tacita.mask.microaggregation.mixed_microaggregation import MixedMicroaggregation
from tacita.numeric.microaggregation.gower import (
    ABSENT,
    gower_partition,
    nominal_points,
    numeric_points,
    ordinal_points,
    stack_points,
)
from tests.oracles.numeric import microaggregation as oracle

LEVELS = ("low", "middle", "high")
SCHEMA = Schema(
    (
        Column(name="age", scale="numeric", roles=("key",)),
        Column(name="level", scale="ordinal", roles=("key",), categories=LEVELS),
        Column(name="region", scale="nominal", roles=("key",)),
        Column(name="visit", scale="date", roles=("key",)),
        Column(name="s", scale="nominal", roles=("other",)),
    )
)
DAY = dt.date(2024, 1, 1)


def person(age: Any, level: Any, region: Any, day: Any = 0, s: str = "x") -> tuple[Any, ...]:
    return age, level, region, None if day is None else DAY + dt.timedelta(days=day), s


def file(rows: list[tuple[Any, ...]]) -> Microdata:
    kinds = (pa.int64(), pa.string(), pa.string(), pa.date32(), pa.string())
    columns = [pa.array([row[j] for row in rows], kind) for j, kind in enumerate(kinds)]
    return Microdata(pa.table(dict(zip(SCHEMA.names, columns, strict=True))), SCHEMA)


def rows_of(data: Microdata) -> list[tuple[Any, ...]]:
    return list(zip(*(data.to_arrow().column(name).to_pylist() for name in data.schema.keys), strict=True))


people = st.lists(
    st.builds(
        person,
        st.none() | st.integers(18, 90),
        st.none() | st.sampled_from(LEVELS),
        st.none() | st.sampled_from(["n", "s", "w"]),
        st.none() | st.integers(0, 400),
        st.sampled_from("xy"),
    ),
    min_size=5,
    max_size=40,
)


def quietly(mask: MixedMicroaggregation, data: Microdata) -> Microdata:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TacitaWarning)  # rare patterns of missing values are tested below
        return mask.apply(data)


@given(people, st.integers(2, 5), st.sampled_from(["mean", "median"]))
def test_every_combination_occurs_k_times(rows: list[tuple[Any, ...]], k: int, numbers: Any) -> None:
    data = file(rows)
    masked = quietly(MixedMicroaggregation(k=k, numbers=numbers), data)
    assert min(Counter(rows_of(masked)).values()) >= k
    for name in data.schema.keys:
        assert masked.is_missing(name)[data.is_missing(name)].all(), "a missing value was filled"
        assert masked.to_arrow().schema.field(name).type == data.to_arrow().schema.field(name).type


@given(people)
def test_values_come_from_the_column(rows: list[tuple[Any, ...]]) -> None:
    data = file(rows)
    masked = quietly(MixedMicroaggregation(numbers="median"), data)
    for name in data.schema.keys:
        before, after = (set(d.to_arrow().column(name).to_pylist()) for d in (data, masked))
        assert after <= before | {None}


def test_by_hand() -> None:
    rows = [
        person(20, "low", "n", 1),
        person(22, "middle", "n", 2),
        person(25, "low", "s", 9),
        person(70, "high", "w", 300),
        person(75, "high", "w", 301),
        person(80, "middle", "s", 310),
    ]
    young = (22, "low", "n", DAY + dt.timedelta(days=2))
    old = (75, "high", "w", DAY + dt.timedelta(days=301))
    masked = MixedMicroaggregation(k=3).apply(file(rows))
    assert rows_of(masked) == [young] * 3 + [old] * 3


def test_the_mean_of_whole_numbers_is_rounded_unless_told_otherwise() -> None:
    data = file([person(age, "low", "n") for age in (20, 21, 21)])
    assert MixedMicroaggregation(k=3).apply(data).float("age").tolist() == [21.0] * 3
    exact = MixedMicroaggregation(k=3, decimals="any").apply(data)
    assert exact.float("age") == pytest.approx([62 / 3] * 3)
    median = MixedMicroaggregation(k=2, numbers="median").apply(file([person(age, "low", "n") for age in (20, 27)]))
    assert median.float("age").tolist() == [20.0, 20.0]


def test_strata_are_not_mixed() -> None:
    rng = np.random.default_rng(1)
    rows = [
        person(int(a), str(rng.choice(LEVELS)), "n", 0, "xy"[i % 2]) for i, a in enumerate(rng.integers(18, 90, 60))
    ]
    data = file(rows)
    masked = MixedMicroaggregation(columns=("age", "level"), by=("s",), k=4).apply(data)
    both = zip(*(masked.to_arrow().column(name).to_pylist() for name in ("age", "level", "s")), strict=True)
    assert min(Counter(both).values()) >= 4


# --- missing values --------------------------------------------------------------------------------------------------


def test_a_frequent_pattern_loses_nothing() -> None:
    rows = [person(20 + i, None if i < 4 else "low", "n") for i in range(12)]
    data = file(rows)
    masked = MixedMicroaggregation(k=3).apply(data)
    assert np.array_equal(masked.is_missing("level"), data.is_missing("level"))


def test_a_rare_pattern_costs_its_group_the_value_and_is_told() -> None:
    rows = [person(20 + i, None if i == 0 else "low", "n") for i in range(12)]
    with pytest.warns(TacitaWarning, match=r"2 value\(s\) were set to missing \(2 of 'level'\)"):
        masked = MixedMicroaggregation(k=3).apply(file(rows))
    assert masked.is_missing("level").tolist() == [True] * 3 + [False] * 9
    assert min(Counter(rows_of(masked)).values()) >= 3


def test_missing_codes_are_shared_by_the_group() -> None:
    """Three refusals and null are one pattern; a group shows one code only, else the code would tell members apart."""
    schema = Schema((Column(name="a", scale="numeric", roles=("key",), missing=(-9,)),))
    data = Microdata(pa.table({"a": pa.array([-9.0, None, -9.0, 1.0, 2.0, 3.0])}), schema)
    masked = MixedMicroaggregation(k=3).apply(data).to_arrow().column("a").to_pylist()
    assert len(set(masked[:3])) == 1
    assert masked[3:] == [2.0] * 3


# --- the kernel ------------------------------------------------------------------------------------------------------


@given(people, st.integers(2, 4))
def test_groups_are_those_of_the_obvious_version(rows: list[tuple[Any, ...]], k: int) -> None:
    """Ties and all: ages are whole and scaled before, so that both versions round alike."""
    age = [row[0] for row in rows]
    level = [None if row[1] is None else LEVELS.index(row[1]) for row in rows]
    region = [None if row[2] is None else "nsw".index(row[2]) for row in rows]
    numeric = numeric_points(np.array([np.nan if a is None else a for a in age], dtype=float))
    mixed = stack_points(
        [
            numeric,
            ordinal_points(np.array([-1 if v is None else v for v in level]), 3),
            nominal_points(np.array([-1 if v is None else v for v in region]), 3),
        ]
    )
    scaled = [None if v == ABSENT else v for v in numeric.points[0].tolist()]
    records = list(zip(scaled, level, region, strict=True))
    expected = oracle.gower_groups(records, [("numeric", 1.0), ("ordinal", 2.0), ("nominal", 1.0)], k)
    assert oracle.groups_of(gower_partition(mixed, k)) == {frozenset(g) for g in expected}


def test_groups_without_ties_are_exactly_those_of_the_obvious_version() -> None:
    rng = np.random.default_rng(2)
    for k in (2, 3, 5):
        age, region = rng.normal(size=60), rng.integers(0, 4, 60)
        mixed = stack_points([numeric_points(age), nominal_points(region, 4)])
        expected = oracle.gower_groups(
            list(zip(age.tolist(), region.tolist(), strict=True)), [("numeric", np.ptp(age)), ("nominal", 1)], k
        )
        assert oracle.groups_of(gower_partition(mixed, k)) == {frozenset(g) for g in expected}


# --- errors and a real file ------------------------------------------------------------------------------------------


def test_what_cannot_be_masked_is_refused() -> None:
    data = file([person(20 + i, "low", "n", 0, "x" if i else "y") for i in range(8)])
    with pytest.raises(DataError, match="k = 9 needs at least 9 records in the file and in every stratum, got 8"):
        MixedMicroaggregation(k=9).apply(data)
    with pytest.raises(DataError, match="in every stratum, got 1"):
        MixedMicroaggregation(columns=("age",), by=("s",)).apply(data)
    with pytest.raises(ColumnError, match="'s' cannot be masked and a stratum at once"):
        MixedMicroaggregation(columns=("age", "s"), by=("s",)).apply(data)


def test_adult_becomes_k_anonymous(reference: Callable[[str], Path]) -> None:
    folder = reference("adult")
    path = next(p for p in sorted(folder.glob("*.csv")) if "hierarchy" not in p.name)
    data = tc.read(path)
    data = data.take(np.arange(3000))
    names = data.names[:6]
    masked = MixedMicroaggregation(columns=names, k=5).apply(data)
    assert np.bincount(masked.groups(names)).min() >= 5
    assert np.bincount(data.groups(names)).min() == 1
