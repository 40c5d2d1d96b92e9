"""Records of any scale as points, and distances between the points of two files, block by block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError
from tacita.numeric.statistics.shares import interval_of_share

__all__ = ["Points", "distance_blocks", "few_nearest", "nearer_share", "pair_seconds"]

_AT_ONCE = 2_000_000
"""Distances that are held at a time."""
_PAIR_SECONDS = 1e-9
"""About how long one column of one pair of records takes."""


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
        raise DataError("There is no record to compare with.")
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


def nearer_share(released: Points, people: Points, others: Points) -> tuple[float, float, float]:
    """Return the share of synthetic records that are nearer to some people than to as many others, and its 95 % interval.

    A tie counts one half. A half is what a file gives that knows neither.
    """
    near, far = (few_nearest(released, part, 1)[1][:, 0] for part in (people, others))
    share = float(((near < far) + 0.5 * (near == far)).mean())
    return share, *interval_of_share(share, len(near))
