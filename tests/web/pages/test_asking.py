"""Asking from a page: what asks, what only looks, and what is wrong before anything is asked."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from starlette.requests import Request

from tacita.web.accounts.visitor import Visitor
from tacita.web.api.errors import HttpRefusalError
from tacita.web.engine.port import Reply, refused
from tacita.web.pages.asking import ask_from_page, is_asking, reply_of

VISITOR = Visitor.anonymous("192.0.2.1")


def asked(query: str = "by=sex", method: str = "GET", **headers: str) -> Request:
    listed = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": method, "query_string": query.encode(), "headers": listed})


def test_a_visitor_asks_and_a_browser_that_prepares_does_not() -> None:
    assert is_asking(asked())
    assert is_asking(asked(sec_fetch_dest="document", sec_fetch_site="cross-site"))
    assert not is_asking(asked("by=sex&edit=1"))
    assert not is_asking(asked(method="HEAD"))
    assert not is_asking(asked(sec_purpose="prefetch;prerender"))
    assert not is_asking(asked(purpose="prefetch"))
    for embedded in ("image", "iframe", "script"):
        assert not is_asking(asked(sec_fetch_dest=embedded))


class _Reception:
    """Says one thing to everybody, and counts."""

    def __init__(self, said: Any) -> None:
        self.said, self.asked = said, 0

    async def ask(self, visitor: Visitor, dataset: str, kind: str, body: bytes) -> Any:
        del visitor, dataset, kind, body
        self.asked += 1
        if isinstance(self.said, Exception):
            raise self.said
        return self.said


def ask(reception: _Reception, plain: dict[str, Any]) -> Any:
    return asyncio.run(ask_from_page(reception, VISITOR, "survey", plain))  # type: ignore[arg-type]


def test_a_wrong_question_is_not_asked() -> None:
    reception = _Reception(None)
    found = ask(reception, {"kind": "tabulate", "by": ["sex", "sex"]})
    assert "twice" in found.problem
    assert "response" in ask(reception, {"kind": "tabulate", "by": ["sex"], "statistic": "mean"}).problem
    assert "levels" in ask(reception, {"kind": "quantiles", "response": "x", "levels": ["many"]}).problem
    assert reception.asked == 0


def test_a_refusal_of_the_reception_is_told() -> None:
    found = ask(_Reception(HttpRefusalError(429, "at_once", "Wait.")), {"kind": "tabulate", "by": ["sex"]})
    assert (found.code, found.hint, [rule.rule for rule in found.refusal]) == (429, "Wait.", ["at_once"])


@pytest.mark.parametrize("status", ["queued", "running"])
def test_a_large_table_waits(status: str) -> None:
    found = reply_of(Reply(status=status, body=b"{}", id="7f"))
    assert (found.is_waiting, found.id) == (True, "7f")


def test_every_other_reply_is_read() -> None:
    answered = {"status": "answered", "id": "a1", "request": {"kind": "statistic"}, "value": 3.0}
    found = reply_of(Reply(status="answered", body=json.dumps(answered).encode(), id="a1"))
    assert found.answer is not None
    assert found.answer.value == 3.0
    review = {"status": "review", "id": "a2", "request": {}, "reasons": ["combinations"], "hint": ""}
    found = reply_of(Reply(status="review", body=json.dumps(review).encode(), id="a2", reasons=("combinations",)))
    assert (found.is_review, found.id, found.answer) == (True, "a2", None)
    gone = reply_of(Reply(status="unavailable", body=refused("unavailable"), reasons=("unavailable",)))
    assert [rule.rule for rule in gone.refusal] == ["unavailable"]
