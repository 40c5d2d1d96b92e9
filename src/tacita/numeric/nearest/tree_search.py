"""Nearest and farthest records in a deletion tree, exact to the last bit and to the last tie.

Both questions are one search for the smallest *keys*, (D, row) for the nearest and (-D, row) for the farthest records,
where D is the squared distance from q.  It walks the tree depth first, the most promising node first, and leaves
out a node as soon as a bound proves that none of its records has a key below the worst one kept.

**Nearest.**  The bound is the squared distance from q to the node's box,

    b = sum_j max(low_j - q_j, q_j - high_j, 0)^2,

summed in the same order as a distance.  Rounding is monotone, so b, rounded as it is, never exceeds the *computed*
distance of a record in the box: no safety margin is needed, and when b equals the worst key, the node's lowest record
number decides.

**Farthest.**  The far corner of a box is a poor guess, for no record is there.  With the origin o, s = q - o and the reach
r^2 = max |x - o|^2 of a node,

    |x - q|^2 = |x - o|^2 + |s|^2 - 2 (x - o).s
             <= r^2 + |s|^2 + sum_j max of w_j (c - o_j) over c in {low_j, high_j},     w = -2 s,

which is linear in the box, needs only one of its corners (the sign of w_j says which) and is tight for q = o, the question
"farthest from the centroid".  Far from o the corner that it takes sticks out of the ball of radius r, and on a round cloud
as many boxes as n^0.4 seem to hold a farther record.  The parallelogram law knows better: for any slope m > 0, with the
mirror image p = o - s / m of q,

    |x - q|^2 = (1 + m) (|x - o|^2 + |s|^2 / m) - m |x - p|^2
             <= (1 + m) (r^2 + |s|^2 / m) - m |box - p|^2,

a bound that ball and box share: only boxes around the mirror image are left.  It is tightest when the mirror image is
as far from o as the record sought, so m is |s| over that of the last question.  The smaller of the two bounds counts: in long
tails the first one is better.

Here rounding does matter: `_far_form` adds a margin that covers it, and where only the margin keeps a node alive, the
corner of the box, monotone like b, settles the tie.

References
----------
Bentley, J. L. (1975). Multidimensional binary search trees used for associative searching. CACM 18(9), 509-517.
Roussopoulos, N., Kelley, S., Vincent, F. (1995). Nearest neighbor queries. SIGMOD, 71-79: branch and bound with boxes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tacita.core.arrays import Float1, Float2, FloatArray, Int1, IntArray
from tacita.core.kernel import entry, kernel
from tacita.numeric.compiled.lanes import WIDTH, at_most, broadcast, larger, load, lowest_bit, store
from tacita.numeric.nearest.deletion_tree import NOBODY, DeletionTree, squared_distances

__all__ = ["TreeSearch", "find_records", "new_search"]


_FLAT = 0.1
"""Slopes below this or above its inverse are too far from that of any mirror image to be of use."""
_STACK = 512
"""Eight nodes a level and 21 levels for 2^63 records: never full."""


class TreeSearch(NamedTuple):
    """Memory for one search at a time, allocated once, and what it found."""

    blocks: Int1
    """Stack of blocks to visit."""
    bounds: Float1
    """No record of the block has a smaller key,"""
    first: Int1
    """nor a smaller number."""
    lanes: Float2
    """(2, 8): lanes spelled out, bounds of nodes and keys of records."""
    weight: Float1
    """(d,): w of the bounds for farthest records,"""
    mirror: Float1
    """(d,): the mirror image p,"""
    reach: Float1
    """(1,): and the squared distance from the origin that it should have, that of the last farthest record; 0 at first."""
    keys: Float1
    """(most,): keys of the best records so far, ascending."""
    rows: Int1
    """(most,): their numbers; equal keys in ascending order of these."""


def new_search(d: int, most: int) -> TreeSearch:
    """Allocate what searches in d columns for up to `most` records need."""
    return TreeSearch(
        blocks=np.empty(_STACK, np.int64),
        bounds=np.empty(_STACK),
        first=np.empty(_STACK, np.int64),
        lanes=np.empty((2, WIDTH)),
        weight=np.empty(d),
        mirror=np.empty(d),
        reach=np.zeros(1),
        keys=np.empty(most),
        rows=np.empty(most, np.int64),
    )


@entry
def find_records(tree: DeletionTree, q: Float1, count: int, far: bool, search: TreeSearch) -> int:  # noqa: PLR0915
    """Leave the `count` nearest (or farthest) records from q in ``search.rows``, lowest number first among equals.

    If the tree holds fewer, NOBODY fills up. Returns the number of blocks visited, a measure of work.
    About O(d log n) time in few columns, up to O(n d) in many.
    """
    # One long function on plain local arrays: handing the tuples on would count references to every array in every call,
    # which costs several times the search.
    points, low, high, node_reach = tree.points, tree.low, tree.high, tree.node_reach
    first_row, child, owner, numbers = tree.first_row, tree.child, tree.owner, tree.rows
    blocks, stacked, first = search.blocks, search.bounds, search.first
    lanes, weight, mirror = search.lanes, search.weight, search.mirror
    keys, rows, last = search.keys, search.rows, count - 1
    keys[:count], rows[:count] = np.inf, NOBODY
    slope, straight, mirrored, margin = _far_form(tree, q, search) if far else (0.0, 0.0, 0.0, 0.0)
    slack, leaf_blocks = 2.0 * margin, (points.shape[0] + WIDTH - 1) // WIDTH
    blocks[0], stacked[0], first[0] = owner.size - 1, -np.inf, 0
    top, visits = 1 if count > 0 else 0, 0
    while top > 0:
        top -= 1
        block, bottom = blocks[top], top
        bound, worst = stacked[top], keys[last]
        if bound > worst:
            continue
        if bound >= worst - slack and _loses_tie(low, high, first_row, owner[block], q, far, bound, worst, rows[last]):
            continue
        visits += 1
        if far:
            bounds = _far_bounds(low, high, node_reach, block, weight, mirror, slope, straight, mirrored)
        else:
            bounds = _near_bounds(low, high, block, q)
        hits = at_most(bounds, keys[last])
        if hits:
            store(lanes, 0, bounds)
        while hits:
            lane = lowest_bit(hits)
            hits &= hits - 1
            node, bound, worst = block * WIDTH + lane, lanes[0, lane], keys[last]
            if bound > worst:
                continue
            if bound >= worst - slack and _loses_tie(low, high, first_row, node, q, far, bound, worst, rows[last]):
                continue
            if block >= leaf_blocks:
                # The smallest bound of the block goes on top of the stack, of equal ones that with the lowest record.
                i, row = top, first_row[block, lane]
                while i > bottom and (stacked[i - 1] < bound or (stacked[i - 1] == bound and first[i - 1] < row)):
                    stacked[i], first[i], blocks[i] = stacked[i - 1], first[i - 1], blocks[i - 1]
                    i -= 1
                stacked[i], first[i], blocks[i] = bound, row, child[node]
                top += 1
                continue
            visits += 1
            found = squared_distances(points, node, q)
            if far:
                found = broadcast(0.0) - found
            better = at_most(found, worst)
            if better:
                store(lanes, WIDTH, found)
            while better:
                lane = lowest_bit(better)
                better &= better - 1
                _keep(keys, rows, last, lanes[1, lane], numbers[node, lane])
    if slope > 0.0 and rows[0] != NOBODY:
        search.reach[0] = tree.reach.ravel()[tree.place[rows[0]]]
    return visits


@kernel
def _near_bounds(low: FloatArray, high: FloatArray, block: int, q: FloatArray) -> Any:
    """Squared distances from q to the eight boxes of a block; NaN for an empty one."""
    start = block * q.size * WIDTH
    total = broadcast(0.0)
    for j in range(q.size):
        here = broadcast(q[j])
        outside = larger(here - load(high, start + j * WIDTH), load(low, start + j * WIDTH) - here)
        outside = larger(broadcast(0.0), outside)
        total = total + outside * outside
    return total


@kernel
def _far_bounds(
    low: FloatArray,
    high: FloatArray,
    node_reach: FloatArray,
    block: int,
    weight: FloatArray,
    mirror: FloatArray,
    slope: float,
    straight: float,
    mirrored: float,
) -> Any:
    """Negative upper bounds of the squared distances in the eight nodes of a block; NaN for an empty one."""
    start, reach = block * weight.size * WIDTH, load(node_reach, block * WIDTH)
    total = broadcast(straight) - reach
    for j in range(weight.size):
        # Not load(high if ... else low): choosing between arrays would count references in the inner loop.
        corner = load(high, start + j * WIDTH) if weight[j] > 0.0 else load(low, start + j * WIDTH)
        total = total - corner * broadcast(weight[j])
    if slope == 0.0:
        return total
    from_mirror = _near_bounds(low, high, block, mirror)
    return larger(total, broadcast(mirrored) + from_mirror * broadcast(slope) - reach * broadcast(1.0 + slope))


@kernel
def _slope(tree: DeletionTree, q: FloatArray, reach: float) -> float:
    """Return the slope that puts the mirror image of q at a given reach, that of the root if 0; 0 if it is of no use."""
    square = 0.0
    for j in range(q.size):
        square += (q[j] - tree.origin[j]) ** 2
    goal = reach if reach > 0.0 else _root_reach(tree)
    slope = np.sqrt(square / goal) if goal > 0.0 else 0.0
    return slope if _FLAT < slope < 1.0 / _FLAT else 0.0


@kernel
def _root_reach(tree: DeletionTree) -> float:
    reach = 0.0
    for c in range(WIDTH):
        if tree.node_reach[-1, c] > reach:  # noqa: PLR1730 (a NaN must lose)
            reach = tree.node_reach[-1, c]
    return reach


@kernel
def _far_form(tree: DeletionTree, q: FloatArray, search: TreeSearch) -> tuple[float, float, float, float]:
    """Set w and p; return m, the constant parts of the two negative bounds, with the margin in them, and the margin.

    With u = 2^-53, M_j = max |x_j| + |o_j| and S = r^2 + |s|^2 + sum_j |w_j| M_j, the roundings of the first bound and of a
    distance amount to at most (6 d + 11) u S; with S = (1 + m) (r^2 + |s|^2 / m) + m sum_j (M_j + |s_j| / m)^2, those of the
    second to at most (2 d + 24) u S. The margin is (8 d + 32) u S, and a constant for squares that underflow.
    """
    root, d, weight, mirror = tree.owner.size - 1, q.size, search.weight, search.mirror
    slope = _slope(tree, q, search.reach[0])
    straight, mirrored, size, size_mirrored = 0.0, 0.0, 0.0, 0.0
    for j in range(d):
        step = q[j] - tree.origin[j]
        most = 0.0
        for c in range(WIDTH):
            side = max(-tree.low[root, j, c], tree.high[root, j, c])
            if side > most:  # noqa: PLR1730 (a NaN must lose)
                most = side
        most += abs(tree.origin[j])
        weight[j] = -2.0 * step
        straight += weight[j] * tree.origin[j] - step * step
        size += step * step + abs(weight[j]) * most
        if slope > 0.0:
            mirror[j] = tree.origin[j] - step / slope
            share = (1.0 + 1.0 / slope) * step * step
            mirrored -= share
            size_mirrored += share + slope * (most + abs(step) / slope) ** 2
    size = max(size, size_mirrored) + (1.0 + slope) * _root_reach(tree)
    margin = (4 * d + 16) * 2.0**-52 * size + 1e-300
    return slope, straight - margin, mirrored - margin, margin


@kernel
def _loses_tie(
    low: FloatArray,
    high: FloatArray,
    first_row: IntArray,
    node: int,
    q: FloatArray,
    far: bool,
    bound: float,
    worst: float,
    worst_row: int,
) -> bool:
    """Whether a node whose bound is as good as equal to the worst key kept holds no record that replaces it."""
    block, lane = node // WIDTH, node % WIDTH
    if far:
        # The far corner of the box, summed and rounded like a distance: monotone, so without a margin.
        bound = 0.0
        for j in range(q.size):
            side = max(q[j] - low[block, j, lane], high[block, j, lane] - q[j])
            bound -= side * side
    return bound > worst or (bound == worst and first_row[block, lane] > worst_row)


@kernel
def _keep(keys: FloatArray, rows: IntArray, last: int, key: float, row: int) -> None:
    """Insert a record into the sorted list of the best, if it belongs there. O(last) time."""
    if key > keys[last] or (key == keys[last] and row > rows[last]):
        return
    i = last
    while i > 0 and (keys[i - 1] > key or (keys[i - 1] == key and rows[i - 1] > row)):
        keys[i], rows[i] = keys[i - 1], rows[i - 1]
        i -= 1
    keys[i], rows[i] = key, row
