"""Maximum distance to average vector (MDAV): groups of k similar records, exactly as published, for large files.

The algorithm (Domingo-Ferrer and Torra 2005, algorithm MDAV; the numbers are its steps)::

    while 3 k records or more are left:
        1. x_r is the record farthest from the centroid of the records left
        2. x_s is the record farthest from x_r
        3. x_r and the k - 1 records nearest to it form a group; then x_s and the k - 1 nearest of the rest
    5. if 2 k or more are left: the farthest from their centroid and its k - 1 nearest form a group
    6. those still left form a group

Every group has k to 2 k - 1 records when there are at least k.

Ties.  Distances are squared Euclidean distances in float64, summed in column order, each operation rounded.  Among equal
distances the lowest record number wins, both for the farthest and for the nearest.  x_s never enters the group of x_r.

Searching all records for each question takes n^2 / k distances.  Here a tree of boxes answers them
(:mod:`tacita.numeric.nearest.deletion_tree`, :mod:`tacita.numeric.nearest.tree_search`), and where they are hard for
it, in many columns, one pass over the file answers the next hundred questions early
(:mod:`tacita.numeric.microaggregation.mdav.ahead`, :mod:`tacita.numeric.microaggregation.mdav.sweep`).  A small file is searched
record by record (`_scan`): the algorithm as it stands above, and the easiest to read beside it.  All of them give the same
partition, to the last tie.

References
----------
Domingo-Ferrer, J., Torra, V. (2005). Ordinal, continuous and heterogeneous k-anonymity through microaggregation.
Data Mining and Knowledge Discovery 11(2), 195-212.
Dekker, T. J. (1971). A floating-point technique for extending the available precision. Numerische Mathematik 18,
224-242: sums as pairs of numbers.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tacita.core.arrays import Float1, Float2, FloatArray, Int1, IntArray
from tacita.core.kernel import entry, kernel
from tacita.core.progress import task
from tacita.numeric.microaggregation.mdav.ahead import Ahead, foreseen, look_ahead, nothing_ahead, refreshed
from tacita.numeric.microaggregation.mdav.sweep import sweep_cost
from tacita.numeric.microaggregation.remaining import (
    FAR_WORK,
    OTHER_WORK,
    Remaining,
    set_centre,
    start_state,
    take_record,
)
from tacita.numeric.nearest.deletion_tree import DeletionTree, build_tree, delete_record, recentre
from tacita.numeric.nearest.tree_search import TreeSearch, find_records, new_search

__all__ = ["mdav_partition"]


_FEW = 1000
"""Below this many records a loop over all of them is faster than a tree (measured for 2, 5, 13 and 50 columns)."""
_LARGEST = 1e150
"""Squares of larger values overflow."""
_HARD = 1.2
"""Looking ahead is tried where a pair of groups costs this many times what it should then cost at best."""
_GAIN = 0.9
"""Share of the usual cost that looking ahead must not exceed."""
_AGAIN = 1.5
"""Where it did, it is tried again when the usual cost has grown by this factor."""
_NO_RECORD = -1
_PROBE, _STRIDE = 20, 100
"""Pairs of groups formed before the first decision whether to look ahead, and between two others."""


def mdav_partition(
    x: FloatArray, k: int, *, method: Literal["auto", "tree", "scan"] = "auto", threads: int | None = None
) -> IntArray:
    """Partition records into groups of k to 2 k - 1 similar ones by MDAV.

    Parameters
    ----------
    x
        Records, shape (n, d), finite; usually standardised columns.
    k
        Smallest size of a group. Fewer than 2 k records form one group.
    method
        How to find records: by a tree of boxes, by comparing with all records, or the faster of the two. The
        partition is the same.
    threads
        Most threads to use; None takes as many as there are processors. The partition is the same.

    Returns
    -------
    IntArray
        Group of each record, numbered from 0 in the order of formation, x_r's group before x_s's.

    Raises
    ------
    ValueError
        If x is not a finite matrix with values below 1e150, if k < 1, or if the method is unknown.

    Notes
    -----
    Complexity: "scan" O(n^2 d / k) time. "tree" O(n d) memory and, as measured for k = 3 and d = 5, time that grows like n^1.2;
    in many columns the tree finds less to leave out, and time goes towards O(n^2 d / k) again, with a far smaller constant
    (measured for d = 13 and 100 000 records on a sphere, where a tree helps least: less than a tenth of the plain loop's time).

    Examples
    --------
    >>> mdav_partition(np.array([[0.0], [9.0], [1.0], [8.0], [4.0], [5.0], [2.0]]), 2).tolist()
    [1, 0, 1, 0, 2, 2, 2]
    """
    x = np.ascontiguousarray(x, dtype=np.float64)
    if x.ndim != 2 or not (np.abs(x) < _LARGEST).all():
        raise ValueError("mdav_partition: 'x' must be a matrix of finite values below 1e150; standardise it first.")
    if k < 1:
        raise ValueError(f"mdav_partition: 'k' must be at least 1, got {k}.")
    if method not in ("auto", "tree", "scan"):
        raise ValueError(f"mdav_partition: 'method' must be 'auto', 'tree' or 'scan', got {method!r}.")
    state = start_state(x)
    if method == "scan" or (method == "auto" and x.shape[0] < _FEW):
        _scan_groups(x, k, state)
    elif x.shape[0] >= 2 * k:
        _tree_groups(x, k, state, threads or os.cpu_count() or 1)
    labels: IntArray = state.labels
    labels[labels < 0] = state.groups[0]  # step 6
    return labels


# --- by a tree of boxes ------------------------------------------------------------------------------------------------


def _tree_groups(x: FloatArray, k: int, state: Remaining, threads: int) -> None:
    """Form groups until fewer than 2 k records are left."""
    search, ahead, sweep = new_search(x.shape[1], max(k - 1, 1)), nothing_ahead(x.shape[0], k), None
    with ThreadPoolExecutor(max(threads - 1, 1)) as pool, task("Forming groups", x.shape[0]) as progress:
        while state.left[0] >= 2 * k:
            # A new tree for each half: the old one is half empty, and its cells were made for records that are gone.
            size = int(state.left[0])
            tree = build_tree(x, np.flatnonzero(state.labels < 0), state.centre)
            state.work[:] = 0
            pace = _Pace(bar=_HARD * sweep_cost(size, 2, 0) / threads)
            while state.left[0] >= 2 * k and state.left[0] > size // 2:
                before, cost = int(state.left[0]), 0.0
                if pace.looks:
                    sweep = refreshed(sweep, x, state)
                    cost = look_ahead(tree, sweep, x, k, state, ahead, pool, threads)
                pairs = _advance(tree, x, k, pace.steps, size // 2, pace.looks, state, search, ahead)
                pace.learn(cost + int(state.work[OTHER_WORK]), pairs)
                state.work[OTHER_WORK] = 0
                progress.advance(before - int(state.left[0]))


@dataclass
class _Pace:
    """Decides whether MDAV looks ahead; costs are visits of blocks per pair of groups."""

    bar: float
    """Usual cost from which looking ahead is tried."""
    looks: bool = False
    steps: int = _PROBE
    usual: float = 0.0
    """Cost without looking ahead, when it was last measured."""
    spent: float = 0.0
    """Cost of all pairs of groups since looking ahead began,"""
    formed: int = 0
    """and their number."""

    def learn(self, cost: float, pairs: int) -> None:
        """Decide anew after some pairs of groups and what they cost."""
        self.steps = _STRIDE
        if not self.looks:
            self.usual, self.spent, self.formed = cost / pairs, 0.0, 0
            self.looks = self.usual > self.bar
            return
        self.spent, self.formed = self.spent + cost, self.formed + pairs
        # Where too few questions were foreseen, looking ahead costs more than it saves.
        self.looks = self.spent < _GAIN * self.usual * self.formed
        if not self.looks:
            self.bar = _AGAIN * self.usual


@entry
def _advance(
    tree: DeletionTree,
    x: Float2,
    k: int,
    steps: int,
    stop: int,
    looks: bool,
    state: Remaining,
    search: TreeSearch,
    ahead: Ahead,
) -> int:
    """Form up to `steps` pairs of groups, until at most `stop` or fewer than 2 k records are left; return the number.

    If MDAV looks ahead, stop as well before a pair whose x_r was not foreseen, but for the first.
    """
    seeds, done = state.seeds, 0
    while done < steps and state.left[0] >= 2 * k and state.left[0] > stop:
        # Measuring reach anew costs a visit of every leaf: worth it when the stale centre has cost as much.
        if state.work[FAR_WORK] > tree.points.shape[0]:
            recentre(tree, state.centre)
            state.work[FAR_WORK] = 0
        state.work[FAR_WORK] += find_records(tree, state.centre, 1, True, search)  # step 1: x_r
        if looks and done > 0 and ahead.slot[search.rows[0]] < 0:
            break
        done += 1
        pairs = 2 if state.left[0] >= 3 * k else 1  # step 5 where it is one
        for s in range(pairs):
            if s == 1 and not foreseen(ahead.lists.far, ahead.slot[seeds[0]], state.labels, 1, search.rows):
                state.work[OTHER_WORK] += find_records(tree, x[seeds[0]], 1, True, search)  # step 2: x_s
            seeds[s] = search.rows[0]
            take_record(x, seeds[s], state.groups[0] + s, state)
            delete_record(tree, seeds[s])
        for s in range(pairs):
            if not foreseen(ahead.lists.near, ahead.slot[seeds[s]], state.labels, k - 1, search.rows):
                state.work[OTHER_WORK] += find_records(tree, x[seeds[s]], k - 1, False, search)  # step 3
            for i in range(k - 1):
                take_record(x, search.rows[i], state.groups[0], state)
                delete_record(tree, search.rows[i])
            state.groups[0] += 1
        set_centre(state)
    return done


# --- by comparing with every record: for files too small for a tree, and as its check ----------------------------------


def _scan_groups(x: FloatArray, k: int, state: Remaining) -> None:
    """Form groups until fewer than 2 k records are left. O(n^2 d / k) time."""
    n = x.shape[0]
    _scan(x, k, state, np.arange(n), np.empty(n), np.empty(k, np.int64), np.empty(k))


@entry
def _scan(x: Float2, k: int, state: Remaining, members: Int1, distances: Float1, rows: Int1, keys: Float1) -> None:
    while state.left[0] >= 2 * k:
        left = members[: state.left[0]]
        paired = left.size >= 3 * k  # else step 5: one group, without a partner
        _measure(x, left, state.centre, distances)
        seed = _farthest(left, distances, _NO_RECORD)  # step 1: x_r
        _measure(x, left, x[seed], distances)
        partner = _farthest(left, distances, seed) if paired else _NO_RECORD  # step 2: x_s
        _take_group(x, left, distances, seed, partner, k, rows, keys, state)  # step 3, around x_r
        if paired:
            _measure(x, left, x[partner], distances)
            _take_group(x, left, distances, partner, _NO_RECORD, k, rows, keys, state)  # step 3, around x_s
        set_centre(state)
        _close_ranks(members, left.size, state.labels)


@kernel
def _measure(x: FloatArray, left: IntArray, q: FloatArray, distances: FloatArray) -> None:
    for i in range(left.size):
        total = 0.0
        for j in range(q.size):
            difference = x[left[i], j] - q[j]
            total += difference * difference
        distances[i] = total


@kernel
def _farthest(left: IntArray, distances: FloatArray, seed: int) -> int:
    """Record with the largest distance except the seed. Records stand in ascending order: the first of equals wins."""
    best, row = -1.0, -1
    for i in range(left.size):
        if distances[i] > best and left[i] != seed:
            best, row = distances[i], left[i]
    return row


@kernel
def _take_group(
    x: FloatArray,
    left: IntArray,
    distances: FloatArray,
    seed: int,
    partner: int,
    k: int,
    rows: IntArray,
    keys: FloatArray,
    state: Remaining,
) -> None:
    """Group a seed with the k - 1 nearest records that are left, the partner excepted."""
    count = 0
    for i in range(left.size):
        row, distance = left[i], distances[i]
        if row in (seed, partner) or state.labels[row] >= 0 or k == 1:
            continue
        # Records come in ascending order, so an equal distance comes too late.
        if count == k - 1 and distance >= keys[count - 1]:
            continue
        count = min(count + 1, k - 1)
        place = count - 1
        while place > 0 and keys[place - 1] > distance:
            keys[place], rows[place] = keys[place - 1], rows[place - 1]
            place -= 1
        keys[place], rows[place] = distance, row
    group = state.groups[0]
    take_record(x, seed, group, state)
    for i in range(count):
        take_record(x, rows[i], group, state)
    state.groups[0] += 1


@kernel
def _close_ranks(members: IntArray, size: int, labels: IntArray) -> None:
    """Move the records that are left to the front, in order."""
    kept = 0
    for i in range(size):
        if labels[members[i]] < 0:
            members[kept] = members[i]
            kept += 1
