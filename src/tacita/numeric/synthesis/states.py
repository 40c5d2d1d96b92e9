"""States of a column: an ordinary value, a gap of some kind, or a spike, a number that many records have."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.numeric.synthesis.column_values import ColumnValues

__all__ = ["find_spikes", "states_of"]

_SHARE = 0.05
_TIMES = 5.0
_FEW = 20
_MOST = 3


def find_spikes(values: FloatArray) -> FloatArray:
    """Return the numbers that at least 5 % of the records have, and 5 times as many as the other numbers have on average.

    At most three, the most frequent first, of columns with more than 20 distinct numbers. O(n log n).

    Examples
    --------
    >>> earnings = np.concatenate([np.zeros(30), np.arange(100.0, 170.0)])
    >>> find_spikes(earnings).tolist(), find_spikes(np.arange(100.0)).tolist()
    ([0.0], [])
    """
    distinct, counts = np.unique(values, return_counts=True)
    if len(distinct) <= _FEW:
        return np.empty(0)
    order = np.argsort(-counts, kind="stable")[:_MOST]
    usual = (len(values) - counts[order].sum()) / max(len(distinct) - len(order), 1)
    is_spike = (counts[order] >= _SHARE * len(values)) & (counts[order] >= _TIMES * usual)
    return np.asarray(distinct[order][is_spike])


def states_of(column: ColumnValues, spikes: FloatArray) -> IntArray:
    """Return the state of each record: 0 for an ordinary value, then the kinds of gaps, then the spikes."""
    state = column.gaps.astype(np.int64)
    there = column.there
    for k, spike in enumerate(spikes):
        state[there & (column.values == spike)] = 1 + column.kinds + k
    return state
