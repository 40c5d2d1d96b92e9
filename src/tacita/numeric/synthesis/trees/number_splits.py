"""The best split of a node for a number, or for two classes as 0 and 1: by how much the sum of squares falls.

A cut between left and right lowers the sum of squares by ``S_l^2 / W_l + S_r^2 / W_r - S^2 / W``, with W the weight and S the
weighted sum of the target; for two classes that is half of what the Gini index falls by. Classes of a feature are put in the
order of their means first: the best of all their divisions into two is then a cut (Breiman and others, 1984, section 9.4;
Fisher, 1958).
"""

from __future__ import annotations

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.kernel import kernel
from tacita.numeric.synthesis.trees.histogram import (
    clear_bins,
    list_marked,
    mark_occupied,
    sort_bins,
    tally_records,
)
from tacita.numeric.synthesis.trees.workspace import (
    CLEARLY,
    NEVER_UNLIKELY,
    GivenBins,
    GrowthLimits,
    MovedRecords,
    Scratch,
    keep_best,
    noise_share,
)

__all__ = ["best_number_split"]


@kernel
def best_number_split(
    bins: GivenBins, moved: MovedRecords, limits: GrowthLimits, work: Scratch, span: tuple[int, int], slot: int
) -> float:
    """Find the best split of a node; return by how much it lowers the sum of squares, at most 0 where there is none.

    The histogram of a node is in its slot; without one, the features are tallied here.
    """
    y, weights, firsts, marks, founds = moved.y, moved.weights, bins.first, work.marks, work.founds
    weight, total, is_pure = _sums(y, weights, span)
    if is_pure:
        return 0.0
    before = total * total / weight
    highest, begin, end = before, 0, limits.tried if limits.tried > 0 else len(work.features)
    cells = work.histograms[slot]
    while begin < len(work.features):
        features = work.features[begin:end]
        if slot > 0:
            mark_occupied(cells, firsts, bins.words, marks)
        else:
            tally_records(bins.codes, features, moved.rows, y, weights, span, firsts, bins.words, cells, marks)
        list_marked(features, firsts, bins.words, marks, work.order, founds)
        weighs = 1 if len(weights) > 0 else 0
        _order_by_means(features, bins.is_nominal, cells, weighs, firsts, work.order, founds, work.scores)
        score, j, at = _best_cut(
            features, cells, weighs, firsts, work.order, founds, (weight, total), span[1] - span[0], limits.min_leaf
        )
        if score > highest * CLEARLY:
            highest = score
            keep_best(work.best, work.best_order, j, at, firsts[j], work.order[firsts[j] : firsts[j] + founds[j]])
        if slot == 0:
            clear_bins(features, firsts, work.order, founds, cells)
        if j >= 0:
            break
        begin, end = end, end + 1
    if limits.unlikely > NEVER_UNLIKELY:
        noise = noise_share(limits.unlikely, 1.0) * (_squares(y, weights, span) - before) / (span[1] - span[0])
        work.surplus[0] = highest - before - noise
    return highest - before


@kernel
def _squares(y: FloatArray, weights: FloatArray, span: tuple[int, int]) -> float:
    """Return the weighted sum of the squares of the target of a node."""
    squares = 0.0
    if len(weights) > 0:
        for i in range(span[0], span[1]):
            squares += weights[i] * y[i] * y[i]
    else:
        for i in range(span[0], span[1]):
            squares += y[i] * y[i]
    return squares


@kernel
def _sums(y: FloatArray, weights: FloatArray, span: tuple[int, int]) -> tuple[float, float, bool]:
    """Return the weight of a node, the weighted sum of its target, and whether all its targets are equal."""
    weight, total, is_pure = float(span[1] - span[0]), 0.0, True
    if len(weights) > 0:
        weight = 0.0
        for i in range(span[0], span[1]):
            weight += weights[i]
            total += weights[i] * y[i]
            is_pure &= y[i] == y[span[0]]
    else:
        for i in range(span[0], span[1]):
            total += y[i]
            is_pure &= y[i] == y[span[0]]
    return weight, total, is_pure


@kernel
def _order_by_means(
    features: IntArray,
    is_nominal: BoolArray,
    cells: FloatArray,
    weighs: int,
    firsts: IntArray,
    order: IntArray,
    founds: IntArray,
    scores: FloatArray,
) -> None:
    """Put the bins of each feature that has classes in the order of the target's means."""
    for j in features:
        if is_nominal[j]:
            for place in range(firsts[j], firsts[j] + founds[j]):
                scores[order[place]] = cells[2, order[place]] / cells[weighs, order[place]]
            sort_bins(order[firsts[j] : firsts[j] + founds[j]], scores)


@kernel
def _best_cut(
    features: IntArray,
    cells: FloatArray,
    weighs: int,
    firsts: IntArray,
    order: IntArray,
    founds: IntArray,
    stats: tuple[float, float],
    records: float,
    min_leaf: float,
) -> tuple[float, int, int]:
    """Return the highest score of a cut, its feature, or -1, and the place in the order that it comes after."""
    weight, total = stats
    best, feature, at = 0.0, -1, 0
    for j in features:
        left_count, left_weight, left_sum = 0.0, 0.0, 0.0
        for place in range(firsts[j], firsts[j] + founds[j] - 1):
            cell = order[place]
            left_count += cells[0, cell]
            left_weight += cells[weighs, cell]
            left_sum += cells[2, cell]
            if left_count < min_leaf:
                continue
            if records - left_count < min_leaf:
                break
            right_sum = total - left_sum
            score = left_sum * left_sum / left_weight + right_sum * right_sum / (weight - left_weight)
            if score > best * CLEARLY or feature < 0:
                best, feature, at = score, j, place - firsts[j]
    return best, feature, at
