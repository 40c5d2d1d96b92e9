"""Descent of a partition to a local optimum of the SSE: the best shift or swap of each record, until none helps.

A record looks at the groups of its near records. Going to group B it may shift (where sizes allow) or change places
with any member of B; the best of all these moves is made when it lowers the SSE. After the first sweep, and whenever
no record finds a move, groups are dissolved and created where that pays. Groups carry the time of their last change,
so a sweep over a partition that has settled costs little.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Float2, FloatArray, Int1, IntArray, Place2, PlaceArray
from tacita.core.kernel import entry, kernel
from tacita.numeric.microaggregation.improve.exchanges import (
    Groups,
    create,
    dissolve,
    join_cost,
    leave_gain,
    make_groups,
    refresh,
    shift,
    swap,
    swap_delta,
)

__all__ = ["descend"]


_LEAST = 1e-10
"""Least gain that counts, in units of the mean SSE per record: keeps rounding from cycling."""


@entry
def descend(
    x: Float2, near: Place2, count: Int1, labels: Int1, k: int, sweeps: int, reach: float
) -> tuple[IntArray, float]:
    """Return the labels after at most `sweeps` sweeps of improving moves, and their SSE as it was tracked.

    A record tries swaps with a group only if joining it would cost at most `reach` times what leaving its own group
    gains: infinity for a full local optimum, 1.25 for almost as good a one in half the time.

    Labels may have gaps where a group was dissolved. O(n m k d) time a sweep for lists of length m, less when most
    groups have settled; O(n d) memory.
    """
    n = len(labels)
    groups = make_groups(x, labels, k)
    labels, sums, sizes, members, place, _ = groups
    tracked = refresh(x, groups)
    least = _LEAST * tracked / n
    changed, checked = np.ones(len(sizes), dtype=np.int64), np.zeros(n, dtype=np.int64)
    seen = np.full(len(sizes), -1, dtype=np.int64)  # the last record that looked at a group
    clock = 1
    for sweep in range(sweeps):
        before = clock
        for i in range(n):
            gain, partner, target = _best_move(x, near, count, i, k, groups, changed, checked[i], seen, least, reach)
            checked[i] = clock
            if target < 0:
                continue
            clock += 1
            changed[labels[i]], changed[target] = clock, clock
            if partner < 0:
                shift(x, i, target, labels, sums, sizes, members, place)
            else:
                swap(x, i, partner, labels, sums, members, place)
            tracked -= gain
        settled = clock == before
        if sweep == 0 or settled:
            gain, clock = _regroup(x, near, count, k, groups, changed, clock, least)
            tracked -= gain
        if settled and clock == before:
            break
    return labels, tracked


@kernel
def _best_move(
    x: FloatArray,
    near: PlaceArray,
    count: IntArray,
    i: int,
    k: int,
    groups: Groups,
    changed: IntArray,
    since: int,
    seen: IntArray,
    least: float,
    reach: float,
) -> tuple[float, int, int]:
    """Return (gain, record to swap with or -1 for a shift, target group or -1 for no gain) of the best move of i."""
    labels, sums, sizes, members, _, _ = groups
    a = labels[i]
    size_a, own_changed = sizes[a], changed[a] > since
    leave = leave_gain(x, i, sums, a, size_a)
    best, partner, target = least, -1, -1
    seen[a] = i
    for r in range(count[i]):
        b = labels[near[i, r]]
        if seen[b] == i or not (own_changed or changed[b] > since):
            continue
        seen[b] = i
        size_b = sizes[b]
        join = join_cost(x, i, sums, b, size_b)
        if leave - join > best and size_a > k and size_b < 2 * k - 1:
            best, partner, target = leave - join, -1, b
        if join > reach * leave:
            continue
        for p in range(size_b):
            j = members[b, p]
            gain = -swap_delta(x, i, j, sums, a, size_a, b, size_b)
            if gain > best:
                best, partner, target = gain, j, b
    return best, partner, target


@kernel
def _regroup(
    x: FloatArray,
    near: PlaceArray,
    count: IntArray,
    k: int,
    groups: Groups,
    changed: IntArray,
    clock: int,
    least: float,
) -> tuple[float, int]:
    """Dissolve and create groups where it lowers the SSE; return the gain and the new time."""
    gain = 0.0
    for a in range(len(groups.sizes)):
        size = groups.sizes[a]
        if size == 0:
            continue
        done, change = dissolve(x, near, count, a, k, groups, -least)
        if done:
            gain -= change
            clock += 1
            for p in range(size):  # the row of a dissolved group still names its records
                changed[groups.labels[groups.members[a, p]]] = clock
    for i in range(len(groups.labels)):
        done, change = create(x, near, count, i, k, groups, -least)
        if done:
            gain -= change
            clock += 1
            changed[groups.labels[i]] = clock
            for r in range(count[i]):  # the groups that gave a record are among the near ones
                changed[groups.labels[near[i, r]]] = clock
    return gain, clock
