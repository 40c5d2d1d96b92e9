"""How much of a column came out of masking as it was: all values, those that say something, and those that stand out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tacita.data.microdata import Microdata
from tacita.numeric.unchanged import is_common, is_rare, same_numbers

__all__ = ["Unchanged", "unchanged"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Unchanged:
    """One column of records that stand in both files.

    Parameters
    ----------
    same
        Where the masked value is the original one, to rounding; false where the original is missing.
    there
        Where the original has a value.
    telling
        Where the original has a value that is not by far the most frequent one of the column.
    standing_out
        Where the original has a rare category or an extreme number.
    """

    same: BoolArray
    there: BoolArray
    telling: BoolArray
    standing_out: BoolArray

    def share(self, of: BoolArray | None = None) -> float:
        """Return the share of values that are the same, of those with a value or of some of them; 0 where there are none."""
        base = self.there if of is None else of
        count = int(base.sum())
        return float((self.same & base).sum() / count) if count else 0.0


def unchanged(
    original: Microdata, masked: Microdata, name: str, rows: IntArray | None = None, masked_rows: IntArray | None = None
) -> Unchanged:
    """Compare a column of two files, record by record or for pairs of row numbers. O(n log n) time."""
    numeric = original.schema[name].scale == "numeric" == masked.schema[name].scale
    if numeric:
        x, y = _some(original.float(name), rows), _some(masked.float(name), masked_rows)
        there, same = ~np.isnan(x), same_numbers(x, y)
    else:
        x = None
        there = ~_some(original.is_missing(name), rows)
        same = there & _same_texts(original, masked, name, rows, masked_rows)
    if not same.any():
        nobody = np.zeros(len(same), dtype=np.bool_)
        return Unchanged(same, there, there, nobody)
    codes = _codes(x) if x is not None else _some(original.codes(name).values, rows)
    return Unchanged(same, there, there & ~is_common(codes), is_rare(codes, x))


def _codes(x: FloatArray) -> IntArray:
    codes = np.full(len(x), -1, dtype=np.int64)
    there = ~np.isnan(x)
    codes[there] = np.unique(x[there], return_inverse=True)[1].ravel()
    return codes


def _same_texts(
    original: Microdata, masked: Microdata, name: str, rows: IntArray | None, masked_rows: IntArray | None
) -> BoolArray:
    """Return where two columns have the same text; a missing value is equal to nothing."""
    texts = []
    for data, some in ((original, rows), (masked, masked_rows)):
        column = data.to_arrow(codes=False).column(name)
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        texts.append(_some(np.asarray(column.cast(pa.string()).to_numpy(zero_copy_only=False), dtype=object), some))
    gone = np.array([text is None for text in texts[1]], dtype=np.bool_)
    return np.asarray((texts[0] == texts[1]) & ~gone, dtype=np.bool_)


def _some(values: npt.NDArray[np.generic], rows: IntArray | None) -> npt.NDArray[np.generic]:
    return values if rows is None else values[rows]
