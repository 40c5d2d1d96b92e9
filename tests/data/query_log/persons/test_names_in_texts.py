"""Names in texts, by the lists of ``tacita.data.query_log.persons.person_names``."""

from __future__ import annotations

import re

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.data.query_log.persons.folded_texts import folded, split_words
from tacita.data.query_log.persons.names_in_texts import has_given_names, has_name, may_have_name
from tacita.data.query_log.persons.person_names import (
    COMMON_WORDS,
    GIVEN_NAMES,
    ORDINARY_NAMES,
    PARTICLES,
    SURNAMES,
    TITLES,
)


def words(*texts: str | None):  # type: ignore[no-untyped-def]
    return split_words(folded(pa.array(texts, pa.string())))


@pytest.mark.parametrize(
    ("text", "is_name"),
    [
        ("daniel garcia", True),
        ("garcia daniel", True),
        ("daniel j garcia", True),
        ("daniel peter garcia", True),
        ("daniel de la garcia", True),
        ("daniel de garcia", True),
        ("daniel from garcia", False),
        ("daniel x y garcia", False),
        ("rose hill", False),
        ("rose garcia", True),
        ("daniel hill", True),
        ("hill daniel", True),
        ("king james", False),
        ("dr garcia", True),
        ("dr pepper", False),
        ("ms multiple sclerosis", False),
        ("ms garcia", True),
        ("san daniel garcia", False),
        ("st louis garcia lopez", False),
        ("frau xyz abc", True),
        ("mr coffee maker", False),
        ("daniel", False),
        ("garcia", False),
        ("", False),
        (None, False),
        ("daniel. GARCIA!", True),
        ("2 daniel-garcia 3", True),
    ],
)
def test_rules_of_names(text: str | None, is_name: bool) -> None:
    assert has_name(words(text)).tolist() == [is_name]
    assert has_name(words("x", text, "garcia daniel", "daniel")).tolist() == [False, is_name, True, False]


def test_no_name_begins_in_one_text_and_ends_in_the_next() -> None:
    assert has_name(words("daniel", "garcia", "dr", "garcia")).tolist() == [False] * 4
    assert may_have_name(words("daniel", "xyzzy")).tolist() == [False, False]


@pytest.mark.parametrize(
    ("text", "is_name"),
    [
        ("daniel xyzzy", True),
        ("daniel van xyzzy", True),
        ("xyzzy garcia", True),
        ("xyzzy hill", False),
        ("daniel lyrics", False),
        ("daniel xy", False),
        ("xyzzy", False),
    ],
)
def test_names_by_their_company(text: str, is_name: bool) -> None:
    assert may_have_name(words(text)).tolist() == [is_name]
    # In four of five places the word stands beside something else.
    assert not may_have_name(words(text, "xyzzy one", "one xyzzy two xyzzy", "xyzzy three")).any()


def test_a_rare_surname_is_found_without_its_given_name() -> None:
    texts = ["daniel xyzzy", "xyzzy genealogy", "school xyzzy", "dniel xyzzy", "ms xyzzy", "san daniel hotel"]
    assert may_have_name(words(*texts[:4])).tolist() == [True] * 4
    assert may_have_name(words(*texts)).tolist() == [False] * 6


TOKENS = st.lists(st.sampled_from(["a", "bb", "ccc", "Dé"]), min_size=0, max_size=5).map(" ".join)


@given(st.lists(TOKENS, max_size=5), st.lists(TOKENS, max_size=4))
def test_given_names_are_whole_words_in_a_row(texts: list[str], names: list[str]) -> None:
    def has(text: str, name: str) -> bool:
        return bool(name) and re.search(rf"(^| ){name}( |$)", text) is not None

    expected = [any(has(text.lower(), name.lower()) for name in names) for text in texts]
    assert has_given_names(words(*texts), names).tolist() == expected


def test_the_lists_are_folded_and_agree() -> None:
    for listed in (GIVEN_NAMES, SURNAMES, ORDINARY_NAMES, PARTICLES, TITLES, COMMON_WORDS):
        assert all(re.fullmatch("[a-z]+|mp3", word) for word in listed)
    assert not (GIVEN_NAMES | SURNAMES) & COMMON_WORDS
    assert len(GIVEN_NAMES) > 800
    assert len(SURNAMES) > 700
