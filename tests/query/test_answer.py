"""The answer: what leaves, in one shape."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.query.answer import Answer
from tacita.query.models.correlate import CorrelationOutcome
from tacita.query.requests import Tabulate
from tacita.query.tables.cell_table import CellTable
from tests.query.builders import opened, survey


def test_a_refusal_has_the_same_keys_whatever_the_reason() -> None:
    one = Answer(status="refused", reasons=("universe_gamma",), id="7", request={"kind": "tabulate"})
    two = Answer(status="refused", reasons=("unknown_variable",), hint="There is none.", id="8", request={})
    three = Answer(status="review", reasons=("combinations",), id="9", request={})
    keys = {"status", "reasons", "hint", "id", "request"}
    assert set(one.to_plain()) == set(two.to_plain()) == set(three.to_plain()) == keys


def test_an_answer_has_what_was_asked_for_and_nothing_empty() -> None:
    table = CellTable(("sex",), {"sex": ("f", "m")}, "mean", np.array([2.5, np.nan]))
    answer = Answer(status="answered", id="1", request={"kind": "tabulate"}, table=table, notes=("a note",))
    plain = json.loads(answer.to_json())
    assert set(plain) == {"status", "id", "request", "table", "notes"}
    assert plain["table"]["values"] == [2.5, None]


def test_json_is_sorted_and_has_no_number_that_is_none() -> None:
    answer = Answer(status="answered", value=None, interval=(1.0, 2.0), quantiles={"response": "x", "quantiles": []})
    assert answer.to_json() == (
        '{"id":"","interval":[1.0,2.0],"quantiles":{"quantiles":[],"response":"x"},"request":{},"status":"answered"}'
    )


def test_the_repr_tells_status_and_rules() -> None:
    assert repr(Answer(status="refused", reasons=("a", "b"))) == "Answer: refused (a, b)"
    assert repr(Answer(status="answered", request={"kind": "tabulate"}, value=4711.0)) == "Answer: tabulate answered"


# --- read back --------------------------------------------------------------------------------------------------------------

TABLE = CellTable(("sex",), {"sex": ("f", "m")}, "mean", np.array([2.5, np.nan]), np.array([0.5, np.nan]))
PARTS = {"each": "sex", "answered": 1, "of": 2, "refused": {"m": ["set_size"]}}
ANSWERS = {
    "refused": Answer(
        status="refused", reasons=("a", "b"), hint="There is none.", id="8", request={"kind": "tabulate"}
    ),
    "review": Answer(status="review", reasons=("combinations",), id="9"),
    "table": Answer(status="answered", id="1", request={"kind": "tabulate"}, table=TABLE, notes=("a note", "b")),
    "parts": Answer(status="answered", id="1", table=TABLE, parts=PARTS),
    "correlations": Answer(
        status="answered", model=CorrelationOutcome((), "spearman", ("x", "y"), ((1.0, 0.5), (0.5, float("nan"))))
    ),
    "value": Answer(status="answered", value=7.5),
    "no value": Answer(status="answered", value=None),
    "interval": Answer(status="answered", interval=(-1.0, 2.0)),
    "quantiles": Answer(
        status="answered",
        quantiles={
            "response": "x",
            "quantiles": [{"level": 0.5, "bin": "up to 2"}, {"level": 0.9, "bin": "3", "value": 2.5}],
        },
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_is_read_back(name: str) -> None:
    text = ANSWERS[name].to_json()
    back = Answer.from_plain(json.loads(text))
    assert back.to_json() == text
    assert repr(back) == repr(ANSWERS[name])
    assert [type(getattr(back, part)) for part in ("table", "model", "interval")] == [
        type(getattr(ANSWERS[name], part)) for part in ("table", "model", "interval")
    ]


@pytest.mark.parametrize("policy", ["tables", "mas", "camouflage", "internal"])
def test_answers_of_every_policy_are_read_back(policy: str) -> None:
    db = opened(survey(), policy)
    for request in (Tabulate(by=["sex", "urban"]), Tabulate(by=["sex"], statistic="percent"), Tabulate(by=["nobody"])):
        text = db.ask(request).to_json()
        assert Answer.from_plain(json.loads(text)).to_json() == text


WRONG: list[tuple[str, dict[str, Any]]] = [
    ("value", {"status": "perhaps"}), ("value", {"status": ["answered"]}), ("value", {"id": 7}), ("value", {"id": "\x1b"}),
    ("value", {"request": []}), ("value", {"request": {"kind": 7}}), ("value", {"request": {"kind": "\x1b"}}),
    ("value", {"value": "7"}), ("value", {"reasons": []}), ("value", {"hint": ""}), ("value", {"more": 1}),
    ("value", {"notes": "a note"}), ("value", {"notes": ["\x07"]}), ("refused", {"reasons": "a"}), ("refused", {"reasons": [1]}),
    ("refused", {"reasons": ["\x1b[1m"]}), ("refused", {"hint": None}), ("refused", {"value": 7}), ("refused", {"table": {}}),
    ("table", {"table": []}), ("table", {"table": {}}), ("correlations", {"model": {"matrix": []}}),
    ("correlations", {"model": {"method": "pearson", "variables": ["x"], "matrix": [[1, 2]]}}),
    ("correlations", {"model": {"method": "kendall", "variables": ["x"], "matrix": [[1]]}}),
    ("correlations", {"model": {"method": "pearson", "variables": ["x", "x"], "matrix": [[1, 1], [1, 1]]}}),
    ("correlations", {"model": 7}), ("interval", {"interval": [2, 1]}), ("interval", {"interval": [1]}),
    ("interval", {"interval": [None, 1]}), ("quantiles", {"quantiles": []}),
    ("quantiles", {"quantiles": {"response": "x", "quantiles": [{"level": "0.5", "bin": "a"}]}}),
    ("quantiles", {"quantiles": {"response": "x", "quantiles": [{"level": 0.5, "bin": "a", "more": 1}]}}),
    ("parts", {"parts": {**PARTS, "answered": 2}}), ("parts", {"parts": {**PARTS, "refused": {"m": 1}}}),
    ("parts", {"parts": []}), ("parts", {"plots": {}}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "change"), WRONG)
def test_what_is_no_answer_is_an_error(name: str, change: dict[str, Any]) -> None:
    with pytest.raises(ParameterError):
        Answer.from_plain(ANSWERS[name].to_plain() | change)


@pytest.mark.parametrize("given", [None, [], "answered", 7, {}, {"status": "answered"}])
def test_other_things_are_no_answer(given: Any) -> None:
    with pytest.raises(ParameterError, match="An answer"):
        Answer.from_plain(given)
