"""Forms of values: every kind of annotation has one object that checks, speaks and gives its JSON schema."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
import pytest

from tacita.core.constraints import Constraint, Interval, Length
from tacita.core.errors import TacitaError
from tacita.core.parameters import ColumnName, Columns
from tacita.core.selectors import Selector
from tacita.core.value_forms import (
    MISFIT,
    Anything,
    ColumnByName,
    ColumnSelection,
    Either,
    FixedList,
    Instance,
    Limited,
    ListOf,
    NamedValues,
    Nothing,
    OneOf,
    RealNumber,
    Text,
    TrueOrFalse,
    ValueForm,
    WholeNumber,
    value_form,
)


@pytest.mark.parametrize(
    ("annotation", "form"),
    [
        (Any, Anything()),
        (None, Nothing()),
        (type(None), Nothing()),
        (bool, TrueOrFalse()),
        (int, WholeNumber()),
        (float, RealNumber()),
        (str, Text()),
        (Selector, Instance(Selector)),
        (Literal["a", 1], OneOf(("a", 1))),
        (tuple[int, ...], ListOf(WholeNumber())),
        (Sequence[int], ListOf(WholeNumber())),
        (Sequence, ListOf(Anything())),
        (tuple, ListOf(Anything())),
        (tuple[int, str], FixedList((WholeNumber(), Text()))),
        (Mapping[str, int], NamedValues()),
        (dict[str, int], NamedValues()),
        (Mapping, NamedValues()),
        (dict, NamedValues()),
        (int | None, Either((WholeNumber(), Nothing()))),
        (Annotated[int, Interval(1), "a remark"], Limited(WholeNumber(), (Interval(1),))),
        (Annotated[int, "a remark"], WholeNumber()),
        (Columns, ColumnSelection()),
        (ColumnName, ColumnByName()),
        (Columns | None, Either((ColumnSelection(), Nothing()))),
    ],
)
def test_the_form_of_an_annotation(annotation: Any, form: ValueForm) -> None:
    assert value_form(annotation) == form


@pytest.mark.parametrize(
    ("form", "fits", "misfits", "words", "schema"),
    [
        (Anything(), [(None, None), (3, 3)], [], "anything", {}),
        (Nothing(), [(None, None)], [0, "", False], "nothing", {"type": "null"}),
        (TrueOrFalse(), [(True, True)], [1, 0, "true", None], "true or false", {"type": "boolean"}),
        (WholeNumber(), [(3, 3), (np.int8(3), 3)], [3.0, True, "3"], "a whole number", {"type": "integer"}),
        (RealNumber(), [(3, 3.0)], [True, "3", float("nan"), 10**400, 1j], "a number", {"type": "number"}),
        (Text(), [("x", "x")], [3, None, b"x"], "a text", {"type": "string"}),
        (Instance(datetime.date), [(datetime.date.max,) * 2], ["2020-01-01"], "date", {}),
        (OneOf((False,)), [(False, False)], [0, True], "False", {"enum": [False]}),
        (OneOf(("a", "b")), [("b", "b")], ["c", 1], "one of 'a', 'b'", {"enum": ["a", "b"]}),
        (
            ListOf(WholeNumber()),
            [([1, 2], (1, 2)), ([], ())],
            ["12", [1.5], {1: 2}, 7],
            "a list, each entry a whole number",
            {"type": "array", "items": {"type": "integer"}},
        ),
        (ListOf(Anything()), [([1, "x"], (1, "x"))], ["x"], "a list", {"type": "array", "items": {}}),
        (
            FixedList((Text(), RealNumber())),
            [(["a", 1], ("a", 1.0))],
            [["a"], ["a", 1, 2], [1, "a"], "ab"],
            "a list of 2 entries: a text; a number",
            {"type": "array", "minItems": 2, "maxItems": 2, "prefixItems": [{"type": "string"}, {"type": "number"}]},
        ),
        (
            FixedList((Text(), Text())),
            [(["a", "b"], ("a", "b"))],
            [["a"], ["a", 1]],
            "a list of 2 entries, each a text",
            {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "string"}},
        ),
        (NamedValues(), [({"a": 1}, {"a": 1})], [["a"], 3], "a table of names and values", {"type": "object"}),
        (
            Either((RealNumber(), WholeNumber(), Nothing())),
            [(3, 3), (3.5, 3.5), (None, None)],
            ["x", True, float("inf")],
            "a number or a whole number or nothing",
            {"anyOf": [{"type": "number"}, {"type": "integer"}, {"type": "null"}]},
        ),
        (
            Limited(ListOf(Text()), (Length(2),)),
            [(["a", "b"], ("a", "b"))],
            [["a"], [1, 2]],
            "a list, each entry a text, with at least 2 entries",
            {"type": "array", "items": {"type": "string"}, "minItems": 2},
        ),
        (
            ColumnSelection(),
            [("age", ("age",)), (["age"], ("age",)), ("numeric keys", Selector("numeric keys"))],
            [3, [3]],
            "a list of column names or a rule such as 'numeric keys'",
            {"type": ["array", "string"], "items": {"type": "string"}, "format": "columns"},
        ),
        (ColumnByName(), [("keys", "keys")], [["age"], 3], "a text", {"type": "string", "format": "column"}),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, ValueForm) else "",
)
def test_a_form_checks_speaks_and_gives_its_schema(
    form: ValueForm, fits: list[tuple[Any, Any]], misfits: list[Any], words: str, schema: dict[str, Any]
) -> None:
    for value, fitted in fits:
        made = form.fit(value)
        assert made == fitted
        assert type(made) is type(fitted)
    assert [value for value in misfits if form.fit(value) is not MISFIT] == []
    assert form.words() == words
    assert form.schema() == schema


@pytest.mark.parametrize(
    ("annotation", "words"),
    [
        (int | None, "a whole number or nothing"),
        (Annotated[int, Interval(1)] | None, "a whole number, at least 1, or nothing"),
        (Annotated[float, Interval(0, 1)] | None, "in [0, 1] or nothing"),
        (str | Literal[False] | None, "a text or False or nothing"),
        (None | tuple[str, ...], "nothing or a list, each entry a text"),
    ],
)
def test_alternatives_are_told_apart(annotation: Any, words: str) -> None:
    """A comma within an alternative would join what belongs apart."""
    assert value_form(annotation).words() == words


def test_conditions_let_nothing_pass_where_nothing_is_allowed() -> None:
    form = value_form(Annotated[int | None, Interval(1)])
    assert form.fit(None) is None
    assert form.fit(0) is MISFIT


def test_a_schema_that_somebody_changes_is_not_the_next_one() -> None:
    value_form(Annotated[int, Interval(1)]).schema()["minimum"] = 99
    assert value_form(Annotated[int, Interval(1)]).schema()["minimum"] == 1


def test_a_form_is_built_once() -> None:
    assert value_form(tuple[int, ...]) is value_form(tuple[int, ...])


def test_conditions_that_have_no_hash_are_taken() -> None:
    @dataclass
    class Even(Constraint):
        """Even numbers."""

        def holds(self, value: Any) -> bool:
            return bool(value % 2 == 0)

        def words(self) -> str:
            return "even"

    form = value_form(Annotated[int, Even()])
    assert (form.fit(2), form.fit(3)) == (2, MISFIT)
    assert form.words() == "a whole number, even"
    assert form.schema() == {"type": "integer"}


def test_a_form_of_ones_own_stands_in_the_annotation() -> None:
    class Postcode(Text):
        """Four digits."""

        said = "four digits"

        def fit(self, value: Any) -> Any:
            return value if isinstance(value, str) and value.isdigit() and len(value) == 4 else MISFIT

    form = value_form(Annotated[str, Postcode()] | None)
    assert form.fit("1234") == "1234"
    assert form.fit("12345") is MISFIT
    assert form.words() == "four digits or nothing"


@pytest.mark.parametrize("annotation", [set[int], list[str], "int"])
def test_an_annotation_without_a_form_is_refused(annotation: Any) -> None:
    with pytest.raises(TacitaError, match="cannot be annotated by"):
        value_form(annotation)


def test_a_misfit_says_what_it_is() -> None:
    assert repr(MISFIT) == "(misfit)"
