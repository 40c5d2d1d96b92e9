"""Groups that grow record by record around their running centroid, seeds chosen as in MDAV.

References
----------
Laszlo, M., Mukherjee, S. (2005). Minimum spanning tree partitioning algorithm for microaggregation. IEEE TKDE 17(7),
902-911: growing by the running centroid.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Float1, Float2, FloatArray, IntArray
from tacita.core.kernel import entry, kernel
from tacita.numeric.microaggregation.remaining import Remaining, set_centre, start_state, take_record
from tacita.numeric.nearest.deletion_tree import DeletionTree, build_tree, delete_record
from tacita.numeric.nearest.tree_search import TreeSearch, find_records, new_search

__all__ = ["growth_partition"]


def growth_partition(x: FloatArray, k: int) -> IntArray:
    """Return groups of k records, the last of k to 2k - 1.

    As long as 2k records are left, the one farthest from their mean starts a group, and if 2k are left then, the one
    farthest from that seed another. A group takes k - 1 times the record left that is nearest to the mean of its records.
    The groups are found by searches in a tree from which records can
    be taken instead of passes over all records. O(n^2 d) time at worst, near O(k n log n) for few columns; O(n d) memory.

    Examples
    --------
    >>> growth_partition(np.array([[0.0], [2.0], [5.0], [20.0], [21.0], [23.0]]), 3).tolist()
    [0, 0, 0, 1, 1, 1]
    """
    x = np.ascontiguousarray(x, dtype=np.float64)
    state, search, running = start_state(x), new_search(x.shape[1], 1), np.empty(x.shape[1])
    while state.left[0] >= 2 * k:
        # A new tree for each half: the old one is half empty, and searches in it cost as much as before.
        tree = build_tree(x, np.flatnonzero(state.labels < 0), state.centre)
        _grow_groups(tree, x, k, int(state.left[0]) // 2, state, search, running)
    state.labels[state.labels < 0] = state.groups[0]
    return np.asarray(state.labels)


@entry
def _grow_groups(
    tree: DeletionTree, x: Float2, k: int, stop: int, state: Remaining, search: TreeSearch, running: Float1
) -> None:
    """Grow pairs of groups until at most `stop` or fewer than 2k records are left."""
    while state.left[0] >= 2 * k and state.left[0] > stop:
        find_records(tree, state.centre, 1, True, search)
        first = search.rows[0]
        _grow_group(tree, x, first, k, state, search, running)
        if state.left[0] >= 2 * k:
            find_records(tree, x[first], 1, True, search)
            _grow_group(tree, x, search.rows[0], k, state, search, running)
        if state.left[0] > 0:
            set_centre(state)


@kernel
def _grow_group(
    tree: DeletionTree, x: FloatArray, seed: int, k: int, state: Remaining, search: TreeSearch, running: FloatArray
) -> None:
    """Take the seed, and k - 1 times the record nearest to the running centroid."""
    taken = seed
    for size in range(1, k + 1):
        take_record(x, taken, state.groups[0], state)
        delete_record(tree, taken)
        for j in range(len(running)):
            running[j] = x[taken, j] if size == 1 else running[j] + (x[taken, j] - running[j]) / size
        if size < k:
            find_records(tree, running, 1, False, search)
            taken = search.rows[0]
    state.groups[0] += 1
