from __future__ import annotations

import unicodedata

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.data.query_log.persons.folded_texts import folded, split_words


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("José", "jose"),
        ("STRAßE", "strasse"),
        ("Łódź", "lodz"),
        ("Ærøskøbing", "aeroskobing"),
        ("O’Brien", "o'brien"),
        ("５５５－１２", "555-12"),
        ("a\u200bb\u00a0c", "ab c"),
        ("İstanbul", "istanbul"),
        ("ﬁn", "fin"),
        ("иван", "иван"),
    ],
)
def test_letters_become_plain(text: str, plain: str) -> None:
    assert folded(pa.array([text, "x", None])).to_pylist() == [plain, "x", None]


@given(st.lists(st.none() | st.text(max_size=8), max_size=5))
def test_nothing_has_accents_any_more(texts: list[str | None]) -> None:
    column = pa.array([text and text.encode(errors="replace").decode() for text in texts], pa.string())
    found = folded(column).to_pylist()
    assert [text is None for text in found] == [text is None for text in texts]
    assert not any(unicodedata.category(sign).startswith("M") for text in found for sign in text or "")


def test_words_know_their_texts() -> None:
    words = split_words(pa.array(["o'brien patrick's house", "", None, "12 34", "a-b"]))
    assert words.words.take(pa.array(words.code)).to_pylist() == ["obrien", "patrick", "house", "a", "b"]
    assert words.text.tolist() == [0, 0, 0, 4, 4]
    assert words.lengths().tolist() == [6, 7, 5, 1, 1]
    assert words.texts_with(words.are(frozenset({"b", "zzz"}))).tolist() == [False, False, False, False, True]
