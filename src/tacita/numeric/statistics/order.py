"""The order of a column, faster than a general argsort.

Sorting plain 64-bit words is several times cheaper than sorting indices by a key. So the leading bits of each value
(turned so that they sort like the value) and its row number are packed into one word, the words are sorted, and the few
neighbours whose leading bits agree are put right afterwards.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Float1, FloatArray, FrozenFloat1, Int1, IntArray, Word1, WordArray
from tacita.core.kernel import entry, kernel

__all__ = ["in_order", "sorting_order"]


_SMALL = 5000


def sorting_order(x: FloatArray, words: WordArray | None = None) -> IntArray:
    """Return the row numbers in the order of their values; equal values stand in the order of the file.

    ``x`` has no NaN. ``words`` is memory as long as x to work in, which the answer then occupies; new memory has to be cleared
    by the system first, which costs as much as a third of the sort. O(n log n) time, one array of the size of the column.
    """
    n = len(x)
    if n < _SMALL:
        return np.argsort(x, kind="stable")
    if words is None:
        words = np.empty(n, np.uint64)
    bits = np.uint64(int(n - 1).bit_length())
    _pack(np.ascontiguousarray(x), bits, words)
    words.sort()
    order: IntArray = words.view(np.int64)
    _unpack(words, x, bits, order)
    return order


@entry
def in_order(x: FrozenFloat1, order: Int1, ranked: Float1) -> None:
    """Put the values by rank into ``ranked``."""
    for i in range(len(order)):
        ranked[i] = x[order[i]]


@entry
def _pack(x: FrozenFloat1, bits: np.uint64, words: Word1) -> None:
    raw = x.view(np.uint64)
    sign = np.uint64(1) << np.uint64(63)
    low = (np.uint64(1) << bits) - np.uint64(1)
    for i in range(len(x)):
        word = raw[i]
        if x[i] == 0.0:
            word = np.uint64(0)  # -0.0 and 0.0 are equal
        # IEEE numbers sort like integers once negative ones are turned over and the sign bit is flipped.
        word = ~word if word & sign else word | sign
        words[i] = (word & ~low) | np.uint64(i)


@entry
def _unpack(words: Word1, x: FrozenFloat1, bits: np.uint64, order: Int1) -> None:
    """Turn the words into row numbers; ``order`` may be the same memory."""
    low = (np.uint64(1) << bits) - np.uint64(1)
    start, mixed, last = 0, False, words[0]
    for i in range(len(words)):
        word = words[i]
        order[i] = np.int64(word & low)
        if (word ^ last) & ~low:
            if mixed:
                _sort_run(order, x, start, i)
            start, mixed = i, False
        elif i > 0 and x[order[i]] != x[order[i - 1]]:
            mixed = True
        last = word
    if mixed:
        _sort_run(order, x, start, len(words))


@kernel
def _sort_run(order: IntArray, x: FloatArray, start: int, stop: int) -> None:
    """Sort a run of records whose values agree in their leading bits; row numbers are increasing on entry."""
    rows = order[start:stop].copy()
    inner = np.argsort(x[rows], kind="mergesort")
    order[start:stop] = rows[inner]
