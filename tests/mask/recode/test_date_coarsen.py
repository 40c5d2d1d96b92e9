"""Dates become periods, as dates or as labels."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError
from tacita.data.microdata import Microdata
from tacita.mask import DateCoarsen


def data(days: Any) -> Microdata:
    return Microdata.from_frame(pa.table({"day": days}), keys=["day"], scales={"day": "date"})


def coarse(days: Any, **parameters: Any) -> list[Any]:
    return list(DateCoarsen(**parameters).apply(data(days)).to_arrow().column("day").to_pylist())


@pytest.mark.parametrize(
    ("to", "start", "label"),
    [
        ("week", dt.date(2024, 12, 30), "2025-W01"),
        ("month", dt.date(2024, 12, 1), "2024-12"),
        ("quarter", dt.date(2024, 10, 1), "2024-Q4"),
        ("year", dt.date(2024, 1, 1), "2024"),
        ("decade", dt.date(2020, 1, 1), "2020s"),
    ],
)
def test_the_last_day_of_a_year(to: Any, start: dt.date, label: str) -> None:
    assert coarse([dt.date(2024, 12, 31), None], to=to) == [start, None]
    assert coarse([dt.date(2024, 12, 31), None], to=to, written="label") == [label, None]


@given(st.lists(st.dates(dt.date(1900, 1, 1), dt.date(2100, 1, 1)), min_size=1), st.integers(2, 40))
def test_periods_of_several_years(days: list[dt.date], every: int) -> None:
    first = [day.year - day.year % every for day in days]
    assert coarse(days, to="year", every=every) == [dt.date(year, 1, 1) for year in first]
    labels = coarse(days, to="year", every=every, written="label")
    assert labels == [f"{year}-{year + every - 1}" for year in first]


def test_only_years_are_counted() -> None:
    with pytest.raises(ParameterError, match="'every' counts years"):
        DateCoarsen(to="month", every=2)
    with pytest.raises(ParameterError, match="'every' must be"):
        DateCoarsen(to="year", every=0)


def _start(day: dt.date, to: str) -> dt.date:
    if to == "week":
        return day - dt.timedelta(days=day.weekday())
    month = {"month": day.month, "quarter": (day.month - 1) // 3 * 3 + 1}.get(to, 1)
    return dt.date(day.year // 10 * 10 if to == "decade" else day.year, month, 1)


@given(
    st.lists(st.dates(dt.date(1900, 1, 1), dt.date(2100, 1, 1)), min_size=1),
    st.sampled_from(["week", "month", "quarter", "year", "decade"]),
)
def test_periods_agree_with_the_calendar(days: list[dt.date], to: Any) -> None:
    assert coarse(days, to=to) == [_start(day, to) for day in days]
    labels = coarse(days, to=to, written="label")
    in_time = [label for _, label in sorted(zip(days, labels, strict=True))]
    assert in_time == sorted(labels), "the order of the labels is that of time"
    assert len(set(labels)) == len({_start(day, to) for day in days})


def test_times_and_texts() -> None:
    assert coarse([dt.datetime(2024, 5, 17, 13, 4)]) == [dt.date(2024, 5, 1)]
    assert coarse(["2024-05-17", None]) == [dt.date(2024, 5, 1), None]
    with pytest.raises(DataError, match="column 'day' holds string, not dates"):
        coarse(["17 May"])


def test_labels_are_ordinal() -> None:
    made = DateCoarsen(to="year", written="label").apply(data([dt.date(2024, 5, 1), dt.date(1999, 1, 1)]))
    assert made.schema["day"].scale == "ordinal"
    assert made.numbers("day").tolist() == [1.0, 0.0]
