"""What the cells of a table should be, and what a step of one inner cell costs.

Inner cells are free; every other cell is the sum of those that are counted in it, so that all sums hold whatever the inner cells
are. The cost of a cell with value x is ``w |x - a| + p |x - t| + s ((|x - t| - D)+ + g(x))``: its distance to the noisy count a,
a pull p towards the true count t where the level of the cell lies too far from the truth on the whole, and a steep charge for
what lies further than D from t, and for small counts: g is the distance of x to 0 or to the smallest count that may be shown,
whichever is nearer. All numbers are whole, so that changes of the cost are exact.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacita.core.arrays import Int1, IntArray, Place1, PlaceArray
from tacita.core.kernel import kernel

__all__ = [
    "AIM",
    "LEAST",
    "PULL",
    "REACH",
    "STEEP",
    "TRUTH",
    "VALUE",
    "WEIGHT",
    "Holders",
    "add_up",
    "all_costs",
    "faults",
    "holders_of",
    "make_board",
    "make_step",
    "price_of",
    "price_of_two",
]

VALUE, AIM, TRUTH, REACH, WEIGHT, STEEP, LEAST, PULL = range(8)
"""Columns of a board: what a cell is and should be. All that a cell needs lies together in memory, in 32 bytes."""
COLUMNS = 8


class Holders(NamedTuple):
    """Which cells an inner cell is counted in, and the reverse.

    Inner cell i is counted in ``cells[start[i]:start[i + 1]]``, itself among them where it is published, in rising order; cell c
    holds the inner cells ``inner[first[c]:first[c + 1]]``.
    """

    start: Int1
    cells: Place1
    first: Int1
    inner: Place1


def holders_of(start: IntArray, cells: IntArray, size: int) -> Holders:
    """Add the reverse to a list of the cells that each inner cell is counted in. O(entries log(entries)) time.

    Examples
    --------
    >>> holders_of(np.array([0, 2, 4]), np.array([0, 1, 0, 2]), 3).inner.tolist()
    [0, 1, 0, 1]
    """
    owner = np.repeat(np.arange(len(start) - 1, dtype=np.int64), np.diff(start))
    cells = cells[np.lexsort((cells, owner))]
    order = np.argsort(cells, kind="stable")
    first = np.searchsorted(cells[order], np.arange(size + 1)).astype(np.int64)
    return Holders(
        np.ascontiguousarray(start, np.int64),
        np.ascontiguousarray(cells, np.int32),
        first,
        np.ascontiguousarray(owner[order], np.int32),
    )


def add_up(holders: Holders, inner: IntArray) -> IntArray:
    """Return all cells from the inner ones, exactly. O(entries) time."""
    total = np.zeros(len(holders.first) - 1, np.int64)
    np.add.at(total, holders.cells, np.repeat(inner, np.diff(holders.start)))
    return total


def make_board(
    aim: IntArray, truth: IntArray, reach: IntArray, weight: IntArray, steep: IntArray, least: IntArray
) -> PlaceArray:
    """Return the board of a table: a row for each cell, values 0 so far, nothing pulled. O(cells) time and memory."""
    board = np.zeros((len(aim), COLUMNS), np.int32)
    for column, given in ((AIM, aim), (TRUTH, truth), (REACH, reach), (WEIGHT, weight), (STEEP, steep), (LEAST, least)):
        board[:, column] = given
    return board


def faults(board: PlaceArray) -> IntArray:
    """Return by how much each cell is at fault: too far from the truth, or small. O(cells) time."""
    value = board[:, VALUE].astype(np.int64)
    far = np.maximum(np.abs(value - board[:, TRUTH]) - board[:, REACH], 0)
    small = np.maximum(np.minimum(np.abs(value), board[:, LEAST] - value), 0)
    return np.asarray(far + small, np.int64)


def all_costs(board: PlaceArray) -> IntArray:
    """Return the cost of each cell. O(cells) time."""
    value = board[:, VALUE].astype(np.int64)
    near, off = np.abs(value - board[:, AIM]), np.abs(value - board[:, TRUTH])
    return np.asarray(board[:, WEIGHT] * near + board[:, PULL] * off + board[:, STEEP] * faults(board), np.int64)


@kernel(inline=True)
def _rise(board: PlaceArray, cell: int, step: int) -> int:
    """By how much the cost of a cell changes with a step."""
    value, aim, truth = int(board[cell, VALUE]), int(board[cell, AIM]), int(board[cell, TRUTH])
    reach, least = int(board[cell, REACH]), int(board[cell, LEAST])
    after = value + step
    off, off_after = abs(value - truth), abs(after - truth)
    fault = max(off_after - reach, 0) - max(off - reach, 0)
    fault += max(min(after, least - after), 0) - max(min(value, least - value), 0)
    near = abs(after - aim) - abs(value - aim)
    return int(board[cell, WEIGHT] * near + board[cell, PULL] * (off_after - off) + board[cell, STEEP] * fault)


@kernel
def price_of(holders: Holders, board: PlaceArray, inner: int, step: int) -> int:
    """Return by how much the cost of all cells changes when an inner cell changes by ``step``."""
    price = 0
    for e in range(holders.start[inner], holders.start[inner + 1]):
        cell = holders.cells[e]
        price += _rise(board, cell, step)
    return price


@kernel
def price_of_two(holders: Holders, board: PlaceArray, one: int, other: int, step: int) -> int:
    """Return by how much the cost changes when an inner cell changes by ``step`` and another makes up for it.

    Cells that hold both stay as they are; the lists of both rise, so one walk along them finds these.
    """
    price = 0
    a, last_a = holders.start[one], holders.start[one + 1]
    b, last_b = holders.start[other], holders.start[other + 1]
    while a < last_a or b < last_b:
        if b == last_b or (a < last_a and holders.cells[a] < holders.cells[b]):
            cell = holders.cells[a]
            price += _rise(board, cell, step)
            a += 1
        elif a == last_a or holders.cells[b] < holders.cells[a]:
            cell = holders.cells[b]
            price += _rise(board, cell, -step)
            b += 1
        else:
            a += 1
            b += 1
    return price


@kernel
def make_step(holders: Holders, board: PlaceArray, inner: int, step: int) -> None:
    """Change the cells that an inner cell is counted in."""
    for e in range(holders.start[inner], holders.start[inner + 1]):
        board[holders.cells[e], VALUE] += step
