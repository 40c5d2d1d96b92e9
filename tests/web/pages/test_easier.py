from __future__ import annotations

import pytest
from starlette.datastructures import QueryParams

from tacita.web.pages.addresses import plain_request
from tacita.web.pages.easier import easier_questions
from tacita.web.pages.wording import Labels

LABELS = Labels([{"name": "sex", "label": "Sex"}])
TABLE = {
    "kind": "tabulate",
    "by": ["sex", "region"],
    "statistic": "mean",
    "response": "wage",
    "where": {"age": ["6 to 9"]},
}


def test_each_variable_can_be_left_out() -> None:
    found = dict(easier_questions("survey", TABLE, LABELS))
    assert list(found) == [
        "The same about everybody",
        "The same without Sex",
        "The same without region",
        "The same class by class of Sex",
    ]
    assert all("edit=1" in address for address in found.values())
    left = plain_request("tabulate", QueryParams(found["The same without Sex"].partition("?")[2]))
    assert left == {**TABLE, "by": ["region"]}


def test_a_variable_that_is_left_out_is_not_asked_class_by_class() -> None:
    found = dict(easier_questions("survey", {**TABLE, "each": "sex"}, LABELS))
    assert "each=" not in found["The same without Sex"]
    assert "each=sex" in found["The same without region"]


def test_a_model_loses_its_interactions_or_its_robust_fit() -> None:
    model = {
        "kind": "regress",
        "response": "wage",
        "predictors": ["a", "b"],
        "interactions": [["a", "b"]],
        "robust": True,
    }
    found = dict(easier_questions("survey", model, LABELS))
    assert list(found) == ["The same without interactions", "The same without the robust fit"]
    assert "&i=" not in found["The same without interactions"]


@pytest.mark.parametrize(
    "request_",
    [{}, {"kind": "tabulate"}, {"kind": "tabulate", "by": ["sex"]}, {"kind": "other", "where": {"a": ["b"]}}],
)
def test_nothing_is_offered_where_nothing_can_be_left_out(request_: dict[str, object]) -> None:
    assert easier_questions("survey", request_, LABELS) == []
