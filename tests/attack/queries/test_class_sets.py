"""Sets of published classes: their algebra against Python's own sets of people."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.attack.queries.class_sets import ClassSet, everybody, people_of, published_classes
from tacita.core.errors import AttackError
from tests.effort import examples

DOMAIN = {"a": ("1", "2", "3"), "b": ("x", "y"), "c": ("p", "q", "r")}
PEOPLE = list(itertools.product(*DOMAIN.values()))


def members(people: ClassSet) -> set[tuple[str, ...]]:
    """Who is in it, from the JSON form."""
    if not people:
        return set()
    plain = people.plain()
    pieces = plain.get("any", [plain])
    return {p for p in PEOPLE if any(all(p["abc".index(n)] in words for n, words in piece.items()) for piece in pieces)}


SETS = st.dictionaries(st.sampled_from("abc"), st.sets(st.integers(0, 2), min_size=1, max_size=2), max_size=3).map(
    lambda d: people_of(DOMAIN, {n: [DOMAIN[n][i % len(DOMAIN[n])] for i in places] for n, places in d.items()})
)


@settings(max_examples=examples(60), deadline=None)
@given(SETS, SETS, SETS)
def test_unions_meetings_and_differences_are_those_of_sets(one: ClassSet, two: ClassSet, three: ClassSet) -> None:
    both = one | two
    assert members(both) == members(one) | members(two)
    assert members(both & three) == members(both) & members(three)
    assert members(three - both) == members(three) - members(both)
    assert members(everybody(DOMAIN) - both) == set(PEOPLE) - members(both)


def test_no_class_is_nobody_and_all_classes_are_everybody() -> None:
    assert not people_of(DOMAIN, {"a": []})
    assert people_of(DOMAIN, {"a": DOMAIN["a"]}) == everybody(DOMAIN)
    assert people_of(DOMAIN, {"b": "x", "a": ["1", "2"]}).variables == ("a", "b")


def test_what_is_not_published_cannot_be_named() -> None:
    for conditions in ({"z": "1"}, {"a": "9"}):
        with pytest.raises(AttackError, match="must be published"):
            people_of(DOMAIN, conditions)
    with pytest.raises(AttackError, match="1 to 64 pieces"):
        people_of(DOMAIN, {"a": []}).plain()


def test_words_of_a_catalogue() -> None:
    shown = {
        "variables": [
            {"name": "age", "bins": {"cuts": [1.0]}, "uses": ["universe"]},
            {"name": "band", "groups": {"low": ["1"], "high": ["2"]}, "uses": ["universe"]},
            {"name": "sum", "classes": ["1"], "uses": ["table"]},
        ]
    }
    assert published_classes(shown) == {"band": ("low", "high")}
