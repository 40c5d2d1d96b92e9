"""Frequencies of key patterns: how many records share each combination of values.

A record's values in the key columns, as integer codes, are folded into one word,

    word = (...((c_1 + 1)(s_2 + 1) + c_2 + 1)(s_3 + 1) + ...),      -1 <= c_j < s_j,

so that equal combinations have equal words (a missing value has code -1). Words are then numbered: by counting where
they are few, by a hash table otherwise. Everything else works on the distinct patterns, which are far fewer than the
records: 10^7 records of seven usual keys have some ten thousand.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray, Int1, IntArray
from tacita.core.kernel import entry, kernel

__all__ = ["Patterns", "find_patterns", "fold_codes", "number_words"]


_LARGEST_WORD = 2**62
_DENSE = 2**22
"""Words below this bound are counted in an array, whatever their number."""


@dataclass(frozen=True, eq=False)
class Patterns:
    """Distinct combinations of key values.

    Parameters
    ----------
    labels
        (n,): pattern of each record.
    codes
        (m, d): the values of each pattern as codes, -1 for missing; patterns in lexicographic order.
    counts
        (m,): records of each pattern.
    """

    labels: IntArray = field(repr=False)
    codes: IntArray = field(repr=False)
    counts: IntArray = field(repr=False)

    @property
    def missing(self) -> IntArray:
        """(m,): bit j is set where a pattern has no value in column j."""
        bits = np.int64(1) << np.arange(self.codes.shape[1], dtype=np.int64)
        return np.asarray((self.codes < 0) @ bits, dtype=np.int64)

    def total(self, weights: FloatArray) -> FloatArray:
        """Return the sum of the records' weights in each pattern."""
        return np.asarray(np.bincount(self.labels, weights=weights, minlength=len(self.counts)), dtype=np.float64)


def find_patterns(columns: Iterable[tuple[IntArray, int]]) -> Patterns:
    """Return the distinct patterns of some columns, given one by one as codes and number of categories.

    The columns may come from a generator: only one of them is needed at a time. O(n d) time, two arrays of length n.

    Examples
    --------
    >>> import numpy as np
    >>> found = find_patterns([(np.array([0, 1, 0, -1]), 2), (np.array([2, 0, 2, 0]), 3)])
    >>> found.counts[found.labels].tolist()
    [2, 1, 2, 1]
    >>> found.codes.tolist()
    [[-1, 0], [0, 2], [1, 0]]
    """
    words: IntArray | None = None
    space = 1
    radices: list[int] = []
    tables: list[tuple[IntArray, list[int]]] = []  # words that were numbered on the way, to find their codes again
    for codes, size in columns:
        if words is None:
            words = np.zeros(len(codes), dtype=np.int64)
        if space * (size + 1) >= _LARGEST_WORD:
            words, known, _ = number_words(words, space)
            tables.append((known, radices))
            space, radices = len(known), []
        words *= size + 1
        words += codes
        words += 1
        space *= size + 1
        radices.append(size + 1)
    if words is None:
        raise ValueError("find_patterns: there must be at least one column.")
    labels, known, counts = number_words(words, space)
    tables.append((known, radices))
    return Patterns(labels, _decoded(tables), counts)


def fold_codes(codes: IntArray, sizes: IntArray) -> IntArray:
    """Return a word for each row of codes such that equal rows, and only those, have equal words. O(m d)."""
    words, space = np.zeros(len(codes), dtype=np.int64), 1
    for j, size in enumerate(sizes.tolist()):
        if space * (size + 1) >= _LARGEST_WORD:
            words, known, _ = number_words(words, space)
            space = len(known)
        words = words * (size + 1) + codes[:, j] + 1
        space *= size + 1
    return words


def number_words(words: IntArray, space: int) -> tuple[IntArray, IntArray, IntArray]:
    """Number words 0 <= word < space: return the number of each, the distinct words in order, and how often each occurs.

    O(n + space) where the space is small, else O(n) expected time by a hash table and a sort of the distinct words.
    """
    if space <= max(_DENSE, 2 * len(words)):
        counts = np.bincount(words, minlength=1)
        known = np.flatnonzero(counts)
        place = np.cumsum(counts > 0) - 1
        return place[words], known, counts[known]
    labels, known, counts = _hashed(words)
    order = np.argsort(known)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return place[labels], known[order], counts[order]


def _decoded(tables: list[tuple[IntArray, list[int]]]) -> IntArray:
    """Return the codes of the last table's words; a word of a later table begins with the number of an earlier one."""
    columns: list[IntArray] = []
    words = tables[-1][0]
    for step in range(len(tables) - 1, -1, -1):
        for radix in reversed(tables[step][1]):
            columns.append(words % radix - 1)
            words = words // radix
        if step:
            words = tables[step - 1][0][words]
    return np.stack(columns[::-1], axis=1)


@entry
def _hashed(words: Int1) -> tuple[IntArray, IntArray, IntArray]:
    """Number words in the order of their first appearance by open addressing; the table doubles when half full."""
    bits = 16
    slots = np.full(1 << bits, -1, np.int64)
    labels = np.empty(len(words), np.int64)
    known, counts = np.empty(1 << 15, np.int64), np.zeros(1 << 15, np.int64)
    found = 0
    for i in range(len(words)):
        word = words[i]
        slot = _slot(word, bits)
        while slots[slot] >= 0 and known[slots[slot]] != word:
            slot = (slot + 1) & ((1 << bits) - 1)
        if slots[slot] < 0:
            if found == len(known):
                bits += 1
                known, counts = _doubled(known), _doubled(counts)
                slots = np.full(1 << bits, -1, np.int64)
                for old in range(found):
                    slot = _slot(known[old], bits)
                    while slots[slot] >= 0:
                        slot = (slot + 1) & ((1 << bits) - 1)
                    slots[slot] = old
                slot = _slot(word, bits)
                while slots[slot] >= 0:
                    slot = (slot + 1) & ((1 << bits) - 1)
            slots[slot], known[found] = found, word
            found += 1
        labels[i] = slots[slot]
        counts[slots[slot]] += 1
    return labels, known[:found], counts[:found]


@kernel(inline=True)
def _slot(word: int, bits: int) -> Any:
    """Fibonacci hashing: the leading bits of word times 2^64 / golden ratio."""
    mixed = (np.uint64(word) ^ (np.uint64(word) >> np.uint64(29))) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64(mixed >> np.uint64(64 - bits))


@kernel
def _doubled(values: IntArray) -> IntArray:
    larger = np.zeros(2 * len(values), np.int64)
    larger[: len(values)] = values
    return larger
