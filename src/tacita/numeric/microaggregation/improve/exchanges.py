"""Moves between groups of a partition, with exact changes of the SSE in O(d).

A partition under search is a `Groups` tuple: labels, and for each group its vector sum, size and members. The
within-group sum of squares of group A with sum S_A and size n_A changes as follows (c = S / n):

    shift i: A -> B     n_B/(n_B+1) |x_i - c_B|^2  -  n_A/(n_A-1) |x_i - c_A|^2
    swap i in A, j in B with e = x_j - x_i:   2 e.(c_B - c_A) - |e|^2 (1/n_A + 1/n_B)

A *dissolve* hands the records of one group to neighbouring groups with room, a *create* builds a new group from
neighbouring groups with more than k records; both are chains of shifts. Without them the number of groups could not
change, and the search would be stuck with the number its start had. Sizes stay in k..2k-1 after every accepted move.

Deltas may be summed in any order (`reassoc`), which lets the compiler use vector units and changes only last bits;
the bookkeeping of sums is strict, and `refresh` recomputes it so that rounding cannot pile up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacita.core.arrays import FloatArray, IntArray, PlaceArray
from tacita.core.kernel import kernel

__all__ = [
    "Groups",
    "create",
    "dissolve",
    "distance2",
    "join_cost",
    "leave_gain",
    "make_groups",
    "refresh",
    "shift",
    "swap",
    "swap_delta",
]


class Groups(NamedTuple):
    """A partition and what the moves need to know about it; all arrays are changed in place."""

    labels: IntArray  # (n,) int64, group of each record
    sums: FloatArray  # (slots, d) float64, vector sum of each group
    sizes: IntArray  # (slots,) int64, 0 for a free slot
    members: IntArray  # (slots, 2k) int64, records of each group, unordered
    place: IntArray  # (n,) int64, position of a record in its group's row of `members`
    free: IntArray  # (slots + 1,) int64, stack of free slots; its height stands in the last element


@kernel
def make_groups(x: FloatArray, labels: IntArray, k: int) -> Groups:
    """Groups of a labelling 0..; room for the most groups that n records can form. O(n d)."""
    n, d = x.shape
    slots = max(n // k, labels.max() + 1)
    sizes = np.zeros(slots, dtype=np.int64)
    members = np.full((slots, 2 * k), -1, dtype=np.int64)
    place = np.empty(n, dtype=np.int64)
    for i in range(n):
        g = labels[i]
        members[g, sizes[g]] = i
        place[i] = sizes[g]
        sizes[g] += 1
    free = np.zeros(slots + 1, dtype=np.int64)
    for g in range(slots):
        if sizes[g] == 0:
            free[free[slots]] = g
            free[slots] += 1
    groups = Groups(
        labels=labels.copy(), sums=np.zeros((slots, d)), sizes=sizes, members=members, place=place, free=free
    )
    refresh(x, groups)
    return groups


@kernel
def refresh(x: FloatArray, groups: Groups) -> float:
    """Recompute all group sums from the records and return the SSE. O(n d)."""
    n, d = x.shape
    for g in range(len(groups.sizes)):
        for c in range(d):
            groups.sums[g, c] = 0.0
    for i in range(n):
        for c in range(d):
            groups.sums[groups.labels[i], c] += x[i, c]
    total = 0.0
    for i in range(n):
        g = groups.labels[i]
        total += distance2(x, i, groups.sums, g, groups.sizes[g])
    return total


@kernel(sums_in_any_order=True)
def distance2(x: FloatArray, i: int, sums: FloatArray, g: int, size: int) -> float:
    """Squared distance of record i to the centroid of group g, which has `size` records."""
    inverse = 1.0 / size
    total = 0.0
    for c in range(x.shape[1]):
        gap = x[i, c] - sums[g, c] * inverse
        total += gap * gap
    return total


@kernel
def join_cost(x: FloatArray, i: int, sums: FloatArray, g: int, size: int) -> float:
    """Rise of the SSE when record i, counted nowhere, joins group g."""
    cost: float = size / (size + 1.0) * distance2(x, i, sums, g, size)
    return cost


@kernel
def leave_gain(x: FloatArray, i: int, sums: FloatArray, g: int, size: int) -> float:
    """Fall of the SSE when record i leaves its group g, which has at least two records."""
    gain: float = size / (size - 1.0) * distance2(x, i, sums, g, size)
    return gain


@kernel(sums_in_any_order=True)
def swap_delta(x: FloatArray, i: int, j: int, sums: FloatArray, a: int, size_a: int, b: int, size_b: int) -> float:
    """Change of the SSE when record i of group a and record j of group b exchange places."""
    inverse_a, inverse_b = 1.0 / size_a, 1.0 / size_b
    along, length2 = 0.0, 0.0
    for c in range(x.shape[1]):
        e = x[j, c] - x[i, c]
        along += e * (sums[b, c] * inverse_b - sums[a, c] * inverse_a)
        length2 += e * e
    return 2.0 * along - length2 * (inverse_a + inverse_b)


@kernel
def shift(
    x: FloatArray,
    i: int,
    b: int,
    labels: IntArray,
    sums: FloatArray,
    sizes: IntArray,
    members: IntArray,
    place: IntArray,
) -> None:
    """Move record i to group b. Does not look at sizes: callers keep k..2k-1."""
    a = labels[i]
    last = members[a, sizes[a] - 1]
    members[a, place[i]] = last
    place[last] = place[i]
    sizes[a] -= 1
    members[b, sizes[b]] = i
    place[i] = sizes[b]
    sizes[b] += 1
    labels[i] = b
    for c in range(x.shape[1]):
        sums[a, c] -= x[i, c]
        sums[b, c] += x[i, c]


@kernel
def swap(x: FloatArray, i: int, j: int, labels: IntArray, sums: FloatArray, members: IntArray, place: IntArray) -> None:
    """Exchange records i and j between their groups."""
    a, b = labels[i], labels[j]
    members[a, place[i]] = j
    members[b, place[j]] = i
    place[i], place[j] = place[j], place[i]
    labels[i], labels[j] = b, a
    for c in range(x.shape[1]):
        e = x[j, c] - x[i, c]
        sums[a, c] += e
        sums[b, c] -= e


@kernel
def dissolve(
    x: FloatArray, near: PlaceArray, count: IntArray, a: int, k: int, groups: Groups, limit: float
) -> tuple[bool, float]:
    """Give each record of group a to the best neighbouring group with room, if the SSE rises by at most `limit`.

    Returns (done, change). Records go one after the other, so several may join the same group. O(|a| m d).
    """
    labels, sums, sizes, members, place, free = groups
    start = sizes[a]
    change = 0.0
    for p in range(start):
        change -= distance2(x, members[a, p], sums, a, start)
    while sizes[a] > 0 and change <= limit:
        i = members[a, sizes[a] - 1]
        best, target = np.inf, -1
        for r in range(count[i]):
            b = labels[near[i, r]]
            if b in (a, target) or sizes[b] >= 2 * k - 1:
                continue
            cost = join_cost(x, i, sums, b, sizes[b])
            if cost < best:
                best, target = cost, b
        if target < 0:
            break
        shift(x, i, target, labels, sums, sizes, members, place)
        change += best
    if sizes[a] == 0 and change <= limit:
        free[free[-1]] = a
        free[-1] += 1
        return True, change
    while sizes[a] < start:  # records left from the end of the row, so the row still names them
        shift(x, members[a, sizes[a]], a, labels, sums, sizes, members, place)
    return False, 0.0


@kernel
def create(
    x: FloatArray, near: PlaceArray, count: IntArray, seed: int, k: int, groups: Groups, limit: float
) -> tuple[bool, float]:
    """Build a group of k records around record `seed`, taken from groups above size k, if the SSE allows it.

    Each next record is the neighbour of the seed whose shift costs least. Returns (done, change). O(k m d).
    """
    labels, sums, sizes, members, place, free = groups
    a = labels[seed]
    if free[-1] == 0 or sizes[a] <= k:
        return False, 0.0
    new = free[free[-1] - 1]
    for c in range(x.shape[1]):
        sums[new, c] = 0.0
    origin = np.empty(k, dtype=np.int64)
    change, chosen = -leave_gain(x, seed, sums, a, sizes[a]), seed
    while chosen >= 0:
        origin[sizes[new]] = labels[chosen]
        shift(x, chosen, new, labels, sums, sizes, members, place)
        if sizes[new] == k:
            break
        best, chosen = np.inf, -1
        for r in range(count[seed]):
            j = near[seed, r]
            b = labels[j]
            if b == new or sizes[b] <= k:
                continue
            cost = join_cost(x, j, sums, new, sizes[new]) - leave_gain(x, j, sums, b, sizes[b])
            if cost < best:
                best, chosen = cost, j
        change += best
    if sizes[new] == k and change <= limit:
        free[-1] -= 1
        return True, change
    while sizes[new] > 0:
        last = sizes[new] - 1
        shift(x, members[new, last], origin[last], labels, sums, sizes, members, place)
    return False, 0.0
