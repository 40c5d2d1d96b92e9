"""Questions as addresses: what is read is what was written."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.datastructures import QueryParams

from tacita.web.pages.addresses import (
    address_of,
    effect_text,
    effects_of,
    interaction_text,
    interactions_of,
    plain_request,
    universe_pieces,
)
from tests.effort import examples

NAMES = st.text(min_size=1, max_size=8).filter(lambda text: text.strip() == text and text.isprintable())

QUESTIONS: list[dict[str, Any]] = [
    {"kind": "tabulate", "by": ["sex"]},
    {"kind": "tabulate", "by": ["a", "b"], "statistic": "mean", "response": "pay", "each": "a"},
    {"kind": "tabulate", "by": ["a"], "unit": "households", "where": {"any": [{"a": ["1"]}, {"b": ["2", "3"]}]}},
    {
        "kind": "regress",
        "response": "pay",
        "predictors": ["age", {"variable": "age", "transform": "square"}],
        "interactions": [["age", "sex"]],
    },
    {"kind": "regress", "response": "sick", "predictors": ["a*b", "c:log"], "family": "logistic"},
    {"kind": "regress", "response": "pay", "predictors": ["age"], "robust": True, "where": {"sex": ["f"]}},
    {"kind": "quantiles", "response": "pay", "levels": [0.1, 0.9]},
    {"kind": "correlate", "columns": ["age", "pay"], "method": "spearman"},
    {"kind": "statistic", "statistic": "quantile", "response": "pay", "level": 0.25},
    {"kind": "statistic", "statistic": "count_above", "response": "pay", "above": 10.0},
    {"kind": "statistic", "statistic": "count"},
]


@pytest.mark.parametrize("request_", QUESTIONS)
def test_an_address_is_read_as_it_was_written(request_: dict[str, Any]) -> None:
    address = address_of("survey", request_)
    assert address is not None
    assert plain_request(request_["kind"], QueryParams(urlsplit(address).query)) == request_


@given(
    st.lists(NAMES, min_size=1, max_size=3, unique=True),
    st.dictionaries(NAMES, st.lists(NAMES, min_size=1, unique=True)),
)
@settings(max_examples=examples(30), deadline=None)
def test_any_name_survives_an_address(by: list[str], where: dict[str, list[str]]) -> None:
    asked = {"kind": "tabulate", "by": by, **({"where": where} if where else {})}
    address = address_of("survey", asked)
    assert address is not None
    assert plain_request("tabulate", QueryParams(urlsplit(address).query)) == asked


@given(st.lists(NAMES, min_size=2, max_size=3, unique=True))
@settings(max_examples=examples(30), deadline=None)
def test_any_name_survives_an_equation(names: list[str]) -> None:
    assert interactions_of([interaction_text(names)]) == [names]
    effects: list[Any] = [*names, {"variable": names[0], "transform": "sqrt"}]
    assert effects_of(map(effect_text, effects)) == effects


def test_what_is_not_complete_asks_nothing() -> None:
    assert plain_request("tabulate", QueryParams("by=&statistic=count")) is None
    assert plain_request("regress", QueryParams("response=pay")) is None
    assert plain_request("regress", QueryParams("x=age")) is None
    assert plain_request("correlate", QueryParams("column=age&column=age")) is None
    assert plain_request("quantiles", QueryParams("level=0.5")) is None
    assert plain_request("statistic", QueryParams("")) is None


def test_a_response_is_left_out_of_counts() -> None:
    found = plain_request("tabulate", QueryParams("by=sex&statistic=count&response=pay"))
    assert found == {"kind": "tabulate", "by": ["sex"]}


def test_pieces_without_ticks_are_none() -> None:
    assert universe_pieces(QueryParams("u2.sex=f&u.=x")) == [{"sex": ["f"]}]


def test_what_no_page_can_ask_has_no_address() -> None:
    assert address_of("survey", {"kind": "unreadable"}) is None
    many = {"any": [{"a": [str(i)]} for i in range(4)]}
    assert address_of("survey", {"kind": "tabulate", "by": ["a"], "where": many}) is None
