"""Tests of ``tacita.data.directory.words`` and ``tacita.data.directory.stop_words``."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.data.directory.stop_words import STOP_WORDS
from tacita.data.directory.words import CHUNK, LONGEST_WORD, numbered_words, words

SAME = [
    ("Straße", "STRASSE"),
    ("İSTANBUL", "istanbul"),
    ("ISTANBUL", "ıstanbul"),
    ("Café", "cafe"),
    ("Cafe\u0301", "café"),
    ("Ｓｏｎｙ", "sony"),
    ("Smørrebrød", "smorrebrod"),
    ("Łódź", "lodz"),
    ("ΟΔΟΣ", "οδός"),
    ("ёлка", "елка"),
    ("مُحَمَّد", "محمد"),
    ("שָׁלוֹם", "שלום"),
    ("McDonald's", "McDonald’s"),
    ("O'Neil", "ONeil"),
    ("한국", "한국"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spellings_of_one_word_are_the_same(one: str, other: str) -> None:
    assert words(one) == words(other)
    assert len(words(one)) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("l'équipe d'Italia dell'arte", ["equipe", "italia", "arte"]),
        ("rock'n'roll it's don't", ["rock", "roll", "its", "dont"]),
        ("snake_case, e-mail: a.b@c.org", ["snake", "case", "e", "mail", "a", "b", "c", "org"]),
        ("東京タワー", ["東京", "京タ", "タワ", "ワー"]),
        ("茶", ["茶"]),
        ("iPhone手机壳", ["iphone", "手机", "机壳"]),
        ("กรุงเทพ", ["กรุ", "รุง", "ุงเ", "งเท", "เทพ"]),
        ("हिन्दी समाचार", ["हिन्दी", "समाचार"]),
        ('title:x AND (y OR NOT z) "q"*', ["title", "x", "and", "y", "or", "not", "z", "q"]),
        ("a\x00b\x01c\nd", ["a", "b", "c", "d"]),
        ("\ud800", []),
        ("", []),
        ("?!", []),
    ],
)
def test_texts_are_split(text: str, found: list[str]) -> None:
    assert words(text) == found


def test_a_long_run_of_letters_is_cut() -> None:
    assert [len(word) for word in words("x" * 100)] == [LONGEST_WORD, LONGEST_WORD, 20]
    assert [len(word) for word in words("é" * 50)] == [LONGEST_WORD, 10]


@given(st.lists(st.one_of(st.none(), st.text(max_size=20), st.sampled_from([one for one, _ in SAME])), max_size=8))
def test_many_texts_are_split_as_one(texts: list[str | None]) -> None:
    known: dict[str, int] = {}
    found: list[list[str]] = [[] for _ in texts]
    parts = list(numbered_words(texts, known))
    listed = list(known)
    assert list(known.values()) == list(range(len(known)))
    for owner, number in parts:
        for text, word in zip(owner.tolist(), number.tolist(), strict=True):
            found[text].append(listed[word])
    assert found == [words(text or "") for text in texts]


def test_chunks_make_no_difference() -> None:
    known: dict[str, int] = {}
    texts = pa.chunked_array([[f"word{number} tea" for number in range(CHUNK)], ["tea", None, "milk é"]])
    parts = list(numbered_words(texts, known))
    owner = np.concatenate([part for part, _ in parts])
    number = np.concatenate([part for _, part in parts])
    assert len(owner) == 2 * CHUNK + 3
    assert owner[number == known["tea"]].tolist() == list(range(CHUNK + 1))
    assert owner[number == known["milk"]].tolist() == [CHUNK + 2]


def test_stop_words_are_folded() -> None:
    assert {"the", "der", "fur", "les", "και", "и", "icin", "www"} <= STOP_WORDS
    assert all(words(word) == [word] for word in STOP_WORDS)
