"""Formulas: what can be written, and what is refused without being evaluated."""

from __future__ import annotations

import pytest

from tacita.core.errors import ParameterError
from tacita.loss.formula import Formula


@pytest.mark.parametrize(
    ("text", "response", "terms"),
    [
        ("y~x", "y", (("x",),)),
        (" y ~ a + b:c + a ", "y", (("a",), ("b", "c"))),
        ("`net pay` ~ `a+b` + c:`d~e`:f", "net pay", (("a+b",), ("c", "d~e", "f"))),
        ("Größe ~ älter", "Größe", (("älter",),)),
        ("y ~ __import__('os')", "y", (("__import__('os')",),)),
    ],
)
def test_read(text: str, response: str, terms: tuple) -> None:
    formula = Formula.parse(text)
    assert (formula.response, formula.terms) == (response, terms)


@pytest.mark.parametrize(
    "text", ["", "y", "y ~", "~ x", "y ~ x +", "y ~ + x", "y ~ x y", "y ~ x ~ z", "y + x ~ z", "y ~ a::b", "y ~ `a"]
)
def test_refused(text: str) -> None:
    with pytest.raises(ParameterError, match="must be written as 'response ~ column"):
        Formula.parse(text)


def test_a_response_does_not_explain_itself() -> None:
    with pytest.raises(ParameterError, match="explains 'y' by itself"):
        Formula.parse("y ~ x + x:y")


def test_columns_come_once() -> None:
    assert Formula.parse("y ~ a + a:b + b").columns == ("a", "b")
