"""Linking records when each original is known to lie inside a box around its masked record."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Bool1, BoolArray, Float1, Float2, FloatArray, Int1, IntArray
from tacita.core.kernel import entry, kernel
from tacita.core.progress import task
from tacita.numeric.compiled.threads import in_blocks
from tacita.numeric.nearest.distances import push_children, squared_distance
from tacita.numeric.nearest.kd_tree import LEAF_SIZE, build_kd_tree

__all__ = ["NO_CANDIDATE", "own_is_nearest_inside", "swap_windows"]


NO_CANDIDATE = -1.0
"""The chance that is returned for a record whose box is empty."""
_TOLERANCE = 1e-9
_BLOCK = 2048


def swap_windows(x: FloatArray, y: FloatArray, p: float) -> tuple[FloatArray, FloatArray]:
    """Return for each masked value of a column the smallest and the largest original it can come from. O(n log n).

    A value was exchanged with one at most ``floor(p n / 100)`` ranks away. Equal values stand at all ranks from their first to
    their last, so the window reaches from below the first to above the last. A missing masked value may come from any.
    """
    ordered = np.sort(x[~np.isnan(x)])
    n = len(ordered)
    low, high = np.full(len(y), -np.inf), np.full(len(y), np.inf)
    there = ~np.isnan(y)
    if not n or not there.any():
        return low, high
    reach = int(np.floor(p * n / 100 + 1e-9))
    first = np.searchsorted(ordered, y[there], side="left")
    last = np.searchsorted(ordered, y[there], side="right") - 1
    low[there] = ordered[np.clip(first - reach, 0, n - 1)]
    high[there] = ordered[np.clip(last + reach, 0, n - 1)]
    return low, high


def own_is_nearest_inside(
    originals: FloatArray,
    masked: FloatArray,
    own: IntArray,
    low: FloatArray,
    high: FloatArray,
    *,
    overwrite: bool = False,
) -> tuple[FloatArray, BoolArray]:
    """Return for each masked record the chance that the nearest original in its box is its own, and whether that is inside.

    Parameters
    ----------
    originals
        All original records; a missing value (NaN) lies in no finite window and counts as 0 in distances.
    masked
        Masked records without missing values.
    own
        For each masked record the row of its original.
    low, high
        The box of each masked record; both ends belong to it. A side is finite at both ends or at none.
    overwrite
        Whether the originals may lie in another order afterwards, which needs less memory; where a record has no candidate they
        are put back.

    Returns
    -------
    tuple
        Chances: 1/m where the own original is one of m nearest candidates, 0 where another is nearer or the own one lies
        outside, ``NO_CANDIDATE`` where no original lies inside. Then whether the own original lies inside.

    Notes
    -----
    One walk down a tree of boxes for each record; it ends at the first candidate that settles the question.
    """
    filled = candidates = np.ascontiguousarray(originals)
    has_gaps = bool(np.isnan(originals).any())
    if has_gaps:
        filled, candidates = np.nan_to_num(originals), np.where(np.isnan(originals), np.inf, originals)
    # Of the originals in the order of the file only those of the masked records are looked at.
    mine, theirs = filled[own], candidates[own]
    tree = build_kd_tree(filled, overwrite=overwrite or has_gaps)
    values = candidates[tree.rows] if has_gaps else tree.points
    every = np.arange(len(masked))
    found, inside = np.empty(len(masked)), np.empty(len(masked), dtype=np.bool_)

    def block(a: int, b: int) -> None:
        part = slice(a, b)
        _inside(
            masked[part], every[part], low[part], high[part], found[part], inside[part], mine, theirs, values, *tree
        )

    with task("Linking records", len(masked)) as running:
        in_blocks(block, len(masked), block=_BLOCK, done=running.advance)
    if overwrite and not has_gaps and (found == NO_CANDIDATE).any():
        originals[tree.rows] = tree.points.copy()
    return found, inside


@kernel(inline=True)
def _is_inside(point: FloatArray, low: FloatArray, high: FloatArray) -> bool:
    inside = True
    for j in range(len(point)):
        inside &= (low[j] <= point[j]) & (point[j] <= high[j])
    return inside


@kernel(inline=True)
def _overlap(low: FloatArray, high: FloatArray, below: FloatArray, above: FloatArray) -> bool:
    overlap = True
    for j in range(len(low)):
        overlap &= (low[j] <= above[j]) & (high[j] >= below[j])
    return overlap


@entry
def _inside(
    masked: Float2,
    own: Int1,
    low: Float2,
    high: Float2,
    found: Float1,
    inside: Bool1,
    originals: Float2,
    candidates: Float2,
    values: Float2,
    points: Float2,
    index: Int1,
    start: Int1,
    stop: Int1,
    left: Int1,
    node_low: Float2,
    node_high: Float2,
) -> None:
    stack = np.empty(128, np.int64)
    for q in range(len(masked)):
        inside[q] = _is_inside(candidates[own[q]], low[q], high[q])
        # With the own original outside any candidate is a wrong one: the first that is found ends the search.
        mine = squared_distance(masked[q], originals[own[q]]) if inside[q] else np.inf
        ties = _as_near(
            masked[q], low[q], high[q], mine, values, points, start, stop, left, node_low, node_high, stack
        )  # fmt: skip
        if ties < 0:
            found[q] = 0.0
        else:
            found[q] = 1.0 / ties if ties > 0 else NO_CANDIDATE


@kernel
def _as_near(
    point: FloatArray,
    below: FloatArray,
    above: FloatArray,
    mine: float,
    values: FloatArray,
    points: FloatArray,
    start: IntArray,
    stop: IntArray,
    left: IntArray,
    low: FloatArray,
    high: FloatArray,
    stack: IntArray,
) -> int:
    """Count the candidates in the box at the squared distance ``mine``; -1 where one is nearer."""
    beaten, limit = mine * (1 - _TOLERANCE), mine * (1 + _TOLERANCE)
    ties, depth = 0, 1
    stack[0] = 0
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if not _overlap(low[node], high[node], below, above):
            continue
        if left[node] < 0:
            first, last, each = start[node], stop[node], 1
            if last - first > LEAF_SIZE and values is points:  # equal points: one stands for all
                last, each = first + 1, last - first
            for i in range(first, last):
                if _is_inside(values[i], below, above):
                    distance = squared_distance(point, points[i])
                    if distance < beaten:
                        return -1
                    ties += each * (distance <= limit)
            continue
        depth = push_children(point, limit, node, left, low, high, stack, depth)
    return ties
