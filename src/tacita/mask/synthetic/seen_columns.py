"""Columns of a file as synthesis sees them, numbers or classes with their gaps, and drawn ones written as the file has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tacita.core.arrays import BoolArray, FloatArray
from tacita.data.bounds import bounds_of
from tacita.data.columns import from_floats, from_positions
from tacita.data.microdata import Microdata
from tacita.data.schema import Schema
from tacita.mask.masked_values import decimals_for
from tacita.numeric.synthesis.column_values import ColumnValues, NumberForm

__all__ = ["SeenColumn", "made_of", "seen_column"]


@dataclass(frozen=True)
class SeenColumn:
    """A column of a file: what synthesis learns from, and how what it draws is written.

    Parameters
    ----------
    name
        Its name.
    kind
        The type of its values in the file.
    values
        Its numbers, days or classes, and its gaps.
    form
        How its numbers are written.
    categories
        Its classes.
    codes
        The codes of its kinds of gaps from the second on; the first has none.
    origin, step
        What the numbers of points in time stand for: ``origin + number * step``; none for other columns.
    """

    name: str
    kind: pa.DataType
    values: ColumnValues
    form: NumberForm
    categories: tuple[Any, ...] = ()
    codes: tuple[Any, ...] = ()
    origin: int | None = None
    step: int = 1

    def written(self, drawn: ColumnValues) -> tuple[pa.Array, pa.Array | None]:
        """Return drawn values as the column has them, and the codes of their gaps."""
        gone = drawn.gaps > 0
        if not gone.size or gone.all():
            made = pa.nulls(len(gone), self.kind)
        elif self.values.classes:
            made = from_positions(np.where(gone, np.nan, drawn.values), self.categories, self.kind)
        elif self.origin is not None:
            made = self._as_time(drawn.values, gone)
        else:
            made = from_floats(np.where(gone, np.nan, self.form.written(drawn.values)), self.kind)
        return made, self._codes_of(drawn)

    def _as_time(self, values: FloatArray, gone: BoolArray) -> pa.Array:
        whole = np.rint(np.where(gone, 0.0, values)).astype(np.int64) * self.step + (self.origin or 0)
        return pa.array(whole, mask=gone).cast(_whole_type(self.kind)).cast(self.kind)

    def _codes_of(self, drawn: ColumnValues) -> pa.Array | None:
        if not self.codes:
            return None
        place = np.maximum(drawn.gaps.astype(np.int64) - 2, 0)
        return pa.array(list(self.codes)).take(pa.array(place, mask=drawn.gaps < 2))


def seen_column(data: Microdata, name: str) -> SeenColumn:
    """Return a column of a file as synthesis sees it."""
    facts, kind = data.schema[name], data.type_of(name)
    codes, gaps = _gaps(data, name)
    kinds = 1 + len(codes) if gaps.any() else 0
    if facts.scale == "numeric":
        numbers = data.float(name)
        low, high = bounds_of(data, name)
        avoid = tuple((float(code), float(code)) for code in facts.missing if isinstance(code, int | float))
        form = NumberForm(decimals=decimals_for("keep", numbers, data, name), low=low, high=high, avoid=avoid)
        return SeenColumn(name, kind, ColumnValues(np.where(gaps > 0, 0.0, numbers), gaps, 0, kinds), form, (), codes)
    if facts.scale == "date" and pa.types.is_temporal(kind):
        return _seen_time(data, name, ColumnValues(np.zeros(len(data)), gaps, 0, kinds), codes)
    found = data.codes(name)
    values = np.where(gaps > 0, 0, found.values).astype(np.float64)
    classes = max(len(found.categories), 1)
    seen = ColumnValues(values, gaps, classes, kinds, facts.scale != "nominal")
    return SeenColumn(name, kind, seen, NumberForm(), found.categories, codes)


def made_of(columns: list[SeenColumn], drawn: list[ColumnValues], schema: Schema) -> Microdata:
    """Return a file of drawn columns, in the order in which they are given."""
    written = {column.name: column.written(values) for column, values in zip(columns, drawn, strict=True)}
    table = pa.table({name: made for name, (made, _) in written.items()})
    codes = {name: code for name, (_, code) in written.items() if code is not None}
    return Microdata(table, Schema(tuple(schema[name] for name in written)), user_missing=codes)


def _gaps(data: Microdata, name: str) -> tuple[tuple[Any, ...], np.ndarray]:
    """Return the codes for missing that occur, and the kind of each record's gap."""
    gaps = data.is_missing(name).astype(np.int16)
    given = data.user_missing.get(name)
    if given is None:
        return (), gaps
    encoded = pa.chunked_array([given]).combine_chunks().dictionary_encode()
    found = sorted((code for code in encoded.dictionary.to_pylist() if code is not None), key=repr)
    place = np.array([found.index(code) + 2 if code is not None else 1 for code in encoded.dictionary.to_pylist()])
    at = encoded.indices.fill_null(-1).to_numpy()
    coded = (at >= 0) & (gaps > 0)
    gaps[coded] = place[at[coded]]
    return tuple(found), gaps


def _seen_time(data: Microdata, name: str, empty: ColumnValues, codes: tuple[Any, ...]) -> SeenColumn:
    """Return points in time as numbers of the widest steps that all of them are apart."""
    kind = data.type_of(name)
    whole = data.column(name).combine_chunks().cast(_whole_type(kind)).cast(pa.int64()).fill_null(0).to_numpy()
    there = empty.there
    origin = int(whole[there].min()) if there.any() else 0
    away = np.where(there, whole - origin, 0)
    step = max(int(np.gcd.reduce(away)) if len(away) else 1, 1)
    values = empty.like((away // step).astype(np.float64), empty.gaps)
    return SeenColumn(name, kind, values, NumberForm(decimals=0), (), codes, origin, step)


def _whole_type(kind: pa.DataType) -> pa.DataType:
    """Return the whole numbers by which a type counts time."""
    return pa.int32() if pa.types.is_date32(kind) or pa.types.is_time32(kind) else pa.int64()
