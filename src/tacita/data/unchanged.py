"""How much of a column came out of masking as it was: all values, those that say something, and those that stand out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import BoolArray, IntArray
from tacita.data.microdata import Microdata
from tacita.numeric.statistics.unchanged import is_common, is_rare, same_numbers

__all__ = ["Unchanged", "unchanged"]


@dataclass(frozen=True, eq=False)
class Unchanged:
    """One column of records that stand in both files.

    Parameters
    ----------
    same
        Where the masked value is the original one, to rounding; false where the original is missing.
    there
        Where the original has a value.
    values
        The original numbers, or codes of other values; NaN or -1 where missing.
    """

    same: BoolArray
    there: BoolArray
    values: npt.NDArray[Any]

    @cached_property
    def telling(self) -> BoolArray:
        """Where the original has a value that is not by far the most frequent one of the column."""
        return np.asarray(self.there & ~is_common(self._codes))

    @cached_property
    def standing_out(self) -> BoolArray:
        """Where the original has a rare category or an extreme number."""
        return is_rare(self._codes, self.values if self.values.dtype == np.float64 else None)

    @cached_property
    def _codes(self) -> IntArray:
        if self.values.dtype != np.float64:
            return self.values
        if self.there.all():
            return np.unique(self.values, return_inverse=True)[1].ravel().astype(np.int64, copy=False)
        codes = np.full(len(self.values), -1, dtype=np.int64)
        codes[self.there] = np.unique(self.values[self.there], return_inverse=True)[1].ravel()
        return codes

    def share(self, of: BoolArray | None = None) -> float:
        """Return the share of values that are the same, of those with a value or of some of them; 0 where there are none."""
        base = self.there if of is None else of
        count = int(base.sum())
        return float((self.same & base).sum() / count) if count else 0.0


def unchanged(
    original: Microdata, masked: Microdata, name: str, rows: IntArray | None = None, masked_rows: IntArray | None = None
) -> Unchanged:
    """Compare a column of two files, record by record or for pairs of row numbers. O(n log n) time."""
    if original.schema[name].scale == "numeric" == masked.schema[name].scale:
        x, y = _some(original.float(name), rows), _some(masked.float(name), masked_rows)
        return Unchanged(same_numbers(x, y), ~np.isnan(x), x)
    first, second = _comparable(original, masked, name)
    if rows is not None or masked_rows is not None:
        first, second = _taken(first, rows), _taken(second, masked_rows)
    same = np.asarray(pc.fill_null(pc.equal(first, second), False))
    del first, second
    codes = _some(original.codes(name).values, rows).astype(np.int64)
    return Unchanged(same, codes >= 0, codes)


def _comparable(original: Microdata, masked: Microdata, name: str) -> tuple[pa.ChunkedArray, pa.ChunkedArray]:
    """Return a column of both files as whole numbers where it has those in both, else as text."""
    kinds = [data.type_of(name) for data in (original, masked)]
    if pa.types.is_integer(kinds[0]) and kinds[0] == kinds[1]:
        return original._column(name), masked._column(name)
    texts = [_plain(data.column(name)).cast(pa.large_string()) for data in (original, masked)]
    return texts[0], texts[1]


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def _taken(column: pa.ChunkedArray, rows: IntArray | None) -> pa.ChunkedArray:
    return column if rows is None else column.take(pa.array(rows))


def _some(values: npt.NDArray[Any], rows: IntArray | None) -> npt.NDArray[Any]:
    return values if rows is None else values[rows]
