"""When somebody searched, less exactly; and searches that follow each other, as sessions."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Literal, TypeAlias, get_args

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.errors import DataError, ParameterError, did_you_mean
from tacita.data.query_log.query_log import QueryLog, Times

__all__ = ["Coarseness", "coarse_times", "sessions", "with_coarse_times"]

Coarseness: TypeAlias = Literal["second", "minute", "hour", "day", "week", "month", "none"]
"""How exact times are; ``none`` leaves them out."""

_UNITS = {"second": "s", "minute": "m", "hour": "h", "day": "D", "month": "M"}
_MONDAY = 3
"""The first of January 1970 was a Thursday, three days after a Monday."""


def coarse_times(times: Times, to: Coarseness) -> Times | None:
    """Return the beginning of the second, minute, hour, day, week (from Monday) or month that each time lies in.

    Parameters
    ----------
    times
        In microseconds; NaT stays.
    to
        How exact; with ``none`` there are no times any more.

    Examples
    --------
    >>> coarse_times(np.array(["2006-03-01T07:17:12"], "datetime64[us]"), "week").astype("datetime64[s]").tolist()
    [datetime.datetime(2006, 2, 27, 0, 0)]
    """
    if to not in get_args(Coarseness):
        raise ParameterError(
            f"'to' must be one of {', '.join(get_args(Coarseness))}, got {to!r}.{did_you_mean(str(to), get_args(Coarseness))}"
        )
    if to == "none":
        return None
    if to != "week":
        return times.astype(f"datetime64[{_UNITS[to]}]").astype("datetime64[us]")
    days = times.astype("datetime64[D]")
    since_monday = (days.astype(np.int64) + _MONDAY) % 7
    begun: Times = (days - since_monday.astype("timedelta64[D]")).astype("datetime64[us]")  # NaT minus anything is NaT
    return begun


def with_coarse_times(log: QueryLog, to: Coarseness) -> QueryLog:
    """Return the log with less exact times, as :func:`coarse_times` makes them; one without times stays so.

    Notes
    -----
    Lines keep their order, which still tells the sequence of what happened within a day. Where that must not be seen, the lines
    have to be put into another order as well.
    """
    coarse = coarse_times(np.zeros(0, "datetime64[us]") if log.time is None else log.time, to)
    return replace(log, time=None if log.time is None else coarse)


def sessions(log: QueryLog, gap: timedelta = timedelta(minutes=30)) -> IntArray:
    """Return the number of the session of each line, from 0; -1 for a line without a time.

    The lines of a user are put into the order of their times; a session ends where the next line comes more than ``gap`` later.
    Sessions are numbered by user, in the order of ``log.users``, and then by time.

    Parameters
    ----------
    log
        A log with times.
    gap
        The longest pause within a session.

    Raises
    ------
    DataError
        When the log has no times.
    ParameterError
        When the gap is below zero.

    Complexity
    ----------
    O(n log n) for n lines.

    Examples
    --------
    >>> when = ["2006-03-01T07:00", "2006-03-01T09:00", "2006-03-01T07:10", "2006-03-01T07:20"]
    >>> sessions(QueryLog.from_columns(["ann", "ann", "bob", "ann"], ["tea", "milk", "tea", "tea"], time=when)).tolist()
    [0, 1, 2, 0]
    """
    if log.time is None:
        raise DataError("sessions: the log must have times, but it has none.")
    if not isinstance(gap, timedelta) or gap < timedelta(0):
        raise ParameterError("sessions: 'gap' must be a timedelta of zero or more, such as timedelta(minutes=30).")
    timed = np.flatnonzero(~np.isnat(log.time))
    order = timed[np.lexsort((log.time[timed], log.user[timed]))]
    user, time = log.user[order], log.time[order].astype(np.int64)
    pause = gap // timedelta(microseconds=1)
    begins = (user[1:] != user[:-1]) | (time[1:] - time[:-1] > pause)
    numbers: IntArray = np.full(len(log), -1, np.int64)
    if len(order):
        numbers[order] = np.concatenate([[0], np.cumsum(begins)])
    return numbers
