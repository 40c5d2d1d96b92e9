"""Requests of regressions: predictors by name, transformations from a list, never a formula."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from tacita.core.errors import ParameterError
from tacita.core.value_forms import MISFIT
from tacita.query.requests.regress import Effect, EffectForm, Regress


def test_predictors_are_names_or_transformed_names() -> None:
    made = Regress(
        response="income",
        predictors=["age", {"variable": "age", "transform": "square"}, Effect("sex"), {"variable": "x", "transform": ""}],
    )  # fmt: skip
    assert made.predictors == (Effect("age"), Effect("age", "square"), Effect("sex"), Effect("x"))
    assert made.variables == ("income", "age", "sex", "x")
    assert made.to_plain()["predictors"] == ["age", {"variable": "age", "transform": "square"}, "sex", "x"]


@pytest.mark.parametrize(
    ("value", "is_one"),
    [
        ("age", True),
        ({"variable": "age", "transform": "log"}, True),
        ({"variable": "age", "transform": ""}, True),
        ({"variable": "age", "transform": "exp"}, False),
        ({"variable": "age", "transform": ["log"]}, False),
        ({"variable": "age", "transform": {}}, False),
        ({"variable": "age"}, False),
        ({"variable": 5, "transform": "log"}, False),
        ({"variable": "age", "transform": "log", "of": 1}, False),
        (["age"], False),
        (5, False),
        (None, False),
    ],
)
def test_form_and_schema_agree(value: Any, is_one: bool) -> None:
    form = EffectForm()
    assert (form.fit(value) is not MISFIT) == is_one
    assert jsonschema.Draft202012Validator(form.schema()).is_valid(value) == is_one
    assert "square" in form.words()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"predictors": []}, "'predictors' must be"),
        ({"predictors": "age"}, "'predictors' must be"),
        ({"predictors": [{"variable": "age", "transform": "1/x"}]}, "'predictors' must be"),
        ({"interactions": ["age"]}, "'interactions' must be"),
        ({"interactions": [["age", 5]]}, "'interactions' must be"),
        ({"family": "poisson"}, "'family' must be one of"),
        ({"family": "logistic", "robust": True}, "linear regressions only"),
        ({"robust": 1}, "'robust' must be true or false"),
        ({"predictors": ["x"] * 201}, "at most 200 predictors"),
        ({"interactions": [["a", "b"]] * 201}, "200 interactions"),
        ({"response": None}, "'response' must be a text"),
    ],
)
def test_other_models_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Regress(**{"response": "income", "predictors": ["age"], **wrong})


def test_a_name_is_never_taken_apart() -> None:
    """What looks like an expression is the name of a variable, which no catalogue has."""
    made = Regress(response="y", predictors=["1/(age - 17)", "C(sex):age", "__import__('os')"])
    assert made.variables == ("y", "1/(age - 17)", "C(sex):age", "__import__('os')")
