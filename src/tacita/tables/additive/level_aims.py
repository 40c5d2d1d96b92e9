"""Levels: how far the cells of one crossing of variables may be from the truth on the whole, and pulls that hold them there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import BoolArray, IntArray, PlaceArray
from tacita.numeric.additive.goal import PULL, TRUTH, VALUE, WEIGHT, Holders

__all__ = ["LevelAims", "is_balanced", "least_distance", "level_aims"]

NEAR = 1.02
"""A level that cannot be as near as it should be is held this near to the least that is possible."""
MOST_PULL = 6
"""The strongest pull towards the truth, in weights of the noisy count: a large one freezes the search."""


@dataclass(frozen=True, eq=False)
class LevelAims:
    """How far each level may be from the truth on the whole.

    Parameters
    ----------
    level
        (n,): the level of each cell.
    cells
        (levels,): number of cells of each.
    most
        (levels,): the most that the distances of its cells to the truth should add up to.
    """

    level: IntArray = field(repr=False)
    cells: IntArray
    most: IntArray

    def distances(self, board: PlaceArray) -> IntArray:
        """Return (levels,): the distances to the truth, added up by level. O(cells) time."""
        off = np.abs(board[:, VALUE].astype(np.int64) - board[:, TRUTH])
        return np.bincount(self.level, off, len(self.most)).astype(np.int64)

    def excess(self, board: PlaceArray) -> IntArray:
        """Return (levels,): by how much these sums are more than they should be, 0 where they are not."""
        return np.asarray(np.maximum(self.distances(board) - self.most, 0), np.int64)

    def too_far(self, board: PlaceArray) -> BoolArray:
        """Return (n,): the cells of levels that are too far, and that are further than 1 themselves, or all where none is."""
        off = np.abs(board[:, VALUE].astype(np.int64) - board[:, TRUTH])
        wrong = (self.excess(board) > 0)[self.level]
        far = wrong & (off > 1)
        return far if far.any() else np.asarray(wrong & (off > 0))

    def adjust(self, board: PlaceArray) -> None:
        """Pull levels that are too far more strongly by 1, and others less, in place; what has no weight is not pulled."""
        sums = self.distances(board)
        over, under = sums > self.most, sums < self.most - self.cells // 100
        change = np.subtract(over, under, dtype=np.int64)[self.level]
        free = board[:, WEIGHT] > 0
        pull = np.clip(board[:, PULL] + change, 0, MOST_PULL * board[:, WEIGHT])
        board[free, PULL] = pull[free]


def level_aims(levels: Sequence[IntArray], least: Sequence[float], *, mean: float) -> LevelAims:
    """Say how far each level may be.

    Parameters
    ----------
    levels
        The cells of each level; every cell has one.
    least
        What the distances of the cells of each level add up to at least.
    mean
        What the mean distance of a level should be at most; where less is not possible, a little more than the least.
    """
    sizes = np.array([len(cells) for cells in levels], np.int64)
    level = np.zeros(int(sizes.sum()), np.int64)
    for number, cells in enumerate(levels):
        level[cells] = number
    most = np.floor(np.maximum(mean * sizes, NEAR * np.asarray(least)) + 1e-9).astype(np.int64)
    return LevelAims(level, sizes, most)


def is_balanced(holders: Holders, cells: BoolArray) -> bool:
    """Whether every elementary cell is counted in as many of these cells: then their deviations add up to 0 with the total's."""
    inside = np.concatenate([[0], np.cumsum(cells[holders.cells])])
    times = inside[holders.start[1:]] - inside[holders.start[:-1]]
    return bool(len(times) and (times == times[0]).all())


def least_distance(truth: IntArray, smallest: int, *, balanced: bool) -> float:
    """Return what the distances of some cells to the truth add up to at least when no small count is shown.

    Parameters
    ----------
    truth
        True counts.
    smallest
        The smallest count but 0 that may be shown.
    balanced
        Whether the deviations must add up to 0.

    Notes
    -----
    A small count i becomes 0 or ``smallest`` = s, or more. With a price r on the sum of the deviations the least cost of a cell
    is ``min(i (1 - r), (s - i) (1 + r))``, and 0 for every larger count while -1 <= r <= 1. The sum over the cells is a bound for
    every r; the best of the prices is one at which two of the choices cost the same, r = (2 i - s) / s. So ones alone have a mean
    distance of 4/3 at least when nothing makes up for them, and ones and twos in equal number of 1.

    Examples
    --------
    >>> ones = np.ones(30, np.int64)
    >>> float(round(least_distance(ones, 3, balanced=True), 6)), float(least_distance(ones, 3, balanced=False))
    (40.0, 30.0)
    """
    small = np.arange(1, smallest)
    many = np.bincount(truth[(truth > 0) & (truth < smallest)], minlength=smallest)[1:smallest]
    prices = (2 * small - smallest) / smallest if balanced else np.zeros(1)
    each = np.minimum(small * (1 - prices[:, None]), (smallest - small) * (1 + prices[:, None]))
    return float((each @ many).max(initial=0.0))
