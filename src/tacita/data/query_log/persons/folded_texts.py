"""Texts made comparable: small letters without accents, and the words of all of them in one array."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import BoolArray, IntArray
from tacita.data.query_log.query_log import Codes

__all__ = ["WordsOfTexts", "folded", "split_words"]

_LETTERS = (
    ("ß", "ss"), ("ø", "o"), ("ł", "l"), ("đ", "d"), ("ð", "d"), ("þ", "th"), ("æ", "ae"), ("œ", "oe"), ("ı", "i"),
    ("’", "'"), ("‘", "'"), ("ʼ", "'"), ("–", "-"), ("—", "-"), ("‐", "-"), ("‑", "-"),
)  # fmt: skip
"""Letters and signs that Unicode does not take apart."""


def folded(texts: pa.StringArray) -> pa.StringArray:
    """Return texts in small letters without accents; wide letters and digits become plain ones.

    Examples
    --------
    >>> folded(pa.array(["José Núñez", "Große STRASSE", None])).to_pylist()
    ['jose nunez', 'grosse strasse', None]
    """
    small = pc.utf8_lower(texts)
    other = pc.fill_null(pc.invert(pc.string_is_ascii(small)), False)
    if not pc.any(other).as_py():
        return small
    some = small.filter(other)
    some = pc.replace_substring_regex(pc.utf8_normalize(some, "NFKD"), r"[\pM\x{200b}-\x{200f}\x{feff}]+", "")
    for letter, plain in _LETTERS:
        some = pc.replace_substring(some, letter, plain)
    return pc.replace_with_mask(small, other, pc.utf8_lower(some))


@dataclass(frozen=True)
class WordsOfTexts:
    """The words of texts, one after the other.

    Parameters
    ----------
    texts
        How many texts there are.
    text
        The text of each word.
    code
        What it is, as a place in ``words``.
    words
        The different words.
    """

    texts: int
    text: IntArray
    code: Codes
    words: pa.StringArray

    def are(self, among: frozenset[str]) -> BoolArray:
        """Return which words are among some."""
        flags = pc.is_in(self.words, pa.array(sorted(among), pa.string())).to_numpy(zero_copy_only=False)
        found: BoolArray = flags[self.code]
        return found

    def lengths(self) -> IntArray:
        """Return how many letters each word has."""
        letters: IntArray = pc.utf8_length(self.words).to_numpy(zero_copy_only=False).astype(np.int64)
        return letters[self.code]

    def have_next(self, flags: BoolArray, step: int = 1) -> BoolArray:
        """Return which words have one with the flag so many places later in the same text."""
        found = np.zeros(len(self.text), bool)
        if len(found) > step:
            found[:-step] = flags[step:] & (self.text[step:] == self.text[:-step])
        return found

    def texts_with(self, flags: BoolArray) -> BoolArray:
        """Return which texts have a word with the flag."""
        found = np.zeros(self.texts, bool)
        found[self.text[flags]] = True
        return found


def split_words(texts: pa.StringArray) -> WordsOfTexts:
    """Return the words of folded texts: runs of letters; an apostrophe within one is left out, an English genitive as well."""
    plain = pc.replace_substring_regex(texts, r"'s\b", " ")
    plain = pc.replace_substring(pc.fill_null(plain, ""), "'", "")
    plain = pc.ascii_trim_whitespace(pc.replace_substring_regex(plain, r"[^\pL]+", " "))
    lists = pc.split_pattern(plain, " ")
    parents = pc.list_parent_indices(lists).to_numpy(zero_copy_only=False)
    coded = lists.flatten().dictionary_encode()
    codes = coded.indices.to_numpy(zero_copy_only=False)
    empty = coded.dictionary.index("").as_py()
    if empty >= 0:  # a text without letters
        parents, codes = parents[codes != empty], codes[codes != empty]
    return WordsOfTexts(len(texts), parents.astype(np.int64), codes, coded.dictionary)
