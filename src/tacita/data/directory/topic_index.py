"""A full-text index of a topic directory: which categories a text belongs to, best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa

from tacita.core.arrays import IntArray
from tacita.core.errors import DataError, FileError, ParameterError
from tacita.core.progress import task
from tacita.data.directory.category_tree import CategoryTree
from tacita.data.directory.classified import Classified
from tacita.data.directory.directory import Directory
from tacita.data.directory.explained import ExplainedTopic, ExplainedWord, TopicExplanation
from tacita.data.directory.lookups import Lookups
from tacita.data.directory.spelling import Speller
from tacita.data.directory.stop_words import STOP_WORDS
from tacita.data.directory.topic_build import build_sections
from tacita.data.directory.topic_file import load_sections, save_sections
from tacita.data.directory.words import numbered_words, words
from tacita.data.disk.workplace import workplace

__all__ = ["ClassifyBy", "Topic", "TopicIndex"]

ClassifyBy = Literal["terms", "query"]


@dataclass(frozen=True)
class Topic:
    """A category that a directory names for a text.

    Parameters
    ----------
    category
        Its place in the tree.
    path
        The names from the first level down to it.
    score
        What speaks for it; comparable within one answer only.
    """

    category: int
    path: tuple[str, ...]
    score: float


class TopicIndex:
    """Answers which categories of a directory a text belongs to, best first.

    Made by :meth:`build`, opened by :meth:`open`.

    How categories are ranked: a document is an entry (its title counts three times, its description once) or a category itself
    (its name, what is said of it, the names above it). BM25 says what a word is worth in a document, and a category is worth the
    sum over its documents that have all words of the text, so a category with many such entries comes first. Where no document
    has all words, each word names its fifty best categories, and those come first that most of the words name. Of equal ones that
    comes first which stands first in the tree.

    Words are folded (capitals, accents, sharp s, dotless i make no difference) and not stemmed. Stop words of many languages are
    left out, but not in titles and names, so that a text of nothing else still finds those. A text is data and never a language
    of queries: there are no operators.

    Examples
    --------
    >>> directory = Directory.from_entries(
    ...     [
    ...         (("Sports", "Soccer"), "FC Barcelona", "Players and results of the club."),
    ...         (("Regional", "Spain"), "Barcelona", "The city and its museums."),
    ...     ]
    ... )
    >>> index = TopicIndex.build(directory)
    >>> [topic.path for topic in index.categories("fc barcelona")]
    [('Sports', 'Soccer')]
    >>> [topic.path for topic in index.categories("barcelnoa")]
    [('Regional', 'Spain'), ('Sports', 'Soccer')]
    """

    def __init__(self, lookups: Lookups, tree: CategoryTree) -> None:
        self.lookups, self.tree = lookups, tree

    @classmethod
    def build(cls, directory: Directory, path: str | Path | None = None, *, overwrite: bool = False) -> TopicIndex:
        """Make the index of a directory.

        Parameters
        ----------
        directory
            What is indexed.
        path
            The file of the index; it appears whole or not at all. None for an index in memory.
        overwrite
            Whether a file that is there may be replaced.

        Raises
        ------
        DataError
            When the directory has no category.
        FileError
            When the file is there already or cannot be written.

        Notes
        -----
        The same directory gives the same bytes. With a path, what is large lies on the disk while the index is made, in the
        directory of the file.
        """
        if not len(directory.tree):
            raise DataError("TopicIndex: the directory has no category, so nothing can be looked up in it.")
        if path is None:
            return cls(Lookups(build_sections(directory)), directory.tree)
        target = Path(path)
        if target.exists() and not overwrite:
            raise FileError(f"'{target.name}' is there already; choose another name or say overwrite=True.")
        if not target.absolute().parent.is_dir():
            raise FileError(f"'{target.name}' cannot be written: its directory does not exist.")
        try:
            with workplace(target.absolute().parent) as place:
                save_sections(target, build_sections(directory, place))
        except FileError:
            raise
        except OSError as error:
            raise FileError(
                f"'{target.name}' cannot be written: {error.strerror or 'the disk may be full'}. Nothing was changed."
            ) from error
        return cls.open(target)

    @classmethod
    def open(cls, path: str | Path) -> TopicIndex:
        """Open the file of an index.

        Raises
        ------
        FileError
            When it cannot be read, is no index, or was damaged.
        """
        sections = load_sections(Path(path))
        try:
            return cls(
                Lookups(sections),
                CategoryTree(_texts(sections["names_starts"], sections["names"]), sections["parents"]),
            )
        except (DataError, UnicodeDecodeError):
            raise FileError(f"'{Path(path).name}' is damaged or cut off; build the index again.") from None

    def __repr__(self) -> str:
        entries = len(self.lookups.sections["titles_starts"]) - 1
        return f"TopicIndex of {entries} entries in {len(self.tree)} categories"

    # --- one text ---------------------------------------------------------------------------------------------------------

    def categories(self, text: str, most: int = 5, *, typos: bool = True) -> tuple[Topic, ...]:
        """Return the best categories of a text as a whole; none where it has no word that the index knows.

        Parameters
        ----------
        text
            A term or a query.
        most
            So many categories at most.
        typos
            Whether a word that the index does not know is taken for one that it knows and that is spelt nearly so.
        """
        _at_least_one("most", most)
        starts, places = self._words_of([text], typos)
        _, category, score = self.lookups.of_queries(starts, places, most)
        return tuple(
            Topic(place, self.tree.path(place), worth)
            for place, worth in zip(category.tolist(), score.tolist(), strict=True)
        )

    def explain(self, text: str, most: int = 5, *, typos: bool = True) -> TopicExplanation:
        """Say why a text has its categories; for the owner of the log only, since it repeats the text.

        Parameters
        ----------
        text, most, typos
            As for :meth:`categories`.
        """
        starts, places = self._words_of([text], typos)
        several = len(places) > 1
        documents = self.lookups.documents(np.zeros(1, np.int64), starts, places)[1] if len(places) else places
        together = bool(len(documents)) or not several
        if not together:
            alone = np.arange(len(places) + 1)
            documents = np.unique(self.lookups.documents(alone[:-1], alone, places)[1])
        category_of = self.lookups.sections["category_of"][documents]
        return TopicExplanation(
            words=tuple(self._explained(word, typos) for word in dict.fromkeys(words(text))),
            together=together,
            topics=tuple(
                ExplainedTopic(topic.path, topic.score, *self._speaking(documents[category_of == topic.category]))
                for topic in self.categories(text, most, typos=typos)
            ),
        )

    def _explained(self, word: str, typos: bool) -> ExplainedWord:
        place = int(self._meant([word], typos)[0])
        meant = "" if place < 0 else self.lookups.words[place].as_py()
        return ExplainedWord(word, meant, int(self.lookups.frequency[place]) if meant else 0, word in STOP_WORDS)

    def _speaking(self, documents: IntArray) -> tuple[int, tuple[str, ...]]:
        """How many entries speak for a category, and the titles of the first three."""
        entries = documents[documents >= len(self.tree)] - len(self.tree)
        starts, data = self.lookups.sections["titles_starts"], self.lookups.sections["titles"]
        shown = [
            bytes(data[starts[entry] : starts[entry + 1]]).decode("utf-8", "replace") for entry in entries[:3].tolist()
        ]
        return len(entries), tuple(shown)

    # --- many texts -------------------------------------------------------------------------------------------------------

    def classify(
        self,
        texts: Sequence[str | None] | pa.StringArray | pa.ChunkedArray,
        *,
        categories: int = 1,
        depth: int = 5,
        by: ClassifyBy = "terms",
        typos: bool = True,
    ) -> Classified:
        """Classify many texts; each word is looked up once.

        Parameters
        ----------
        texts
            The texts.
        categories
            So many categories of each term, best first; the paper has one and five.
        depth
            L, the deepest level that is looked at.
        by
            ``terms``: each term but stop words is classified by itself, as the paper has it. ``query``: the whole text, as
            :meth:`categories` does it; it counts as one term.
        typos
            Whether a word that the index does not know is taken for one that is spelt nearly so.

        Returns
        -------
        Classified
            For every level how many terms of each text fall into each category.

        Notes
        -----
        A term that stands twice in a text counts once. What is written without blanks has a term for any two or three characters
        that stand together.
        """
        _at_least_one("categories", categories)
        _at_least_one("depth", depth)
        if by not in ("terms", "query"):
            raise ParameterError(f"TopicIndex: 'by' must be 'terms' or 'query', got '{by}'.")
        with task("Classifying queries"):
            starts, places = self._words_of(texts, typos, keeps_stop_words=by == "query")
            owner = np.repeat(np.arange(len(texts)), np.diff(starts))
            if by == "query":
                row, category, _ = self.lookups.of_queries(starts, places, categories)
                return Classified.from_categories(
                    self.tree, len(texts), row, np.zeros(len(row), np.int64), category, depth=depth
                )
            return self._by_terms(len(texts), owner, places, categories, depth)

    def _by_terms(self, texts: int, owner: IntArray, places: IntArray, categories: int, depth: int) -> Classified:
        from scipy import sparse  # loads when used

        used, term = np.unique(places, return_inverse=True)
        row, category, _ = self.lookups.of_words(used, categories)
        terms = sparse.csr_array((np.ones(len(term), np.int32), (owner, term)), shape=(texts, len(used)))
        shape = (len(used), len(self.tree))
        found = sparse.csr_array((np.ones(len(row), np.int32), (row, category)), shape=shape)
        return Classified.from_terms(self.tree, terms, found, depth=depth)

    def _words_of(
        self,
        texts: Sequence[str | None] | pa.StringArray | pa.ChunkedArray,
        typos: bool,
        *,
        keeps_stop_words: bool = True,
    ) -> tuple[IntArray, IntArray]:
        """Return the different known words of each text, as starts and places; stop words only where a text has nothing else."""
        known: dict[str, int] = {}
        found = list(numbered_words(texts, known))
        owner = np.concatenate([np.zeros(0, np.int64), *(part for part, _ in found)])
        number = np.concatenate([np.zeros(0, np.int64), *(part for _, part in found)])
        says = np.array([word not in STOP_WORDS for word in known], bool)[number]
        if keeps_stop_words:
            says |= np.bincount(owner[says], minlength=len(texts))[owner] == 0
        owner, number = owner[says], number[says]
        place = self._meant(list(known), typos)[number]
        total = max(len(self.lookups.frequency), 1)
        keys = np.sort(owner[place >= 0] * total + place[place >= 0])
        keys = keys[np.diff(keys, prepend=-1) > 0]
        counts = np.bincount(keys // total, minlength=len(texts))
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), keys % total

    def _meant(self, asked: list[str], typos: bool) -> IntArray:
        places = self.lookups.places(asked)
        unknown = np.flatnonzero(places < 0)
        if typos and len(unknown):
            places[unknown] = self._speller.meant([asked[place] for place in unknown.tolist()])
        return places

    @cached_property
    def _speller(self) -> Speller:
        return Speller(self.lookups.words.to_pylist(), self.lookups.frequency)


def _texts(starts: IntArray, data: np.ndarray) -> tuple[str, ...]:
    whole = bytes(data)
    at = starts.tolist()
    return tuple(whole[begin:end].decode("utf-8") for begin, end in pairwise(at))


def _at_least_one(name: str, value: int) -> None:
    if value < 1:
        raise ParameterError(f"TopicIndex: '{name}' must be at least 1, got {value}.")
