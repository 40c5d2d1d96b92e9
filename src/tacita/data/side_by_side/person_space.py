"""A space of people: the records of several files, of any scale, as points that can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError
from tacita.data.microdata import Microdata
from tacita.numeric.nearest.mixed_points import Points

__all__ = ["PersonSpace", "columns_of_people"]

_NO_PERSON = frozenset({"identifier", "household", "cluster"})
"""Roles of columns whose values are only numbers given to somebody: that two agree or differ says nothing of people."""


@dataclass(frozen=True)
class PersonSpace:
    """A way to turn the records of several files into points that can be compared.

    Parameters
    ----------
    names
        The columns.
    scales
        For a column of numbers its middle and spread, for one of classes None.
    words
        For each column of classes all of them, out of every file.

    Notes
    -----
    The distance of two records is the root of ``sum ((a - b) / (sqrt(2) s))^2`` over numbers plus the count of classes that
    differ. s is the spread of the first file: the distance of its quartiles divided by 1.349, which is the standard deviation
    where values are normal, and the standard deviation itself where the quartiles fall together. A missing number lies in the
    middle, and one apart from all that are there.
    """

    names: tuple[str, ...]
    scales: dict[str, tuple[float, float] | None]
    words: dict[str, tuple[Any, ...]]

    @classmethod
    def of(cls, names: Sequence[str], *files: Microdata) -> PersonSpace:
        """Return the space of some columns; the first file says how they are scaled."""
        if not names:
            raise DataError("The attacker and the released file share no column to compare records by.")
        scales: dict[str, tuple[float, float] | None] = {}
        words: dict[str, tuple[Any, ...]] = {}
        for name in names:
            ordered = files[0].schema[name].scale in ("numeric", "ordinal")
            scales[name] = None
            if files[0].schema[name].scale != "numeric":
                words[name] = tuple(dict.fromkeys(str(c) for file in files for c in file.codes(name).categories))
            if ordered:
                scales[name] = _middle_and_spread(_numbers(files[0], name, words))
        return cls(tuple(names), scales, words)

    def points(self, data: Microdata) -> Points:
        """Return the records of a file as points. O(n) for each column."""
        n = len(data)
        numbers, codes = [np.empty((n, 0))], [np.empty((n, 0), np.int64)]
        for name in self.names:
            scale = self.scales[name]
            if scale is None:
                codes.append(_codes(data, name, self.words[name])[:, None])
                continue
            values = _numbers(data, name, self.words)
            gone = np.isnan(values)
            numbers.append(np.where(gone, 0.0, (values - scale[0]) / scale[1])[:, None])
            codes.append(gone.astype(np.int64)[:, None])
        return Points(np.ascontiguousarray(np.hstack(numbers)), np.ascontiguousarray(np.hstack(codes)))


def columns_of_people(*files: Microdata) -> tuple[str, ...]:
    """Return the columns that all files have and that say something of a person."""
    first, *others = files
    return tuple(
        column.name
        for column in first.schema
        if not _NO_PERSON.intersection(column.roles) and all(column.name in other.schema for other in others)
    )


def _codes(data: Microdata, name: str, words: tuple[Any, ...]) -> IntArray:
    """Return a column as positions in a list of words, -1 where it is missing."""
    found, place = data.codes(name), {word: j for j, word in enumerate(words)}
    where = np.array([*(place.get(str(c), len(words)) for c in found.categories), -1], np.int64)
    return np.asarray(where[found.values])


def _numbers(data: Microdata, name: str, words: dict[str, tuple[Any, ...]]) -> FloatArray:
    """Return numbers, or the positions of ordered classes; NaN where missing."""
    if name not in words:
        return data.float(name)
    positions = _codes(data, name, words[name]).astype(np.float64)
    positions[positions < 0] = np.nan
    return positions


def _middle_and_spread(values: FloatArray) -> tuple[float, float]:
    """Return the median, and the root of two times the spread; one where there is none."""
    there: BoolArray = ~np.isnan(values)
    if not there.any():
        return 0.0, 1.0
    low, middle, high = np.quantile(values[there], [0.25, 0.5, 0.75])
    spread = (high - low) / 1.349 or float(values[there].std()) or 1.0
    return float(middle), float(np.sqrt(2) * spread)
