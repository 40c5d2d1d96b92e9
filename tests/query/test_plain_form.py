"""Reading JSON of others: what fits is read, what does not is an error that names the part and nothing of what was there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.query.plain_form import LONGEST_TEXT, PlainForm
from tests.effort import examples

READERS: dict[str, Callable[[PlainForm], Any]] = {
    "text": lambda form: form.text("a"),
    "said": lambda form: form.said("a"),
    "texts": lambda form: form.texts("a"),
    "sayings": lambda form: form.sayings("a"),
    "choice": lambda form: form.choice("a", ("x", "y")),
    "number": lambda form: form.number("a"),
    "optional number": lambda form: form.number("a", is_optional=True),
    "whole": lambda form: form.whole("a"),
    "whole or none": lambda form: form.whole_or_none("a"),
    "numbers": lambda form: form.numbers("a"),
    "two numbers": lambda form: form.numbers("a", 2, has_gaps=True),
    "part": lambda form: form.part("a"),
    "listed": lambda form: form.listed("a"),
}

FIT: list[tuple[str, Any, Any]] = [
    ("text", "é\x1b", "é\x1b"),
    ("said", "a\n\tb", "a\n\tb"),
    ("texts", ["a", ""], ("a", "")),
    ("sayings", ["a"], ("a",)),
    ("choice", "y", "y"),
    ("number", 3, 3.0),
    ("number", -1.5, -1.5),
    ("optional number", 2.5, 2.5),
    ("whole", -7, -7),
    ("whole or none", None, None),
    ("part", {"b": 1}, {"b": 1}),
    ("listed", [None, {}], [None, {}]),
]

MISFIT: list[tuple[str, Any]] = [
    ("text", 1), ("text", None), ("text", "x" * (LONGEST_TEXT + 1)), ("text", "\ud800"), ("text", ["a"]), ("said", "\x1b[2J"),
    ("said", "\x9b"), ("said", "\x7f"), ("texts", "ab"), ("texts", ["a", 1]), ("texts", ["\udfff"]), ("texts", {"a": 1}),
    ("sayings", ["\x00"]), ("choice", "z"), ("choice", ["x"]), ("choice", None), ("number", True), ("number", "1"),
    ("number", None),
    ("number", float("inf")), ("number", float("nan")), ("number", 10**400), ("whole", 1.0), ("whole", True), ("whole", 1 << 63),
    ("whole", None), ("whole or none", "1"), ("numbers", [1, None]), ("numbers", [1, "2"]), ("numbers", [True]), ("numbers", 3),
    ("numbers", [float("nan")]), ("numbers", [float("inf")]), ("numbers", [10**400]), ("numbers", [[1]]), ("two numbers", [1]),
    ("two numbers", [1, 2, None]), ("two numbers", [1, float("nan")]), ("part", []), ("part", {1: 2}), ("part", None),
    ("listed", {}), ("listed", "ab"), ("listed", None),
]  # fmt: skip


@pytest.mark.parametrize(("reader", "value", "found"), FIT)
def test_what_fits_is_read(reader: str, value: Any, found: Any) -> None:
    assert READERS[reader](PlainForm("A thing", {"a": value})) == found


@pytest.mark.parametrize(("reader", "value"), MISFIT)
def test_what_does_not_fit_is_an_error_with_the_name_of_the_part(reader: str, value: Any) -> None:
    with pytest.raises(ParameterError, match=r"^A thing: 'a' must be ") as found:
        READERS[reader](PlainForm("A thing", {"a": value}))
    assert "\x1b" not in str(found.value)


def test_gaps_are_not_numbers() -> None:
    made = PlainForm("A thing", {"a": [1, None]}).numbers("a", 2, has_gaps=True)
    np.testing.assert_array_equal(made, [1.0, np.nan])
    assert np.isnan(PlainForm("A thing", {"a": None}).number("a", is_optional=True))
    assert PlainForm("A thing", {"a": []}).numbers("a").shape == (0,)


def test_an_object_has_its_parts_and_no_others() -> None:
    form = PlainForm.of("A thing", {"a": 1, "c": 2}, ("a",), ("b", "c"))
    assert ("a" in form, "b" in form, "c" in form) == (True, False, True)
    for given_, said in [
        ({}, "'a' must be given"),
        ({"a": 1, "canary": 2}, "no parts"),
        ([], "an object"),
        (None, "an object"),
    ]:
        with pytest.raises(ParameterError, match=said) as found:
            PlainForm.of("A thing", given_, ("a",))
        assert "canary" not in str(found.value)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@settings(max_examples=examples(30))
@given(ANYTHING, st.sampled_from(sorted(READERS)))
def test_nothing_is_a_crash(value: Any, reader: str) -> None:
    form, said = PlainForm("A thing", {"a": value}), ""
    try:
        READERS[reader](form)
    except ParameterError as error:
        said = str(error)
    assert said == "" or said.startswith("A thing: 'a' must be ")
