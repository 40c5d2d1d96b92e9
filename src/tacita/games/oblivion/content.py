"""Content that can be marked: every position has two variants that are worth the same to the reader.

Numbers are written as an even or an odd multiple of a step; words are exchanged for others of the same meaning. Whoever has the
content can read the marks of a copy: lines that were deleted or numbers that were changed too much count as erased.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError

__all__ = ["WORD_PAIRS", "MarkableContent", "NumberContent", "TextContent"]

WORD_PAIRS = (
    ("big", "large"), ("small", "little"), ("begin", "start"), ("begins", "starts"), ("began", "started"), ("quickly", "rapidly"),
    ("buy", "purchase"), ("help", "assist"), ("often", "frequently"), ("enough", "sufficient"), ("almost", "nearly"),
    ("perhaps", "maybe"), ("while", "whilst"), ("among", "amongst"), ("toward", "towards"), ("until", "till"), ("so", "thus"),
    ("hence", "therefore"), ("use", "employ"), ("whole", "entire"), ("wrong", "incorrect"), ("answer", "reply"),
    ("answers", "replies"), ("choose", "select"), ("obtain", "get"), ("keep", "retain"), ("need", "require"),
    ("needs", "requires"), ("kind", "sort"), ("kinds", "sorts"), ("error", "mistake"), ("errors", "mistakes"),
    ("street", "road"), ("streets", "roads"), ("shop", "store"), ("shops", "stores"), ("happen", "occur"),
    ("happens", "occurs"), ("happened", "occurred"), ("show", "demonstrate"), ("shows", "demonstrates"), ("but", "yet"),
    ("also", "too"), ("try", "attempt"), ("near", "close"), ("end", "finish"), ("main", "chief"), ("rich", "wealthy"),
)  # fmt: skip
"""Words that may stand for each other. Others can be given: what fits depends on the language and on the text."""
_TOKEN = re.compile(r"\w+|\W+")
_MOST_TOKENS = 200_000
_SHORT = 2000


class MarkableContent(ABC):
    """Content with positions of two variants each."""

    @property
    @abstractmethod
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The two variants of each position, as texts."""

    @abstractmethod
    def render(self, variants: Sequence[str]) -> Any:
        """Return a copy with one variant at each position."""

    @abstractmethod
    def read(self, copy: Any) -> IntArray:
        """Return (positions,): 0 or 1 by the variant that a copy has, -1 where it has neither."""


class NumberContent(MarkableContent):
    """A row of numbers, each written as an even multiple of a step (variant 0) or an odd one (variant 1).

    Parameters
    ----------
    values
        Finite numbers.
    step
        Half the distance between two numbers that say the same: a copy differs from the original by one step at most.

    Raises
    ------
    DataError
        When a number is missing or infinite, or so large that steps are lost.

    Examples
    --------
    >>> content = NumberContent(np.array([10.2, 11.0, 7.4]), step=0.5)
    >>> content.pairs
    (('20', '21'), ('22', '23'), ('14', '15'))
    >>> content.render(["21", "22", "15"]).tolist(), content.read(np.array([10.5, 11.0, np.nan])).tolist()
    ([10.5, 11.0, 7.5], [1, 0, -1])
    """

    def __init__(self, values: FloatArray, step: float) -> None:
        given = np.asarray(values, np.float64)
        if not np.isfinite(step) or step <= 0:
            raise ParameterError("NumberContent: 'step' must be a number above 0.")
        if given.ndim != 1 or not len(given) or not np.isfinite(given).all():
            raise DataError("NumberContent: 'values' must be a row of finite numbers, at least one.")
        scaled = given / step
        if np.abs(scaled).max() > 2**50:
            raise DataError("NumberContent: 'step' is too small for values as large as these.")
        self._step = float(step)
        whole = np.floor(scaled).astype(np.int64)
        self._even, self._odd = whole + whole % 2, whole + 1 - whole % 2
        # Of the even ones beside a number the nearer one, and so of the odd ones.
        self._even -= 2 * (self._even - scaled > 1)
        self._odd -= 2 * (self._odd - scaled > 1)

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        return tuple((str(even), str(odd)) for even, odd in zip(self._even.tolist(), self._odd.tolist(), strict=True))

    def render(self, variants: Sequence[str]) -> FloatArray:
        return np.asarray([int(variant) for variant in variants], np.float64) * self._step

    def read(self, copy: Any) -> IntArray:
        found = np.asarray(copy, np.float64)
        if found.shape != self._even.shape:
            raise DataError("NumberContent: a copy must have a number, or NaN, for each of the content.")
        scaled = found / self._step
        is_even, is_odd = (np.abs(scaled - variant) < 0.5 for variant in (self._even, self._odd))
        return np.where(is_odd, 1, np.where(is_even, 0, -1)).astype(np.int64)


class TextContent(MarkableContent):
    """A text, in which words are exchanged for others of the same meaning.

    Parameters
    ----------
    text
        The text.
    pairs_of_words
        Words that may stand for each other, in small letters; no word stands in two pairs.

    Raises
    ------
    ParameterError
        When a word stands in two pairs.
    DataError
        When the text has none of the words, or is too long.

    Examples
    --------
    >>> content = TextContent("A big shop. The shop is small.")
    >>> content.pairs
    (('big', 'large'), ('shop', 'store'), ('shop', 'store'), ('small', 'little'))
    >>> content.render(["large", "shop", "store", "small"])
    'A large shop. The store is small.'
    >>> content.read("A large shop. It is small.").tolist()
    [1, 0, -1, 0]
    """

    def __init__(self, text: str, pairs_of_words: Sequence[tuple[str, str]] = WORD_PAIRS) -> None:
        words = [word for pair in pairs_of_words for word in pair]
        if len(set(words)) < len(words):
            raise ParameterError("TextContent: 'pairs_of_words' must not have a word twice.")
        self._variant = {
            word: (number, bit) for number, pair in enumerate(pairs_of_words) for bit, word in enumerate(pair)
        }
        self._words = tuple(pairs_of_words)
        self._tokens = _TOKEN.findall(text)
        if len(self._tokens) > _MOST_TOKENS:
            raise DataError(f"TextContent: a text may have {_MOST_TOKENS} words and signs; mark it chapter by chapter.")
        self._places = [place for place, token in enumerate(self._tokens) if token.lower() in self._variant]
        if not self._places:
            raise DataError("TextContent: the text has no word that another one may stand for.")

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        found = []
        for place in self._places:
            token = self._tokens[place]
            first, second = (self._words[self._variant[token.lower()][0]][bit] for bit in (0, 1))
            found.append((_cased(first, token), _cased(second, token)))
        return tuple(found)

    def render(self, variants: Sequence[str]) -> str:
        made = list(self._tokens)
        for place, variant in zip(self._places, variants, strict=True):
            made[place] = variant
        return "".join(made)

    def read(self, copy: Any) -> IntArray:
        if not isinstance(copy, str):
            raise DataError("TextContent: a copy must be a text.")
        words = [token.lower() for token in _TOKEN.findall(copy)[:_MOST_TOKENS] if token[0].isalnum()]
        found = np.full(len(self._places), -1, np.int64)
        own = [token.lower() for token in self._tokens if token[0].isalnum()]
        number = {i: place for place, i in enumerate(i for i, word in enumerate(own) if word in self._variant)}
        for first, second, size in _side_by_side(self._plain(own), self._plain(words)):
            for i in range(size):
                place = number.get(first + i)
                if place is not None:
                    found[place] = self._variant[words[second + i]][1]
        return found

    def _plain(self, words: Sequence[str]) -> list[str | int]:
        """Words of a pair are one thing while texts are laid side by side."""
        return [self._variant[word][0] if word in self._variant else word for word in words]


def _side_by_side(first: list[str | int], second: list[str | int]) -> Iterator[tuple[int, int, int]]:
    """Give stretches that are the same in both: where they begin in each, and how long they are.

    What both begin and end with is taken off before the rest is searched. In a long rest, stretches are found by rare words.
    """
    shorter = min(len(first), len(second))
    head = next((i for i in range(shorter) if first[i] != second[i]), shorter)
    rest = shorter - head
    tail = next((i for i in range(rest) if first[-1 - i] != second[-1 - i]), rest)
    yield 0, 0, head
    a, b = first[head : len(first) - tail], second[head : len(second) - tail]
    for block in SequenceMatcher(None, a, b, autojunk=max(len(a), len(b)) > _SHORT).get_matching_blocks():
        yield head + block.a, head + block.b, block.size
    yield len(first) - tail, len(second) - tail, tail


def _cased(word: str, like: str) -> str:
    """Write a word as another one was written: all in capitals, with a capital, or small."""
    if len(like) > 1 and like.isupper():
        return word.upper()
    return word.capitalize() if like[0].isupper() else word
