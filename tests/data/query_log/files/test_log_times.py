from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ColumnError, ParameterError
from tacita.data.query_log.files.log_times import read_times
from tests.effort import examples

MOMENTS = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30))


def read(*texts: str | None, time_format: str | None = None) -> list[str]:
    times, wrong = read_times(pa.array(texts, pa.string()), time_format)
    return ["wrong" if bad else str(time) for time, bad in zip(times.astype("datetime64[ms]"), wrong, strict=True)]


@given(st.lists(MOMENTS, max_size=4), st.sampled_from(["seconds", "microseconds", "minutes"]), st.sampled_from(" T"))
def test_what_the_standard_library_writes_is_read(moments: list[datetime], timespec: str, between: str) -> None:
    texts = [moment.isoformat(between, timespec) for moment in moments]
    times, wrong = read_times(pa.array(texts, pa.string()))
    assert not wrong.any()
    assert times.tolist() == [datetime.fromisoformat(text) for text in texts]


@settings(max_examples=examples(20))  # each opens a connection
@given(st.lists(MOMENTS, max_size=4), st.integers(-23 * 60, 23 * 60))
def test_zones_become_those_of_utc(moments: list[datetime], minutes: int) -> None:
    zone = timezone(timedelta(minutes=minutes))
    late = [moment for moment in moments if 2 < moment.year < 9998]
    texts = [moment.replace(tzinfo=zone).isoformat() for moment in late]
    times, wrong = read_times(pa.array(texts, pa.string()))
    assert not wrong.any()
    assert times.tolist() == [moment - timedelta(minutes=minutes) for moment in late]


def test_forms_of_text() -> None:
    assert read("2006-03-01", "2006-03-01 07:17", "2006-03-01T07:17:12Z", "2006-03-01 07:17:12 +0100", "", None) == [
        "2006-03-01T00:00:00.000",
        "2006-03-01T07:17:00.000",
        "2006-03-01T07:17:12.000",
        "2006-03-01T06:17:12.000",
        "NaT",
        "NaT",
    ]
    assert read("2006-03-01 07:17:12.123999999", "x") == ["2006-03-01T07:17:12.123", "wrong"]


@pytest.mark.parametrize(
    "text",
    ["2006-02-30", "2006-13-01 07:17:12", "2006-03-01 24:00:00", "2006-03-01 07:60:00", "2006-03-01 07:17:60", "infinity",
     "epoch", "1.3.2006", "2006-3-1", "20060301", "2006-03-01 07", " 2006-03-01", "2006-03-01x", "0000-01-01", "now"],
)  # fmt: skip
def test_what_is_no_time_is_said(text: str) -> None:
    assert read(text) == ["wrong"]
    assert read("2006-03-01 07:17:12", text, None) == ["2006-03-01T07:17:12.000", "wrong", "NaT"]


def test_patterns_and_numbers() -> None:
    assert read("01/Mar/2006:07:17:12 +0200", "31/Feb/2006:07:17:12 +0200", time_format="%d/%b/%Y:%H:%M:%S %z") == [
        "2006-03-01T05:17:12.000",
        "wrong",
    ]
    assert read("0", "1141197432.5", "-1", "1e3", "", "9" * 18, time_format="seconds") == [
        "1970-01-01T00:00:00.000",
        "2006-03-01T07:17:12.500",
        "1969-12-31T23:59:59.000",
        "wrong",
        "NaT",
        "wrong",
    ]
    with pytest.raises(ParameterError, match="no pattern"):
        read("2006", time_format="%Q")


@pytest.mark.parametrize(("step", "unit"), [("seconds", "s"), ("milliseconds", "ms"), ("microseconds", "us")])
def test_columns_of_numbers(step: str, unit: str) -> None:
    moment = np.datetime64("2006-03-01T07:17:12", unit)
    whole = pa.array([int(moment.astype(np.int64)), None, 2**62], pa.int64())
    times, wrong = read_times(whole, step)
    assert times[0] == moment
    assert wrong.tolist() == [False, False, True]
    assert np.isnat(times).tolist() == [False, True, True]
    floats, wrong = read_times(pa.array([float(moment.astype(np.int64)), float("nan"), float("inf"), None]), step)
    assert floats[0] == moment
    assert wrong.tolist() == [False, False, True, False]
    with pytest.raises(ColumnError, match="time_format"):
        read_times(whole)


def test_columns_of_times_and_dates() -> None:
    moment = datetime(2006, 3, 1, 7, 17, 12)
    for values in (
        pa.array([moment, None], pa.timestamp("s")),
        pa.array([moment, None], pa.timestamp("ns")),
        pa.array([moment.replace(tzinfo=UTC), None], pa.timestamp("us", "Europe/Madrid")),
    ):
        times, wrong = read_times(values)
        assert (times[0], np.isnat(times[1]), wrong.any()) == (np.datetime64(moment), True, False)
    assert read_times(pa.array([date(2006, 3, 1)]))[0].tolist() == [datetime(2006, 3, 1)]
    far = read_times(pa.array([2**60, None], pa.timestamp("s")))
    assert far[1].tolist() == [True, False]
    assert np.isnat(read_times(pa.nulls(2))[0]).all()
    with pytest.raises(ColumnError, match="no time"):
        read_times(pa.array([Decimal("1.5")]))
