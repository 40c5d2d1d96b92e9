"""A tree of boxes over records, from which records can be taken out.

It answers the two questions of MDAV, *which record is farthest from q* and *which are the nearest to q*
(:mod:`tacita.numeric.nearest.tree_search`), while the file shrinks.  Three choices make it fast:

* **Eight at a time.**  A leaf is a block of eight records, an inner node has eight children; a block stores column
  by column, so all eight distances or bounds come from the same few instructions (:mod:`tacita.numeric.compiled.lanes`).
* **Boxes follow the records.**  Taking out a record shrinks the boxes above it, as far up as they change.  MDAV always
  eats at the hull, so boxes that did not shrink would keep promising far records that are long gone.
* **NaN is nobody.**  A free place, an empty leaf and the box of an empty node hold NaN; no comparison with a NaN is
  true, so searches pass them by without asking.

Each record also knows its squared distance from a fixed ``origin`` (near the centre of the file) and each node the
largest of its records, its *reach*.  Boxes are poor at describing a round cloud: their corners stick out, where nobody is.
The reach cuts the corners off.

Nodes are numbered level by level, leaves first; node ``8 b + c`` is lane c of block b, and its box stands in
``low[b, :, c]`` and ``high[b, :, c]``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tacita.core.arrays import Float1, Float2, Float3, FloatArray, Int1, Int2, IntArray
from tacita.core.kernel import entry, kernel
from tacita.numeric.compiled.lanes import WIDTH, broadcast, load, store

__all__ = ["NOBODY", "DeletionTree", "build_tree", "delete_record", "recentre", "squared_distances"]


NOBODY = np.iinfo(np.int64).max
"""A record number larger than all others: loses every tie."""


class DeletionTree(NamedTuple):
    """Blocks of records (leaves) and blocks of boxes (nodes), as flat arrays for compiled kernels."""

    points: Float3
    """(leaves, d, 8): the records, NaN where nobody is."""
    rows: Int2
    """(leaves, 8): their numbers in the file."""
    reach: Float2
    """(leaves, 8): squared distance from the origin."""
    place: Int1
    """(n,): where a record of the file stands, 8 * leaf + lane."""
    low: Float3
    """(blocks, d, 8): lower corners of the nodes' boxes."""
    high: Float3
    """(blocks, d, 8): upper corners."""
    node_reach: Float2
    """(blocks, 8): largest reach in a node."""
    first_row: Int2
    """(blocks, 8): smallest record number in a node; ties go to the lowest, so this decides them early."""
    child: Int1
    """(8 * blocks,): block with the children of an inner node; for a leaf, its own number."""
    owner: Int1
    """(blocks,): node whose children stand in this block; -1 for the root block, which is the last."""
    origin: Float1
    """(d,): the point from which reach is measured."""


def build_tree(x: FloatArray, members: IntArray, origin: FloatArray) -> DeletionTree:
    """Build the tree over some rows of x, at least one. O(m d log m) time for m rows, memory about 1.5 times the rows."""
    m, d = members.size, x.shape[1]
    records, numbers = x[members], members.copy()
    _sort_into_cells(records, numbers, np.empty((128, 2), np.int64))

    leaves = (m + WIDTH - 1) // WIDTH
    child, owner = _links(leaves)
    blocks = owner.size
    place = np.full(x.shape[0], -1)
    place[numbers] = np.arange(m)
    tree = DeletionTree(
        points=np.full((leaves, d, WIDTH), np.nan),
        rows=np.append(numbers, np.full(leaves * WIDTH - m, NOBODY)).reshape(leaves, WIDTH),
        reach=np.full((leaves, WIDTH), np.nan),
        place=place,
        low=np.full((blocks, d, WIDTH), np.nan),
        high=np.full((blocks, d, WIDTH), np.nan),
        node_reach=np.full((blocks, WIDTH), np.nan),
        first_row=np.full((blocks, WIDTH), NOBODY),
        child=child,
        owner=owner,
        origin=np.empty(d),
    )
    _fill(tree, records)
    recentre(tree, origin)
    return tree


def _links(leaves: int) -> tuple[IntArray, IntArray]:
    """Link the levels: `child` (block below a node) and `owner` (node above a block)."""
    widths = [(leaves + WIDTH - 1) // WIDTH]
    while widths[-1] > 1:
        widths.append((widths[-1] + WIDTH - 1) // WIDTH)
    child, owner = np.full(WIDTH * sum(widths), -1), np.full(sum(widths), -1)
    child[:leaves] = np.arange(leaves)
    start = 0
    for width in widths[:-1]:
        below = np.arange(start, start + width)
        start += width
        above = WIDTH * start + np.arange(width)
        child[above], owner[below] = below, above
    return child, owner


@entry
def _fill(tree: DeletionTree, records: Float2) -> None:
    """Put the records into the leaves and fit the boxes, level by level."""
    for i in range(records.shape[0]):
        for j in range(records.shape[1]):
            tree.points[i // WIDTH, j, i % WIDTH] = records[i, j]
    for leaf in range(tree.points.shape[0]):
        _fit_leaf(tree, leaf)
    for block in range(tree.owner.size - 1):
        _fit_node(tree, block)


@entry
def _sort_into_cells(records: Float2, numbers: Int1, stack: Int2) -> None:
    """Order the records, in place and with their numbers, so that each run of 8, 64, 512, ... is a cell of a k-d tree.

    A cell of several blocks is cut across its widest column; the left part takes the largest power of two of blocks
    that leaves something to the right, so every node of the tree, eight neighbouring nodes of the level below, is
    a cell too, and only the last one is not full. Whole records move: a cell is then one piece of memory.
    """
    d = records.shape[1]
    low, high = np.empty(d), np.empty(d)
    stack[0, 0], stack[0, 1] = 0, numbers.size
    top = 1
    while top > 0:
        top -= 1
        start, stop = stack[top, 0], stack[top, 1]
        if stop - start <= WIDTH:
            continue
        half = WIDTH
        while 2 * half < stop - start:
            half *= 2
        for j in range(d):
            low[j] = high[j] = records[start, j]
        for i in range(start + 1, stop):
            for j in range(d):
                low[j] = min(low[j], records[i, j])
                high[j] = max(high[j], records[i, j])
        widest, width = 0, -1.0
        for j in range(d):
            if high[j] - low[j] > width:
                widest, width = j, high[j] - low[j]
        if width > 0.0:
            _select(records, numbers, widest, start, stop - 1, start + half)
        stack[top, 0], stack[top, 1] = start, start + half
        stack[top + 1, 0], stack[top + 1, 1] = start + half, stop
        top += 2


@kernel
def _select(records: FloatArray, numbers: IntArray, column: int, first: int, last: int, target: int) -> None:
    """Hoare's quickselect: the record that belongs to place `target` goes there, smaller ones before it."""
    while first < last:
        ends = (records[first, column], records[(first + last) // 2, column], records[last, column])
        pivot = max(min(ends[0], ends[1]), min(max(ends[0], ends[1]), ends[2]))
        i, j = first, last
        while i <= j:
            while records[i, column] < pivot:
                i += 1
            while records[j, column] > pivot:
                j -= 1
            if i <= j:
                for t in range(records.shape[1]):
                    records[i, t], records[j, t] = records[j, t], records[i, t]
                numbers[i], numbers[j] = numbers[j], numbers[i]
                i += 1
                j -= 1
        if target <= j:
            last = j
        elif target >= i:
            first = i
        else:
            return


@kernel
def _extend(values_low: FloatArray, values_high: FloatArray, low: FloatArray, high: FloatArray, lane: int) -> bool:
    """Set lane `lane` of a box block to the range of a block; whether it changed. NaN values have no part in it."""
    changed = False
    for j in range(low.shape[0]):
        smallest, largest = np.inf, -np.inf
        for c in range(WIDTH):
            # Comparisons and not min and max, whose result for a NaN depends on the order of the arguments.
            if values_low[j, c] < smallest:  # noqa: PLR1730
                smallest = values_low[j, c]
            if values_high[j, c] > largest:  # noqa: PLR1730
                largest = values_high[j, c]
        if smallest > largest:
            smallest = largest = np.nan
        if smallest != low[j, lane] or largest != high[j, lane]:
            low[j, lane], high[j, lane] = smallest, largest
            changed = True
    return changed


@kernel
def _fit_leaf(tree: DeletionTree, leaf: int) -> bool:
    """Fit box, reach and first row of a leaf to its records; whether anything changed."""
    block, lane = leaf // WIDTH, leaf % WIDTH
    points = tree.points[leaf]
    changed = _extend(points, points, tree.low[block], tree.high[block], lane)
    first = NOBODY
    for c in range(WIDTH):
        first = min(first, tree.rows[leaf, c])
    reach = _largest(tree.reach[leaf])
    return bool(_set_node(tree, block, lane, first, reach) or changed)


@kernel
def _fit_node(tree: DeletionTree, children: int) -> bool:
    """Fit box, reach and first row of the node above block `children`; whether anything changed."""
    block, lane = tree.owner[children] // WIDTH, tree.owner[children] % WIDTH
    changed = _extend(tree.low[children], tree.high[children], tree.low[block], tree.high[block], lane)
    first = NOBODY
    for c in range(WIDTH):
        first = min(first, tree.first_row[children, c])
    reach = _largest(tree.node_reach[children])
    return bool(_set_node(tree, block, lane, first, reach) or changed)


@kernel
def _set_node(tree: DeletionTree, block: int, lane: int, first: int, reach: float) -> bool:
    changed = bool(first != tree.first_row[block, lane] or reach != tree.node_reach[block, lane])
    tree.first_row[block, lane], tree.node_reach[block, lane] = first, reach
    return changed


@kernel
def _largest(values: FloatArray) -> float:
    """Largest of eight values, NaN aside; -inf if all are NaN."""
    largest = -np.inf
    for c in range(WIDTH):
        if values[c] > largest:  # noqa: PLR1730 (a NaN must lose)
            largest = values[c]
    return largest


@kernel
def delete_record(tree: DeletionTree, row: int) -> None:
    """Take a record out and shrink the boxes above it. O(d log n) time, usually less."""
    leaf, lane = tree.place[row] // WIDTH, tree.place[row] % WIDTH
    tree.points[leaf, :, lane] = np.nan
    tree.reach[leaf, lane] = np.nan
    tree.rows[leaf, lane] = NOBODY
    changed, block = _fit_leaf(tree, leaf), leaf // WIDTH
    while changed and tree.owner[block] >= 0:
        changed = _fit_node(tree, block)
        block = tree.owner[block] // WIDTH


@entry
def recentre(tree: DeletionTree, origin: Float1) -> None:
    """Measure reach from another origin. O(n d) time."""
    # A loop: assigning an array to a slice makes numba compile the text of an error message, for a second or more.
    for j in range(origin.size):
        tree.origin[j] = origin[j]
    for leaf in range(tree.points.shape[0]):
        store(tree.reach, leaf * WIDTH, squared_distances(tree.points, leaf, tree.origin))
        tree.node_reach[leaf // WIDTH, leaf % WIDTH] = _largest(tree.reach[leaf])
    for block in range(tree.owner.size - 1):
        node = tree.owner[block]
        tree.node_reach[node // WIDTH, node % WIDTH] = _largest(tree.node_reach[block])


@kernel
def squared_distances(points: FloatArray, leaf: int, q: FloatArray) -> Any:
    """Squared distances of the eight records of a leaf from q, as lanes.

    Summed in column order, each term rounded: the documented distance, bit for bit.
    """
    start = leaf * q.size * WIDTH
    total = broadcast(0.0)
    for j in range(q.size):
        difference = load(points, start + j * WIDTH) - broadcast(q[j])
        total = total + difference * difference
    return total
