"""Answered sets packed into bits, and how many records a new set has in common with each."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import BoolArray, IntArray, WordArray

__all__ = ["PackedSets", "packed"]

_BLOCK = 2**17
"""Words that are compared at a time, a megabyte."""


def packed(mask: BoolArray) -> WordArray:
    """Return a set as words of 64 bits; bits behind the last record are zero.

    Examples
    --------
    >>> import numpy as np
    >>> packed(np.ones(65, dtype=bool)).tolist() == [2**64 - 1, 1]
    True
    """
    words = np.zeros(-(-len(mask) // 64), dtype="<u8")
    given = np.packbits(mask, bitorder="little")
    words.view(np.uint8)[: len(given)] = given
    return words.astype(np.uint64)


class PackedSets:
    """Sets of records, an eighth of a byte for each record and set.

    Parameters
    ----------
    n_records
        Records of the data set.

    Notes
    -----
    Comparing takes O(n / 64) words a set; 1 000 sets of 10^6 records are 125 MB.

    Examples
    --------
    >>> import numpy as np
    >>> sets = PackedSets(4)
    >>> sets.append(np.array([True, True, False, False]))
    >>> sets.common(np.array([False, True, True, False])).tolist()
    [1]
    """

    __slots__ = ("_count", "_sizes", "_words", "n_records")

    def __init__(self, n_records: int) -> None:
        self.n_records = n_records
        self._count = 0
        self._words: WordArray = np.zeros((0, -(-n_records // 64)), dtype=np.uint64)
        self._sizes: IntArray = np.zeros(0, dtype=np.int64)

    def __len__(self) -> int:
        return self._count

    @property
    def sizes(self) -> IntArray:
        """Records of each set."""
        return self._sizes[: self._count]

    def append(self, mask: BoolArray) -> None:
        """Add a set, given as a boolean for each record."""
        if self._count == len(self._sizes):
            room = self._count // 2 + 8
            self._words = np.concatenate([self._words, np.zeros((room, self._words.shape[1]), dtype=np.uint64)])
            self._sizes = np.concatenate([self._sizes, np.zeros(room, dtype=np.int64)])
        self._words[self._count] = packed(mask)
        self._sizes[self._count] = np.count_nonzero(mask)
        self._count += 1

    def common(self, mask: BoolArray, rows: IntArray | None = None) -> IntArray:
        """Return how many records a set shares with each of the sets, or with some of them.

        Parameters
        ----------
        mask
            The set, a boolean for each record.
        rows
            Numbers of the sets to compare with; all of them without it.
        """
        chosen = np.arange(self._count) if rows is None else rows
        words = packed(mask)
        found = np.zeros(len(chosen), dtype=np.int64)
        step = max(1, _BLOCK // max(1, len(words)))
        for start in range(0, len(chosen), step):
            both = self._words[chosen[start : start + step]] & words
            found[start : start + step] = np.bitwise_count(both).sum(axis=1, dtype=np.int64)
        return found
