"""Families of answered sets, remembered in sixteen bytes each: as words of 64 bits in sorted arrays."""

from __future__ import annotations

from collections import Counter

import numpy as np

from tacita.core.arrays import BoolArray, IntArray, WordArray

__all__ = ["FamilyWords"]

_FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], dtype=np.uint64)
_LEAST = 4096


class FamilyWords:
    """Which families of each set were met, and how many they are.

    Notes
    -----
    A set and a family are words of 64 bits, made of keyed sums: two of them are equal by chance with 2**-64. New ones lie in
    small dictionaries until there are an eighth as many as in the arrays, and are then sorted in.

    Complexity
    ----------
    O(log m) for each look, amortised O(log m) for each entry, 16 bytes of memory.

    Examples
    --------
    >>> known = FamilyWords()
    >>> sets, families = np.array([7, 7, 9], dtype=np.uint64), np.array([1, 2, 1], dtype=np.uint64)
    >>> known.add(sets, families)
    >>> known.counts(np.array([7, 8, 9], dtype=np.uint64)).tolist(), known.has(sets, families).tolist()
    ([2, 0, 1], [True, True, True])
    """

    def __init__(self) -> None:
        self._sets: WordArray = np.zeros(0, dtype=np.uint64)
        self._pairs: WordArray = np.zeros(0, dtype=np.uint64)
        self._new_sets: Counter[int] = Counter()
        self._new_pairs: set[int] = set()

    def __len__(self) -> int:
        return len(self._pairs) + len(self._new_pairs)

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        return self._sets.nbytes + self._pairs.nbytes

    def counts(self, sets: WordArray) -> IntArray:
        """Return how many families of each set were met."""
        kept = np.searchsorted(self._sets, sets, side="right") - np.searchsorted(self._sets, sets, side="left")
        new = [self._new_sets[word] for word in sets.tolist()] if self._new_sets else 0
        return np.asarray(kept + np.array(new, dtype=np.int64), dtype=np.int64)

    def has(self, sets: WordArray, families: WordArray) -> BoolArray:
        """Return which pairs of a set and a family were met."""
        return self._are_known(_pairs(sets, families))

    def add(self, sets: WordArray, families: WordArray) -> None:
        """Remember pairs of a set and a family; those that are known stay as they are."""
        pairs = _pairs(sets, families)
        for word, pair, is_known in zip(sets.tolist(), pairs.tolist(), self._are_known(pairs).tolist(), strict=True):
            if not is_known and pair not in self._new_pairs:
                self._new_pairs.add(pair)
                self._new_sets[word] += 1
        if len(self._new_pairs) > max(_LEAST, len(self._pairs) // 8):
            self._sort_in()

    def _are_known(self, pairs: WordArray) -> BoolArray:
        found = np.zeros(len(pairs), dtype=np.bool_)
        if len(self._pairs):
            places = np.minimum(np.searchsorted(self._pairs, pairs), len(self._pairs) - 1)
            found = self._pairs[places] == pairs
        if self._new_pairs:
            found = found | np.array([pair in self._new_pairs for pair in pairs.tolist()], dtype=np.bool_)
        return found

    def _sort_in(self) -> None:
        sets = np.fromiter(self._new_sets.elements(), dtype=np.uint64, count=self._new_sets.total())
        pairs = np.fromiter(self._new_pairs, dtype=np.uint64, count=len(self._new_pairs))
        self._sets = np.sort(np.concatenate([self._sets, sets]), kind="stable")
        self._pairs = np.sort(np.concatenate([self._pairs, pairs]), kind="stable")
        self._new_sets, self._new_pairs = Counter(), set()


def _pairs(sets: WordArray, families: WordArray) -> WordArray:
    made: WordArray = (sets * _FACTORS[0]) ^ (families * _FACTORS[1])
    return made
