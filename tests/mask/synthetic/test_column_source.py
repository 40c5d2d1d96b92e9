"""Columns as synthesis sees them: every type comes back as it was, with its codes for missing."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema
from tacita.mask.synthetic.column_source import ColumnSource, made_of, nobody_of, take_apart

DAY = dt.date(2024, 2, 28)
COLUMNS: dict[str, tuple[pa.Array, Column]] = {
    "whole": (pa.array([3, None, 5, -9, 7], pa.int16()), Column(name="whole", scale="numeric", missing=(-9,))),
    "cents": (pa.array([1.25, 2.5, None, 8.0, 0.0]), Column(name="cents", scale="numeric", bounds=(0, 9))),
    "single": (pa.array([1.5, 2.5, 3.5, None, 5.5], pa.float32()), Column(name="single", scale="numeric")),
    "money": (
        pa.array([Decimal("1.10"), None, Decimal("2.20"), Decimal("3.30"), Decimal("9.99")], pa.decimal128(9, 2)),
        Column(name="money", scale="numeric"),
    ),
    "word": (
        pa.array(["b", "a", None, "refused", "b"]),
        Column(name="word", scale="nominal", missing=("refused",)),
    ),
    "packed": (
        pa.array(["b", "a", None, "c", "b"]).dictionary_encode(),
        Column(name="packed", scale="nominal"),
    ),
    "grade": (
        pa.array(["low", "high", "low", None, "high"]),
        Column(name="grade", scale="ordinal", categories=("low", "middle", "high")),
    ),
    "flag": (pa.array([True, False, None, True, True]), Column(name="flag", scale="nominal")),
    "day": (
        pa.array([DAY + dt.timedelta(days=7 * i) for i in range(4)] + [None], pa.date32()),
        Column(name="day", scale="date"),
    ),
    "moment": (
        pa.array([dt.datetime(2024, 1, 1, hour) for hour in (1, 5, 9, 13)] + [None], pa.timestamp("ns")),
        Column(name="moment", scale="date"),
    ),
    "empty": (pa.nulls(5), Column(name="empty", scale="numeric")),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_what_was_seen_is_written_as_it_was(name: str) -> None:
    values, facts = COLUMNS[name]
    data = Microdata(pa.table({name: values}), Schema((facts,)))
    known = take_apart(data, [name])
    assert np.array_equal(known[name].values.there, ~data.is_missing(name))
    made = made_of(known, {name: known[name].values}, data)
    assert made.to_arrow().column(name).to_pylist() == values.to_pylist()
    assert made.type_of(name) == data.type_of(name)
    assert len(made_of(known, nobody_of(known), data)) == 0


def test_gaps_have_kinds_by_their_codes() -> None:
    values, facts = COLUMNS["whole"]
    column = ColumnSource.of(Microdata(pa.table({"whole": values}), Schema((facts,))), "whole")
    assert column.values.gaps.tolist() == [0, 1, 0, 2, 0]
    assert column.codes == (-9,)
    assert column.values.kinds == 2


def test_drawn_numbers_keep_to_bounds_decimals_and_steps_of_time() -> None:
    cents, facts = COLUMNS["cents"]
    data = Microdata(pa.table({"cents": cents, "day": COLUMNS["day"][0]}), Schema((facts, COLUMNS["day"][1])))
    known = take_apart(data, data.names)
    drawn = {
        name: known[name].values.like(np.array(x), np.zeros(3, np.int16))
        for name, x in (("cents", [-4.0, 1.2345, 12.0]), ("day", [0.2, 1.7, 2.9]))
    }
    made = made_of(known, drawn, data).to_arrow()
    assert made.column("cents").to_pylist() == [0.0, 1.23, 9.0]
    assert [(day - DAY).days for day in made.column("day").to_pylist()] == [0, 14, 21]  # whole weeks, as all were
