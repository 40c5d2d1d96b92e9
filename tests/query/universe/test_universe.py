"""The universe as it is worded: what can be said, what cannot, and its JSON form."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.query.universe.universe import Universe, class_word
from tests.effort import examples

names = st.sampled_from(["any", "sex", "age", "region", "kind", "ä b"])
words = st.one_of(st.text(max_size=4), st.integers(-5, 5), st.floats(-3, 3), st.booleans())
conditions = st.dictionaries(names, st.lists(words, min_size=1, max_size=3), max_size=3)
universes = st.lists(conditions, min_size=1, max_size=3).map(lambda rows: Universe.from_plain({"any": rows}))


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (1, "1"), (1.0, "1"), ("1", "1"), ("1.0", "1.0"), (True, "true"), (False, "false"), (1.5, "1.5"),
        (-0.0, "0"), (0, "0"), ("", ""), (1e20, "100000000000000000000"), (float("nan"), "nan"), (float("inf"), "inf"),
    ],
)  # fmt: skip
def test_a_class_has_one_word(value: object, word: str) -> None:
    assert class_word(value) == word


def test_a_number_of_thousands_of_digits_is_no_class() -> None:
    with pytest.raises(ParameterError, match="thousands of digits"):
        Universe({"x": [10**5000]})


def test_wordings_of_one_universe_are_equal() -> None:
    plain = Universe({"sex": ["f"], "size": ["1", "2"]})
    assert plain == Universe({"size": [2.0, 1, "1", 2], "sex": "f"})
    assert plain == Universe.of({"any": [{"size": (1, 2), "sex": ["f", "f"]}]})
    assert hash(plain) == hash(Universe.of(plain))
    assert Universe() == Universe({}) == Universe.of(None) == Universe.of({})
    assert Universe({"x": 1}) != Universe({"x": True})


def test_pieces_are_joined() -> None:
    a, b = Universe({"sex": "f"}), Universe({"age": ["1"], "sex": "m"})
    assert a | b == b | a
    assert (a | b | a).pieces == (a | b).pieces
    assert (a | b).variables == ("age", "sex")
    assert not (a | b).is_everybody
    assert (a | Universe()).is_everybody
    with pytest.raises(TypeError):
        a | {"sex": "m"}  # type: ignore[operator]


@settings(max_examples=examples(25), deadline=None)
@given(universes)
def test_the_json_form_is_read_back(universe: Universe) -> None:
    text = json.dumps(universe.to_plain())
    assert Universe.from_plain(json.loads(text)) == universe
    assert Universe.of(universe.to_plain()) == universe


def test_a_variable_may_be_called_any() -> None:
    one = Universe({"any": ["x"]})
    assert one.variables == ("any",)
    assert Universe.from_plain(one.to_plain()) == one
    assert Universe.from_plain({"any": ["x"]}) == one == Universe.from_plain({"any": "x"})
    both = one | Universe({"sex": "f"})
    assert Universe.from_plain(both.to_plain()) == both
    assert Universe.from_plain({"any": [{"any": ["x"]}]}) == one
    assert Universe.from_plain({"any": ["x"], "sex": ["f"]}).variables == ("any", "sex")


def test_a_universe_shows_what_it_says() -> None:
    assert repr(Universe({"sex": ["m", "f"]})) == "Universe({'sex': ['f', 'm']})"
    assert repr(Universe()) == "Universe()"


@pytest.mark.parametrize(
    "given",
    [
        [], "", 0, False, "sex", 5, [("sex", "f")], {"sex": []}, {"sex": None}, {"sex": {"f": 1}}, {"sex": [["f"]]},
        {"sex": [None]}, {"sex": b"f"}, {"": ["f"]}, {1: ["f"]}, {"any": []}, {"any": [1, {}]}, {"any": [{"sex": []}]},
        {"any": [{}], "sex": [[]]}, {"sex": [{"any": 1}]},
    ],
)  # fmt: skip
def test_nothing_else_can_be_said(given: Any) -> None:
    with pytest.raises(ParameterError, match="Universe"):
        Universe.of(given)


@pytest.mark.parametrize("given", [[], "", 0, "sex", [("sex", "f")]])
def test_conditions_are_an_object(given: Any) -> None:
    with pytest.raises(ParameterError, match="conditions must be such as"):
        Universe(given)


@pytest.mark.parametrize(
    ("given", "limit"),
    [
        ({"any": [{"x": [i]} for i in range(65)]}, "64 pieces, got 65"),
        ({f"v{i}": ["1"] for i in range(33)}, "32 conditions, got 33"),
        ({"x": list(range(10_001))}, "at most 10000"),
        ({"any": [{}] * 100_000}, "64 pieces"),
    ],
    ids=["pieces", "conditions", "classes", "the same piece"],
)
def test_there_are_limits(given: Any, limit: str) -> None:
    with pytest.raises(ParameterError, match=limit):
        Universe.of(given)


def test_joining_has_the_same_limit() -> None:
    made = Universe.of({"any": [{"x": [i]} for i in range(64)]})
    assert len((made | made).pieces) == 64
    with pytest.raises(ParameterError, match="64 pieces, got 65"):
        made | Universe({"y": "1"})
    with pytest.raises(ParameterError, match="at least one piece"):
        Universe.union([])


def test_an_error_repeats_little_of_what_was_given() -> None:
    with pytest.raises(ParameterError) as found:
        Universe({"x" * 10_000: []})
    assert len(str(found.value)) < 300
