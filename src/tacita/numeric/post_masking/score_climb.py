"""Local search on the score itself: loss of values and moments, linkage and rank intervals, one value at a time.

The score is a sum over records plus a function of the moments. A step changes one value, so the moments follow in O(d),
and of the other records only the order statistics move; these stay fixed during a round, and the caller renews them
between rounds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacita.core.arrays import Float1, Float2, FloatArray, Int1, Int2, IntArray, Word1, WordArray
from tacita.core.kernel import entry, kernel
from tacita.numeric.compiled.random import LOW_WORD, draw_below, next_word
from tacita.numeric.nearest.kd_tree import KdTree
from tacita.numeric.nearest.neighbour import is_nearest, nearest_from
from tacita.numeric.post_masking.hill_climb import ColumnRules, cell_loss, is_allowed, move_value, row_loss

__all__ = ["Prices", "ScoreState", "count_hits", "fill_risks", "hit_share", "moment_loss", "search_score"]


_11 = np.uint64(11)
_UNIT = 2.0**-53
_LOSS, _CELLS, _LINKED, _HITS, _HIT_CELLS = range(5)
_LEAST = 1e-13
"""A gain below this is rounding."""


class ScoreState(NamedTuple):
    """Both files and what is known of each record; the arrays of the masked file change in place.

    ``original`` and ``base`` are the original file standardised and raw, ``values`` and ``z`` the masked file raw and
    standardised, ``nearest`` its C(i); ``first`` and ``second`` are means and mean products of ``z``; ``mean_x`` and
    ``cov_x`` the original's raw means and standardised covariances. ``ordered`` has the sorted masked values of each
    column, ``there`` how many they are, ``widths`` the half-widths of its rank intervals in ranks. ``linked`` and
    ``hits`` are the risks of each record; ``sums`` the sum and count of relative errors, the sum of ``linked``, the sum
    and count of ``hits``.
    """

    original: Float2
    base: Float2
    values: Float2
    z: Float2
    mean: Float1
    sd: Float1
    nearest: Int1
    first: Float1
    second: Float2
    mean_x: Float1
    cov_x: Float2
    ordered: Float2
    there: Int1
    widths: Float2
    linked: Float1
    hits: Float1
    sums: Float1


class Prices(NamedTuple):
    """What each part of the score costs, and the risks below which nothing more is gained.

    The score is ``loss (IL1' + IL2 + ... + IL5) + linkage max(DLD', linkage_floor) + intervals max(ID', intervals_floor)``,
    with risks between 0 and 1.
    """

    loss: float
    linkage: float
    intervals: float
    linkage_floor: float
    intervals_floor: float


def hit_share(state: ScoreState) -> float:
    """Return ID', between 0 and 1, as the search believes it to be: ranks stand still in a round."""
    return float(state.sums[_HITS] / max(state.sums[_HIT_CELLS], 1))


@kernel(inline=True)
def _known_loss(x: float, y: float) -> float:
    loss = cell_loss(x, y)
    return 0.0 if np.isnan(loss) else float(loss)


@kernel
def _column_loss(
    state: ScoreState, first: FloatArray, second: FloatArray, j: int, skip: IntArray, skipped: int
) -> float:
    """Return the part of IL2 + ... + IL5 that column j has a share in, but for its pairs with the ``skipped`` columns."""
    d = len(first)
    variance = second[j, j] - first[j] ** 2
    total = _known_loss(state.mean_x[j], state.mean[j] + state.sd[j] * first[j]) / d  # IL2: means
    total += _known_loss(state.cov_x[j, j], variance) / d  # IL4: variances
    pairs, above = d * (d + 1) / 2, max(d * (d - 1) / 2, 1.0)
    for k in range(d):
        is_counted = False
        for b in range(skipped):
            is_counted |= skip[b] == k
        if is_counted:
            continue
        cov = second[j, k] - first[j] * first[k]
        total += _known_loss(state.cov_x[j, k], cov) / pairs  # IL3: covariances
        if k != j:
            size = variance * (second[k, k] - first[k] ** 2)
            size_x = state.cov_x[j, j] * state.cov_x[k, k]
            if size > 0 and size_x > 0:  # IL5: correlations
                total += abs(cov / np.sqrt(size) - state.cov_x[j, k] / np.sqrt(size_x)) / above
    return float(total)


@kernel
def moment_loss(state: ScoreState) -> float:
    """Return IL2 + ... + IL5: the losses of means, covariances, variances and correlations."""
    d = len(state.first)
    total, done = 0.0, np.arange(d)
    for j in range(d):
        total += _column_loss(state, state.first, state.second, j, done, j)
    return total


@kernel
def count_hits(x: float, y: float, ordered: FloatArray, n: int, widths: FloatArray) -> float:
    """Return the share of widths whose rank interval around y holds x; NaN where one of them is missing."""
    if np.isnan(x) or np.isnan(y):
        return np.nan
    low = np.searchsorted(ordered[:n], y, side="left")
    high = np.searchsorted(ordered[:n], y, side="right") - 1
    rank, found = (low + high) / 2, 0
    for w in range(len(widths)):
        a = min(max(int(np.ceil(rank - widths[w] - 1e-9)), 0), n - 1)
        b = min(max(int(np.floor(rank + widths[w] + 1e-9)), 0), n - 1)
        found += ordered[a] <= x <= ordered[b]
    return found / len(widths)


@kernel
def _row_hits(state: ScoreState, row: FloatArray, near: int) -> tuple[float, float]:
    total, count = 0.0, 0.0
    for k in range(len(row)):
        share = count_hits(state.base[near, k], row[k], state.ordered[k], state.there[k], state.widths[k])
        if not np.isnan(share):
            total += share
            count += 1.0
    return total, count


@kernel
def _row_linked(state: ScoreState, z: FloatArray, near: int, known: int, tree: KdTree, stack: IntArray) -> float:
    """Return the chance that the intruder finds C(i), averaged over knowing the first 1, ..., known columns."""
    total = 0.0
    for m in range(1, known + 1):
        total += is_nearest(z, state.original, near, m, tree, stack)
    return total / max(known, 1)


@entry
def fill_risks(state: ScoreState, known: int, tree: KdTree) -> None:
    """Compute the loss and the risks of every record from scratch."""
    stack = np.empty(128, np.int64)
    state.sums[:] = 0.0
    for i in range(len(state.values)):
        near = state.nearest[i]
        loss, cells = row_loss(state.base[near], state.values[i])
        hits, hit_cells = _row_hits(state, state.values[i], near)
        state.hits[i], state.linked[i] = hits, _row_linked(state, state.z[i], near, known, tree, stack)
        state.sums[_LOSS] += loss
        state.sums[_CELLS] += cells
        state.sums[_LINKED] += state.linked[i]
        state.sums[_HITS] += hits
        state.sums[_HIT_CELLS] += hit_cells


@kernel(inline=True)
def _score(loss: float, moments: float, linked: float, hits: float, prices: Prices) -> float:
    risk = prices.linkage * max(linked, prices.linkage_floor) + prices.intervals * max(hits, prices.intervals_floor)
    return prices.loss * (loss + moments) + risk  # (5.1)


@kernel
def _moved_moments(
    state: ScoreState, i: int, z: FloatArray, j: int, rules: ColumnRules, first: FloatArray, second: FloatArray
) -> None:
    """Write the moments with record i at ``z`` into ``first`` and ``second``."""
    n, d = state.z.shape
    for a in range(rules.touched[j]):
        k = rules.affected[j, a]
        first[k] = state.first[k] + (z[k] - state.z[i, k]) / n
        for other in range(d):
            second[k, other] = state.second[k, other] + (z[k] * z[other] - state.z[i, k] * state.z[i, other]) / n
            second[other, k] = second[k, other]


@kernel
def _copy_moments(
    source: tuple[FloatArray, FloatArray], target: tuple[FloatArray, FloatArray], j: int, rules: ColumnRules
) -> None:
    for a in range(rules.touched[j]):
        k = rules.affected[j, a]
        target[0][k] = source[0][k]
        for other in range(len(source[0])):
            target[1][k, other], target[1][other, k] = source[1][k, other], source[1][other, k]


@kernel
def _proposed(state: ScoreState, i: int, j: int, step: float, words: WordArray) -> float:
    """Return another value: nearer to that of C(i), so that a large relative error falls, or anywhere around."""
    u = np.float64(next_word(words) >> _11) * _UNIT
    value, near = state.values[i, j], state.base[state.nearest[i], j]
    if next_word(words) & np.uint64(1) and not np.isnan(near):
        return float(near + (value - near) * u)
    u = 2.0 * u - 1.0
    return float(value + step * state.sd[j] * u * u * u)


@kernel
def _moments_change(state: ScoreState, j: int, rules: ColumnRules, first: FloatArray, second: FloatArray) -> float:
    """Return how much IL2 + ... + IL5 change when the moments become ``first`` and ``second``."""
    change = 0.0
    for a in range(rules.touched[j]):
        k = rules.affected[j, a]
        change += _column_loss(state, first, second, k, rules.affected[j], a)
        change -= _column_loss(state, state.first, state.second, k, rules.affected[j], a)
    return change


@kernel
def _keep_if_better(
    state: ScoreState,
    i: int,
    row: FloatArray,
    z: FloatArray,
    moments: float,
    change: float,
    trees: tuple[KdTree, KdTree],
    known: int,
    prices: Prices,
    stack: IntArray,
    bounds: FloatArray,
) -> bool:
    """Move record i to ``row`` where that lowers the score. The cheap parts come first; most steps end there."""
    n, d = state.z.shape
    sums, near = state.sums, state.nearest[i]
    loss, count = row_loss(state.base[near], state.values[i])
    now = _score(sums[_LOSS] / sums[_CELLS], moments, sums[_LINKED] / n, sums[_HITS] / sums[_HIT_CELLS], prices)
    # The best that could come: a record without loss and risk. Where that is no gain, nothing need be searched.
    other_linked, other_hits = sums[_LINKED] - state.linked[i], sums[_HITS] - state.hits[i]
    hit = other_hits / sums[_HIT_CELLS]
    best = _score((sums[_LOSS] - loss) / sums[_CELLS], moments + change, other_linked / n, hit, prices)
    if best >= now:
        return False
    found = nearest_from(z, state.original, near, trees[0], stack, bounds)[0]
    new_loss, new_count = row_loss(state.base[found], row)
    hits = _row_hits(state, row, found)[0]
    total, counted = sums[_LOSS] + new_loss - loss, sums[_CELLS] + new_count - count
    hit = (other_hits + hits) / sums[_HIT_CELLS]
    if _score(total / counted, moments + change, other_linked / n, hit, prices) >= now:
        return False
    linked = _row_linked(state, z, found, known, trees[1], stack)
    if _score(total / counted, moments + change, (other_linked + linked) / n, hit, prices) >= now - _LEAST:
        return False
    for k in range(d):
        state.values[i, k], state.z[i, k] = row[k], z[k]
    state.nearest[i], state.linked[i], state.hits[i] = found, linked, hits
    sums[_LOSS], sums[_CELLS], sums[_LINKED], sums[_HITS] = total, counted, other_linked + linked, other_hits + hits
    return True


@entry
def search_score(
    state: ScoreState,
    cells: Int2,
    rules: ColumnRules,
    trees: tuple[KdTree, KdTree],
    known: int,
    prices: Prices,
    step: float,
    words: Word1,
    steps: int,
) -> int:
    """Try ``steps`` changes and keep those that lower the score; return how many were kept.

    ``trees`` holds the originals in all columns and in the ``known`` first ones.
    """
    d = state.z.shape[1]
    stack, bounds = np.empty(128, np.int64), np.empty(128)
    row, z, kept = np.empty(d), np.empty(d), 0
    first, second = state.first.copy(), state.second.copy()
    moments = moment_loss(state)
    for _ in range(steps):
        cell = draw_below(next_word(words) & LOW_WORD, len(cells))
        i, j = cells[cell, 0], cells[cell, 1]
        for k in range(d):
            row[k], z[k] = state.values[i, k], state.z[i, k]
        value = _proposed(state, i, j, step, words)
        value = row[j] + np.rint(value - row[j]) if rules.whole[j] else value
        move_value(row, z, j, value, rules, state.mean, state.sd)
        if row[j] == state.values[i, j] or not is_allowed(row, state.values[i], j, rules):
            continue
        _moved_moments(state, i, z, j, rules, first, second)
        change = _moments_change(state, j, rules, first, second)
        if _keep_if_better(state, i, row, z, moments, change, trees, known, prices, stack, bounds):
            _copy_moments((first, second), (state.first, state.second), j, rules)
            moments += change
            kept += 1
        else:
            _copy_moments((state.first, state.second), (first, second), j, rules)
    return kept
