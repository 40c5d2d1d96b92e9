"""Column sources: columns of a file taken apart for the engine of synthesis, and drawn ones put together again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.data.bounds import bounds_of
from tacita.data.columns import from_floats, from_positions
from tacita.data.microdata import Microdata
from tacita.mask.masked_values import check_exact, decimals_for, value_type
from tacita.numeric.synthesis.column_values import ColumnValues, GapArray, NumberForm

__all__ = ["ColumnSource", "made_of", "nobody_of", "take_apart"]

_ENOUGH = 20
"""Distinct values from which on a common divisor is a habit of the column."""


@dataclass(frozen=True)
class ColumnSource:
    """One column of a file: what the engine learns from, and how to write what it draws.

    Parameters
    ----------
    name
        Name of the column.
    kind
        Its type.
    values
        What the engine sees.
    form
        How drawn numbers are written; None for classes.
    categories
        For classes what each position stands for.
    codes
        The missing codes; those of the kinds of gaps 2, 3, ...
    start, unit
        For dates the first one and the step, as whole numbers in the unit of their type.
    """

    name: str
    kind: pa.DataType
    values: ColumnValues = field(repr=False)
    form: NumberForm | None = None
    categories: tuple[Any, ...] = field(default=(), repr=False)
    codes: tuple[Any, ...] = ()
    start: int = 0
    unit: int = 0

    @classmethod
    def of(cls, data: Microdata, name: str) -> ColumnSource:
        """Take a column apart. O(n)."""
        gaps, codes = _gaps(data, name)
        scale, kind = data.schema[name].scale, data.type_of(name)
        kinds = 1 + len(codes) if gaps.any() else 0
        if scale == "date" and pa.types.is_temporal(value_type(data, name)):
            values, start, unit = _since(data, name, gaps == 0)
            form = NumberForm(decimals=0)
            return cls(name, kind, ColumnValues(values, gaps, 0, kinds), form, (), codes, start, unit)
        if scale != "numeric":
            found = data.codes(name)
            positions = np.where(found.values < 0, 0, found.values).astype(np.float64)
            made = ColumnValues(positions, gaps, max(len(found.categories), 1), kinds, scale == "ordinal")
            return cls(name, kind, made, None, found.categories, codes)
        numbers = data.float(name)
        check_exact({name: numbers}, data, "Synthesis")
        made = ColumnValues(np.where(gaps > 0, 0.0, numbers), gaps, 0, kinds)
        return cls(name, kind, made, _form(data, name, numbers), (), codes)

    def together(self, made: ColumnValues) -> pa.Array:
        """Return drawn values as a column of the file's type, with its missing codes in place."""
        if pa.types.is_null(self.kind):
            return pa.nulls(len(made), self.kind)
        places = np.where(made.gaps == 1, np.nan, made.values)
        if self.unit:
            return self._dates(places)
        if self.form is None:
            is_code = made.gaps > 1
            places = np.where(is_code, len(self.categories) + made.gaps - 2.0, places)
            return from_positions(places, (*self.categories, *self.codes), self.kind)
        for k, code in enumerate(self.codes):
            places[made.gaps == k + 2] = float(code)
        kind = self.kind.value_type if pa.types.is_dictionary(self.kind) else self.kind
        return from_floats(places, kind)

    def _dates(self, places: FloatArray) -> pa.Array:
        whole = np.where(np.isnan(places), 0, np.rint(places)).astype(np.int64) * self.unit + self.start
        array = pa.array(whole, mask=np.isnan(places))
        return (array.cast(pa.int32()) if self.kind.bit_width == 32 else array).cast(self.kind)

    def position(self, word: str, owner: str) -> float:
        """Return a value written in a rule as the engine has it: a number, the position of a class, a date."""
        if self.unit:
            return self._date_position(word, owner)
        if self.form is not None:
            try:
                return float(word)
            except ValueError:
                raise ParameterError(f"{owner}: 'rules' compares the number '{self.name}' with '{word}'.") from None
        for place, category in enumerate(self.categories):
            if str(category) == word:
                return float(place)
        raise ParameterError(f"{owner}: 'rules' compares '{self.name}' with '{word}', which is none of its classes.")

    def _date_position(self, word: str, owner: str) -> float:
        try:
            moment = pa.array([word], pa.string()).cast(self.kind)
        except pa.ArrowInvalid:
            raise ParameterError(f"{owner}: 'rules' compares the date '{self.name}' with '{word}'.") from None
        return float((_whole(moment, self.kind)[0] - self.start) / self.unit)


def made_of(known: Mapping[str, ColumnSource], drawn: Mapping[str, ColumnValues], data: Microdata) -> Microdata:
    """Return a file of drawn columns, whose numbers are written on the grid and within the bounds that the columns have."""
    columns = {}
    for name, values in drawn.items():
        form = known[name].form
        on_grid = values if form is None else values.like(form.written(values.values), values.gaps)
        columns[name] = known[name].together(on_grid)
    return Microdata(pa.table(columns), data.schema.select(list(columns)))


def nobody_of(known: Mapping[str, ColumnSource]) -> dict[str, ColumnValues]:
    """Return the columns of no record."""
    return {name: source.values.of(np.empty(0, np.int64)) for name, source in known.items()}


def take_apart(data: Microdata, names: Iterable[str]) -> dict[str, ColumnSource]:
    """Take columns of a file apart."""
    return {name: ColumnSource.of(data, name) for name in names}


def _gaps(data: Microdata, name: str) -> tuple[GapArray, tuple[Any, ...]]:
    """Return the kind of gap of each record, and the missing codes that kinds from 2 on stand for."""
    gaps = data.is_missing(name).astype(np.int16)
    kept = data.user_missing.get(name)
    if kept is None:
        return gaps, ()
    codes = tuple(sorted(kept.drop_null().unique().to_pylist(), key=lambda code: (str(type(code)), code)))
    if not codes:
        return gaps, ()
    places = pa.compute.index_in(kept, pa.array(codes, kept.type)).fill_null(-1).to_numpy(zero_copy_only=False)
    return np.where(gaps > 0, places + 2, 0).astype(np.int16), codes


def _form(data: Microdata, name: str, numbers: FloatArray) -> NumberForm:
    """Return the grid, the bounds and the missing codes of a column of numbers."""
    there = numbers[~np.isnan(numbers)]
    decimals = decimals_for("keep", numbers, data, name)
    low, high = bounds_of(data, name)
    if there.size and there.min() >= 0:
        low = max(low, 0.0)
    if there.size and there.max() <= 0:
        high = min(high, 0.0)
    avoid = tuple(
        (float(code[0]), float(code[1])) if isinstance(code, tuple) else (float(code), float(code))
        for code in data.schema[name].missing
        if not isinstance(code, str)
    )
    is_single = pa.types.is_float32(value_type(data, name))
    return NumberForm(decimals, _step(there, decimals), low, high, avoid, is_single)


def _step(there: FloatArray, decimals: int | None) -> float | None:
    """Return what all values are multiples of, where that is more than one unit of the last decimal."""
    if decimals is None or not there.size:
        return None
    whole = np.unique(np.rint(there * 10.0**decimals))
    if len(whole) < _ENOUGH or np.abs(whole).max() >= 2.0**53:
        return None
    divisor = int(np.gcd.reduce(np.abs(whole).astype(np.int64)))
    return divisor / 10.0**decimals if divisor > 1 else None


def _whole(column: pa.Array | pa.ChunkedArray, kind: pa.DataType) -> IntArray:
    """Return dates or times as whole numbers in the unit of their type; 0 where missing."""
    numbers = column.cast(pa.int32()) if kind.bit_width == 32 else column
    return np.asarray(numbers.cast(pa.int64()).fill_null(0).to_numpy(), np.int64)


def _since(data: Microdata, name: str, there: BoolArray) -> tuple[FloatArray, int, int]:
    """Return dates as steps since the first, and what first and step are."""
    column, kind = data.column(name), value_type(data, name)
    whole = _whole(column.cast(kind) if pa.types.is_dictionary(column.type) else column, kind)
    if not there.any():
        return np.zeros(len(whole)), 0, 1
    start = int(whole[there].min())
    unit = int(np.gcd.reduce(np.unique(whole[there]) - start)) or 1
    return np.where(there, (whole - start) // unit, 0).astype(np.float64), start, unit
