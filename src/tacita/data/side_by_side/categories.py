"""Categories of two files side by side: one list of codes that means the same in the original and in the masked file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.errors import MeasureError
from tacita.data.columns import Codes, same_buffers
from tacita.data.pairing import Pair

__all__ = ["SharedCodes", "file_codes", "paired_codes", "shared_codes"]


@dataclass(frozen=True)
class SharedCodes:
    """One categorical column of both files as codes 0, 1, 2, ... into one list of categories.

    The categories of the original come first, in their order; categories that only the masked file has follow. Missing
    is the last category, where it occurs in either file.

    Parameters
    ----------
    original, masked
        The code of each record; one array where both files have the column in common.
    known
        How many categories the original has (declared, or found in it).
    named
        How many categories both files have together, without missing.
    size
        The same with missing, where it occurs.
    """

    original: IntArray = field(repr=False)
    masked: IntArray = field(repr=False)
    known: int
    named: int
    size: int


def shared_codes(pair: Pair, name: str) -> SharedCodes:
    """Return a column of the two whole files in common codes. O(n) plus the sort of the distinct values.

    An ordinal column whose order is not declared has the sorted categories of both files, so that a category which only
    the masked file has stands at its place in the order.
    """
    first, column = pair.original.codes(name), pair.original.schema[name]
    if column == pair.masked.schema[name] and same_buffers(pair.original._column(name), pair.masked._column(name)):
        second = first
    else:
        second = pair.masked.codes(name)
    known: Sequence[Any] = first.categories
    if column.scale == "ordinal" and column.categories is None and second.categories != first.categories:
        known = _sorted_together(name, first, second)
    place = {value: code for code, value in enumerate(known)}
    for value in second.categories:
        place.setdefault(value, len(place))
    named = len(place)
    has_missing = bool((first.values < 0).any() or (second.values < 0).any())
    x = _recoded(first, place, named)
    y = x if second is first else _recoded(second, place, named)
    return SharedCodes(x, y, len(known), named, named + has_missing)


def _recoded(codes: Codes, place: dict[Any, int], missing: int) -> IntArray:
    shift = np.array([*(place[value] for value in codes.categories), missing], dtype=np.int64)
    return np.asarray(shift[codes.values])  # -1, missing, takes the last entry


def _sorted_together(name: str, first: Codes, second: Codes) -> list[Any]:
    try:
        return sorted({*first.categories, *second.categories})
    except TypeError:
        raise MeasureError(
            f"Column '{name}' is ordinal, but its categories in the two files have no common order; declare 'categories' "
            "in the schema, or make the scale nominal."
        ) from None


def paired_codes(pair: Pair, name: str) -> SharedCodes:
    """Return a column's codes of paired records side by side."""
    codes = shared_codes(pair, name)
    if pair.is_aligned:
        return codes
    return _with(codes, codes.original[pair.rows], codes.masked[pair.masked_rows])


def file_codes(pair: Pair, name: str) -> SharedCodes:
    """Return the codes that whole-file statistics are computed on: of all records, or of those of the part."""
    return paired_codes(pair, name) if pair.is_part else shared_codes(pair, name)


def _with(codes: SharedCodes, original: IntArray, masked: IntArray) -> SharedCodes:
    return SharedCodes(original, masked, codes.known, codes.named, codes.size)
