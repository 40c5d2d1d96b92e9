"""MDAV by comparing with every record: for files too small for a tree, and as its check."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.kernel import kernel
from tacita.numeric.microaggregation.mdav.state import Remaining, set_centre, take_record

__all__ = ["scan_groups"]


def scan_groups(x: FloatArray, k: int, state: Remaining) -> None:
    """Form groups until fewer than 2 k records are left. O(n^2 d / k) time."""
    n = x.shape[0]
    _scan(x, k, state, np.arange(n), np.empty(n), np.empty(k, np.int64), np.empty(k))


@kernel
def _scan(
    x: FloatArray, k: int, state: Remaining, members: IntArray, distances: FloatArray, rows: IntArray, keys: FloatArray
) -> None:
    while state.left[0] >= 2 * k:
        left = members[: state.left[0]]
        paired = left.size >= 3 * k
        _measure(x, left, state.centre, distances)
        seed = _farthest(left, distances, -1)
        _measure(x, left, x[seed], distances)
        partner = _farthest(left, distances, seed) if paired else -1
        _take_group(x, left, distances, seed, partner, k, rows, keys, state)
        if paired:
            _measure(x, left, x[partner], distances)
            _take_group(x, left, distances, partner, -1, k, rows, keys, state)
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
