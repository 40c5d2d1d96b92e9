"""Words of texts in any language, folded so that spellings of one word are the same, and numbered.

Nothing is stemmed: what helps English breaks other languages. Capitals, accents, the sharp s, the dotless i, half and full width,
and vowel signs of Arabic and Hebrew make no difference. Scripts without blanks are cut into neighbouring characters: two
of Han and kana, three of Thai, Lao, Khmer and Burmese.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["LONGEST_WORD", "fold", "numbered_words", "words"]

LONGEST_WORD = 40
"""A longer run of letters is cut."""
CHUNK = 20_000
"""How many texts are taken at a time."""

_END = "\x01"
"""What stands behind each text where several are split together."""
_LETTERS = str.maketrans({"ı": "i", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ħ": "h"})
_SILENT = re.compile(
    "[\u00ad\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u2060\u20d0-\u20ff\ufe00-\ufe0f\ufeff]"
)
"""Accents, vowel signs that one may leave out, and characters that nobody sees."""
_SIGNS = "\u0900-\u0963\u0966-\u096f\u0971-\u0dff\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ecd\u0f18-\u0fbc\u102b-\u109d\u17b4-\u17d3"
"""Signs that belong to a word though they are no letters, in the scripts of India and South-East Asia."""
_WORD = re.compile(rf"[\w{_SIGNS}]{{1,{LONGEST_WORD}}}|{_END}")
_PLAIN = bytes(code if chr(code).isalnum() or chr(code) == _END else 32 for code in range(128)) + b" " * 128
_APOSTROPHE = re.compile("['\u2019\u02bc\uff07]")
_ELISION = re.compile("\\b(?:[cdjlmnst]|qu|lorsqu|jusqu|puisqu|all|dall|dell|nell|sull|un)['\u2019\u02bc\uff07](?=\\w)")
_PAIRS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TRIPLES = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_UNSPACED = re.compile(f"[{_PAIRS}{_TRIPLES}]")
_RUNS = re.compile(f"([{_PAIRS}]+)|([{_TRIPLES}]+)|[^{_PAIRS}{_TRIPLES}]+")


def fold(text: str) -> str:
    """Return a text as it is compared.

    Examples
    --------
    >>> fold("FUSSBALL Fußball"), fold("İstanbul ISTANBUL ıstanbul"), fold("l'équipe O'Neil")
    ('fussball fussball', 'istanbul istanbul istanbul', ' equipe oneil')
    """
    if text.isascii():
        text = text.lower()
    else:
        text = unicodedata.normalize("NFKD", text.casefold()).casefold()
        text = unicodedata.normalize("NFC", _SILENT.sub("", text).translate(_LETTERS))
    if _APOSTROPHE.search(text):
        text = _APOSTROPHE.sub("", _ELISION.sub(" ", text))
    return text


def words(text: str) -> list[str]:
    """Return the words of a text, in order.

    Examples
    --------
    >>> words("FC Barcelona (official site)"), words("東京タワー")
    (['fc', 'barcelona', 'official', 'site'], ['東京', '京タ', 'タワ', 'ワー'])
    """
    return _split(text.replace(_END, " "))


def numbered_words(
    texts: Sequence[str | None] | pa.StringArray | pa.ChunkedArray, known: dict[str, int]
) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
    """Give chunk by chunk the words of texts: the text of each one, and its number.

    Parameters
    ----------
    texts
        The texts; None has no words.
    known
        The number of each word; new words are added.
    """
    for start in range(0, len(texts), CHUNK):
        part = texts[start : start + CHUNK]
        given = part.to_pylist() if isinstance(part, (pa.Array, pa.ChunkedArray)) else part
        values = [text or "" for text in given]
        plain = np.array([text.isascii() for text in values], bool)
        for alike in (plain, ~plain):  # plain ones are split many times faster
            places = np.flatnonzero(alike)
            if len(places):
                owner, number = _numbered([values[place] for place in places], known)
                yield start + places[owner], number


def _numbered(texts: list[str], known: dict[str, int]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    found = pa.array(_split("".join(text.replace(_END, " ") + _END for text in texts)), pa.string())
    coded = pc.dictionary_encode(found)
    distinct = coded.dictionary.to_pylist()
    numbers = np.array([known.setdefault(word, len(known)) if word != _END else -1 for word in distinct], np.int64)
    number = numbers[coded.indices.to_numpy(zero_copy_only=False)]
    is_word = number >= 0
    return np.cumsum(~is_word)[is_word], number[is_word]


def _split(text: str) -> list[str]:
    """Return the words of a text; what stands behind each of several texts is given as a word."""
    text = fold(text)
    if text.isascii():
        plain = text.encode("ascii").translate(_PLAIN).decode("ascii")
        found = plain.replace(_END, f" {_END} ").split()
        if max(map(len, found), default=0) <= LONGEST_WORD:
            return found
    found = _WORD.findall(text.replace("_", " "))
    if not _UNSPACED.search(text):
        return found
    return [part for word in found for part in (_parts(word) if _UNSPACED.search(word) else (word,))]


def _parts(word: str) -> Iterator[str]:
    """Cut what is written without blanks into characters that stand beside each other."""
    for run in _RUNS.finditer(word):
        together = 2 if run.group(1) else 3 if run.group(2) else len(run.group())
        text = run.group()
        for start in range(max(len(text) - together + 1, 1)):
            yield text[start : start + together]
