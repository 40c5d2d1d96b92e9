"""Facts about one column: its different values and how often each occurs, without keeping a number for every record."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.data.columns import infer_scale
from tacita.data.guess.names import looks_like, plain_name
from tacita.data.schema import Column

__all__ = ["ColumnFacts", "encoded_column", "plain_column"]

_DENSE = 4  # whole numbers are counted by their place when their range is at most so many times the number of records


@dataclass(frozen=True, eq=False, repr=False)
class ColumnFacts:
    """What is known of a column before anything is guessed.

    Parameters
    ----------
    column
        What the schema says of it.
    array
        Its values, as they lie in the data; missing codes are taken out.
    storage
        How it is stored, in a few words.
    values
        The different values; in order where they are numbers.
    counts
        How many records have each of them.
    numbers
        The different values as floats, where they are numbers.
    codes
        For each record the number of its value (-1: missing), for columns that are no numbers.
    """

    column: Column
    array: pa.Array
    storage: str
    values: pa.Array
    counts: IntArray
    numbers: FloatArray | None
    codes: IntArray | None = None

    @classmethod
    def of(cls, column: Column, given: pa.ChunkedArray | pa.Array) -> ColumnFacts:
        """Look at a column."""
        array = plain_column(given)
        kind = array.type
        storage = f"dictionary of {kind}" if pa.types.is_dictionary(given.type) else str(kind)
        if infer_scale(kind) == "numeric" and not pa.types.is_decimal(kind) and array.null_count < len(array):
            values, counts = _counted_numbers(array)
            return cls(column, array, storage, values, counts, _as_floats(values))
        codes, values = encoded_column(array)
        counts = np.bincount(codes + 1, minlength=len(values) + 1)[1:]
        is_number = len(values) > 0 and infer_scale(kind) == "numeric"
        return cls(column, array, storage, values, counts, _as_floats(values) if is_number else None, codes)

    @property
    def n(self) -> int:
        """Number of records."""
        return len(self.array)

    @property
    def distinct(self) -> int:
        """Number of different values."""
        return len(self.values)

    @property
    def absent(self) -> int:
        """Number of records without a value."""
        return int(self.array.null_count)

    @property
    def is_text(self) -> bool:
        """Whether the values are texts."""
        return bool(pa.types.is_string(self.values.type) or pa.types.is_large_string(self.values.type))

    @cached_property
    def is_whole(self) -> bool:
        """Whether all values are whole numbers; missing values make some readers store these as floats."""
        return self.numbers is not None and bool(np.all(np.floor(self.numbers) == self.numbers))

    @cached_property
    def usual(self) -> BoolArray:
        """Which of the different numbers are no suspected missing codes and no infinities."""
        from tacita.data.guess.missing_codes import suspected_numbers  # which looks at facts

        if self.numbers is None:
            return np.ones(self.distinct, dtype=bool)
        found = np.isfinite(self.numbers)
        found[[place for place, _ in suspected_numbers(self)]] = False
        return found

    @cached_property
    def usual_numbers(self) -> FloatArray:
        """The different numbers that are no suspected missing codes, in order."""
        return np.empty(0) if self.numbers is None else np.sort(self.numbers[self.usual])

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Name and label, in small letters without accents."""
        return tuple(plain_name(text) for text in (self.column.name, self.column.label) if text)

    def looks(self, like: str) -> bool:
        """Whether name or label has a word of a kind."""
        return any(looks_like(text, like) for text in self.texts)

    @cached_property
    def runs(self) -> int:
        """Number of runs of records with equal values; a missing value is a value too."""
        if self.n == 0:
            return 0
        raw = self.codes
        if raw is None:
            zero = pa.scalar(0, self.array.type)
            raw = (pc.fill_null(self.array, zero) if self.absent else self.array).to_numpy(zero_copy_only=False)
        return 1 + int(np.count_nonzero(raw[1:] != raw[:-1]))

    def has_equal_digits(self, least: int) -> bool:
        """Whether all usual numbers are positive and have the same number of digits, at least so many."""
        low, high = (self.usual_numbers[0], self.usual_numbers[-1]) if self.usual_numbers.size else (0.0, 0.0)
        return self.is_whole and low > 0 and len(f"{low:.0f}") == len(f"{high:.0f}") >= least


def plain_column(given: pa.ChunkedArray | pa.Array) -> pa.Array:
    """Return a column as one array of plain values."""
    plain = given.cast(given.type.value_type) if pa.types.is_dictionary(given.type) else given
    return plain.combine_chunks() if isinstance(plain, pa.ChunkedArray) else plain


def encoded_column(array: pa.Array) -> tuple[IntArray, pa.Array]:
    """Return each record as the number of its value (-1: missing), and the different values."""
    if pa.types.is_null(array.type):
        return np.full(len(array), -1, dtype=np.int64), array.slice(0, 0)
    encoded = array.dictionary_encode()
    return encoded.indices.cast(pa.int64()).fill_null(-1).to_numpy(), encoded.dictionary


def _as_floats(values: pa.Array) -> FloatArray:
    return np.asarray(values.cast(pa.float64(), safe=False), dtype=np.float64)


def _counted_numbers(array: pa.Array) -> tuple[pa.Array, IntArray]:
    """Return the different numbers in order, and how many records have each: by their place, or by sorting."""
    raw = (array.drop_null() if array.null_count else array).to_numpy(zero_copy_only=False)
    if pa.types.is_integer(array.type):
        low, high = int(raw.min()), int(raw.max())
        if high - low <= _DENSE * len(raw) + 1000:
            counted = np.bincount((raw - raw.dtype.type(low)).astype(np.int64, copy=False))
            places = np.flatnonzero(counted)
            return pa.array(places + low, array.type), counted[places]
    ordered = np.sort(raw)
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    counts = np.diff(np.append(starts, len(ordered)))
    return pa.array(ordered[starts], array.type), counts
