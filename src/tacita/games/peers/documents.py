"""A full-text index of documents: an inverted index with BM25, for the back end that the peers search in.

A document is worth, for the words w of a query, the sum of
log(1 + (n - n_w + 1/2) / (n_w + 1/2)) * f (k1 + 1) / (f + k1 (1 - b + b length / mean length)), with n documents, n_w of them
with the word, f times in this one; k1 = 1.2 and b = 0.75.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError, FileError
from tacita.core.metadata import MetadataLimits, read_text
from tacita.data.directory.words import numbered_words, words
from tacita.games.peers.limits import MOST_HITS
from tacita.games.peers.messages import LONGEST_TITLE

__all__ = ["DocumentIndex", "read_documents"]

MOST_DOCUMENTS = 1_000_000
_LIMITS = MetadataLimits(size=256 << 20, keys=1)
_K1, _B = 1.2, 0.75


class DocumentIndex:
    """Answers which documents a query is about, best first.

    Parameters
    ----------
    titles
        What each document is called.
    texts
        What stands in each; the title belongs to it.

    Raises
    ------
    DataError
        When there is no document, or not a text for each title.

    Complexity
    ----------
    O(words of all documents) to make; a query costs the documents that have its words.

    Notes
    -----
    Words are folded and not stemmed. Of equally good documents the first comes first.

    References
    ----------
    Robertson, S. and Zaragoza, H. (2009), The probabilistic relevance framework: BM25 and beyond, Foundations and Trends in
    Information Retrieval 3, 333-389.

    Examples
    --------
    >>> index = DocumentIndex(["Tides", "Bread"], ["the sea and the moon", "flour, water, salt"])
    >>> [title for title, _ in index.search("salt water")]
    ['Bread']
    """

    def __init__(self, titles: Sequence[str], texts: Sequence[str]) -> None:
        if not titles or len(titles) != len(texts):
            raise DataError("DocumentIndex: there must be documents, and a text for each title.")
        self.titles = [_shown(title) for title in titles]
        known: dict[str, int] = {}
        whole = [f"{title} {text}" for title, text in zip(titles, texts, strict=True)]
        parts = list(numbered_words(whole, known))
        owner = np.concatenate([np.zeros(0, np.int64), *(part for part, _ in parts)])
        number = np.concatenate([np.zeros(0, np.int64), *(part for _, part in parts)])
        self._known = known
        self._starts, self._places, self._worth = _postings(owner, number, len(titles), len(known))

    def __len__(self) -> int:
        """How many documents there are."""
        return len(self.titles)

    def search(self, query: str, most: int = MOST_HITS) -> tuple[tuple[str, float], ...]:
        """Return titles and scores of the best documents; none where no word is known."""
        asked = {self._known[word] for word in words(query) if word in self._known}
        spans = [slice(self._starts[word], self._starts[word + 1]) for word in sorted(asked)]
        if not spans:
            return ()
        places, sums = np.unique(np.concatenate([self._places[span] for span in spans]), return_inverse=True)
        scores = np.bincount(sums, np.concatenate([self._worth[span] for span in spans]))
        best = np.lexsort((places, -scores))[:most]
        return tuple(
            (self.titles[place], round(score, 4))
            for place, score in zip(places[best].tolist(), scores[best].tolist(), strict=True)
        )


def _postings(
    owner: IntArray, number: IntArray, documents: int, vocabulary: int
) -> tuple[IntArray, IntArray, FloatArray]:
    """Where each word's documents begin, the documents, and what the word is worth in each."""
    keys, times = np.unique(number * documents + owner, return_counts=True)
    word, place = keys // documents, keys % documents
    having = np.bincount(word, minlength=vocabulary)
    starts = np.concatenate([[0], np.cumsum(having)]).astype(np.int64)
    length = np.bincount(owner, minlength=documents)
    mean = max(float(length.mean()), 1.0)
    rarity = np.log1p((documents - having + 0.5) / (having + 0.5))
    worth = rarity[word] * times * (_K1 + 1) / (times + _K1 * (1 - _B + _B * length[place] / mean))
    return starts, place, np.asarray(worth, np.float64)


def read_documents(source: str | Path) -> DocumentIndex:
    """Make the index of what a user points at.

    Parameters
    ----------
    source
        ``sample``: the entries of the sample topic directory. A directory: each file that ends in ``.txt`` is a document. A file:
        each line is a document, its title up to the first tab, or the whole line.

    Raises
    ------
    FileError
        When there is nothing, or it cannot be read.
    DataError
        When there is no document in it, or too many.
    """
    if source == "sample":
        from tacita.data.samples.query_logs.topic_directory import topic_directory  # made when used

        directory = topic_directory()
        return DocumentIndex(directory.title.to_pylist(), directory.description.to_pylist())
    path = Path(source)
    if path.is_dir():
        files = sorted(file for file in path.glob("*.txt") if file.is_file())
        pairs = [(file.stem, read_text(file, "The document", limits=_LIMITS)) for file in files[: MOST_DOCUMENTS + 1]]
    elif path.exists():
        lines = [line.strip() for line in read_text(path, "The documents", limits=_LIMITS).split("\n")]
        pairs = [(line.partition("\t")[0], line.partition("\t")[2]) for line in lines if line]
    else:
        raise FileError(f"The documents '{path.name}' are not there; give a file, a directory, or 'sample'.")
    if not 1 <= len(pairs) <= MOST_DOCUMENTS:
        raise DataError(
            f"The documents '{path.name}' must be 1 to {MOST_DOCUMENTS:,}: lines of a file, or files ending in .txt."
        )
    return DocumentIndex([title for title, _ in pairs], [text for _, text in pairs])


def _shown(title: str) -> str:
    """A title as it can stand in an answer: one line, no control characters, not too long."""
    return "".join(letter if letter.isprintable() else " " for letter in title[:LONGEST_TITLE])
