"""Records of any scale as points, and distances between the records of two files, block by block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import AttackError
from tacita.data.microdata import Microdata

__all__ = ["PersonSpace", "Points", "distance_blocks", "few_nearest", "pair_seconds", "shared_names"]

_AT_ONCE = 2_000_000
"""Distances that are held at a time."""
_PAIR_SECONDS = 1e-9
"""About how long one column of one pair of records takes."""
_NO_PERSON = frozenset({"identifier", "household", "cluster"})
"""Roles of columns whose values are only numbers given to somebody: that two agree or differ says nothing of people."""


@dataclass(frozen=True, eq=False)
class Points:
    """Records as points.

    Parameters
    ----------
    numbers
        (n, p): numbers and positions of ordered classes, scaled so that two people drawn at random are about one apart.
    codes
        (n, q): classes, and whether a number is missing; two records that differ are one apart.
    """

    numbers: FloatArray
    codes: IntArray

    def __len__(self) -> int:
        return len(self.numbers)

    def rows(self, chosen: IntArray | slice) -> Points:
        """Return some of the points."""
        return Points(self.numbers[chosen], self.codes[chosen])


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
            raise AttackError("The attacker and the released file share no column to compare records by.")
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


def shared_names(*files: Microdata) -> tuple[str, ...]:
    """Return the columns that all files have and that say something of a person."""
    first, *others = files
    return tuple(
        column.name
        for column in first.schema
        if not _NO_PERSON.intersection(column.roles) and all(column.name in other.schema for other in others)
    )


def distance_blocks(points: Points, others: Points) -> Iterator[tuple[slice, FloatArray]]:
    """Give the squared distances of some points at a time to all others, with which points these are.

    O(m n d) time; two million distances are held at a time.
    """
    step = max(1, _AT_ONCE // max(len(others), 1))
    squares = (others.numbers**2).sum(axis=1)
    for start in range(0, len(points), step):
        rows = slice(start, start + step)
        here = points.rows(rows)
        away = (here.numbers**2).sum(axis=1)[:, None] + squares - 2 * (here.numbers @ others.numbers.T)
        np.maximum(away, 0.0, out=away)
        for j in range(points.codes.shape[1]):
            away += here.codes[:, j, None] != others.codes[None, :, j]
        yield rows, away


def few_nearest(points: Points, others: Points, count: int) -> tuple[IntArray, FloatArray]:
    """Return for each point the rows of its nearest others, nearest first, and how far they are. O(m n d).

    Where there are fewer than ``count`` others, the last is repeated.

    Examples
    --------
    >>> a, b = np.array([[0.0], [5.0]]), np.array([[1.0], [4.0], [9.0]])
    >>> none = np.empty((3, 0), np.int64)
    >>> rows, far = few_nearest(Points(a, none[:2]), Points(b, none), 2)
    >>> rows.tolist(), far.tolist()
    ([[0, 1], [1, 0]], [[1.0, 4.0], [1.0, 4.0]])
    """
    if not len(others):
        raise AttackError("There is no record to compare with.")
    kept = min(count, len(others))
    rows = np.empty((len(points), kept), np.int64)
    for block, away in distance_blocks(points, others):
        near = np.argpartition(away, kept - 1, axis=1)[:, :kept] if kept > 1 else away.argmin(axis=1)[:, None]
        rows[block] = near
    # Differences of large squares lose digits: the few that were found are measured again.
    far = (points.codes[:, None, :] != others.codes[rows]).sum(axis=2, dtype=np.float64)
    far += ((points.numbers[:, None, :] - others.numbers[rows]) ** 2).sum(axis=2)
    order = np.lexsort((rows, far), axis=1)
    rows, far = np.take_along_axis(rows, order, axis=1), np.take_along_axis(np.sqrt(far), order, axis=1)
    short = [(0, 0), (0, count - kept)]
    return np.pad(rows, short, mode="edge"), np.pad(far, short, mode="edge")


def pair_seconds(victims: int, others: int, width: int) -> float:
    """Return about how long all distances between two files take."""
    return _PAIR_SECONDS * victims * max(others, 1) * (width + 4)


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
