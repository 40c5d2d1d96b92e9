"""Bins of a node: how many records each has and what their target adds up to, and which are occupied.

The cells of all features lie side by side, and so do their marks, a bit for each bin. A function goes through several features:
a call costs more than a feature of a small node.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray, WordArray
from tacita.core.kernel import kernel
from tacita.numeric.synthesis.trees.features import CodeArray
from tacita.numeric.synthesis.trees.workspace import RowArray

__all__ = ["add_records", "clear_bins", "list_marked", "mark_occupied", "sort_bins", "tally_records"]

_0, _1, _6, _58, _63 = np.uint64(0), np.uint64(1), np.uint64(6), np.uint64(58), np.uint64(63)
_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_PLACES = np.zeros(64, np.int64)
with np.errstate(over="ignore"):
    for _place in range(64):
        _PLACES[int((np.uint64(1) << np.uint64(_place)) * _DE_BRUIJN >> _58)] = _place
"""The place of the only bit of a word, by the upper bits of its product with a de Bruijn sequence."""


@kernel
def add_records(
    codes: CodeArray,
    rows: RowArray,
    y: FloatArray,
    weights: FloatArray,
    span: tuple[int, int],
    firsts: IntArray,
    cells: FloatArray,
) -> None:
    """Add the records of a node to the histogram of all features."""
    for j in range(len(codes)):
        first = np.uint64(firsts[j])
        if len(weights) > 0:
            for i in range(np.uint64(span[0]), np.uint64(span[1])):
                cell = first + np.uint64(codes[j, rows[i]])
                cells[0, cell] += 1.0
                cells[1, cell] += weights[i]
                cells[2, cell] += weights[i] * y[i]
        else:
            for i in range(np.uint64(span[0]), np.uint64(span[1])):
                cell = first + np.uint64(codes[j, rows[i]])
                cells[0, cell] += 1.0
                cells[2, cell] += y[i]


@kernel
def tally_records(
    codes: CodeArray,
    features: IntArray,
    rows: RowArray,
    y: FloatArray,
    weights: FloatArray,
    span: tuple[int, int],
    firsts: IntArray,
    words: IntArray,
    cells: FloatArray,
    marks: WordArray,
) -> None:
    """The same for some features, with a mark on each bin that has records."""
    for j in features:
        first, word = np.uint64(firsts[j]), np.uint64(words[j])
        if len(weights) > 0:
            for i in range(np.uint64(span[0]), np.uint64(span[1])):
                code = np.uint64(codes[j, rows[i]])
                cells[0, first + code] += 1.0
                cells[1, first + code] += weights[i]
                cells[2, first + code] += weights[i] * y[i]
                marks[word + (code >> _6)] |= _1 << (code & _63)
        else:
            for i in range(np.uint64(span[0]), np.uint64(span[1])):
                code = np.uint64(codes[j, rows[i]])
                cells[0, first + code] += 1.0
                cells[2, first + code] += y[i]
                marks[word + (code >> _6)] |= _1 << (code & _63)


@kernel
def mark_occupied(cells: FloatArray, firsts: IntArray, words: IntArray, marks: WordArray) -> None:
    """Mark the bins of all features that have records."""
    for j in range(len(firsts) - 1):
        for b in range(firsts[j + 1] - firsts[j]):
            if cells[0, firsts[j] + b] > 0.0:
                marks[words[j] + (b >> 6)] |= _1 << np.uint64(b & 63)


@kernel
def list_marked(
    features: IntArray, firsts: IntArray, words: IntArray, marks: WordArray, order: IntArray, founds: IntArray
) -> None:
    """List the cells of marked bins of some features, rising, where the cells of each begin; take the marks away."""
    for j in features:
        at = firsts[j]
        for place in range(words[j], words[j + 1]):
            word = marks[place]
            while word != _0:
                lowest = word & (~word + _1)
                order[at] = firsts[j] + 64 * (place - words[j]) + _PLACES[(lowest * _DE_BRUIJN) >> _58]
                at += 1
                word ^= lowest
            marks[place] = _0
        founds[j] = at - firsts[j]


@kernel
def clear_bins(features: IntArray, firsts: IntArray, order: IntArray, founds: IntArray, cells: FloatArray) -> None:
    """Empty the cells that are listed of some features."""
    for j in features:
        for place in range(firsts[j], firsts[j] + founds[j]):
            cells[0, order[place]] = cells[1, order[place]] = cells[2, order[place]] = 0.0


@kernel
def sort_bins(order: IntArray, scores: FloatArray) -> None:
    """Sort listed cells by their score, which is kept by cell; equal ones stay as they are."""
    if len(order) > 64:
        known = order.copy()
        by_score = np.argsort(scores[known], kind="mergesort")
        for place in range(len(order)):
            order[place] = known[by_score[place]]
        return
    for sorted_ones in range(1, len(order)):
        cell, place = order[sorted_ones], sorted_ones
        while place > 0 and scores[order[place - 1]] > scores[cell]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = cell
