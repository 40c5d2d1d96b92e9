"""Canonical forms by the catalogue alone: the same as those of a database, for every wording."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ColumnError, ParameterError
from tacita.query import Catalogue, Regress, Tabulate, Universe, Variable
from tacita.query.universe.canonical import boxes_of, canonical_request, words_of
from tests.effort import examples

SEX = Variable(name="sex", classes=("f", "m"), uses=("universe", "table"))
AREA = Variable(name="area", classes=("a", "b", "c"), has_missing=True, uses=("universe",))
PAY = Variable(name="pay", is_numeric=True, uses=("response",))
CATALOGUE = Catalogue((SEX, AREA, PAY))

pieces = st.fixed_dictionaries(
    {},
    optional={
        "sex": st.lists(st.sampled_from(SEX.all_classes), min_size=1, max_size=3),
        "area": st.lists(st.sampled_from(AREA.all_classes), min_size=1, max_size=5),
    },
)


def cells(universe: Universe) -> frozenset[tuple[str, str]]:
    """The combinations of classes that a universe has, found by looking at each."""
    found = set()
    for sex in SEX.all_classes:
        for area in AREA.all_classes:
            there = {"sex": sex, "area": area}
            if any(all(there[name] in words for name, words in piece) for piece in universe.pieces):
                found.add((sex, area))
    return frozenset(found)


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(pieces, min_size=1, max_size=4), st.lists(pieces, min_size=1, max_size=4))
def test_two_universes_have_one_form_exactly_when_they_are_the_same_cells(
    one: list[dict[str, list[str]]], two: list[dict[str, list[str]]]
) -> None:
    first, second = (Universe.from_plain({"any": listed}) for listed in (one, two))
    same = words_of(boxes_of(first, CATALOGUE), CATALOGUE) == words_of(boxes_of(second, CATALOGUE), CATALOGUE)
    assert same == (cells(first) == cells(second))


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(pieces, min_size=1, max_size=4))
def test_words_lead_back_to_the_same_boxes(listed: list[dict[str, list[str]]]) -> None:
    boxes = boxes_of(Universe.from_plain({"any": listed}), CATALOGUE)
    assert boxes_of(Universe.from_plain(words_of(boxes, CATALOGUE)), CATALOGUE) == boxes


def test_a_request_keeps_everything_but_the_wording_of_its_universe() -> None:
    asked = Regress(response="pay", predictors=["pay"], where={"area": ["b", "a"], "sex": ["m", "f"]}, robust=True)
    made = canonical_request(asked, boxes_of(asked.where, CATALOGUE), CATALOGUE)
    assert made == {
        "kind": "regress",
        "response": "pay",
        "predictors": ["pay"],
        "robust": True,
        "where": {"area": ["a", "b"]},
    }
    everybody = Tabulate(by=["sex"], where={"sex": ["f", "m"]})
    assert canonical_request(everybody, boxes_of(everybody.where, CATALOGUE), CATALOGUE) == {
        "kind": "tabulate",
        "by": ["sex"],
    }


def test_what_the_catalogue_does_not_have_is_said() -> None:
    with pytest.raises(ColumnError, match="no variable 'sec'"):
        boxes_of(Universe({"sec": "f"}), CATALOGUE)
    with pytest.raises(ColumnError, match="cannot be used as a condition"):
        boxes_of(Universe({"pay": "1"}), CATALOGUE)
    with pytest.raises(ParameterError, match="no class 'd'"):
        boxes_of(Universe({"area": "d"}), CATALOGUE)
