"""Words that are written wrongly, and the word that was meant: of those that look most alike, the one with fewest edits.

Words look alike when they share letter triples. The first letter must agree, which it nearly always does, and at most one letter
may be wrong, lacking, too many or exchanged with its neighbour, two in a word of eight letters or more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import IntArray

if TYPE_CHECKING:
    from scipy import sparse

__all__ = ["Speller", "edits"]

SHORTEST = 5
"""A shorter word has too many neighbours to guess."""
LEAST = 0.5
"""How much of their letter triples two spellings must share (Dice)."""
_LONG = 8
_CANDIDATES = 4
_COLUMNS = 1 << 20
_TOGETHER = 4096


class Speller:
    """Finds the word that was meant among those that are known.

    Parameters
    ----------
    words
        The known words, folded and sorted.
    frequency
        In how many documents each stands; the more frequent one wins a tie, then the first one.
    """

    def __init__(self, words: Sequence[str], frequency: IntArray) -> None:
        self.words, self.frequency = words, frequency
        self._groups: dict[str, tuple[IntArray, sparse.csc_array]] = {}
        self._by_letter: dict[str, list[int]] = {}
        for place, word in enumerate(words):
            if len(word) >= SHORTEST - 1 and word.isalpha():
                self._by_letter.setdefault(word[0], []).append(place)

    def meant(self, unknown: Sequence[str]) -> IntArray:
        """Return for each unknown word the place of the one that was meant, -1 for none."""
        found = np.full(len(unknown), -1, np.int64)
        groups: dict[str, list[int]] = {}
        for place, word in enumerate(unknown):
            if len(word) >= SHORTEST and word.isalpha() and word[0] in self._by_letter:
                groups.setdefault(word[0], []).append(place)
        for letter, places in groups.items():
            for start in range(0, len(places), _TOGETHER):
                part = places[start : start + _TOGETHER]
                found[part] = self._nearest(letter, [unknown[place] for place in part])
        return found

    def _nearest(self, letter: str, unknown: list[str]) -> IntArray:
        if letter not in self._groups:
            places = np.array(self._by_letter[letter], np.int64)
            self._groups[letter] = (places, _triples([self.words[place] for place in places.tolist()]).T.tocsr())
        places, known = self._groups[letter]
        asked = _triples(unknown)
        shared = asked @ known
        rows = np.repeat(np.arange(len(unknown)), np.diff(shared.indptr))
        sizes = np.bincount(known.indices, minlength=len(places))
        dice = 2 * shared.data / (np.diff(asked.indptr)[rows] + sizes[shared.indices])
        near = dice >= LEAST
        rows, dice, candidates = rows[near], dice[near], places[shared.indices[near]]
        order = np.lexsort((candidates, -self.frequency[candidates], -dice, rows))
        rows, candidates = rows[order], candidates[order]
        start = np.flatnonzero(np.diff(rows, prepend=-1))
        within = np.arange(len(rows)) - np.repeat(start, np.diff(np.append(start, len(rows))))
        best = np.full(len(unknown), -1, np.int64)
        fewest = [3 if len(word) >= _LONG else 2 for word in unknown]
        looked_at = within < _CANDIDATES
        for row, place in zip(rows[looked_at].tolist(), candidates[looked_at].tolist(), strict=True):
            wrong = edits(unknown[row], self.words[place])
            if wrong < fewest[row]:
                best[row], fewest[row] = place, wrong
        return best


def edits(one: str, other: str) -> int:
    """Return how many letters are wrong, lacking, too many, or exchanged with their neighbour. O(product of the lengths).

    Examples
    --------
    >>> edits("barcelna", "barcelona"), edits("soccre", "soccer"), edits("ebola", "erola")
    (1, 1, 1)
    """
    before, row = [0] * (len(other) + 1), list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        two_before, before, row = before, row, [i]
        for j, wanted in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, two_before[j - 2] + 1)
            row.append(cost)
    return row[-1]


def _triples(words: list[str]) -> sparse.csr_array:
    """Which letter triples (hashed) each word has, with a mark before and behind it."""
    from scipy import sparse  # loads when used

    lengths = np.array([len(word) for word in words])
    rows, columns = [], []
    for length in np.unique(lengths).tolist():
        places = np.flatnonzero(lengths == length)
        marked = np.array([f"\x02{words[place]}\x03" for place in places.tolist()], f"<U{length + 2}")
        letters = marked.view(np.uint32).reshape(len(places), length + 2).astype(np.uint64)
        mixed = (letters[:, :-2] * 1_000_003 + letters[:, 1:-1]) * 1_000_003 + letters[:, 2:]
        columns.append(((mixed * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(44)).astype(np.int64).ravel())
        rows.append(np.repeat(places, length))
    at: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]] = (np.concatenate(rows), np.concatenate(columns))
    made = sparse.csr_array((np.ones(len(at[0]), np.float32), at), shape=(len(words), _COLUMNS))
    made.sum_duplicates()
    made.data[:] = 1
    return made
