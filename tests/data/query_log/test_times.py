from __future__ import annotations

from datetime import datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError
from tacita.data.query_log.query_log import QueryLog
from tacita.data.query_log.times import coarse_times, sessions, with_coarse_times

MOMENTS = st.datetimes(datetime(1960, 1, 1), datetime(2040, 1, 1))


def obvious(moment: datetime, to: str) -> datetime:
    """The beginning of the part of time that a moment lies in, as the standard library has it."""
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return {
        "second": moment.replace(microsecond=0),
        "minute": moment.replace(second=0, microsecond=0),
        "hour": moment.replace(minute=0, second=0, microsecond=0),
        "day": day,
        "week": day - timedelta(days=day.weekday()),
        "month": day.replace(day=1),
    }[to]


@pytest.mark.parametrize("to", ["second", "minute", "hour", "day", "week", "month"])
@given(moments=st.lists(MOMENTS, max_size=6))
def test_times_are_those_of_the_standard_library(to: str, moments: list[datetime]) -> None:
    found = coarse_times(np.array(moments, "datetime64[us]"), to)  # type: ignore[arg-type]
    assert found is not None
    assert found.tolist() == [obvious(moment, to) for moment in moments]


@pytest.mark.parametrize("to", ["second", "hour", "day", "week", "month"])
def test_no_time_stays_none(to: str) -> None:
    found = coarse_times(np.array(["NaT", "2006-03-01"], "datetime64[us]"), to)  # type: ignore[arg-type]
    assert found is not None
    assert np.isnat(found).tolist() == [True, False]


def test_none_takes_the_times_away() -> None:
    log = QueryLog.from_columns(["ann"], ["tea"], time=["2006-03-01T07:17:12"])
    assert with_coarse_times(log, "none").time is None
    assert with_coarse_times(log, "day").time.tolist() == [datetime(2006, 3, 1)]  # type: ignore[union-attr]
    assert with_coarse_times(with_coarse_times(log, "none"), "day").time is None


def test_a_word_that_is_none_is_refused() -> None:
    with pytest.raises(ParameterError, match="Did you mean 'month'"):
        coarse_times(np.zeros(1, "datetime64[us]"), "mounth")  # type: ignore[arg-type]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.none() | st.integers(0, 200)), max_size=15), st.integers(0, 60))
def test_sessions_are_those_of_a_walk_through_the_log(rows: list[tuple[str, int | None]], gap: int) -> None:
    start = datetime(2006, 3, 1)
    times = [None if minutes is None else start + timedelta(minutes=minutes) for _, minutes in rows]
    log = QueryLog.from_columns([user for user, _ in rows], ["tea"] * len(rows), time=np.array(times, "datetime64[us]"))
    number, expected = -1, [-1] * len(rows)
    for user in log.users.to_pylist():
        last = None
        mine = [place for place, (who, minutes) in enumerate(rows) if who == user and minutes is not None]
        for place in sorted(mine, key=lambda place: rows[place][1]):  # type: ignore[arg-type, return-value]
            now = times[place]
            assert now is not None
            number += last is None or now - last > timedelta(minutes=gap)
            expected[place], last = number, now
    assert sessions(log, timedelta(minutes=gap)).tolist() == expected


def test_sessions_need_times_and_a_gap() -> None:
    log = QueryLog.from_columns(["ann"], ["tea"])
    with pytest.raises(DataError, match="must have times"):
        sessions(log)
    timed = QueryLog.from_columns(["ann"], ["tea"], time=["2006-03-01"])
    with pytest.raises(ParameterError, match="'gap'"):
        sessions(timed, timedelta(minutes=-1))
