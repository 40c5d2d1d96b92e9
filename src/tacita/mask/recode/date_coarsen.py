"""Coarsening of dates: a day becomes its week, month, quarter or year."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal

import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.attacks import Attack
from tacita.core.errors import DataError, ParameterError
from tacita.core.parameters import Columns, Interval
from tacita.core.selectors import Selector
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.data.microdata import Microdata
from tacita.mask.base import Mask

__all__ = ["DateCoarsen"]

Period = Literal["week", "month", "quarter", "year", "decade"]


@dataclass(frozen=True, kw_only=True)
class DateCoarsen(Mask):
    """Replace each date by the period that it lies in.

    A date becomes the first day of its week (Monday), month, quarter, year, decade or period of several years, or the name of
    that period, such as ``2024-W07``, ``2024-02``, ``2024-Q1``, ``2024``, ``2020s``, ``2020-2024``.

    Protects against an intruder who knows the exact day of a birth or an event. Does not protect a period with few records:
    count by ``k_anonymity``.

    Parameters
    ----------
    columns
        The date columns to coarsen.
    to
        The period: week, month, quarter, year or decade.
    every
        Length of a period in years, where it is of years: 5 gives 2020 to 2024, counted from year 0.
    written
        ``start`` keeps a date, the first day of the period; ``label`` gives the name of the period as an ordinal text.

    Returns
    -------
    Microdata
        With the chosen columns coarsened.

    Raises
    ------
    ColumnError
        When a column is not there or no date.
    DataError
        When texts of a date column are no dates in the form ``YYYY-MM-DD``.

    Preserves
    ---------
    Nothing exactly. The order of the dates stays, with ties: a later date never comes before an earlier one.

    Complexity
    ----------
    O(n) time and memory for each column.

    Notes
    -----
    Weeks are those of ISO 8601: they begin on Monday, and the first week of a year has its first Thursday. Time stamps lose
    their time of day. Missing values stay missing.

    References
    ----------
    Hundepool, A. et al. (2012), Statistical disclosure control, section 3.5 (global recoding).

    Examples
    --------
    >>> import datetime, pyarrow as pa, tacita as tc
    >>> data = tc.Microdata.from_frame(pa.table({"born": [datetime.date(1987, 5, 17)]}), keys=["born"])
    >>> DateCoarsen(to="quarter").apply(data).to_arrow().column("born").to_pylist()
    [datetime.date(1987, 4, 1)]
    >>> DateCoarsen(to="quarter", written="label").apply(data).to_arrow().column("born").to_pylist()
    ['1987-Q2']
    >>> DateCoarsen(to="year", every=5, written="label").apply(data).to_arrow().column("born").to_pylist()
    ['1985-1989']
    """

    name = "date_coarsen"
    title = "Coarser dates"
    attacks = (Attack(measure="individual_risk", knows="the coarser categories of everybody"),)
    faces = ("key_match", "probabilistic_link")
    traits = Traits(scales={"date"}, recodes=True)
    columns: Columns = Selector("date keys else date columns")
    to: Period = "month"
    every: Annotated[int, Interval(1, 1000)] = 1
    written: Literal["start", "label"] = "start"

    def check(self) -> None:
        """Refuse a number of anything but years."""
        if self.every > 1 and self.to != "year":
            raise ParameterError(f"DateCoarsen: 'every' counts years; with 'to' = '{self.to}' it must be 1.")

    @property
    def keeps_at_most(self) -> float | None:
        """Any share but all: a date that is as coarse already stays."""
        return 1.0

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Coarsen the chosen columns."""
        made = data
        for name in data.schema.resolve(self.columns, owner="DateCoarsen", scales=self.traits.scales):
            column = data.schema[name]
            start = _starts(_dates(data, name), self.to, self.every)
            if self.written == "start":
                made = made.with_column(name, start, column=replace(column, hierarchy=None, categories=None, labels=()))
            else:
                text = replace(column, scale="ordinal", hierarchy=None, categories=None, bounds=None, labels=())
                made = made.with_column(name, _named(start, self.to, self.every), column=text)
        return made


def _dates(data: Microdata, name: str) -> pa.Array:
    """Return a column as days."""
    column = data.column(name).combine_chunks()
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    try:
        return column.cast(pa.date32(), safe=False) if not pa.types.is_string(column.type) else _parsed(column)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise DataError(
            f"DateCoarsen: column '{name}' holds {column.type}, not dates in the form YYYY-MM-DD; convert it first."
        ) from None


def _parsed(column: pa.Array) -> pa.Array:
    return pc.utf8_slice_codeunits(column, 0, 10).cast(pa.date32())


def _starts(days: pa.Array, to: Period, every: int) -> pa.Array:
    years = 10 if to == "decade" else every
    if years > 1:
        year = pc.subtract(pc.year(days), _modulo(pc.year(days), years))
        return pc.strptime(pc.binary_join_element_wise(_padded(year, 4), "0101", ""), "%Y%m%d", "s").cast(pa.date32())
    return pc.floor_temporal(days, 1, unit=to).cast(pa.date32())


def _modulo(values: pa.Array, by: int) -> pa.Array:
    return pc.subtract(values, pc.multiply(pc.divide(values, by), by))


def _padded(values: pa.Array, width: int) -> pa.Array:
    return pc.utf8_lpad(values.cast(pa.string()), width, "0")


def _named(start: pa.Array, to: Period, every: int) -> pa.Array:
    """Name periods so that the order of the texts is the order of time."""
    year = _padded(pc.year(start), 4)
    if to == "year" and every > 1:
        last = _padded(pc.add(pc.year(start), every - 1), 4)
        return pc.binary_join_element_wise(year, last, "-")
    if to == "year":
        return year
    if to == "decade":
        return pc.binary_join_element_wise(year, "s", "")
    if to == "quarter":
        return pc.binary_join_element_wise(year, pc.quarter(start).cast(pa.string()), "-Q")
    if to == "month":
        return pc.binary_join_element_wise(year, _padded(pc.month(start), 2), "-")
    iso = pc.iso_calendar(start)
    week = _padded(pc.struct_field(iso, "iso_week"), 2)
    return pc.binary_join_element_wise(_padded(pc.struct_field(iso, "iso_year"), 4), week, "-W")
