"""The best split of a node for three classes or more: by how much the Gini index falls.

With L_k and R_k the weight of class k on both sides, the index falls by ``sum L_k^2 / W_l + sum R_k^2 / W_r - sum T_k^2 / W``.
The records of a node are sorted by their bin, and cross from right to left one by one.

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

from tacita.core.arrays import FloatArray
from tacita.core.kernel import kernel
from tacita.numeric.synthesis.trees.histogram import count_and_mark, marked_bins, sort_bins
from tacita.numeric.synthesis.trees.workspace import (
    CLEARLY,
    FOUND,
    PRESENT,
    GivenBins,
    GrowthLimits,
    MovedRecords,
    Scratch,
)

__all__ = ["class_node", "class_split"]

TURNS, NEAR = 20, 1e-8
"""Most steps towards the principal direction, and the squared sine between two at which it counts as reached."""


@kernel
def class_node(moved: MovedRecords, work: Scratch, begin: int, end: int) -> tuple[float, float, bool]:
    """Return the weight of a node, the sum of the squared weights of its classes, and whether it has one class alone."""
    totals, weight = work.totals, 0.0
    totals[:] = 0.0
    weighted = len(moved.weights) > 0
    for i in range(begin, end):
        share = moved.weights[i] if weighted else 1.0
        totals[np.int64(moved.y[i])] += share
        weight += share
    squares, present = 0.0, 0
    for k in range(len(totals)):
        squares += totals[k] * totals[k]
        work.present[present] = k
        present += totals[k] > 0.0
    work.best[PRESENT] = present
    return weight, squares, present < 2


@kernel
def class_split(
    bins: GivenBins,
    moved: MovedRecords,
    limits: GrowthLimits,
    work: Scratch,
    j: int,
    span: tuple[int, int],
    stats: tuple[float, float],
) -> tuple[float, int]:
    """Return the best cut of a node by feature j: its score, and the place in ``order`` that it comes after, or -1."""
    found = _sorted_by_bin(bins, moved, work, j, span[0], span[1])
    if bins.is_nominal[j] and found > 2:
        _order_by_shares(work, found, stats[0])
    best, at, least, records = 0.0, -1, limits.min_leaf, span[1] - span[0]
    left, totals = work.left, work.totals
    left[:] = 0.0
    left_count, left_weight, left_squares, right_squares = 0, 0.0, 0.0, stats[1]
    for place in range(found - 1):
        b = work.order[place]
        for i in range(work.starts[b], work.ends[b]):
            k, share = work.labels[i], work.label_weights[i]
            left_squares += share * (2.0 * left[k] + share)
            right_squares += share * (share - 2.0 * (totals[k] - left[k]))
            left[k] += share
            left_weight += share
        left_count += work.ends[b] - work.starts[b]
        if left_count < least:
            continue
        if records - left_count < least:
            break
        score = left_squares / left_weight + right_squares / (stats[0] - left_weight)
        if score > best * CLEARLY:
            best, at = score, place
    work.best[FOUND] = found
    return best, at


@kernel
def _sorted_by_bin(bins: GivenBins, moved: MovedRecords, work: Scratch, j: int, begin: int, end: int) -> int:
    """Sort classes and weights of a node's records by the bin of feature j; return how many bins are occupied."""
    codes, rows, starts, ends = bins.codes[j], moved.rows, work.starts, work.ends
    count_and_mark(bins, moved, work, j, begin, end)
    found = marked_bins(work, bins.first[j + 1] - bins.first[j])
    for place in range(found):
        ends[work.order[place]] = 0
    for i in range(begin, end):
        ends[np.int64(codes[rows[i]])] += 1
    before = 0
    for place in range(found):
        b = work.order[place]
        size = ends[b]
        starts[b], ends[b] = before, before
        before += size
    weighted = len(moved.weights) > 0
    for i in range(begin, end):
        b = np.int64(codes[rows[i]])
        work.labels[ends[b]] = np.int32(moved.y[i])
        work.label_weights[ends[b]] = moved.weights[i] if weighted else 1.0
        ends[b] += 1
    return found


@kernel
def _order_by_shares(work: Scratch, found: int, weight: float) -> None:
    """Put the bins in order along the first principal direction of their shares of the classes.

    With p_b the shares of bin b, W_b its weight and p the shares of the node, the direction is the first eigenvector of
    ``sum_b W_b (p_b - p) (p_b - p)'``. It is found by multiplying, from a vector that has no special place among classes.
    """
    direction, turned, present = work.direction[0], work.direction[1], work.present
    for place in range(work.best[PRESENT]):
        k = present[place]
        direction[k] = (0.618034 * (k + 1)) % 1.0 - 0.5
    for _ in range(TURNS):
        across, length, before = _turn(work, found, weight)
        if length <= 0.0:
            break
        for place in range(work.best[PRESENT]):
            direction[present[place]] = turned[present[place]] / np.sqrt(length)
        if across * across >= length * before * (1.0 - NEAR):
            break
    largest = present[0]
    for place in range(1, work.best[PRESENT]):
        if abs(direction[present[place]]) > abs(direction[largest]) * (1.0 + 1e-9):
            largest = present[place]
    sign = 1.0 if direction[largest] >= 0.0 else -1.0
    for place in range(found):
        b = work.order[place]
        total, size = _along(work, b, direction)
        work.scores[b] = sign * total / size
    sort_bins(work, found)


@kernel
def _turn(work: Scratch, found: int, weight: float) -> tuple[float, float, float]:
    """Multiply the direction by the matrix; return its product with the result, and the squared lengths of that and of itself."""
    direction, turned, present = work.direction[0], work.direction[1], work.present
    middle = 0.0
    for place in range(work.best[PRESENT]):
        k = present[place]
        turned[k] = 0.0
        middle += work.totals[k] * direction[k]
    middle /= weight
    for place in range(found):
        b = work.order[place]
        total, size = _along(work, b, direction)
        off = total / size - middle
        for i in range(work.starts[b], work.ends[b]):
            turned[work.labels[i]] += work.label_weights[i] * off
    across, length, before = 0.0, 0.0, 0.0
    for place in range(work.best[PRESENT]):
        k = present[place]
        across += direction[k] * turned[k]
        length += turned[k] * turned[k]
        before += direction[k] * direction[k]
    return across, length, before


@kernel
def _along(work: Scratch, b: int, direction: FloatArray) -> tuple[float, float]:
    """Return the weighted sum along a direction of a bin's records, and their weight."""
    total, size = 0.0, 0.0
    for i in range(work.starts[b], work.ends[b]):
        total += work.label_weights[i] * direction[work.labels[i]]
        size += work.label_weights[i]
    return total, size
