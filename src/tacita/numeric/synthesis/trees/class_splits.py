"""The best split of a node for three classes or more: by how much the Gini index falls.

With L_k and R_k the weight of class k on both sides, the index falls by ``sum L_k^2 / W_l + sum R_k^2 / W_r - sum T_k^2 / W``.
The entries of a node are sorted by their bin, and cross from right to left one by one: an entry is a record, or in large
nodes all records of a bin that have one class.

Classes of a feature have no order, and all their divisions into two are too many. As Coppersmith, Hong and Hosking (1999)
propose, and ranger does, they are put in order along the first principal direction of their shares, weighted by their
size; here at each node anew. With two classes in a node, the cut found so is the best of all divisions.

References
----------
Coppersmith, D., Hong, S. J., Hosking, J. R. M. (1999). Partitioning nominal attributes in decision trees. Data Mining and
Knowledge Discovery 3, 197-217.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray, WordArray
from tacita.core.kernel import kernel
from tacita.numeric.synthesis.trees.features import CodeArray
from tacita.numeric.synthesis.trees.histogram import clear_bins, list_marked, sort_bins
from tacita.numeric.synthesis.trees.workspace import (
    CLEARLY,
    NEVER_UNLIKELY,
    GivenBins,
    GrowthLimits,
    MovedRecords,
    RowArray,
    Scratch,
    keep_best,
    noise_share,
)

__all__ = ["best_class_split"]

TURNS, NEAR = 6, 1e-6
"""Most steps towards the principal direction, and the squared sine between two at which it counts as reached."""

TOTAL, LEFT, START, DIRECTION, TURNED = 0, 1, 2, 3, 4
"""Rows of ``Scratch.by_class``."""


_1, _6, _63 = np.uint64(1), np.uint64(6), np.uint64(63)


@kernel
def best_class_split(
    bins: GivenBins, moved: MovedRecords, limits: GrowthLimits, work: Scratch, span: tuple[int, int]
) -> float:
    """Find the best split of a node; return by how much it lowers the weighted Gini index, at most 0 where there is none."""
    firsts, founds, counts = bins.first, work.founds, work.histograms[0]
    weight, squares, present = _classes_of(moved.y, moved.weights, span, work.by_class, work.ranks, work.labels)
    if present < 2:
        return 0.0
    before = squares / weight
    highest, begin, end = before, 0, limits.tried if limits.tried > 0 else len(work.features)
    while begin < len(work.features):
        features = work.features[begin:end]
        _count_bins(bins.codes, features, moved.rows, span, firsts, bins.words, counts, work.marks)
        list_marked(features, firsts, bins.words, work.marks, work.order, founds)
        score, j, at = _best_cut(bins, moved, work, features, span, (weight, squares, present), limits.min_leaf)
        if score > highest * CLEARLY:
            highest = score
            keep_best(work.best, work.best_order, j, at, firsts[j], work.order[firsts[j] : firsts[j] + founds[j]])
        clear_bins(features, firsts, work.order, founds, counts)
        if j >= 0:
            break
        begin, end = end, end + 1
    if limits.unlikely > NEVER_UNLIKELY:
        # The Gini index leaves W - sum T_k^2 / W of the node. Noise takes a share sum_i l_i X_i^2 / (n sum_i l_i) of that, with
        # X_i normal and l_i the eigenvalues of diag(p) - pp': as many degrees of freedom as (sum l_i)^2 / sum l_i^2.
        twice, thrice = squares / (weight * weight), 0.0
        for k in range(present):
            thrice += (work.by_class[TOTAL, k] / weight) ** 3
        freedom = (1.0 - twice) ** 2 / max(twice - 2.0 * thrice + twice * twice, 1e-300)
        noise = noise_share(limits.unlikely, freedom) * (weight - before) / (span[1] - span[0])
        work.surplus[0] = highest - before - noise
    return highest - before


@kernel
def _best_cut(
    bins: GivenBins,
    moved: MovedRecords,
    work: Scratch,
    features: IntArray,
    span: tuple[int, int],
    stats: tuple[float, float, int],
    min_leaf: float,
) -> tuple[float, int, int]:
    """Return the highest score of a cut, its feature, or -1, and the place in the order that it comes after."""
    codes, rows, weights, firsts, is_nominal = bins.codes, moved.rows, moved.weights, bins.first, bins.is_nominal
    starts, ends, classes, shares, order, founds = (
        work.starts,
        work.ends,
        work.classes,
        work.shares,
        work.order,
        work.founds,
    )
    counts, labels, by_class, scores, cells = work.histograms[0], work.labels, work.by_class, work.scores, work.cells
    weight, squares, present = stats
    begin, stop = np.uint64(span[0]), np.uint64(span[1])
    best, feature, at = 0.0, -1, 0
    for j in features:
        first, last = firsts[j], firsts[j] + founds[j] - 1
        if 2 * founds[j] * present <= span[1] - span[0]:
            own = order[first : last + 1]
            _gather(codes, j, rows, weights, span, labels, first, own, present, cells, starts, ends, classes, shares)
        else:  # every record is an entry
            before = 0
            for place in range(first, last + 1):
                starts[order[place]] = ends[order[place]] = before
                before += int(counts[0, order[place]])
            for i in range(begin, stop):
                cell = np.uint64(first) + np.uint64(codes[j, rows[i]])
                to = np.uint64(ends[cell])
                classes[to] = labels[i - begin]
                shares[to] = weights[i] if len(weights) > 0 else 1.0
                ends[cell] += 1
        if is_nominal[j] and founds[j] > 2:
            _order_by_shares(order[first : last + 1], starts, ends, classes, shares, by_class, present, weight, scores)
        for k in range(present):
            by_class[LEFT, k] = 0.0
        left_count, left_weight, left_squares, across = 0.0, 0.0, 0.0, 0.0
        for place in range(first, last):
            cell = np.uint64(order[place])
            for i in range(np.uint64(starts[cell]), np.uint64(ends[cell])):
                one, share = np.uint64(classes[i]), shares[i]
                left_squares += share * (2.0 * by_class[LEFT, one] + share)
                across += share * by_class[TOTAL, one]
                by_class[LEFT, one] += share
                left_weight += share
            left_count += counts[0, cell]
            if left_count >= min_leaf:
                if span[1] - span[0] - left_count < min_leaf:
                    break
                # sum R_k^2 = sum (T_k - L_k)^2
                score = left_squares / left_weight + (squares - 2.0 * across + left_squares) / (weight - left_weight)
                if score > best * CLEARLY or feature < 0:
                    best, feature, at = score, j, place - first
    return best, feature, at


@kernel
def _classes_of(
    y: FloatArray, weights: FloatArray, span: tuple[int, int], by_class: FloatArray, ranks: IntArray, labels: IntArray
) -> tuple[float, float, int]:
    """Number the classes that a node has, and each record's; return weight, sum of the squared weights, how many classes."""
    begin, weight = span[0], 0.0
    ranks[:] = -1
    present = 0
    for i in range(begin, span[1]):
        k = np.int64(y[i])
        if ranks[k] < 0:
            ranks[k] = present
            by_class[TOTAL, present] = 0.0
            by_class[START, present] = (0.618034 * (k + 1)) % 1.0 - 0.5
            present += 1
        share = weights[i] if len(weights) > 0 else 1.0
        labels[i - begin] = ranks[k]
        by_class[TOTAL, ranks[k]] += share
        weight += share
    squares = 0.0
    for rank in range(present):
        squares += by_class[TOTAL, rank] * by_class[TOTAL, rank]
    return weight, squares, present


@kernel
def _count_bins(
    codes: CodeArray,
    features: IntArray,
    rows: RowArray,
    span: tuple[int, int],
    firsts: IntArray,
    words: IntArray,
    counts: FloatArray,
    marks: WordArray,
) -> None:
    """Count and mark the bins of some features that a node's records lie in."""
    for j in features:
        first, word = np.uint64(firsts[j]), np.uint64(words[j])
        for i in range(np.uint64(span[0]), np.uint64(span[1])):
            code = np.uint64(codes[j, rows[i]])
            counts[0, first + code] += 1.0
            marks[word + (code >> _6)] |= _1 << (code & _63)


@kernel
def _gather(
    codes: CodeArray,
    j: int,
    rows: RowArray,
    weights: FloatArray,
    span: tuple[int, int],
    labels: IntArray,
    first: int,
    order: IntArray,
    present: int,
    cells: FloatArray,
    starts: IntArray,
    ends: IntArray,
    classes: IntArray,
    shares: FloatArray,
) -> None:
    """Make all records of a bin with one class an entry, sorted by bin and class."""
    cells[: len(order) * present] = 0.0
    for place in range(len(order)):
        starts[order[place]] = place * present
    start, begin = np.uint64(first), np.uint64(span[0])
    for i in range(begin, np.uint64(span[1])):
        at = np.uint64(starts[start + np.uint64(codes[j, rows[i]])] + labels[i - begin])
        cells[at] += weights[i] if len(weights) > 0 else 1.0
    found = 0
    for place in range(len(order)):
        starts[order[place]] = found
        for k in range(present):
            classes[found], shares[found] = k, cells[place * present + k]
            found += 1 if cells[place * present + k] > 0.0 else 0
        ends[order[place]] = found


@kernel
def _order_by_shares(
    order: IntArray,
    starts: IntArray,
    ends: IntArray,
    classes: IntArray,
    shares: FloatArray,
    by_class: FloatArray,
    present: int,
    weight: float,
    scores: FloatArray,
) -> None:
    """Put the bins in order along the first principal direction of their shares of the classes.

    With p_b the shares of bin b, W_b its weight and p the shares of the node, the direction is the first eigenvector of
    ``sum_b W_b (p_b - p) (p_b - p)'``. It is found by multiplying, from a vector in which no class has a special place.
    """
    by_class[DIRECTION, :present] = by_class[START, :present]
    for turn in range(TURNS + 1):
        middle = 0.0
        for k in range(present):
            by_class[TURNED, k] = 0.0
            middle += by_class[TOTAL, k] * by_class[DIRECTION, k] / weight
        for cell in order:
            total, size = 0.0, 0.0
            for i in range(np.uint64(starts[cell]), np.uint64(ends[cell])):
                total += shares[i] * by_class[DIRECTION, np.uint64(classes[i])]
                size += shares[i]
            scores[cell] = total / size
            off = scores[cell] - middle
            for i in range(np.uint64(starts[cell]), np.uint64(ends[cell])):
                by_class[TURNED, np.uint64(classes[i])] += shares[i] * off
        across, length, before = 0.0, 0.0, 0.0
        for k in range(present):
            across += by_class[DIRECTION, k] * by_class[TURNED, k]
            length += by_class[TURNED, k] * by_class[TURNED, k]
            before += by_class[DIRECTION, k] * by_class[DIRECTION, k]
        if turn == TURNS or length <= 0.0 or across * across >= length * before * (1.0 - NEAR):
            break
        for k in range(present):
            by_class[DIRECTION, k] = by_class[TURNED, k] / np.sqrt(length)
    sort_bins(order, scores)
