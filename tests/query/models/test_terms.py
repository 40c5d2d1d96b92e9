"""The form of a model and its JSON form."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.query.models.terms import TRANSFORMS, ModelSpec, Term

names = st.sampled_from(["age", "size", "sex", "region"])
terms = st.builds(Term, names, st.sampled_from(["", *TRANSFORMS]))


@given(st.lists(terms, max_size=5), st.lists(st.tuples(names, names), max_size=3), st.booleans())
def test_json_and_back(chosen: list[Term], crossed: list[tuple[str, str]], robust: bool) -> None:
    spec = ModelSpec.of("wage", chosen, crossed, robust=robust)
    assert ModelSpec.from_plain(json.loads(json.dumps(spec.to_plain()))) == spec


def test_parts_do_not_depend_on_the_order() -> None:
    one = ModelSpec.of("y", ["a", "b", "c"], [("a", "b"), ("c", "a")])
    other = ModelSpec.of("y", ["c", "b", "a"], [("a", "c"), ("b", "a")])
    assert one.parts() == other.parts()
    assert one.parts() != ModelSpec.of("y", ["a", "b", "c"], [("a", "b")]).parts()


def test_a_bare_name_stands_for_the_only_term_of_its_variable() -> None:
    spec = ModelSpec.of("y", [Term("a", "log"), "b"], [("a", "b")])
    assert spec.resolved(("a", "b")) == (Term("a", "log"), Term("b"))
    both = ModelSpec.of("y", [Term("a", "log"), Term("a", "square"), "b"])
    assert both.resolved(("a", "b")) is None
    assert both.resolved(("log(a)", "b")) == (Term("a", "log"), Term("b"))
    assert ModelSpec.of("y", [Term("a"), Term("a", "square")]).resolved(("a",)) == (Term("a"),)


@pytest.mark.parametrize(
    "plain",
    [
        {"response": "y", "predictors": ["x"], "formula": "y ~ x"},
        {"response": "", "predictors": ["x"]},
        {"response": "y", "predictors": "x"},
        {"response": "y", "predictors": [3]},
        {"response": "y", "predictors": [{"variable": "x", "power": 2}]},
        {"response": "y", "predictors": ["x"], "interactions": ["x:z"]},
        {"response": "y", "predictors": ["x"], "family": "poisson"},
    ],
)
def test_another_form_is_an_error(plain: dict[str, object]) -> None:
    with pytest.raises(ParameterError):
        ModelSpec.from_plain(plain)
