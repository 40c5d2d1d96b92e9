"""Entries and their canonical form."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import FileError, ParameterError
from tacita.query.journal.entry import JournalEntry, RuleOutcome, canonical_json
from tests.effort import examples

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
BODY = {
    "answer": "0" * 64, "kind": "request", "number": 3, "previous": "1" * 64, "request": {"type": "tabulate"},
    "rules": [["gamma", "deny", {"pieces": 2}]], "status": "refused", "time": "2030-01-31T12:00:00.000000Z",
    "user": "ab" * 16, "versions": {"data": "v1"},
}  # fmt: skip


@given(PLAIN)
@settings(max_examples=examples(25), deadline=None)
def test_canonical_json_comes_back_and_stays(value: object) -> None:
    written = canonical_json(value)
    assert b"\n" not in written
    assert b"\0" not in written
    assert json.loads(written) == value
    assert canonical_json(json.loads(written)) == written


def test_the_order_of_names_does_not_matter() -> None:
    assert canonical_json({"b": 1, "a": (1, 2)}) == canonical_json({"a": [1, 2], "b": 1}) == b'{"a":[1,2],"b":1}'


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), {1: 2}, [{None: 1}], {"a": {2, 3}}, np.int64(3), b"x", "\ud800", object(), 10**5000],
    ids=range(10),
)
def test_what_has_no_canonical_form_is_refused(value: object) -> None:
    with pytest.raises(ParameterError, match="The request must"):
        canonical_json({"a": value} if not isinstance(value, dict) else value, "The request")


def test_a_circle_is_refused() -> None:
    circle: list[object] = []
    circle.append(circle)
    with pytest.raises(ParameterError, match="plain values"):
        canonical_json(circle)


def test_an_entry_has_a_plain_form() -> None:
    entry = JournalEntry.from_body(BODY, seal="2" * 64, hash="3" * 64)
    assert entry.rules == (RuleOutcome("gamma", "deny", {"pieces": 2}),)
    assert entry.to_body() == BODY
    assert entry.to_plain() == {**BODY, "seal": "2" * 64, "hash": "3" * 64}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("answer", "x"), ("answer", 3), ("kind", "QueryRequest!"), ("kind", None), ("number", -1), ("number", True),
        ("number", 1.0), ("number", 1 << 70), ("previous", "A" * 64), ("request", [1]), ("rules", {}),
        ("rules", [["gamma", "deny"]]), ("rules", [["", "deny", 1]]), ("rules", ["abc"]), ("status", ""),
        ("time", "2030-01-31"), ("time", 3), ("user", "ada"), ("versions", None), ("versions", {"data": 1}),
    ],
)  # fmt: skip
def test_what_is_no_entry_is_refused(name: str, value: object) -> None:
    with pytest.raises(FileError, match="must hold an entry"):
        JournalEntry.from_body({**BODY, name: value}, seal="2" * 64, hash="3" * 64)


@pytest.mark.parametrize("body", [None, [], {}, {**BODY, "more": 1}, {k: v for k, v in BODY.items() if k != "user"}])
def test_what_has_other_names_is_refused(body: object) -> None:
    with pytest.raises(FileError, match="must hold an entry"):
        JournalEntry.from_body(body, seal="2" * 64, hash="3" * 64)
