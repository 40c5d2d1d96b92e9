"""Rules on the form: each fires, and each lets pass."""

from __future__ import annotations

from typing import Any

import pytest

from tacita.core.errors import ParameterError
from tacita.query.models.form_rules import FORM_RULES, FormLimits, VariableKind, broken_form_rules
from tacita.query.models.terms import ModelSpec, Term

KINDS: dict[str, VariableKind] = {
    **dict.fromkeys("abcd", "categorical"),
    **{f"x{i}": "numeric" for i in range(30)},
}
PAIRS = [("a", "b"), ("a", "c"), ("b", "c")]


def broken(predictors: list[Any], interactions: Any = (), **options: Any) -> list[str]:
    spec = ModelSpec.of("y", predictors, interactions, **options)
    return [violation.rule for violation in broken_form_rules(spec, KINDS)]


def xs(count: int) -> list[str]:
    return [f"x{i}" for i in range(count)]


@pytest.mark.parametrize(
    ("rule", "fires", "passes"),
    [
        ("no_predictors", ([],), (["a"],)),
        ("predictor_limit", (xs(21),), (xs(20), [("x0", "x1"), ("x2", "x3")])),
        ("response_as_predictor", (["y", "x1"],), (["x1"],)),
        ("repeated_term", (["x1", "x1"],), (["x1", Term("x1", "square")],)),
        ("repeated_term", (["x1", "x2"], [("x1", "x2"), ("x2", "x1")]), (["x1", "x2"], [("x1", "x2")])),
        ("transform_not_approved", ([Term("x1", "1/(|x-3|+1e-4)")],), ([Term("x1", "log")],)),
        ("transform_not_approved", ([Term("x1", "exp")],), ([Term("x1", "sqrt")],)),
        ("transform_of_category", ([Term("a", "square")],), ([Term("x1", "square")],)),
        ("interaction_order", (["x1", "x2", "x3", "x4"], [("x1", "x2", "x3", "x4")]), (["x1", "x2"], [("x1", "x2")])),
        ("interaction_without_main_effects", (["x1"], [("x1", "x2")]), (["x1", "x2"], [("x1", "x2")])),
        (
            "interaction_without_pairs",
            (["a", "b", "c", "x1"], [*PAIRS[:2], ("a", "b", "c")]),
            (["a", "b", "x1"], PAIRS[:1]),
        ),
        ("interaction_with_itself", ([Term("x1"), Term("x1", "square")], [("x1", "square(x1)")]), (["x1"],)),
        ("fully_interacted", (["a", "b"], PAIRS[:1]), (["a", "b", "x1"], PAIRS[:1])),
        ("fully_interacted", (["a", "b", "c"], [*PAIRS, ("c", "a", "b")]), (["a", "b", "c"], PAIRS)),
    ],
)
def test_each_rule_fires_and_lets_pass(rule: str, fires: tuple[Any, ...], passes: tuple[Any, ...]) -> None:
    assert broken(*fires) == [rule]
    assert broken(*passes) == []


def test_a_robust_logistic_model_is_refused() -> None:
    assert broken(["x1"], family="logistic", robust=True) == ["robust_not_linear"]
    assert broken(["x1"], robust=True) == []


def test_three_way_interaction_with_everything_below_passes() -> None:
    assert broken(["a", "b", "c", "x1"], [*PAIRS, ("a", "b", "c")]) == []


def test_an_interaction_of_one_is_none() -> None:
    assert broken(["x1", "x2"], [("x1",)]) == ["repeated_term", "interaction_order"]


def test_several_rules_are_all_named() -> None:
    assert broken(["y", Term("a", "log")]) == ["response_as_predictor", "transform_of_category"]


def test_a_shorter_list_of_transformations() -> None:
    limits = FormLimits(transforms=("log",), predictors=1)
    spec = ModelSpec.of("y", [Term("x1", "square"), "x2"])
    found = [violation.rule for violation in broken_form_rules(spec, KINDS, limits)]
    assert found == ["predictor_limit", "transform_not_approved"]


def test_limits_are_checked() -> None:
    with pytest.raises(ParameterError, match="'predictors' must be"):
        FormLimits(predictors=0)
    assert len(FORM_RULES) == 8
