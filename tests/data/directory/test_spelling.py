from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.data.directory.spelling import Speller, edits

WORDS = sorted(["barcelona", "barcelone", "soccer", "guitar", "ebola", "shakespeare", "istanbul", "ab1cdef"])


@pytest.fixture(scope="module")
def speller() -> Speller:
    return Speller(WORDS, np.arange(1, len(WORDS) + 1))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("barcelna", "barcelona"),
        ("barceloan", "barcelona"),  # shares more triples with barcelone, but that is two edits away
        ("socer", "soccer"),
        ("soccerr", "soccer"),
        ("guittar", "guitar"),
        ("shakespere", "shakespeare"),
        ("shakespear", "shakespeare"),
        ("erola", None),  # a name, one letter from a disease
        ("xoccer", None),  # another first letter
        ("socc", None),
        ("ab1cdeg", None),
        ("unknown", None),
    ],
)
def test_what_was_meant(speller: Speller, written: str, meant: str | None) -> None:
    found = int(speller.meant([written])[0])
    assert (WORDS[found] if found >= 0 else None) == meant


def test_many_words_are_looked_up_as_one_by_one(speller: Speller) -> None:
    asked = ["barcelna", "zzzzzz", "socer", "éclair", "guittar", ""]
    assert speller.meant(asked).tolist() == [int(speller.meant([word])[0]) for word in asked]
    assert speller.meant([]).tolist() == []


def test_the_more_frequent_word_wins_a_tie() -> None:
    words = ["planet", "planes"]
    assert [Speller(words, np.array(f)).meant(["planen"])[0] for f in ([1, 5], [5, 1], [3, 3])] == [1, 0, 0]


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_edits_are_a_distance(one: str, other: str) -> None:
    assert edits(one, other) == edits(other, one)
    assert (edits(one, other) == 0) == (one == other)
    assert abs(len(one) - len(other)) <= edits(one, other) <= max(len(one), len(other))
