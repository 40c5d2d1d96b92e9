"""Programs of queries: the grammar, its children, and what counts as a difference or a repetition."""

from __future__ import annotations

import numpy as np

from tacita.attack.queries.query_programs import (
    ABSENT,
    EQUAL,
    UNEQUAL,
    bred,
    differencing_pairs,
    drawn_program,
    program_words,
    query_set,
    repeats,
)

DOMAIN = {"age": ("o", "y"), "ill": ("no", "yes"), "sex": ("f", "m")}
VICTIM = {"age": "o", "sex": "f"}


def test_a_query_is_about_people_like_the_victim_or_unlike() -> None:
    found = query_set((EQUAL, UNEQUAL, EQUAL), DOMAIN, VICTIM, "ill", "yes")
    assert found is not None
    assert found.plain() == {"age": ["o"], "ill": ["yes"], "sex": ["m"]}
    everybody = query_set((ABSENT, ABSENT, ABSENT), DOMAIN, VICTIM, "ill", "yes")
    assert everybody is not None
    assert everybody.plain() == {}
    assert query_set((UNEQUAL, ABSENT, ABSENT), {**DOMAIN, "age": ("o",)}, VICTIM, "ill", "yes") is None


def test_children_have_what_their_parents_have() -> None:
    rng = np.random.default_rng(1)
    one, two = (drawn_program(4, 6, rng) for _ in range(2))
    for _ in range(20):
        child = bred(one, two, rng, mutation=0.0)
        assert len(child) == 6
        strangers = [query for query in child if query not in one + two]
        assert len(strangers) <= 1  # a copy with one condition changed
    changed = [bred(one, one, rng, mutation=1.0) for _ in range(5)]
    assert any(child != one for child in changed)
    assert all(0 <= c <= 2 for child in changed for query in child for c in query[:-1])
    assert all(query[-1] in (ABSENT, EQUAL) for child in changed for query in child)


def test_pairs_must_differ_in_one_condition_and_be_subtracted() -> None:
    pair = ((1, 0, 1), (1, 2, 1))
    assert differencing_pairs(pair, [1.0, -1.0]) == 1
    assert differencing_pairs(pair, [1.0, 1.0]) == 0
    assert differencing_pairs(((1, 0, 1), (1, 1, 1)), [1.0, -1.0]) == 0
    assert differencing_pairs(((1, 0, 1), (2, 2, 1)), [1.0, -1.0]) == 0


def test_repeats_are_weighed_alike() -> None:
    assert repeats(((1, 1), (1, 1), (1, 1)), [1.0, 2.0, -1.0]) == 1
    assert repeats(((1, 1), (1, 1)), [1.0, 0.0]) == 0


def test_words_name_no_class_of_a_victim() -> None:
    said = program_words(((1, 2, 0), (0, 0, 0)), [0.5, -3.0], ["age", "sex", "ill"])
    assert said == "-3.0 count(everybody); +0.5 count(age =, sex not)"
