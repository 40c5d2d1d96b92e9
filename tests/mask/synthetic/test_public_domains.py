"""Domains come from declarations: what lies outside of them is put in its place, and drawn values lie inside."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import ColumnError
from tacita.data.hierarchy import Hierarchy
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema
from tacita.mask.synthetic.public_domains import (
    BinDomain,
    ClassDomain,
    equal_bins,
    listed_classes,
    occurring_domain,
    schema_domain,
)

RNG = np.random.default_rng(1)


def one(values: object, kind: pa.DataType, **facts: object) -> Microdata:
    facts.setdefault("scale", "numeric")
    return Microdata(pa.table({"x": pa.array(values, kind)}), Schema((Column(name="x", **facts),)))  # type: ignore[arg-type]


def test_classes_are_numbered_and_drawn() -> None:
    data = one(["b", None, "z", "a"], pa.string(), scale="nominal")
    domain = ClassDomain("x", pa.string(), True, ("a", "b"))
    numbers, is_outside = domain.numbered(data)
    assert (numbers.tolist(), is_outside, domain.size) == ([1, 2, 2, 0], True, 3)
    assert domain.drawn(np.array([2, 1, 0]), RNG, None).to_pylist() == [None, "b", "a"]


def test_a_complete_column_has_no_class_for_gaps() -> None:
    data = one(["b", None, "z", "a"], pa.string(), scale="nominal")
    domain = ClassDomain("x", pa.string(), False, ("a", "b"))
    assert domain.numbered(data)[0].tolist() == [1, 0, 0, 0]
    assert domain.size == 2


@pytest.mark.parametrize(
    ("kind", "classes", "values"),
    [
        (pa.int64(), ["1", "2"], [1, 2]),
        (pa.float64(), [1, 2.5], [1.0, 2.5]),
        (pa.bool_(), [False, True], [False, True]),
        (pa.dictionary(pa.int8(), pa.string()), ["p", "q"], ["p", "q"]),
    ],
)
def test_listed_classes_take_the_type_of_the_column(
    kind: pa.DataType, classes: list[object], values: list[object]
) -> None:
    column = Column(name="x", scale="nominal")
    domain = listed_classes(column, kind, True, classes)
    assert domain.classes == tuple(values)
    drawn = domain.drawn(np.array([0, 1, 2]), RNG, None)
    assert (drawn.type, drawn.to_pylist()) == (kind, [*values, None])


def test_classes_of_another_type_are_refused() -> None:
    with pytest.raises(ColumnError, match="'x': its declared classes do not have the type"):
        listed_classes(Column(name="x", scale="nominal"), pa.int64(), True, ["one"])


def test_what_a_schema_declares() -> None:
    tree = Hierarchy((("1", "*"), ("2", "*")))
    assert schema_domain(Column(name="x", scale="numeric", bounds=(0, 4)), pa.float64(), True, 2) == BinDomain(
        "x", pa.float64(), True, (0.0, 2.0, 4.0)
    )
    for column in (
        Column(name="x", scale="ordinal", categories=(1, 2), hierarchy=Hierarchy((("9", "*"),))),
        Column(name="x", scale="numeric", hierarchy=tree, bounds=(0, None)),
        Column(
            name="x", scale="nominal", labels=((1, "f"), (2, "m"), (-9, "refused"), (97, "?")), missing=(-9, (90, 99))
        ),
    ):
        found = schema_domain(column, pa.int64(), True, 5)
        assert isinstance(found, ClassDomain)
        assert found.classes == (1, 2)
    assert schema_domain(Column(name="x", scale="nominal"), pa.int64(), True, 5) is None
    assert schema_domain(Column(name="x", scale="date", bounds=(0, 4)), pa.date32(), True, 5) is None


def test_numbers_beyond_the_bounds_fall_into_the_last_bins() -> None:
    domain = BinDomain("x", pa.float64(), True, (0.0, 10.0, 100.0))
    numbers, is_outside = domain.numbered(one([-5, 0, 9.99, 10, 100, 1e6, None], pa.float64()))
    assert (numbers.tolist(), is_outside) == ([0, 0, 0, 1, 1, 1, 2], True)
    assert not domain.numbered(one([0, 100], pa.float64()))[1]


@pytest.mark.parametrize("kind", [pa.int64(), pa.float64(), pa.decimal128(9, 2)])
def test_drawn_numbers_lie_in_their_bins(kind: pa.DataType) -> None:
    domain = BinDomain("x", kind, True, (0.0, 1.0, 5.0, 20.0))
    numbers = RNG.integers(0, 4, 3000)
    drawn = domain.drawn(numbers, RNG, 2)
    data = one(drawn, kind)
    assert data.type_of("x") == kind
    assert np.array_equal(data.is_missing("x"), numbers == 3)
    if pa.types.is_integer(kind):
        assert np.array_equal(domain.numbered(data)[0], numbers)
        found = np.unique(data.float("x")[numbers < 3]).tolist()
        assert found == list(range(21))  # every whole number, both ends included
    else:
        assert (domain.numbered(data)[0] == numbers).mean() > 0.99  # two digits may round a value to the next edge


def test_dates_are_days() -> None:
    days = [dt.date(2024, 1, 1), dt.date(2024, 6, 30), None, dt.date(2025, 1, 1)]
    for kind in (pa.date32(), pa.timestamp("us")):
        data = one(days, pa.date32(), scale="date").with_column("x", pa.array(days, pa.date32()).cast(kind))
        domain = occurring_domain(data, data.schema["x"], True, 4)
        assert isinstance(domain, BinDomain)
        assert domain.numbered(data)[0].tolist() == [0, 1, 4, 3]
        drawn = domain.drawn(np.array([0, 1, 4, 3]), RNG, None)
        assert drawn.type == kind
        assert domain.numbered(data.with_column("x", drawn))[0].tolist() == [0, 1, 4, 3]


@pytest.mark.parametrize("kind", [pa.null(), pa.int64(), pa.string()])
def test_a_column_without_values_is_all_gaps(kind: pa.DataType) -> None:
    data = one([None, None], kind, scale="nominal" if kind == pa.string() else "numeric")
    domain = occurring_domain(data, data.schema["x"], False, 4)
    assert domain.size == 1
    assert domain.drawn(domain.numbered(data)[0], RNG, None).null_count == 2


@pytest.mark.parametrize(("low", "high", "bins"), [(0, 9, 3), (0, 2, 50), (-5, 5, 4), (1, 7, 7), (3, 3, 2)])
def test_whole_bins_have_whole_edges(low: int, high: int, bins: int) -> None:
    edges = equal_bins(low, high, bins, True)
    domain = BinDomain("x", pa.int64(), False, edges)
    every = one(list(range(low, high + 1)), pa.int64())
    sizes = np.bincount(domain.numbered(every)[0], minlength=domain.values)
    assert sizes.min() >= 1
    assert sizes.max() - sizes.min() <= 1
