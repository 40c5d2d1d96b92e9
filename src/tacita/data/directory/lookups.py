"""Looking up in the arrays of an index, many words and queries at a time."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.progress import task

__all__ = ["FALLBACK", "Found", "Lookups", "best_categories"]

FALLBACK = 50
"""So many categories of each word are added up where no entry has all words of a query."""
TOGETHER = 1 << 21
"""So many documents are looked at together."""
_FEW = 32
_PASSES, _ROW, _MANY = 8, (1 << 20) - 1, (1 << 11) - 1
"""Up to so many categories are found one after the other; so long a row, and so many things, fit into one number."""

Found: TypeAlias = tuple[IntArray, IntArray, FloatArray]
"""Rows, their categories, best first within a row, and what each is worth."""


@dataclass(frozen=True, eq=False)
class Lookups:
    """The arrays of an index, and what is asked of them."""

    sections: Mapping[str, npt.NDArray[Any]]

    @cached_property
    def words(self) -> pa.LargeStringArray:
        """All words, sorted."""
        starts, data = self.sections["words_starts"], self.sections["words"]
        return pa.LargeStringArray.from_buffers(len(starts) - 1, pa.py_buffer(starts), pa.py_buffer(data))

    @cached_property
    def frequency(self) -> IntArray:
        """In how many documents each word stands."""
        return np.diff(self.sections["document_starts"])

    def places(self, words: Sequence[str]) -> IntArray:
        """Return where each word stands among all words, -1 for one that is not there."""
        if len(words) <= _FEW:
            return np.array([self._place(word.encode("utf-8", "replace")) for word in words], np.int64)
        found = pc.index_in(pa.array(words, pa.large_string()), value_set=self.words)
        return np.asarray(pc.fill_null(found, -1).to_numpy(zero_copy_only=False), np.int64)

    def _place(self, word: bytes) -> int:
        starts, data = self.sections["words_starts"], self.sections["words"]

        def at(place: int) -> bytes:
            return bytes(data[starts[place] : starts[place + 1]])

        place = bisect_left(range(len(starts) - 1), word, key=at)
        return place if place < len(starts) - 1 and at(place) == word else -1

    # --- categories of words ----------------------------------------------------------------------------------------------

    def of_words(self, places: IntArray, most: int) -> Found:
        """Return the best categories of each word."""
        starts = self.sections["category_starts"][places]
        counts = np.minimum(self.sections["category_starts"][places + 1] - starts, most)
        at = _ragged(starts, counts)
        scores = self.sections["category_scores"][at].astype(np.float64)
        return np.repeat(np.arange(len(places)), counts), self.sections["categories"][at].astype(np.int64), scores

    # --- categories of queries --------------------------------------------------------------------------------------------

    def of_queries(self, starts: IntArray, places: IntArray, most: int) -> Found:
        """Return the best categories of queries, each of several words.

        Parameters
        ----------
        starts
            Where the words of each query begin in ``places``, and where the last one ends.
        places
            The different words of the queries.
        most
            So many categories of each.

        Notes
        -----
        What counts are the documents that have all words of a query. A query without such a document has the categories that
        have most of its words among their best ones.
        """
        lengths = np.diff(starts)
        single, several = np.flatnonzero(lengths == 1), np.flatnonzero(lengths > 1)
        row, category, score = self.of_words(places[starts[single]], most)
        found = [(single[row], category, score)]
        for block in self._blocks(several, starts, places):
            documents = self.documents(block, starts, places)
            found.append(self._summed(*documents, most))
            lacking = np.setdiff1d(block, found[-1][0], assume_unique=False)
            found.append(self._by_single_words(lacking, starts, places, most))
        row, category, score = (np.concatenate(parts) for parts in zip(*found, strict=True))
        order = np.argsort(row, kind="stable")
        return row[order], category[order], score[order]

    def documents(self, queries: IntArray, starts: IntArray, places: IntArray) -> Found:
        """Return the documents that have all words of a query, and what they are worth together."""
        ordered, length = self._rarest_first(queries, starts, places)
        begin = np.cumsum(length) - length
        seeds = ordered[begin]
        at = self.sections["document_starts"][seeds]
        row = np.repeat(np.arange(len(queries)), self.frequency[seeds])
        posting = _ragged(at, self.frequency[seeds])
        document = self.sections["documents"][posting].astype(np.int64)
        score = self.sections["document_scores"][posting].astype(np.float64)
        number = 1
        while (more := length[row] > number).any():
            posting = self._postings(ordered[begin[row[more]] + number], document[more])
            score[more] += np.where(posting >= 0, self.sections["document_scores"][posting], 0)
            kept = ~more
            kept[more] = posting >= 0
            row, document, score = row[kept], document[kept], score[kept]
            number += 1
        return queries[row], document, score

    def _rarest_first(self, queries: IntArray, starts: IntArray, places: IntArray) -> tuple[IntArray, IntArray]:
        """Return the words of some queries one after the other, the rarest of each first, and how many each has."""
        length = np.diff(starts)[queries]
        words = places[_ragged(starts[queries], length)]
        return words[np.lexsort((words, self.frequency[words], np.repeat(np.arange(len(queries)), length)))], length

    def _postings(self, words: IntArray, documents: IntArray) -> IntArray:
        """Return where each word says that it stands in a document, -1 where it does not; a search in halves, all at once."""
        low, end = self.sections["document_starts"][words], self.sections["document_starts"][words + 1]
        high = end.copy()
        while (open_ := low < high).any():
            middle = (low + high) // 2
            before = np.zeros(len(words), bool)
            before[open_] = self.sections["documents"][middle[open_]] < documents[open_]
            low = np.where(open_ & before, middle + 1, low)
            high = np.where(open_ & ~before, middle, high)
        found = low < end
        found[found] = self.sections["documents"][low[found]] == documents[found]
        return np.where(found, low, -1)

    def _summed(self, row: IntArray, document: IntArray, score: FloatArray, most: int) -> Found:
        return best_categories(row, self.sections["category_of"][document].astype(np.int64), score, most)

    def _by_single_words(self, queries: IntArray, starts: IntArray, places: IntArray, most: int) -> Found:
        length = np.diff(starts)[queries]
        owner, category, score = self.of_words(places[_ragged(starts[queries], length)], max(FALLBACK, most))
        return best_categories(np.repeat(queries, length)[owner], category, score, most, counts=True)

    def _blocks(self, queries: IntArray, starts: IntArray, places: IntArray) -> Iterator[IntArray]:
        """Cut queries into blocks with so many documents to look at."""
        if not len(queries):
            return
        length = np.diff(starts)[queries]
        least = np.minimum.reduceat(
            self.frequency[places[_ragged(starts[queries], length)]], np.cumsum(length) - length
        )
        until = np.cumsum(least + FALLBACK * length)
        first = 0
        with task("Looking up queries", len(queries)) as running:
            while first < len(queries):
                before = int(until[first - 1]) if first else 0
                last = max(int(np.searchsorted(until, before + TOGETHER, side="right")), first + 1)
                yield queries[first:last]
                running.advance(last - first)
                first = last


def best_categories(row: IntArray, category: IntArray, score: FloatArray, most: int, *, counts: bool = False) -> Found:
    """Add up what the categories of each row are worth and return the best ones, best first.

    Parameters
    ----------
    row, category, score
        One entry for each thing that speaks for a category; the rows come in their order.
    most
        So many categories of each row; of equal ones those that stand first in the tree.
    counts
        Whether a category for which more things speak comes before all with fewer.
    """
    from scipy import sparse  # loads when used

    if not len(row):
        return row, category, score
    start = np.flatnonzero(np.diff(row, prepend=row[0] - 1))
    apart = sparse.csr_array(
        (score, category, np.append(start, len(row))), shape=(len(start), int(category.max()) + 1), copy=True
    )
    apart.sort_indices()
    category = apart.indices.astype(np.int64)
    first = np.flatnonzero((np.diff(row, prepend=row[0] - 1) != 0) | (np.diff(category, prepend=category[0]) != 0))
    summed = np.add.reduceat(apart.data, first).astype(np.float32)
    many = np.diff(np.append(first, len(row))) if counts else np.zeros(len(first), np.int64)
    row, category = row[first], category[first]
    start = np.flatnonzero(np.diff(row, prepend=row[0] - 1))
    best = _best_of_rows(start, many, summed, most)
    return row[best], category[best], summed[best].astype(np.float64)


def _best_of_rows(start: IntArray, many: IntArray, score: npt.NDArray[np.float32], most: int) -> IntArray:
    """Return the places of the best entries of each row: many things, then a high score, then what stands first."""
    length = np.diff(np.append(start, len(score)))
    within = np.arange(len(score)) - np.repeat(start, length)
    if most > _PASSES or int(length.max()) > _ROW or int(many.max()) > _MANY:
        order = np.lexsort((within, -score, -many, np.repeat(np.arange(len(start)), length)))
        return order[within < most]
    key = (many << 52) | (score.view(np.uint32).astype(np.int64) << 20) | (_ROW - within)
    found = []
    for _ in range(most):  # cheaper than sorting all for a few
        best = np.flatnonzero((key == np.repeat(np.maximum.reduceat(key, start), length)) & (key >= 0))
        found.append(best)
        key[best] = -1
    place = np.concatenate(found)
    return place[np.argsort(np.searchsorted(start, place, side="right"), kind="stable")]


def _ragged(starts: IntArray, counts: IntArray) -> IntArray:
    """Return ``starts[0], starts[0] + 1, ...`` for ``counts[0]`` places, then the same of the next."""
    total = int(counts.sum())
    return np.repeat(starts - (np.cumsum(counts) - counts), counts) + np.arange(total)
