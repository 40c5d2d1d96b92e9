"""Histograms of a node: how many records each bin has and what their target adds up to, and which bins are occupied."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.kernel import kernel
from tacita.numeric.synthesis.trees.workspace import COUNT, SUM, WEIGHT, GivenBins, MovedRecords, Scratch

__all__ = ["add_records", "clear", "count_and_mark", "marked_bins", "occupied_bins", "sort_bins"]

_1, _6, _58, _63 = np.uint64(1), np.uint64(6), np.uint64(58), np.uint64(63)
_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_PLACES = np.zeros(64, np.int64)
with np.errstate(over="ignore"):
    for _place in range(64):
        _PLACES[int((np.uint64(1) << np.uint64(_place)) * _DE_BRUIJN >> _58)] = _place
"""The place of the only bit of a word, by the upper bits of its product with a de Bruijn sequence."""


@kernel
def add_records(bins: GivenBins, moved: MovedRecords, cells: FloatArray, j: int, begin: int, end: int) -> None:
    """Add the records of a node to the histogram of feature j."""
    codes, rows, y, weights, first = bins.codes[j], moved.rows, moved.y, moved.weights, bins.first[j]
    if len(weights) > 0:
        for i in range(begin, end):
            cell = first + np.int64(codes[rows[i]])
            cells[cell, COUNT] += 1.0
            cells[cell, WEIGHT] += weights[i]
            cells[cell, SUM] += weights[i] * y[i]
    else:
        for i in range(begin, end):
            cell = first + np.int64(codes[rows[i]])
            cells[cell, COUNT] += 1.0
            cells[cell, SUM] += y[i]


@kernel
def count_and_mark(bins: GivenBins, moved: MovedRecords, work: Scratch, j: int, begin: int, end: int) -> None:
    """Mark the bins of feature j that a node's records lie in."""
    codes, rows, marks = bins.codes[j], moved.rows, work.marks
    for i in range(begin, end):
        code = np.uint64(codes[rows[i]])
        marks[np.int64(code >> _6)] |= _1 << (code & _63)


@kernel
def marked_bins(work: Scratch, bins: int) -> int:
    """Write the marked bins into ``order``, rising, and take the marks away; return how many there are."""
    found = 0
    for place in range((bins + 63) >> 6):
        word = work.marks[place]
        while word != 0:
            lowest = word & (~word + _1)
            work.order[found] = 64 * place + _PLACES[np.int64((lowest * _DE_BRUIJN) >> _58)]
            found += 1
            word ^= lowest
        work.marks[place] = 0
    return found


@kernel
def occupied_bins(work: Scratch, cells: FloatArray, first: int, bins: int) -> int:
    """Write the bins that have records into ``order``, rising; return how many there are."""
    found = 0
    for b in range(bins):
        work.order[found] = b
        found += cells[first + b, COUNT] > 0.0
    return found


@kernel
def clear(cells: FloatArray, first: int, order: IntArray, found: int) -> None:
    """Empty the cells of some bins."""
    for place in range(found):
        cell = first + order[place]
        cells[cell, COUNT], cells[cell, WEIGHT], cells[cell, SUM] = 0.0, 0.0, 0.0


@kernel
def sort_bins(work: Scratch, found: int) -> None:
    """Sort the bins in ``order`` by their score, which is kept by bin; equal ones stay as they are."""
    order, scores = work.order, work.scores
    if found > 64:
        known = order[:found].copy()
        by_score = np.argsort(scores[known], kind="mergesort")
        for place in range(found):
            order[place] = known[by_score[place]]
        return
    for sorted_ones in range(1, found):
        b, place = order[sorted_ones], sorted_ones
        while place > 0 and scores[order[place - 1]] > scores[b]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = b
