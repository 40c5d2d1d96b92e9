"""Frequencies of key patterns: how many records share each combination of values.

A record's values in the key columns, as integer codes, are folded into one word,

    word = (...((c_1 + 1)(s_2 + 1) + c_2 + 1)(s_3 + 1) + ...),      -1 <= c_j < s_j,

so that equal combinations have equal words (a missing value has code -1). Words are then numbered: by counting where
they are few, by a hash table where they repeat, by sorting where most records have one of their own. Everything else works
on the distinct patterns, which are far fewer than the records: 10^7 records of seven usual keys have some ten thousand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, Int1, IntArray
from tacita.core.kernel import entry, kernel

__all__ = [
    "Patterns",
    "count_single",
    "find_patterns",
    "fold_codes",
    "fold_columns",
    "is_single_word",
    "label_patterns",
    "number_words",
]


_LARGEST_WORD = 2**62
_DENSE = 2**22
"""Words below this bound are counted in an array, whatever their number."""
_LOOK = 2**16
"""So many words, from all over the file, tell whether most of them are different."""
_BLOCK = 2**20


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
        found = np.zeros(len(self.codes), dtype=np.int64)
        for j in range(self.codes.shape[1]):
            lacking = self.codes[:, j] < 0
            if lacking.any():
                found[lacking] |= np.int64(1) << j
        return found

    def total(self, weights: FloatArray) -> FloatArray:
        """Return the sum of the records' weights in each pattern."""
        return np.asarray(np.bincount(self.labels, weights=weights, minlength=len(self.counts)), dtype=np.float64)


def find_patterns(columns: Iterable[tuple[IntArray, int]], *, is_narrow: bool = False) -> Patterns:
    """Return the distinct patterns of some columns, given one by one as codes and number of categories.

    The columns may come from a generator: only one of them is needed at a time. O(n d) time, a few arrays of length n.

    Parameters
    ----------
    columns
        Codes and number of categories of each column.
    is_narrow
        Keep the codes of the patterns in the narrowest integers that hold them.

    Examples
    --------
    >>> import numpy as np
    >>> found = find_patterns([(np.array([0, 1, 0, -1]), 2), (np.array([2, 0, 2, 0]), 3)])
    >>> found.counts[found.labels].tolist()
    [2, 1, 2, 1]
    >>> found.codes.tolist()
    [[-1, 0], [0, 2], [1, 0]]
    """
    words, space, tables, radices = _folded(columns)
    labels, known, counts = number_words(words, space, overwrite=True)
    del words
    tables.append((known, radices))
    largest = max(radix for _, some in tables for radix in some)
    return Patterns(labels, _decoded(tables, np.min_scalar_type(-largest) if is_narrow else np.dtype(np.int64)), counts)


def label_patterns(columns: Iterable[tuple[IntArray, int]]) -> IntArray:
    """Return the labels of :func:`find_patterns` alone.

    Examples
    --------
    >>> label_patterns([(np.array([0, 1, 0, -1]), 2), (np.array([2, 0, 2, 0]), 3)]).tolist()
    [1, 2, 1, 0]
    """
    words, space, _, _ = _folded(columns)
    return number_words(words, space, overwrite=True)[0]


def count_single(columns: Iterable[tuple[IntArray, int]]) -> int:
    """Count the records whose combination of values no other record has. O(n log n) time, one array of length n.

    Examples
    --------
    >>> count_single([(np.array([0, 1, 0, -1]), 2), (np.array([2, 0, 2, 0]), 3)])
    2
    """
    words = _folded(columns)[0]
    words.sort()
    is_first = _starts(words)
    return int((is_first & np.append(is_first[1:], True)[: len(words)]).sum())


Tables = list[tuple[IntArray, list[int]]]
"""Words that were numbered on the way, and what they were folded by, to find their codes again."""


def _folded(columns: Iterable[tuple[IntArray, int]]) -> tuple[IntArray, int, Tables, list[int]]:
    """Fold columns into words; return these, the space they lie in, and how to decode them."""
    words: IntArray | None = None
    space = 1
    radices: list[int] = []
    tables: Tables = []
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
    return words, space, tables, radices


def fold_codes(codes: IntArray, sizes: IntArray) -> IntArray:
    """Return a word for each row of codes such that equal rows, and only those, have equal words. O(m d)."""
    if not codes.shape[1]:
        return np.zeros(len(codes), dtype=np.int64)
    return fold_columns([codes[:, j] for j in range(codes.shape[1])], sizes)


def fold_columns(codes: Sequence[IntArray], sizes: IntArray) -> IntArray:
    """Do as :func:`fold_codes` for codes that come as one array for each column."""
    words, space = np.zeros(len(codes[0]), dtype=np.int64), 1
    for column, size in zip(codes, sizes.tolist(), strict=True):
        if space * (size + 1) >= _LARGEST_WORD:
            words, known, _ = number_words(words, space)
            space = len(known)
        words *= size + 1
        words += column
        words += 1
        space *= size + 1
    return words


def number_words(words: IntArray, space: int, *, overwrite: bool = False) -> tuple[IntArray, IntArray, IntArray]:
    """Number words 0 <= word < space: return the number of each, the distinct words in order, and how often each occurs.

    With ``overwrite`` the numbers may stand where the words were.

    O(n + space) where the space is small, O(n log n) where most words are different, else O(n) expected time by a hash table
    and a sort of the distinct words.
    """
    if _is_dense(words, space):
        counts = np.bincount(words, minlength=1)
        known = np.flatnonzero(counts)
        place = np.cumsum(counts > 0) - 1
        return place[words], known, counts[known]
    if _are_mostly_different(words):
        return _sorted_numbers(words, overwrite=overwrite)
    labels, known, counts = _hashed(words)
    order = np.argsort(known)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    for start in range(0, len(labels), _BLOCK):
        labels[start : start + _BLOCK] = place[labels[start : start + _BLOCK]]
    return labels, known[order], counts[order]


def is_single_word(words: IntArray, space: int) -> BoolArray:
    """Return where a word 0 <= word < space occurs once only. O(n + space) where the space is small, else O(n log n)."""
    if _is_dense(words, space):
        return np.asarray(np.bincount(words, minlength=1)[words] == 1)
    order = np.argsort(words)
    is_first = _starts(words[order])
    single = np.empty(len(words), dtype=bool)
    single[order] = is_first & np.append(is_first[1:], True)
    return single


def _is_dense(words: IntArray, space: int) -> bool:
    return space <= max(_DENSE, 2 * len(words))


def _are_mostly_different(words: IntArray) -> bool:
    """Whether a hash table would be about as long as the file; a sort needs less memory then."""
    some = words[:: max(1, len(words) // _LOOK)]
    return len(np.unique(some)) > len(some) // 2


def _sorted_numbers(words: IntArray, *, overwrite: bool) -> tuple[IntArray, IntArray, IntArray]:
    """Number words by sorting them: O(n log n) time, three arrays of length n and two of the distinct words."""
    order = np.argsort(words)
    in_order = words[order]
    is_first = _starts(in_order)
    known = in_order[is_first]
    np.cumsum(is_first, out=in_order)
    in_order -= 1
    labels = words if overwrite else np.empty(len(words), dtype=np.int64)
    labels[order] = in_order
    del order, in_order
    counts = np.diff(np.append(np.flatnonzero(is_first), len(labels)))
    return labels, known, counts


def _starts(in_order: IntArray) -> BoolArray:
    """Return where a run of equal values begins."""
    is_first = np.ones(len(in_order), dtype=bool)
    np.not_equal(in_order[1:], in_order[:-1], out=is_first[1:])
    return is_first


def _decoded(tables: Tables, kind: np.dtype[Any]) -> IntArray:
    """Return the codes of the last table's words; a word of a later table begins with the number of an earlier one."""
    last = tables[-1][0]
    width = sum(len(radices) for _, radices in tables)
    codes = np.empty((len(last), width), dtype=kind)
    for start in range(0, len(last), _BLOCK):
        words, place = last[start : start + _BLOCK], width
        for step in range(len(tables) - 1, -1, -1):
            for radix in reversed(tables[step][1]):
                place -= 1
                codes[start : start + _BLOCK, place] = words % radix - 1
                words = words // radix
            if step:
                words = tables[step - 1][0][words]
    return codes


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
