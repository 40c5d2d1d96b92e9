"""The answer: what leaves, in one shape."""

from __future__ import annotations

import json

import numpy as np

from tacita.query.answer import Answer
from tacita.query.tables.cell_table import CellTable


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
