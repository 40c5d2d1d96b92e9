"""Texts with the name of a person, by lists of names, by titles, and by what follows given names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import BoolArray, IntArray
from tacita.data.query_log.persons.folded_texts import WordsOfTexts, folded, split_words
from tacita.data.query_log.persons.person_names import (
    CLEAR_TITLES,
    COMMON_WORDS,
    GIVEN_NAMES,
    ORDINARY_NAMES,
    PARTICLES,
    SAINTS,
    SURNAMES,
    TITLES,
)

__all__ = ["has_given_names", "has_name", "may_have_name"]

_OFTEN, _SHORTEST = 0.25, 3


def has_name(words: WordsOfTexts) -> BoolArray:
    """Return which texts have the name of a person, by the lists.

    A given name and a surname stand beside each other, in either order; between them one other given name, one letter, or one or
    two of the particles (``de la``, ``van der``). One of both must be no ordinary word: ``rose hill`` is a place, ``rose
    martinez`` is not. Or a title stands before a name of the lists, or a clear one before two words that are no ordinary words.
    """
    given, last = _given(words), words.are(SURNAMES)
    strange = ~words.are(ORDINARY_NAMES)
    found = _pairs(words, given, last, strange, 1) | _pairs(words, last, given & strange, strange, 1)
    length = words.lengths()
    particle = words.are(PARTICLES)
    between = words.have_next(given | (length == 1) | particle)
    found |= _pairs(words, given, last, strange, 2) & between
    found |= _pairs(words, given, last, strange, 3) & words.have_next(particle) & words.have_next(particle, 2)
    title = words.are(TITLES)
    plain = ~words.are(COMMON_WORDS | PARTICLES | TITLES) & (length > 1)
    found |= title & words.have_next(given | last)
    found |= words.are(CLEAR_TITLES) & words.have_next(plain) & words.have_next(plain, 2)
    return words.texts_with(found)


def may_have_name(words: WordsOfTexts) -> BoolArray:
    """Return which texts have a word that is a part of a name by the company that it keeps.

    Such a word is in no list, has three letters or more and is no ordinary word of searches. In at least a quarter of the places
    where it stands, it stands behind a given name (or behind one and a particle), or before a surname that is no ordinary word.
    Then every text with it is meant: a rare surname names a person without the given name, too.
    """
    given, last = _given(words), words.are(SURNAMES)
    unknown = ~given & ~last & ~words.are(PARTICLES | TITLES | COMMON_WORDS | SAINTS) & (words.lengths() >= _SHORTEST)
    particle = words.are(PARTICLES)
    behind = _moved(words, given, 1) | (_moved(words, given, 2) & _moved(words, particle, 1))
    before = words.have_next(last & ~words.are(ORDINARY_NAMES))
    return words.texts_with(unknown & (_often(words, behind) | _often(words, before)))


def _given(words: WordsOfTexts) -> BoolArray:
    """Return which words are given names; behind a saint's sign stands a place."""
    return words.are(GIVEN_NAMES) & ~_moved(words, words.are(SAINTS), 1)


def _often(words: WordsOfTexts, flags: BoolArray) -> BoolArray:
    """Return which words, wherever they stand, have the flag in at least a quarter of their places."""
    everywhere = np.bincount(words.code, minlength=len(words.words))
    with_flag = np.bincount(words.code[flags], minlength=len(words.words))
    often: BoolArray = ((with_flag > 0) & (with_flag >= _OFTEN * everywhere))[words.code]
    return often


def _pairs(words: WordsOfTexts, first: BoolArray, second: BoolArray, strange: BoolArray, step: int) -> BoolArray:
    """Return which words begin a pair of names, one of which is no ordinary word."""
    return first & (words.have_next(second & strange, step) | (strange & words.have_next(second, step)))


def _moved(words: WordsOfTexts, flags: BoolArray, step: int) -> BoolArray:
    """Return which words have one with the flag so many places before them in the same text."""
    found = np.zeros(len(flags), bool)
    if len(flags) > step:
        found[step:] = flags[:-step] & (words.text[step:] == words.text[:-step])
    return found


# --- names that the caller gives ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Level:
    """What may come next: beginnings of names and words as one number, in order, and the longer beginnings that they make."""

    keys: IntArray
    ends: BoolArray


def has_given_names(words: WordsOfTexts, names: Iterable[str]) -> BoolArray:
    """Return which texts have one of some names as whole words one after the other; case and accents do not matter."""
    name_words = split_words(folded(pa.array(list(names), pa.string())))
    found = np.zeros(words.texts, bool)
    if not len(name_words.code) or not len(words.code):
        return found
    size = len(name_words.words)
    places = pc.fill_null(pc.index_in(words.words, value_set=name_words.words), -1)
    known = places.to_numpy(zero_copy_only=False).astype(np.int64)[words.code]
    at, beginning = np.arange(len(known)), np.zeros(len(known), np.int64)
    for step, level in enumerate(_levels(name_words)):
        at, beginning = at[known[at] >= 0], beginning[known[at] >= 0]
        key = beginning * size + known[at]
        place = np.minimum(np.searchsorted(level.keys, key), len(level.keys) - 1)
        hit = level.keys[place] == key
        at, place = at[hit], place[hit]
        found[words.text[at[level.ends[place]]]] = True
        goes_on = at + 1 < len(known)
        at, beginning = at[goes_on], place[goes_on]
        same = words.text[at + 1] == words.text[at - step]
        at, beginning = at[same] + 1, beginning[same]
    return found


def _levels(names: WordsOfTexts) -> list[_Level]:
    """Return the names as a tree: the beginnings of one word, of two words, and so on."""
    starts = np.flatnonzero(np.append(True, names.text[1:] != names.text[:-1]))
    lengths = np.diff(np.append(starts, len(names.text)))
    beginning, levels = np.zeros(len(starts), np.int64), []
    for step in range(int(lengths.max())):
        longer = lengths > step
        starts, lengths, beginning = starts[longer], lengths[longer], beginning[longer]
        keys, place = np.unique(beginning * len(names.words) + names.code[starts + step], return_inverse=True)
        ends = np.zeros(len(keys), bool)
        ends[place[lengths == step + 1]] = True
        levels.append(_Level(keys, ends))
        beginning = place
    return levels
