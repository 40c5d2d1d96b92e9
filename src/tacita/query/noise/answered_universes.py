"""Universes that were answered, looked through for pairs that add up to a third: one pass over words of 64 bits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from tacita.core.arrays import BoolArray, IntArray, WordArray
from tacita.query.noise.set_numbers import MemberHash

__all__ = ["AnsweredUniverses", "TwoParts", "word_of"]

_FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)
"""Odd numbers that make one word of the two sums and the number of a set; words add up modulo 2**64 as the sets do."""

_ROOM = 64
_MOST_BITS = 24
"""Marks for each universe, and the most there are, 16 MB: so few words meet the mark of another by chance."""


class TwoParts(NamedTuple):
    """A set that is two disjoint others together."""

    whole: MemberHash
    part: MemberHash
    rest: MemberHash


class AnsweredUniverses:
    """The universes that were answered, each known by the sums of its members' keyed hashes and their number.

    Notes
    -----
    A further universe U makes a pair with an earlier V if U - V, V - U or U + V is an earlier one as well. All differences are
    taken at once, as words; the few words that have the mark of an earlier universe are then looked up exactly.

    Complexity
    ----------
    O(u) for u universes, about 10 ns each; memory of some 300 bytes for each.

    Examples
    --------
    >>> known = AnsweredUniverses()
    >>> known.add((3, 11, 7)), known.add((1, 5, 3)), len(known)
    (None, None, 2)
    >>> {pair.whole for pair in known.pairs((2, 6, 4))}
    {(3, 11, 7)}
    """

    def __init__(self) -> None:
        self._place: dict[MemberHash, int] = {}
        self._listed: list[MemberHash] = []
        self._words: WordArray = np.zeros(64, dtype=np.uint64)
        self._marks: BoolArray = np.zeros(1 << 12, dtype=np.bool_)

    def __len__(self) -> int:
        return len(self._listed)

    def __contains__(self, universe: object) -> bool:
        return universe in self._place

    def __iter__(self) -> Iterator[MemberHash]:
        return iter(self._listed)

    def add(self, universe: MemberHash) -> None:
        """Remember a universe; one that is known stays as it is."""
        if universe in self._place:
            return
        count = len(self._listed)
        self._place[universe] = count
        self._listed.append(universe)
        if count == len(self._words):
            self._words = np.concatenate([self._words, np.zeros(count, dtype=np.uint64)])
        self._words[count] = word_of(universe)
        if _ROOM * count > len(self._marks) and len(self._marks) < 1 << _MOST_BITS:
            self._marks = np.zeros(2 * len(self._marks), dtype=np.bool_)
            self._marks[self._marks_of(self._words[: count + 1])] = True
        self._marks[self._marks_of(self._words[count : count + 1])] = True

    def pairs(self, universe: MemberHash) -> Iterator[TwoParts]:
        """Give every way in which a further universe and two earlier ones are a whole and its two parts."""
        words, own = self._words[: len(self._listed)], np.uint64(word_of(universe))
        for place in self._met(own - words):
            other = self._listed[place]
            yield from self._found(universe, other, _less(universe, other))
        for place in self._met(words - own):
            other = self._listed[place]
            yield from self._found(other, universe, _less(other, universe))
        for place in self._met(words + own):
            other = self._listed[place]
            yield from self._found(_sum(universe, other), universe, other, is_whole_known=False)

    def _found(
        self, whole: MemberHash, part: MemberHash, rest: MemberHash, *, is_whole_known: bool = True
    ) -> Iterator[TwoParts]:
        looked_for = rest if is_whole_known else whole
        if rest[2] > 0 and part[2] > 0 and looked_for in self._place:
            yield TwoParts(whole, part, rest)

    def _met(self, words: WordArray) -> list[int]:
        """The places of the words that have the mark of a known universe."""
        found: list[int] = np.flatnonzero(self._marks[self._marks_of(words)]).tolist()
        return found

    def _marks_of(self, words: WordArray) -> IntArray:
        bits = len(self._marks).bit_length() - 1
        return (words >> np.uint64(64 - bits)).astype(np.int64)


def word_of(universe: MemberHash) -> int:
    """Return a set as one word of 64 bits; words of disjoint sets add up modulo 2**64 as the sets do."""
    return sum(factor * number for factor, number in zip(_FACTORS, universe, strict=True)) & (2**64 - 1)


def _less(one: MemberHash, other: MemberHash) -> MemberHash:
    return one[0] - other[0], one[1] - other[1], one[2] - other[2]


def _sum(one: MemberHash, other: MemberHash) -> MemberHash:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]
