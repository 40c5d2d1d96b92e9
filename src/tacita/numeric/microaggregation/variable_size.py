"""V-MDAV: groups of k records that take in near neighbours, up to 2k - 1.

References
----------
Solanas, A., Martinez-Balleste, A. (2006). V-MDAV: a multivariate microaggregation with variable group size. COMPSTAT 2006,
917-925.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Float2, FloatArray, Int1, IntArray
from tacita.core.kernel import entry, kernel
from tacita.numeric.microaggregation.fixed_size import join_rest, split_large, take_group
from tacita.numeric.microaggregation.remaining import Remaining, start_state, take_record
from tacita.numeric.nearest.deletion_tree import NOBODY, DeletionTree, build_tree, delete_record
from tacita.numeric.nearest.tree_search import TreeSearch, find_records, new_search

__all__ = ["variable_partition"]


def variable_partition(x: FloatArray, k: int, gamma: float) -> IntArray:
    """Return groups of k to 2k - 1 records.

    As long as k records are left, the one farthest from the centroid of the file and its k - 1 nearest form a group. Then
    the record left that is nearest to any member is looked at: with d_in its distance from that member and d_out its
    distance from the nearest other record left, it joins if d_in < gamma d_out, and the next is looked at, until one
    does not join or the group has 2k - 1. Fewer than k records that are left join the groups with the nearest
    centroids; a group that has 2k then is divided.

    O(n^2 d) time at worst, near O(n log n) for few columns; O(n d) memory.

    Examples
    --------
    >>> x = np.array([[0.0], [1.0], [1.5], [30.0], [31.0], [60.0], [61.0]])
    >>> variable_partition(x, 2, 0.2).tolist()
    [1, 1, 1, 2, 2, 0, 0]
    """
    x = np.ascontiguousarray(x, dtype=np.float64)
    state, search, centre = start_state(x), new_search(x.shape[1], max(k, 2)), x.mean(axis=0)
    order = np.argsort(-((x - centre) ** 2).sum(axis=1), kind="stable")
    while state.left[0] >= k:
        tree = build_tree(x, np.flatnonzero(state.labels < 0), centre)
        _form_groups(tree, x, k, gamma, order, int(state.left[0]) // 2, state, search, np.empty(2 * k, np.int64))
    join_rest(x, state.labels, int(state.groups[0]))
    return split_large(x, state.labels, k)


@entry
def _form_groups(
    tree: DeletionTree,
    x: Float2,
    k: int,
    gamma: float,
    order: Int1,
    stop: int,
    state: Remaining,
    search: TreeSearch,
    members: Int1,
) -> None:
    """Form groups around the outermost records until at most `stop` or fewer than k records are left."""
    for seed in order:
        if state.labels[seed] >= 0:
            continue
        if state.left[0] < k or state.left[0] <= stop:
            break
        delete_record(tree, seed)
        take_group(tree, x, seed, k - 1, state, search)
        members[0] = seed
        for t in range(k - 1):
            members[t + 1] = search.rows[t]
        _extend(tree, x, k, gamma, state, search, members, np.full(2 * k, -1), np.full(2 * k, np.inf))


@kernel
def _extend(
    tree: DeletionTree,
    x: FloatArray,
    k: int,
    gamma: float,
    state: Remaining,
    search: TreeSearch,
    members: IntArray,
    nearest: IntArray,
    away: FloatArray,
) -> None:
    """Let near records join the k members of the last group; `nearest` and `away` belong to the members."""
    size = k
    while size < 2 * k - 1 and state.left[0] > 0:
        best = 0
        for m in range(size):
            if nearest[m] < 0 or state.labels[nearest[m]] >= 0:
                find_records(tree, x[members[m]], 1, False, search)
                nearest[m], away[m] = search.rows[0], search.keys[0]
            if away[m] < away[best]:
                best = m
        closest = nearest[best]
        find_records(tree, x[closest], 2, False, search)
        other = 1 if search.rows[0] == closest else 0
        outside = np.inf if search.rows[other] == NOBODY else search.keys[other]
        if not np.sqrt(away[best]) < gamma * np.sqrt(outside):
            break
        delete_record(tree, closest)
        take_record(x, closest, state.groups[0] - 1, state)
        members[size] = closest
        size += 1
