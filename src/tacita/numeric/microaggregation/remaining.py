"""The records that are left while groups are formed one after the other, and their centroid to the last bit.

The centroid decides which record is farthest, so a different rounding of it can change a partition where distances are (nearly)
tied, and then everything after it.  It must not depend on the order in which records left.  The sums are therefore kept
as unevaluated pairs high + low (double-double): records enter and leave by an error-free addition.

What this guarantees: a pair has 106 bits, so a sum is *exact* as long as its largest intermediate value and the last bit of
the smallest record are less than 2^106 apart.  That holds for a million values whose sizes differ by less than 2^33,
standardised data among them; then the centroid is the correctly rounded exact sum (what ``math.fsum`` gives) divided by
the number of records.  Beyond that the sum errs by about 2^-106 of its largest intermediate value for each record, and the
centroid still is the same unless the exact sum lies that close to the middle of two floating-point numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacita.core.arrays import Float1, Float2, FloatArray, Int1
from tacita.core.kernel import entry, kernel

__all__ = ["FAR_WORK", "OTHER_WORK", "Remaining", "set_centre", "start_state", "take_record"]


FAR_WORK, OTHER_WORK = 0, 1
"""Blocks visited for records far from the centroid since the tree was last centred, and for all other questions."""


class Remaining(NamedTuple):
    """The records left and the groups formed."""

    labels: Int1
    """(n,): group of each record, -1 while it is left."""
    left: Int1
    """(1,): number of records left."""
    groups: Int1
    """(1,): number of groups formed."""
    high: Float1
    """(d,): sums of the columns of the records left, rounded."""
    low: Float1
    """(d,): what rounding lost."""
    centre: Float1
    """(d,): centroid of the records left."""
    seeds: Int1
    """(2,): the last x_r and x_s."""
    taken: Int1
    """(n,): the records in groups, in the order in which they were taken; then nothing of meaning."""
    work: Int1
    """(2,): what searches in a tree have cost, see ``FAR_WORK`` and ``OTHER_WORK``."""


def start_state(x: FloatArray) -> Remaining:
    """All records are left. O(n d) time."""
    n, d = x.shape
    state = Remaining(
        labels=np.full(n, -1),
        left=np.array([n]),
        groups=np.array([0]),
        high=np.zeros(d),
        low=np.zeros(d),
        centre=np.zeros(d),
        seeds=np.full(2, -1),
        taken=np.full(n, -1),
        work=np.zeros(2, np.int64),
    )
    _add_all(x, state.high, state.low)
    if n > 0:
        set_centre(state)
    return state


@entry
def _add_all(x: Float2, high: Float1, low: Float1) -> None:
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            _add(high, low, j, x[i, j])


@kernel
def take_record(x: FloatArray, row: int, group: int, state: Remaining) -> None:
    """Put a record into a group. O(d) time."""
    state.labels[row] = group
    state.taken[state.taken.size - state.left[0]] = row
    state.left[0] -= 1
    for j in range(x.shape[1]):
        _add(state.high, state.low, j, -x[row, j])


@entry
def set_centre(state: Remaining) -> None:
    """Compute the centroid of the records left."""
    for j in range(state.centre.size):
        state.centre[j] = state.high[j] / state.left[0]


@kernel
def _add(high: FloatArray, low: FloatArray, j: int, value: float) -> None:
    """Add a value to the pair (high[j], low[j]): Knuth's error-free sum, then the rest into `low`, then normalise."""
    total = high[j] + value
    shift = total - high[j]
    rest = (high[j] - (total - shift)) + (value - shift) + low[j]
    high[j] = total + rest
    low[j] = rest - (high[j] - total)
