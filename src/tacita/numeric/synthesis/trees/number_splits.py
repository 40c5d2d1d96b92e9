"""The best split of a node for a number, or for two classes as 0 and 1: by how much the sum of squares falls.

A cut between left and right lowers the sum of squares by ``S_l^2 / W_l + S_r^2 / W_r - S^2 / W``, with W the weight and S the
weighted sum of the target; for two classes that is half of what the Gini index falls by. Classes of a feature are put in the
order of their means first: the best of all their divisions into two is then a cut (Breiman and others, 1984, section 9.4;
Fisher, 1958).
"""

from __future__ import annotations

from tacita.core.arrays import FloatArray
from tacita.core.kernel import kernel
from tacita.numeric.synthesis.trees.histogram import (
    add_records,
    clear,
    count_and_mark,
    marked_bins,
    occupied_bins,
    sort_bins,
)
from tacita.numeric.synthesis.trees.workspace import (
    CLEARLY,
    COUNT,
    FOUND,
    SUM,
    WEIGHT,
    GivenBins,
    GrowthLimits,
    MovedRecords,
    Scratch,
)

__all__ = ["number_node", "number_split"]


@kernel
def number_node(moved: MovedRecords, begin: int, end: int) -> tuple[float, float, bool]:
    """Return the weight of a node, the weighted sum of its target, and whether all its targets are equal."""
    weight, total, low, high = 0.0, 0.0, moved.y[begin], moved.y[begin]
    if len(moved.weights) > 0:
        for i in range(begin, end):
            weight += moved.weights[i]
            total += moved.weights[i] * moved.y[i]
            low, high = min(low, moved.y[i]), max(high, moved.y[i])
    else:
        weight = float(end - begin)
        for i in range(begin, end):
            total += moved.y[i]
            low, high = min(low, moved.y[i]), max(high, moved.y[i])
    return weight, total, low == high


@kernel
def number_split(
    bins: GivenBins,
    moved: MovedRecords,
    limits: GrowthLimits,
    work: Scratch,
    j: int,
    span: tuple[int, int],
    slot: int,
    stats: tuple[float, float],
) -> tuple[float, int]:
    """Return the best cut of a node by feature j: its score, and the place in ``order`` that it comes after, or -1.

    The histogram is there already in a slot other than 0; the one made in slot 0 is left for the caller to clear.
    """
    first = bins.first[j]
    cells = work.histograms[slot]
    width = bins.first[j + 1] - first
    if slot == 0:
        add_records(bins, moved, cells, j, span[0], span[1])
        count_and_mark(bins, moved, work, j, span[0], span[1])
        found = marked_bins(work, width)
    else:
        found = occupied_bins(work, cells, first, width)
    weighs = WEIGHT if len(moved.weights) > 0 else COUNT
    if bins.is_nominal[j]:
        for place in range(found):
            b = work.order[place]
            work.scores[b] = cells[first + b, SUM] / cells[first + b, weighs]
        sort_bins(work, found)
    score, at = _best_cut(cells, first, work, found, span[1] - span[0], weighs, stats, limits.min_leaf)
    if slot == 0:
        clear(cells, first, work.order, found)
    work.best[FOUND] = found
    return score, at


@kernel
def _best_cut(
    cells: FloatArray,
    first: int,
    work: Scratch,
    found: int,
    records: int,
    weighs: int,
    stats: tuple[float, float],
    min_leaf: int,
) -> tuple[float, int]:
    weight, total = stats
    best, at, least = 0.0, -1, float(min_leaf)
    left_count, left_weight, left_sum = 0.0, 0.0, 0.0
    for place in range(found - 1):
        cell = first + work.order[place]
        left_count += cells[cell, COUNT]
        left_weight += cells[cell, weighs]
        left_sum += cells[cell, SUM]
        if left_count < least:
            continue
        if records - left_count < least:
            break
        right_sum = total - left_sum
        score = left_sum * left_sum / left_weight + right_sum * right_sum / (weight - left_weight)
        if score > best * CLEARLY:
            best, at = score, place
    return best, at
