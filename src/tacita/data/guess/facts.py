"""Facts about one column: its different values and how often each occurs, without keeping a number for every record."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.data.columns import infer_scale
from tacita.data.guess.names import looks_like, plain_name
from tacita.data.schema import Column

__all__ = ["ValueFacts", "encoded_column"]

_DENSE = 1  # whole numbers are counted by their place when their range is at most so many times the number of records


@dataclass(frozen=True, eq=False, repr=False)
class ValueFacts:
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
    is_number
        Whether the values are numbers.
    codes
        For each record the number of its value (-1: missing), for columns that are no numbers.
    """

    column: Column
    array: pa.ChunkedArray | pa.Array
    storage: str
    values: pa.Array
    counts: IntArray
    is_number: bool = False
    codes: npt.NDArray[np.int32] | None = None

    @classmethod
    def of(cls, column: Column, given: pa.ChunkedArray | pa.Array, declared: pa.DataType | None = None) -> ValueFacts:
        """Look at a column; ``declared`` is the type it has to others, where it is kept in another one."""
        array = given.cast(given.type.value_type) if pa.types.is_dictionary(given.type) else given
        kind = array.type
        storage = f"dictionary of {kind}" if pa.types.is_dictionary(given.type) else str(declared or kind)
        if infer_scale(kind) == "numeric" and not pa.types.is_decimal(kind) and array.null_count < len(array):
            values, counts = _counted_numbers(array)
            return cls(column, array, storage, values, counts, is_number=True)
        codes, values = encoded_column(array)
        counts = np.bincount(codes + 1, minlength=len(values) + 1)[1:]
        is_number = len(values) > 0 and infer_scale(kind) == "numeric"
        if is_number:
            order = pc.sort_indices(values)
            values, counts = values.take(order), counts[order.to_numpy()]
        return cls(column, array, storage, values, counts, is_number=is_number, codes=codes)

    @property
    def numbers(self) -> FloatArray | None:
        """The different values as floats, in order; None where they are no numbers."""
        return np.asarray(self.values.cast(pa.float64(), safe=False), dtype=np.float64) if self.is_number else None

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
        if not self.is_number or pa.types.is_integer(self.values.type):
            return self.is_number
        numbers = self.numbers
        return numbers is not None and bool(np.all(np.floor(numbers) == numbers))

    @cached_property
    def usual(self) -> BoolArray:
        """Which of the different numbers are no suspected missing codes and no infinities."""
        from tacita.data.guess.missing_codes import suspected_numbers  # which looks at facts

        numbers = self.numbers
        if numbers is None:
            return np.ones(self.distinct, dtype=bool)
        found = np.isfinite(numbers)
        found[[place for place, _ in suspected_numbers(self)]] = False
        return found

    @property
    def usual_numbers(self) -> FloatArray:
        """The different numbers that are no suspected missing codes, in order."""
        numbers = self.numbers
        return np.empty(0) if numbers is None else numbers[self.usual]

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
        if self.codes is not None:
            return 1 + int(np.count_nonzero(self.codes[1:] != self.codes[:-1]))
        raw = _joined(pc.fill_null(self.array, pa.scalar(0, self.array.type)) if self.absent else self.array)
        return 1 + int(np.count_nonzero(raw[1:] != raw[:-1]))

    def has_equal_digits(self, least: int) -> bool:
        """Whether all usual numbers are positive and have the same number of digits, at least so many."""
        usual = self.usual_numbers
        low, high = (usual[0], usual[-1]) if usual.size else (0.0, 0.0)
        return self.is_whole and low > 0 and len(f"{low:.0f}") == len(f"{high:.0f}") >= least


def encoded_column(given: pa.ChunkedArray | pa.Array) -> tuple[npt.NDArray[np.int32], pa.Array]:
    """Return each record as the number of its value (-1: missing), and the different values."""
    array = given.combine_chunks() if isinstance(given, pa.ChunkedArray) else given
    if pa.types.is_null(array.type):
        return np.full(len(array), -1, dtype=np.int32), array.slice(0, 0)
    encoded = array.dictionary_encode()
    return encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False), encoded.dictionary


def _joined(array: pa.ChunkedArray | pa.Array) -> npt.NDArray[Any]:
    """Return numbers without missing ones as one array."""
    chunks = array.chunks if isinstance(array, pa.ChunkedArray) else [array]
    return np.concatenate([chunk.to_numpy(zero_copy_only=False) for chunk in chunks])


def _counted_numbers(array: pa.ChunkedArray | pa.Array) -> tuple[pa.Array, IntArray]:
    """Return the different numbers in order, and how many records have each: by their place, or by sorting."""
    raw = _joined(array.drop_null() if array.null_count else array)
    if pa.types.is_integer(array.type):
        low, high = int(raw.min()), int(raw.max())
        if high - low <= _DENSE * len(raw) + 1000:
            places = raw.view(np.dtype(f"u{raw.dtype.itemsize}"))  # differences may need one bit more; it is a copy
            places -= np.array(low).astype(raw.dtype).view(places.dtype)
            counted = np.bincount(places.astype(np.int64, copy=False))
            del raw
            places = np.flatnonzero(counted)
            counts = counted[places].astype(np.min_scalar_type(-len(array)))
            del counted
            places += low
            return pa.array(places.astype(np.result_type(*map(np.min_scalar_type, (low, high))), copy=False)), counts
    raw.sort()
    starts = np.flatnonzero(np.concatenate(([True], raw[1:] != raw[:-1])))
    return pa.array(raw[starts], array.type), np.diff(np.append(starts, len(raw)))
