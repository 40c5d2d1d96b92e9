"""Columns in the narrowest form that loses nothing: small integers, whole numbers with a divisor, codes with their categories."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tacita.core.arrays import FloatArray
from tacita.core.errors import DataError
from tacita.data.columns import to_codes, to_positions
from tacita.data.schema import Column
from tacita.data.store.normal_form import exact_floats, is_number, normal_form, plain_values

__all__ = ["Coded", "Compact", "Numbers", "Verbatim", "code", "code_dtype", "compact_column", "narrow"]

BLOCK = 1 << 18
"""Records that are looked at together where a whole column at once would need too much memory."""
_DIVISORS = (10.0, 100.0, 1000.0, 10000.0)
_EXACT = 2.0**53
_SMALL = (np.int8, np.int16, np.int32)


@dataclass(frozen=True)
class Numbers:
    """A numeric column: ``stored / divisor``; in integers the smallest value of their type is missing, in floats NaN.

    A quotient of two whole numbers below 2**53 is rounded once, so that 1234.56 kept as 123456 over 100 comes back as the double
    that 1234.56 is read as.
    """

    stored: npt.NDArray[Any] = field(repr=False)
    divisor: float = 1.0

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        return int(self.stored.nbytes)

    @property
    def is_whole(self) -> bool:
        """Whether all values are whole numbers."""
        return self.stored.dtype.kind == "i" and self.divisor == 1.0

    def floats(self, start: int = 0, stop: int | None = None) -> FloatArray:
        """Return the values as float64, NaN for missing."""
        part = self.stored[start:stop]
        made = part.astype(np.float64)
        if part.dtype.kind == "i":
            if self.divisor != 1.0:
                made /= self.divisor
            absent = part == np.iinfo(part.dtype).min
            if absent.any():
                made[absent] = np.nan
        return made

    def arrow(self) -> pa.Array:
        """Return the values as Arrow has them: whole numbers as integers."""
        if self.is_whole:
            return pa.array(self.stored.astype(np.int64), mask=self.stored == np.iinfo(self.stored.dtype).min)
        values = self.floats()
        return pa.array(values, mask=np.isnan(values))

    def blocks(self) -> Iterator[bytes]:
        """Give the values in one form, however they are stored: doubles with one zero and one NaN, or long whole numbers."""
        wide = self.stored.dtype == np.int64 and bool((np.abs(self.stored.astype(np.float64)) > _EXACT).any())
        for start in range(0, len(self.stored), BLOCK):
            if wide:
                yield self.stored[start : start + BLOCK].astype("<i8").tobytes()
                continue
            part = self.floats(start, start + BLOCK) + 0.0  # there is one zero
            part[np.isnan(part)] = np.nan  # and one NaN
            yield part.astype("<f8").tobytes()


@dataclass(frozen=True)
class Coded:
    """A column as positions in its categories, -1 where missing."""

    values: npt.NDArray[np.signedinteger[Any]] = field(repr=False)
    categories: pa.Array = field(repr=False)

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        return int(self.values.nbytes + self.categories.nbytes)

    def arrow(self) -> pa.Array:
        """Return the values themselves."""
        return self.categories.take(pa.array(self.values, mask=self.values < 0))


@dataclass(frozen=True)
class Verbatim:
    """A column that hardly repeats itself, as names and numbers of persons: text or whole numbers as they are."""

    values: pa.Array = field(repr=False)

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        return int(self.values.nbytes)

    def arrow(self) -> pa.Array:
        """Return the values themselves."""
        return self.values


Compact: TypeAlias = Numbers | Coded | Verbatim


def compact_column(column: pa.ChunkedArray, facts: Column, *, verbatim: bool = False) -> Compact:
    """Return a column, missing codes taken out, in its compact form.

    Parameters
    ----------
    column
        The values, null where missing.
    facts
        What the schema says of it.
    verbatim
        Whether text and whole numbers are kept as they are, because they identify records and hardly repeat themselves.

    Returns
    -------
    Compact
        Numbers for a numeric column, otherwise codes; or the values themselves.

    Raises
    ------
    DataError
        When a numeric column holds no numbers, or a value is not among the declared categories.

    Notes
    -----
    O(n), and O(c log c) for c categories. Nothing is rounded: what :meth:`Numbers.floats` gives is the double that was stored.

    Examples
    --------
    >>> kept = compact_column(pa.chunked_array([[1.25, None, 3.5]]), Column(name="x", scale="numeric"))
    >>> kept.stored.dtype, kept.divisor, kept.floats().tolist()
    (dtype('int16'), 100.0, [1.25, nan, 3.5])
    """
    if facts.scale == "numeric":
        return _numbers(column, facts.name)
    column = normal_form(column)
    if verbatim:
        values = plain_values(column).combine_chunks()
        if pa.types.is_large_string(values.type) or pa.types.is_integer(values.type):
            return Verbatim(values)
    return code(column, facts)


def code(column: pa.ChunkedArray, facts: Column) -> Coded:
    """Return a column in its normal form as codes; categories in the declared order, or sorted."""
    if facts.categories is None:
        positions, values = to_positions(column)
    else:
        found = to_codes(column, facts)
        positions, values = found.values, _declared(found.categories, column.type)
    made = positions.astype(code_dtype(len(values)))
    made.flags.writeable = False
    return Coded(made, values)


def code_dtype(categories: int) -> type[np.signedinteger[Any]]:
    """Return the narrowest type for positions in so many categories."""
    return next((kind for kind in _SMALL if categories <= np.iinfo(kind).max), np.int64)


def _declared(categories: tuple[Any, ...], kind: pa.DataType) -> pa.Array:
    """Return declared categories as Arrow has them, of the type of the column where they fit it."""
    plain = kind.value_type if pa.types.is_dictionary(kind) else kind
    try:
        return pa.array(list(categories), type=None if pa.types.is_null(plain) else plain)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        raise DataError("Declared categories must all be of the kind that their column holds.") from None


# --- numbers ------------------------------------------------------------------------------------------------------------------


def _numbers(column: pa.ChunkedArray, name: str) -> Numbers:
    column = plain_values(column)
    kind = column.type
    if pa.types.is_null(kind):
        return Numbers(np.full(len(column), np.iinfo(np.int8).min, dtype=np.int8))
    if not is_number(kind):
        raise DataError(f"Column '{name}' holds {kind}, which are no numbers; change its scale or convert it.")
    if pa.types.is_integer(kind) and kind != pa.uint64():
        low = np.iinfo(np.int64).min
        if column.null_count == 0:
            whole = column.to_numpy()
            if len(whole) == 0 or whole.min() > low:
                return Numbers(_kept(_narrow_integers(whole, int(whole.min(initial=0)), int(whole.max(initial=0)))))
        else:
            absent = np.asarray(column.is_null())
            whole = column.fill_null(0).to_numpy()
            if whole.min() > low:
                return Numbers(_kept(_narrow_integers(whole, int(whole.min()), int(whole.max()), absent)))
    return narrow(exact_floats(column))


def narrow(values: FloatArray) -> Numbers:
    """Return floats, NaN for missing, in the narrowest form that gives every one of them back.

    Tried in this order: whole numbers, whole numbers over 10, 100, 1000 and 10000, single precision. Minus zero is zero.
    O(n) time; a glance at the first values spares most attempts.
    """
    absent = np.isnan(values)
    there = values if not absent.any() else np.where(absent, 0.0, values)
    largest = float(np.abs(there).max(initial=0.0))
    for divisor in (1.0, *_DIVISORS):
        if largest * divisor >= 2.0**31 - 1:
            break
        if _is_quotient(there[:1000], divisor) and _is_quotient(there, divisor):
            scaled = np.rint(there * divisor).astype(np.int32)
            low, high = int(scaled.min(initial=0)), int(scaled.max(initial=0))
            return Numbers(_kept(_narrow_integers(scaled, low, high, absent)), divisor)
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    if np.array_equal(single.astype(np.float64), values, equal_nan=True):
        return Numbers(_kept(single))
    return Numbers(_kept(np.array(values, dtype=np.float64)))


def _is_quotient(values: FloatArray, divisor: float) -> bool:
    return bool((np.rint(values * divisor) / divisor == values).all())


def _narrow_integers(
    values: npt.NDArray[Any], low: int, high: int, absent: npt.NDArray[np.bool_] | None = None
) -> npt.NDArray[Any]:
    """Return whole numbers in the narrowest type whose smallest value is free to stand for missing."""
    kind = next((k for k in _SMALL if np.iinfo(k).min < low and high <= np.iinfo(k).max), np.int64)
    made = values.astype(kind)
    if absent is not None and absent.any():
        made[absent] = np.iinfo(kind).min
    return made


def _kept(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    values.flags.writeable = False
    return values
