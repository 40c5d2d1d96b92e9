"""Growing a tree: the records of a node are divided at its best cut, until no cut is worth it.

Nodes wait on a stack, the smaller half of a split on top. Records are moved so that those of a node lie side by side, in their
old order. Of the two halves of a large node only the smaller is counted; the larger has what the smaller lacks of the
node's histogram. Small nodes are counted anew, and only the bins that they occupy are looked at; before a branch of them
grows, the codes of its records are brought together, so that they lie in the processor's cache.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from tacita.core.arrays import FloatArray, IntArray, PlaceArray, Whole, WordArray
from tacita.core.kernel import entry, kernel
from tacita.numeric.compiled.random import LOW_WORD, draw_below, next_word
from tacita.numeric.synthesis.trees.class_splits import best_class_split
from tacita.numeric.synthesis.trees.features import CodeArray
from tacita.numeric.synthesis.trees.histogram import add_records
from tacita.numeric.synthesis.trees.number_splits import best_number_split
from tacita.numeric.synthesis.trees.workspace import (
    AT,
    BINS,
    FEATURE,
    NEVER_UNLIKELY,
    GivenBins,
    GrowthLimits,
    MovedRecords,
    RowArray,
    Scratch,
)

__all__ = ["CHILD", "CUT", "GONE", "SPLIT", "grow", "has_class"]

SPLIT, CUT, CHILD = 0, 1, 2
"""Places in a node: its feature (-1 for a leaf), the last bin on the left or where the set of these begins, the left child."""

GONE = -2
"""Stands for the feature of a node whose branch was cut back."""

BEGIN, END, DEPTH, SLOT = 0, 1, 2, 3
"""Places in a span: the records of a node, how deep it lies, and where its histogram is (0: nowhere)."""

Rows = TypeVar("Rows", PlaceArray, IntArray)

_6, _63, _1, _ALL = np.uint64(6), np.uint64(63), np.uint64(1), np.uint64(0xFFFFFFFFFFFFFFFF)


@entry
def grow(
    bins: GivenBins, moved: MovedRecords, limits: GrowthLimits, work: Scratch
) -> tuple[PlaceArray, IntArray, WordArray]:
    """Grow a tree on records, at least one.

    Return its nodes, each with feature, cut and left child (the right one comes next); for each where its records begin and end;
    and the sets of classes that go left, a bit each.
    """
    firsts, is_nominal, middles = bins.first, bins.is_nominal, bins.middles
    best, best_order = work.best, work.best_order
    nodes, spans, sets = np.empty((64, 3), np.int32), np.empty((64, 4), np.int64), np.zeros(16, np.uint64)
    surplus = np.zeros(64)
    count, used, fewest = 1, 0, max(limits.min_split, 2 * limits.min_leaf)
    _set_span(spans, 0, 0, len(moved.rows), 0)
    if len(moved.rows) >= limits.histogram_from and work.free[-1] > 0:
        spans[0, SLOT] = _new_histogram(bins, moved, work, 0, len(moved.rows))
    near = GivenBins(work.near_codes, firsts, bins.words, is_nominal, middles)
    near_from, near_to, stack, waiting = 0, 0, np.zeros(80, np.int64), 1
    while waiting > 0:
        waiting -= 1
        node = stack[waiting]
        nodes[node, SPLIT], nodes[node, CUT], nodes[node, CHILD] = -1, 0, 0
        begin, end, slot = spans[node, BEGIN], spans[node, END], spans[node, SLOT]
        if not near_from <= begin < near_to:
            _send_back(moved.rows[near_from:near_to], work.near_rows)
            near_from, near_to = begin, begin
            if end - begin <= len(work.near_rows):
                near_to = end
                _bring_near(bins.codes, moved.rows[begin:end], work.near_rows, work.near_codes)
        seen = near if near_to > begin else bins
        gain = 0.0
        if end - begin >= fewest and spans[node, DEPTH] < limits.most_depth:
            gain = _best_split(seen, moved, limits, work, (begin, end), slot)
        if gain <= limits.least_gain:
            if slot > 0:
                _release(work.free, slot)
            continue
        if count + 2 > len(nodes):
            nodes, spans, surplus = (
                _longer(nodes, count),
                _longer(spans, count),
                np.append(surplus, np.zeros(len(surplus))),
            )
        j = best[FEATURE]
        words = (firsts[j + 1] - firsts[j] + 63) >> 6 if is_nominal[j] else 0
        if words > 0:
            sets = sets if used + words <= len(sets) else _longer_set(sets, words)
            _write_set(seen.codes, j, moved.rows, begin, end, best, best_order, sets[used : used + words])
        nodes[node, SPLIT], nodes[node, CHILD], surplus[node] = j, count, work.surplus[0]
        nodes[node, CUT] = used if words > 0 else _cut_between(middles, firsts[j], best[AT], best_order)
        middle = _move(seen.codes, moved, sets, nodes[node], words > 0, begin, end)
        used += words
        small, large = (count, count + 1) if middle - begin <= end - middle else (count + 1, count)
        _set_span(spans, count, begin, middle, spans[node, DEPTH] + 1)
        _set_span(spans, count + 1, middle, end, spans[node, DEPTH] + 1)
        if slot > 0:
            _share_histogram(seen, moved, limits, work, spans, small, large, slot)
        stack[waiting], stack[waiting + 1] = large, small
        count, waiting = count + 2, waiting + 2
    _send_back(moved.rows[near_from:near_to], work.near_rows)
    _cut_back(nodes, surplus, count, limits.unlikely)
    return nodes[:count].copy(), spans[:count, :2].copy(), sets[:used].copy()


@kernel
def _cut_back(nodes: PlaceArray, surplus: FloatArray, count: int, unlikely: float) -> None:
    """Take back branches whose splits together lower the impurity less than noise would; what they had below is gone.

    A split that gives nothing by itself stays where those below it make up for it: children come after their parents.
    """
    if unlikely <= NEVER_UNLIKELY:
        return
    for node in range(count - 1, -1, -1):
        if nodes[node, SPLIT] >= 0:
            left = nodes[node, CHILD]
            surplus[node] += surplus[left] + surplus[left + 1]
            if surplus[node] <= 0.0:
                nodes[node, SPLIT], surplus[node] = -1, 0.0
    surplus[:count] = 0.0  # from here on: whether a node is still there
    surplus[0] = 1.0
    for node in range(count):
        if surplus[node] == 0.0:
            nodes[node, SPLIT] = GONE
        elif nodes[node, SPLIT] >= 0:
            surplus[nodes[node, CHILD]] = surplus[nodes[node, CHILD] + 1] = 1.0


@kernel
def _bring_near(codes: CodeArray, rows: RowArray, near_rows: RowArray, near_codes: CodeArray) -> None:
    """Copy the codes of some records, and number these from 0 on."""
    for i in range(len(rows)):
        near_rows[i] = rows[i]
    for j in range(len(codes)):
        for i in range(len(rows)):
            near_codes[j, i] = codes[j, near_rows[i]]
    for i in range(len(rows)):
        rows[i] = i


@kernel
def _send_back(rows: RowArray, near_rows: RowArray) -> None:
    """Give records that were brought near their own numbers again."""
    for i in range(len(rows)):
        rows[i] = near_rows[rows[i]]


@kernel
def _longer(rows: Rows, count: int) -> Rows:
    """Return the same rows with room for as many again."""
    longer = np.empty((2 * len(rows), rows.shape[1]), rows.dtype)
    longer[:count] = rows[:count]
    return longer


@kernel
def _longer_set(sets: WordArray, words: int) -> WordArray:
    """Return the same words with room for as many again, and some."""
    longer = np.zeros(2 * len(sets) + words, np.uint64)
    longer[: len(sets)] = sets
    return longer


@kernel
def _set_span(spans: IntArray, node: int, begin: int, end: int, depth: int) -> None:
    spans[node, BEGIN], spans[node, END], spans[node, DEPTH], spans[node, SLOT] = begin, end, depth, 0


# --- the best split --------------------------------------------------------------------------------------------------------


@kernel
def _best_split(
    bins: GivenBins, moved: MovedRecords, limits: GrowthLimits, work: Scratch, span: tuple[int, int], slot: int
) -> float:
    """Find the best split of a node; return by how much it lowers the impurity, at most 0 where there is none."""
    features = work.features
    if limits.tried > 0:
        for place in range(len(features) - 1):
            other = place + draw_below(next_word(work.state) & LOW_WORD, len(features) - place)
            features[place], features[other] = features[other], features[place]
    if limits.classes > 0:
        return best_class_split(bins, moved, limits, work, span)
    return best_number_split(bins, moved, limits, work, span, slot)


@kernel
def _cut_between(middles: FloatArray, first: int, at: int, order: IntArray) -> int:
    """Return the last bin whose value is nearer to what lies left of a cut than to what lies right of it."""
    last, right = order[at], order[at + 1]
    halfway = middles[first + last] / 2 + middles[first + right] / 2
    while right - last > 1:
        between = (last + right) // 2
        if middles[first + between] < halfway:
            last = between
        else:
            right = between
    return int(last)


@kernel
def has_class(sets: WordArray, begin: Whole, code: Whole) -> bool:
    """Whether a class is in a set."""
    return bool((sets[begin + (code >> 6)] >> (np.uint64(code) & _63)) & _1 == _1)


@kernel
def _write_set(
    codes: CodeArray,
    j: int,
    rows: RowArray,
    begin: int,
    end: int,
    best: IntArray,
    order: IntArray,
    words: WordArray,
) -> None:
    """Write which classes go left; those that no record of the node has go with most of the records."""
    words[:] = 0
    for place in range(best[AT] + 1):
        words[order[place] >> 6] |= _1 << np.uint64(order[place] & 63)
    left = 0
    for i in range(begin, end):
        left += 1 if has_class(words, 0, np.int64(codes[j, rows[i]])) else 0
    if 2 * left > end - begin:
        words[:] = _ALL
        for place in range(best[AT] + 1, best[BINS]):
            words[order[place] >> 6] ^= _1 << np.uint64(order[place] & 63)


# --- two nodes from one ----------------------------------------------------------------------------------------------------


@kernel
def _move(
    codes: CodeArray,
    moved: MovedRecords,
    sets: WordArray,
    node: PlaceArray,
    is_nominal: bool,
    begin: int,
    end: int,
) -> int:
    """Put the records that go left before those that go right, each in their old order; return where these begin."""
    rows, y, weights, spare_rows, spare_y, spare_weights = moved
    j, cut, weighted = node[SPLIT], np.int64(node[CUT]), len(weights) > 0
    left, right = begin, 0
    for i in range(begin, end):
        row, value = rows[i], y[i]
        code = np.int64(codes[j, row])
        goes = has_class(sets, cut, code) if is_nominal else code <= cut
        rows[left], y[left] = row, value  # each is written to both sides, and one of them moves on
        spare_rows[right], spare_y[right] = row, value
        if weighted:
            weight = weights[i]
            weights[left], spare_weights[right] = weight, weight
        left += 1 if goes else 0
        right += 0 if goes else 1
    for i in range(right):
        rows[left + i], y[left + i] = spare_rows[i], spare_y[i]
    if weighted:
        for i in range(right):
            weights[left + i] = spare_weights[i]
    return left


@kernel
def _share_histogram(
    bins: GivenBins,
    moved: MovedRecords,
    limits: GrowthLimits,
    work: Scratch,
    spans: IntArray,
    small: int,
    large: int,
    slot: int,
) -> None:
    """Give the larger half of a node what the smaller lacks of its histogram, if it is large enough to need one."""
    if spans[large, END] - spans[large, BEGIN] < limits.histogram_from or work.free[-1] == 0:
        _release(work.free, slot)
        return
    other = _new_histogram(bins, moved, work, spans[small, BEGIN], spans[small, END])
    whole, part = work.histograms[slot], work.histograms[other]
    for part_of in range(3):
        for cell in range(whole.shape[1]):
            whole[part_of, cell] -= part[part_of, cell]
    spans[large, SLOT] = slot
    if spans[small, END] - spans[small, BEGIN] >= limits.histogram_from:
        spans[small, SLOT] = other
    else:
        _release(work.free, other)


@kernel
def _new_histogram(bins: GivenBins, moved: MovedRecords, work: Scratch, begin: int, end: int) -> int:
    """Take a free slot and count the records of a node there, by all features."""
    work.free[-1] -= 1
    slot = work.free[work.free[-1]]
    cells = work.histograms[slot]
    cells[:] = 0.0
    add_records(bins.codes, moved.rows, moved.y, moved.weights, (begin, end), bins.first, cells)
    return int(slot)


@kernel
def _release(free: IntArray, slot: int) -> None:
    free[free[-1]] = slot
    free[-1] += 1
