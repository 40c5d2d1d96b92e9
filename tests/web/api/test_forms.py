"""Which form a visitor gets his answer in."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.requests import Request

from tacita.web.api.errors import HttpRefusalError
from tacita.web.api.forms import etag, form_wanted, is_unchanged, reply_response
from tacita.web.engine import Keeper, Reply
from tacita.web.engine.port import refused


def asked(query: str = "", **headers: str) -> Request:
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "query_string": query.encode(), "headers": named})


@pytest.mark.parametrize(
    ("request_", "form"),
    [
        (asked(), "json"),
        (asked("format=csv"), "csv"),
        (asked("format=json", accept="text/csv"), "json"),
        (asked(accept="text/csv"), "csv"),
        (asked(accept="text/html, */*"), "json"),
        (asked(accept="application/vnd.apache.arrow.stream;q=0.9"), "arrow"),
    ],
)
def test_the_address_goes_before_what_is_accepted(request_: Request, form: str) -> None:
    assert form_wanted(request_) == form


@pytest.mark.parametrize("query", ["format=", "format=xml", "format=CSV", "format=csv%00", "format=__class__"])
def test_forms_that_there_are_not(query: str) -> None:
    with pytest.raises(HttpRefusalError) as error:
        form_wanted(asked(query))
    assert (error.value.code, error.value.rule) == (400, "format")


@pytest.mark.parametrize(
    ("given", "is_same"),
    [('"abc.csv"', True), ('W/"abc.csv"', True), ('"x", "abc.csv"', True), ('"abc.json"', False), ("abc", False)],
)
def test_tags(given: str, is_same: bool) -> None:
    assert is_unchanged(asked(if_none_match=given), etag("abc", "csv")) is is_same
    assert not is_unchanged(asked(), etag("abc", "csv"))


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"status": "refused", "reasons": ("cell_size",)}, 403),
        ({"status": "refused", "reasons": ("unknown_class",)}, 400),
        ({"status": "refused", "reasons": ("unknown_class", "cell_size")}, 403),
        ({"status": "refused", "reasons": ("queue_full",)}, 429),
        ({"status": "review"}, 202),
        ({"status": "queued", "id": "a"}, 202),
        ({"status": "unavailable"}, 503),
        ({"status": "whatever"}, 503),
    ],
)
def test_codes_of_what_is_not_answered(given: dict[str, Any], code: int) -> None:
    made = reply_response(Reply(body=refused("x"), **given), "csv")
    assert made.status_code == code
    assert made.headers["content-type"] == "application/json"
    assert made.headers["cache-control"] == "no-store"
    assert "etag" not in made.headers


def test_the_same_answer_has_a_tag_for_each_form(keeper: Keeper) -> None:
    reply = keeper.ask("households", b'{"by":["sex"]}', kind="tabulate", user="ann")
    made = {form: reply_response(reply, form) for form in ("json", "csv", "arrow", "sdmx-csv")}
    assert len({one.headers["etag"] for one in made.values()}) == 4
    assert {one.headers["cache-control"] for one in made.values()} == {"private, no-cache"}
    assert "filename" not in made["json"].headers.get("content-disposition", "")
