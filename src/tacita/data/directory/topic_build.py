"""Making a full-text index of a directory: which word stands where, and how much it says.

Every entry is a document of its title and description, and so is every category, of its name, what is said of it and the names
above it. A word is worth in a document what BM25 says (Robertson & Zaragoza 2009, equation 3.15 with weighted fields)::

    weight * log(1 + (N - n + 0.5) / (n + 0.5)) * tf (k1 + 1) / (tf + k1 (1 - b + b length / mean length))

where tf counts a word of a title three times. In a category it is worth the sum over its documents, so one with many entries that
have the word comes before one with few.

What the documents say is kept on the disk, and sorted a part of the words at a time: memory beside the directory and the list
of words does not grow with the number of entries.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tacita.core.arrays import FloatArray
from tacita.core.progress import Task, task
from tacita.data.directory.directory import Directory
from tacita.data.directory.stop_words import STOP_WORDS
from tacita.data.directory.words import numbered_words

if TYPE_CHECKING:
    from scipy import sparse

__all__ = ["K1", "NAME", "WHOLE", "B", "Sections", "build_sections", "packed_texts"]

K1, B = 1.2, 0.75
TITLE, TEXT, ABOVE = 3.0, 1.0, 0.5
"""How often a word of a title, of a description, and of a name above counts."""
NAME = 4.0
"""How much more than an entry the name of a category counts."""
WHOLE = 2.0
"""How much more a name counts that is one word and nothing else."""
POSTINGS = 1 << 23
"""So many words in documents are sorted at a time."""

Sections: TypeAlias = dict[str, npt.NDArray[np.generic]]
"""The parts of an index by name, as arrays."""


def build_sections(directory: Directory, folder: Path | None = None, *, postings: int = POSTINGS) -> Sections:
    """Make the arrays of an index; the same directory gives the same bytes.

    Parameters
    ----------
    directory
        What is indexed.
    folder
        Where the large parts lie while they are made, and afterwards; None for memory.
    postings
        So many words in documents are sorted at a time.

    Returns
    -------
    Sections
        ``words``: all of them, sorted. ``category_starts``, ``categories``, ``category_scores``: for each word the categories
        where it stands, best first. ``document_starts``, ``documents``, ``document_scores``: its documents in their order.
        ``category_of``: of each document. ``parents``, ``names``, ``titles``: the tree, and the titles of the entries.
    """
    known: dict[str, int] = {}
    kept = _Kept(folder)
    with task("Indexing the directory", 2 * len(directory)) as running:
        found = list(_split_fields(directory, known, kept, running))
        listed, rank = _ranked(known, found)
        made = _Postings(directory, found, rank, len(listed), postings)
        parts = [list(part) for part in zip(*made.parts(kept, running), strict=True)] or [[], [], [], [], [], []]
    dtypes = {"category_starts": np.int64, "categories": np.int32, "category_scores": np.float32}
    dtypes |= {"document_starts": np.int64, "documents": np.int32, "document_scores": np.float32}
    sections: Sections = {
        name: kept.joined(name, part, dtype) for (name, dtype), part in zip(dtypes.items(), parts, strict=True)
    }
    for name in ("category_starts", "document_starts"):
        sections[name] = np.concatenate([[0], np.cumsum(sections[name])]).astype(np.int64)
    sections |= packed_texts("words", pa.array(listed, pa.string()))
    sections |= packed_texts("names", pa.array(directory.tree.names, pa.string()))
    sections |= packed_texts("titles", directory.title)
    sections["category_of"] = made.category_of
    sections["parents"] = np.asarray(directory.tree.parents, np.int32)
    return sections


def packed_texts(name: str, texts: pa.StringArray) -> Sections:
    """Return texts as two arrays: where each begins, and the bytes."""
    whole = pa.concat_arrays([texts.fill_null("")]) if len(texts) else pa.array([], pa.string())
    starts = np.zeros(1, np.int64)
    data = np.zeros(0, np.uint8)
    if len(whole):
        _, offsets, values = whole.buffers()
        at = np.frombuffer(offsets, np.int32)[whole.offset : whole.offset + len(whole) + 1]
        starts = at.astype(np.int64) - at[0]
        if values is not None:
            data = np.frombuffer(values, np.uint8)[at[0] : at[-1]]
    return {f"{name}_starts": starts, name: data}


# --- the words of the documents -------------------------------------------------------------------------------------------


@dataclass
class _Kept:
    """Arrays that lie in a folder, or in memory where there is none."""

    folder: Path | None
    count: int = 0

    def keep(self, array: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
        """Return the array, from the disk where there is a folder."""
        if self.folder is None or not len(array):
            return array
        path = self.folder / f"part-{self.count}"
        self.count += 1
        array.tofile(path)
        return np.memmap(path, array.dtype, "r", shape=array.shape)

    def joined(self, name: str, parts: list[npt.NDArray[np.generic]], dtype: npt.DTypeLike) -> npt.NDArray[np.generic]:
        """Return several arrays as one."""
        if self.folder is None or not sum(map(len, parts)):
            return np.concatenate([*parts, np.zeros(0, dtype)]).astype(dtype)
        with (self.folder / f"section-{name}").open("wb") as file:
            for part in parts:
                part.astype(dtype).tofile(file)
        return np.memmap(self.folder / f"section-{name}", dtype, "r")


@dataclass(frozen=True)
class _WordsFound:
    """Words in documents: the number of each word, the document, and what it counts."""

    word: npt.NDArray[np.generic]
    document: npt.NDArray[np.generic]
    counts: float


def _split_fields(directory: Directory, known: dict[str, int], kept: _Kept, running: Task) -> Iterator[_WordsFound]:
    """Split every field of every document; descriptions and names above have no stop words."""
    categories = len(directory.tree)
    above = [" ".join(path[:-1]) for path in directory.tree.paths]
    fields = [(directory.tree.names, TITLE, 0), (above, ABOVE, 0), (directory.about, TEXT, 0)]
    fields += [(directory.title, TITLE, categories), (directory.description, TEXT, categories)]
    for texts, counts, first in fields:
        for owner, number in numbered_words(texts if texts is not None else [], known):
            stop = [] if counts == TITLE else [known[word] for word in STOP_WORDS if word in known]
            says = ~np.isin(number, stop)
            document = (first + owner[says]).astype(np.int32)
            yield _WordsFound(kept.keep(number[says].astype(np.int32)), kept.keep(document), counts)
            if first and counts == TEXT:
                running.advance(len(np.unique(owner)))


def _ranked(known: dict[str, int], found: list[_WordsFound]) -> tuple[list[str], npt.NDArray[np.int64]]:
    """Return the words that stand anywhere, sorted, and the place of each known word among them; -1 for the others."""
    stands = np.zeros(len(known), bool)
    for part in found:
        stands[part.word] = True
    listed = sorted(word for word, is_there in zip(known, stands.tolist(), strict=True) if is_there)
    rank = np.full(len(known), -1, np.int64)
    rank[[known[word] for word in listed]] = np.arange(len(listed))
    return listed, rank


class _Postings:
    """The documents and categories of each word, made for a part of the words at a time."""

    def __init__(
        self, directory: Directory, found: list[_WordsFound], rank: npt.NDArray[np.int64], words: int, postings: int
    ) -> None:
        self.found, self.rank, self.words, self.postings = found, rank, words, postings
        categories = len(directory.tree)
        self.category_of = np.concatenate([np.arange(categories), directory.category]).astype(np.int32)
        weight = np.ones(len(directory)) if directory.weight is None else directory.weight
        self.weight = np.concatenate([np.full(categories, NAME), weight])
        self.categories = categories
        self.length = np.zeros(len(self.category_of))
        self.alone = np.full(len(self.category_of), -2, np.int64)
        self.of_word = np.zeros(words, np.int64)
        for part in found:
            self.of_word += np.bincount(rank[part.word], minlength=words)
            self.length += part.counts * np.bincount(part.document, minlength=len(self.length))
        self._find_names_of_one_word()

    def _find_names_of_one_word(self) -> None:
        """Note the word of each category whose name is one word; -1 where it has several."""
        for part in self.found:
            if part.counts == TITLE and len(part.document) and part.document[0] < self.categories:
                times = np.bincount(part.document, minlength=len(self.length))
                self.alone[part.document] = np.where(times[part.document] == 1, self.rank[part.word], -1)

    def parts(self, kept: _Kept, running: Task) -> Iterator[tuple[npt.NDArray[np.generic], ...]]:
        """Give, a part of the words at a time: how many categories each has, which, what it is worth there; documents too."""
        until = np.cumsum(self.of_word)
        first = 0
        while first < self.words:
            before = int(until[first - 1]) if first else 0
            last = max(int(np.searchsorted(until, before + self.postings, side="right")), first + 1)
            yield tuple(kept.keep(part) for part in self._part(first, last))
            running.advance(len(self.weight) * (last - first) / self.words)
            first = last

    def _part(self, first: int, last: int) -> tuple[npt.NDArray[np.generic], ...]:
        scores = self._scores(first, last)
        rows = np.repeat(np.arange(last - first), np.diff(scores.indptr))
        summed = _counted(rows, self.category_of[scores.indices], scores.data, (last - first, self.categories))
        at = np.repeat(np.arange(last - first), np.diff(summed.indptr))
        worth = summed.data.astype(np.float32)
        best = np.lexsort((summed.indices, -worth, at))
        return (
            np.diff(summed.indptr),
            summed.indices[best].astype(np.int32),
            worth[best],
            np.diff(scores.indptr),
            scores.indices.astype(np.int32),
            scores.data.astype(np.float32),
        )

    def _scores(self, first: int, last: int) -> sparse.csr_array:
        """What each word of a part is worth in each of its documents."""
        words, documents, counts = [], [], []
        for part in self.found:
            word = self.rank[part.word]
            wanted = (word >= first) & (word < last)
            words.append(word[wanted] - first)
            documents.append(part.document[wanted])
            counts.append(np.full(len(words[-1]), part.counts))
        shape = (last - first, len(self.weight))
        times = _counted(np.concatenate(words), np.concatenate(documents), np.concatenate(counts), shape)
        having = np.diff(times.indptr)
        total = len(self.weight)
        rarity = np.repeat(np.log(1 + (total - having + 0.5) / (having + 0.5)), having)
        row = np.repeat(np.arange(first, last), having)
        mean = max(float(self.length.mean()), 1e-300)
        shortness = K1 * (1 - B + B * self.length[times.indices] / mean)
        worth = self.weight[times.indices] * rarity * times.data * (K1 + 1) / (times.data + shortness)
        times.data = np.where(self.alone[times.indices] == row, WHOLE, 1.0) * worth
        return times


def _counted(
    rows: npt.NDArray[np.integer], columns: npt.NDArray[np.integer], values: FloatArray, shape: tuple[int, int]
) -> sparse.csr_array:
    """Sum values by row and column; sorted, and always in the same order."""
    from scipy import sparse  # loads when used

    made = sparse.csr_array(sparse.coo_array((values, (rows, columns)), shape=shape))
    made.sum_duplicates()
    made.sort_indices()
    return made
