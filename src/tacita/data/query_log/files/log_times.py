"""Times as logs write them, read as microseconds of UTC."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import BoolArray
from tacita.core.errors import ColumnError, ParameterError
from tacita.data.formats.duck import NO_EXTENSIONS, quiet
from tacita.data.query_log.log_columns import NUMBERS
from tacita.data.query_log.query_log import Times

__all__ = ["read_times"]

_ISO = (
    r"^(?P<stem>[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T](?:[01][0-9]|2[0-3]):[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?)?)"
    r" ?(?:Z|(?P<sign>[+-])(?P<hours>[0-9]{2})(?::?(?P<minutes>[0-9]{2}))?)?$"
)
_PLAIN = (len("2006-03-01 07:17:12"), len("2006-03-01 07:17:12.000000"))
"""Lengths with which Arrow takes nothing for a time but these forms."""
_NUMBER = r"^-?[0-9]{1,18}(\.[0-9]{1,9})?$"
_FIRST, _LAST = (
    np.datetime64("0001-01-01", "us").astype(np.int64),
    np.datetime64("9999-12-31T23:59:59", "us").astype(np.int64),
)


def read_times(values: pa.Array, time_format: str | None = None) -> tuple[Times, BoolArray]:
    """Return times, NaT for none, and which are there but cannot be read.

    Parameters
    ----------
    values
        Texts, numbers, times or dates.
    time_format
        How they are written, as in :class:`tacita.data.query_log.log_columns.LogColumns`.

    Examples
    --------
    >>> times, wrong = read_times(pa.array(["2006-03-01 07:17:12", "2006-02-30 07:17:12", None]))
    >>> times.astype(str).tolist(), wrong.tolist()
    (['2006-03-01T07:17:12.000000', 'NaT', 'NaT'], [False, True, False])
    """
    kind = values.type
    if pa.types.is_null(kind):
        return np.full(len(values), np.datetime64("NaT", "us")), np.zeros(len(values), bool)
    if pa.types.is_string(kind):
        values = _without_empty(values)
        if time_format in NUMBERS:
            return _of_numbers(_as_numbers(values), NUMBERS[time_format], there=pc.is_valid(values))
        found = _iso(values) if time_format is None else _by_pattern(values, time_format)
        return _within(found, pc.is_valid(values))
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        seconds = values.cast(pa.timestamp("s", getattr(kind, "tz", None)), safe=False)
        is_far = _within(seconds.cast(pa.int64()).cast(pa.float64(), safe=False), pc.is_valid(values), 1_000_000)[1]
        kept = pc.if_else(pa.array(is_far), pa.scalar(None, kind), values)
        whole = kept.cast(pa.timestamp("us", getattr(kind, "tz", None)), safe=False)
        return _to_numpy(whole.cast(pa.int64())), is_far
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        if time_format not in NUMBERS:
            raise ColumnError(
                f"The column of 'time' has numbers; say what they count with LogColumns(time_format=...): {', '.join(NUMBERS)}."
            )
        there = pc.is_valid(values) if pa.types.is_integer(kind) else pc.invert(pc.is_null(values, nan_is_null=True))
        return _of_numbers(values, NUMBERS[time_format], there=there)
    raise ColumnError(f"The column of 'time' holds {kind}, which is no time; name another one in LogColumns.")


# --- texts ----------------------------------------------------------------------------------------------------------------------


def _iso(values: pa.StringArray) -> pa.Array:
    """Return microseconds, null for what is no time; the usual form is read at once."""
    lengths = pc.min_max(pc.utf8_length(values)).as_py()
    if lengths["min"] == lengths["max"] and lengths["min"] in _PLAIN:
        try:
            return values.cast(pa.timestamp("us")).cast(pa.int64())
        except pa.ArrowInvalid:
            pass  # one of them is no time
    parts = pc.extract_regex(values, _ISO)
    stems, sign, hours, minutes = (parts.field(place) for place in range(4))
    stems = pc.replace_substring_regex(stems, r"(\.[0-9]{6})[0-9]+$", r"\1")  # cut, not rounded
    found = _queried("try_cast(value as timestamp)", stems)
    zone = pc.add(pc.multiply(_small(hours), 60), _small(minutes))
    ahead = pc.if_else(pc.equal(sign, "-"), pc.negate(zone), zone)
    return pc.subtract(found, pc.fill_null(pc.multiply(ahead, 60_000_000), 0))


def _by_pattern(values: pa.StringArray, pattern: str) -> pa.Array:
    return _queried("try_strptime(value, $pattern)::timestamp", values, pattern=pattern)


def _queried(expression: str, values: pa.StringArray, **given: str) -> pa.Array:
    """Return what DuckDB reads, in microseconds; null for what is no time, and for infinite ones."""
    import duckdb

    connection = quiet(duckdb.connect(config=NO_EXTENSIONS))
    try:
        connection.execute("set threads = 1")  # rows stay in their order
        connection.register("given", pa.table({"value": values}))
        query = f"select case when isfinite(t) then epoch_us(t) end as t from (select {expression} as t from given)"
        table = connection.sql(query, params=given or None).to_arrow_table()
    except duckdb.Error:
        raise ParameterError("LogColumns: 'time_format' is no pattern of times such as %d/%b/%Y:%H:%M:%S.") from None
    finally:
        connection.close()
    whole = table.column(0).combine_chunks()
    return whole if isinstance(whole, pa.Array) else pa.concat_arrays(whole.chunks)


def _small(digits: pa.StringArray) -> pa.Array:
    return pc.fill_null(pc.if_else(pc.equal(digits, ""), "0", digits), "0").cast(pa.int64())


def _as_numbers(values: pa.StringArray) -> pa.Array:
    return pc.if_else(pc.match_substring_regex(values, _NUMBER), values, pa.scalar(None, pa.string())).cast(
        pa.float64()
    )


def _without_empty(values: pa.StringArray) -> pa.StringArray:
    return pc.if_else(pc.equal(values, ""), pa.scalar(None, pa.string()), values)


# --- numbers --------------------------------------------------------------------------------------------------------------------


def _of_numbers(values: pa.Array, step: int, *, there: pa.Array) -> tuple[Times, BoolArray]:
    if pa.types.is_integer(values.type):
        is_far = _within(values.cast(pa.float64(), safe=False), there, step)[1]
        kept = pc.if_else(pa.array(is_far), pa.scalar(None, values.type), values).cast(pa.int64())
        return _to_numpy(pc.multiply(kept, step)), is_far
    return _within(values, there, step)


def _within(values: pa.Array, there: pa.Array, step: int = 1) -> tuple[Times, BoolArray]:
    """Return numbers as times where they lie within the years 1 to 9999."""
    flags: BoolArray = there.to_numpy(zero_copy_only=False)
    if pa.types.is_integer(values.type):
        found = values.fill_null(_LAST + 1).to_numpy(zero_copy_only=False)
        fits = (found >= _FIRST) & (found <= _LAST)
    else:
        numbers = values.fill_null(np.nan).to_numpy(zero_copy_only=False) * step
        fits = (numbers >= _FIRST) & (numbers <= _LAST)
        found = np.where(fits, numbers, 0).round().astype(np.int64)
    fits &= flags
    times = np.where(fits, found, np.iinfo(np.int64).min).astype("datetime64[us]")
    return times, flags & ~fits


def _to_numpy(microseconds: pa.Array) -> Times:
    nothing = np.iinfo(np.int64).min  # NaT
    times: Times = microseconds.fill_null(nothing).to_numpy(zero_copy_only=False).view("datetime64[us]")
    return times
