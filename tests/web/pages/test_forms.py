"""Forms: what can be chosen, and what the address has chosen."""

from __future__ import annotations

from typing import Any

from starlette.datastructures import QueryParams

from tacita.web.pages.forms import catalogue_of, question_form, universe_form
from tests.web.pages.page_server import survey_facts


def form(kind: str, query: str) -> dict[str, Any]:
    facts = survey_facts()
    return question_form(kind, QueryParams(query), facts, catalogue_of(facts))


def chosen(choices: Any) -> list[str]:
    return [choice.value for choice in choices if choice.is_chosen]


def test_a_table_keeps_what_was_chosen() -> None:
    found = form("tabulate", "by=sex&by=region&statistic=mean&response=earnings&each=region&unit=households")
    assert [chosen(choices) for choices in found["by"]] == [["sex"], ["region"], []]
    assert (chosen(found["statistics"]), chosen(found["responses"]), chosen(found["each"])) == (
        ["mean"],
        ["earnings"],
        ["region"],
    )
    assert found["unit"] == "households"
    assert "weighted_count" in [choice.value for choice in found["statistics"]]


def test_only_what_may_be_used_can_be_chosen() -> None:
    found = form("tabulate", "")
    assert "sex" not in [choice.value for choice in found["responses"]]
    assert "earnings" in [choice.value for choice in found["responses"]]
    assert all(
        choice.value in ("earnings", "other_income", "income", "tax", "savings") for choice in found["responses"]
    )


def test_the_universe_has_a_field_for_every_variable_and_piece() -> None:
    variables = catalogue_of(survey_facts())
    first, second = universe_form(QueryParams("u.sex=female&u1.region=Lunden"), variables)
    assert {field.name: field.chosen for field in first if field.chosen} == {"sex": 1}
    assert {field.name: field.chosen for field in second if field.chosen} == {"region": 1}
    assert len(first) == sum("universe" in variable.uses for variable in variables)
    assert [
        len(universe_form(QueryParams(text), variables)) for text in ("", "edit=2", "edit=9", "edit=x", "edit=-1")
    ] == [1, 2, 3, 1, 1]


def test_transformations_are_those_of_the_catalogue() -> None:
    found = {row["name"]: [choice.value for choice in row["choices"]] for row in form("regress", "")["predictors"]}
    assert found["sex"] == ["sex"]
    assert found["age"][:2] == ["age", "age:square"]
    for variable in catalogue_of(survey_facts()):
        assert (f"{variable.name}:log" in found.get(variable.name, [])) == variable.may_log


def test_interactions_are_those_of_the_terms() -> None:
    found = form("regress", "x=age&x=age:square&x=sex&x=urban&i=age*sex")["interactions"]
    assert chosen(found) == ["age*sex"]
    values = [choice.value for choice in found]
    assert "square(age)*sex" in values
    assert "age*sex*urban" in values
    assert not any(
        "age" in value and "square(age)" in value.replace("age*", "", 1) and value.startswith("age*square")
        for value in values
    )
    gone = form("regress", "x=age&i=age*sex")["interactions"]
    assert [(choice.value, choice.is_chosen) for choice in gone] == [("age*sex", True)]


def test_small_forms_keep_what_was_chosen() -> None:
    quantiles = form("quantiles", "response=earnings&level=0.1")
    assert (chosen(quantiles["responses"]), chosen(quantiles["levels"])) == (["earnings"], ["0.1"])
    assert chosen(form("quantiles", "")["levels"]) == ["0.25", "0.5", "0.75"]
    correlations = form("correlate", "column=age&column=earnings&method=spearman")
    assert (chosen(correlations["columns"]), chosen(correlations["methods"])) == (["age", "earnings"], ["spearman"])
    number = form("statistic", "statistic=quantile&response=tax&level=0.5")
    assert (chosen(number["statistics"]), chosen(number["responses"]), number["level"]) == (
        ["quantile"],
        ["tax"],
        "0.5",
    )


def test_predictors_keep_the_order_of_the_address() -> None:
    """The tests of an analysis of variance are sequential, so sending the form again must ask the same."""
    found = form("regress", "response=earnings&x=sex&x=age&x=age:square")
    names = [predictor["name"] for predictor in found["predictors"]]
    assert names[:2] == ["sex", "age"]
    assert sorted(names) == sorted(predictor["name"] for predictor in form("regress", "")["predictors"])


def test_a_transformation_that_is_not_offered_can_be_taken_off() -> None:
    found = form("regress", "response=earnings&x=age:log")["predictors"][0]
    assert (found["name"], chosen(found["choices"])) == ("age", ["age:log"])
    assert "age:log" not in [choice.value for p in form("regress", "")["predictors"] for choice in p["choices"]]


def test_a_table_of_a_program_keeps_all_its_variables() -> None:
    found = form("tabulate", "by=sex&by=region&by=urban&by=marital")
    assert [chosen(choices) for choices in found["by"]] == [["sex"], ["region"], ["urban"], ["marital"]]
