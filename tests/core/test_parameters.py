"""Parameters: what fits, in which form, and the sentence where something does not fit."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core import registry
from tacita.core.errors import ParameterError
from tacita.core.method import REQUIRED, Parameter
from tacita.core.parameters import ColumnName, Columns, Interval, Length, as_plain, coerce, json_schema, requirement
from tacita.core.selectors import Selector

Percent = Annotated[float, Interval(0, 100)]
GroupSize = Annotated[int, Interval(2)]
Names = Annotated[tuple[str, ...], Length(2)]


def fit(value: Any, annotation: Any) -> Any:
    return coerce(value, annotation, owner="Toy", name="p")


@pytest.mark.parametrize(
    ("value", "annotation", "fitted"),
    [
        (5, float, 5.0),
        (np.float32(0.5), float, 0.5),
        (np.int64(3), int, 3),
        (3, int | float, 3),
        (3.5, int | float, 3.5),
        (["a", "b"], tuple[str, ...], ("a", "b")),
        ([1, 2], tuple[float, float], (1.0, 2.0)),
        (np.array([1.0, 2.0]), tuple[float, ...], (1.0, 2.0)),
        ((), tuple[str, ...], ()),
        ([["a"], ["b", "c"]], Sequence[Sequence[str]], (("a",), ("b", "c"))),
        ([1, 2], int | Sequence[float] | None, (1.0, 2.0)),
        (None, str | None, None),
        ("x", str | None, "x"),
        (True, bool, True),
        ("b", Literal["a", "b"], "b"),
        (2, Literal[1, 2], 2),
        ({"a": 1}, dict, {"a": 1}),
        ({"a": 1}, dict[str, int], {"a": 1}),
        ({"a": 1}, Mapping, {"a": 1}),
        ("income", Columns, ("income",)),
        (["income", "age"], Columns, ("income", "age")),
        ("numeric keys", Columns, Selector("numeric keys")),
        (Selector("keys"), Columns, Selector("keys")),
        ("house", ColumnName, "house"),
        ("numeric keys", ColumnName, "numeric keys"),
        (0, Percent, 0.0),
        (100, Percent, 100.0),
        (2, GroupSize, 2),
        (object, Any, object),
    ],
)
def test_what_fits(value: Any, annotation: Any, fitted: Any) -> None:
    made = fit(value, annotation)
    assert made == fitted
    assert type(made) is type(fitted)


@pytest.mark.parametrize(
    ("value", "annotation", "sentence"),
    [
        (120, Percent, "Toy: 'p' must be in [0, 100], got 120."),
        (-0.5, Percent, "Toy: 'p' must be in [0, 100], got -0.5."),
        (float("nan"), Percent, "Toy: 'p' must be in [0, 100], got nan."),
        (float("inf"), Annotated[float, Interval(0)], "Toy: 'p' must be finite and at least 0, got inf."),
        (10**400, float, "Toy: 'p' must be a number, got a huge number."),
        (True, Percent, "Toy: 'p' must be in [0, 100], got True."),
        ("5", Percent, "Toy: 'p' must be in [0, 100], got '5'."),
        (None, Percent, "Toy: 'p' must be in [0, 100], got nothing."),
        (1, GroupSize, "Toy: 'p' must be a whole number, at least 2, got 1."),
        (2.5, GroupSize, "Toy: 'p' must be a whole number, at least 2, got 2.5."),
        (1, bool, "Toy: 'p' must be true or false, got 1."),
        (3, str, "Toy: 'p' must be a text, got 3."),
        ("c", Literal["a", "b"], "Toy: 'p' must be one of 'a', 'b', got 'c'."),
        (True, Literal[1, 2], "Toy: 'p' must be one of 1, 2, got True."),
        (np.array([1, 2]), Literal[1, 2], "Toy: 'p' must be one of 1, 2, got a ndarray."),
        (["a"], Names, "Toy: 'p' must be a list, each entry a text, with at least 2 entries, got ['a']."),
        (["a", 3], tuple[str, ...], "Toy: 'p' must be a list, each entry a text, got ['a', 3]."),
        ("ab", tuple[str, ...], "Toy: 'p' must be a list, each entry a text, got 'ab'."),
        ({"a": 1}, tuple[str, ...], "Toy: 'p' must be a list, each entry a text, got a dict."),
        ([1.0], tuple[float, float], "Toy: 'p' must be a list of 2 entries, each a number, got [1.0]."),
        (7, dict, "Toy: 'p' must be a table of names and values, got 7."),
        (7, Columns, "Toy: 'p' must be a list of column names or a rule such as 'numeric keys', got 7."),
        ([7], Columns, "Toy: 'p' must be a list of column names or a rule such as 'numeric keys', got [7]."),
        (["a"], ColumnName, "Toy: 'p' must be a text, got ['a']."),
        (7, str | None, "Toy: 'p' must be a text or nothing, got 7."),
        (float("nan"), float | None, "Toy: 'p' must be a number or nothing, got nan."),
        (
            0,
            GroupSize | Sequence[Sequence[str]] | None,
            "Toy: 'p' must be a whole number, at least 2, or a list, each entry a list, each entry a text, or nothing, got 0.",
        ),
        (True, Percent | Literal[False], "Toy: 'p' must be in [0, 100] or False, got True."),
        ([1, 2], tuple[str, float], "Toy: 'p' must be a list of 2 entries: a text; a number, got [1, 2]."),
        ("x" * 61, Percent, "Toy: 'p' must be in [0, 100], got a text of 61 characters."),
        (list(range(9)), Percent, "Toy: 'p' must be in [0, 100], got a list."),
        (np.arange(3), Percent, "Toy: 'p' must be in [0, 100], got a ndarray."),
    ],
)
def test_what_does_not_fit_and_the_sentence(value: Any, annotation: Any, sentence: str) -> None:
    with pytest.raises(ParameterError) as caught:
        fit(value, annotation)
    assert str(caught.value) == sentence


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_percent_accepts_exactly_the_interval(value: float) -> None:
    if 0 <= value <= 100:
        assert fit(value, Percent) == value
    else:
        with pytest.raises(ParameterError):
            fit(value, Percent)


@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (str, {"type": "string"}),
        (bool, {"type": "boolean"}),
        (Percent, {"type": "number", "minimum": 0, "maximum": 100}),
        (GroupSize, {"type": "integer", "minimum": 2}),
        (Literal["a", "b"], {"enum": ["a", "b"]}),
        (str | None, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        (Names, {"type": "array", "items": {"type": "string"}, "minItems": 2}),
        (Sequence[int], {"type": "array", "items": {"type": "integer"}}),
        (Sequence[Mapping[str, str]], {"type": "array", "items": {"type": "object"}}),
        (tuple[float, float], {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}),
        (
            tuple[str, int],
            {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "minItems": 2, "maxItems": 2},
        ),
        (tuple[Percent, ...], {"type": "array", "items": {"type": "number", "minimum": 0, "maximum": 100}}),
        (dict[str, int], {"type": "object"}),
        (Columns, {"type": ["array", "string"], "items": {"type": "string"}, "format": "columns"}),
        (ColumnName, {"type": "string", "format": "column"}),
        (Any, {}),
    ],
)
def test_json_schema(annotation: Any, schema: dict[str, Any]) -> None:
    assert json_schema(annotation) == schema
    json.dumps(schema)


def test_json_schema_accepts_what_fits() -> None:
    """The schema that forms use and the check on construction agree."""
    from jsonschema import validate

    for value in (0, 14, 99.5, 100):
        validate(value, json_schema(Percent))
        fit(value, Percent)
    for value in (-1, 101, "14", None):
        with pytest.raises(Exception, match=r"(?s)is (not|less|greater)"):
            validate(value, json_schema(Percent))
        with pytest.raises(ParameterError):
            fit(value, Percent)


def test_plain_form() -> None:
    assert as_plain(("a", (1, 2))) == ["a", [1, 2]]
    assert as_plain(Selector("keys")) == "keys"
    assert as_plain({"a": ("b",)}) == {"a": ["b"]}


def test_requirement_of_unknown_types_is_their_name() -> None:
    assert requirement(Selector) == "Selector"


# --- every annotation in use ---------------------------------------------------------------------------------------------

IN_USE = [(f"{m.kind}-{m.name}-{p.name}", p) for m in registry.methods() for p in m.parameters()]
every_parameter = pytest.mark.parametrize("parameter", [p for _, p in IN_USE], ids=[name for name, _ in IN_USE])


@every_parameter
def test_requirements_are_words(parameter: Parameter) -> None:
    """No sentence has the bare name of a Python type: what a user reads is what he can write."""
    said = re.sub(r"'[^']*'", "", requirement(parameter.annotation))
    assert re.findall(r"\b(?!False\b|True\b)[A-Z]\w*", said) == []
    assert not re.search(r"\b(str|int|float|bool|dict|tuple|list\[)\b", said)


@every_parameter
def test_schemas_say_something_and_accept_the_default(parameter: Parameter) -> None:
    schema = json_schema(parameter.annotation)
    assert _bare(schema) == []
    if parameter.default is not REQUIRED:
        fitted = coerce(parameter.default, parameter.annotation, owner="Toy", name=parameter.name)
        assert fitted == parameter.default
        pytest.importorskip("jsonschema", reason="jsonschema comes with altair").validate(as_plain(fitted), schema)


def _bare(schema: Any) -> list[Any]:
    """Return the parts of a schema that allow anything, because their form was forgotten."""
    parts = [schema] if isinstance(schema, dict) else []
    inner = [schema.get("items"), *schema.get("anyOf", ()), *schema.get("prefixItems", ())] if parts else []
    return [part for part in parts if not part] + [found for part in inner if part is not None for found in _bare(part)]
