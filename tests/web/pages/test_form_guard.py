"""Tokens of forms and paths of our own; where requests come from is tested with the pages."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.requests import Request

from tacita.web.pages.form_guard import COOKIE, form_token, own_path, secret_of
from tests.effort import examples


def request(**headers: str) -> Request:
    """Return a request with some headers."""
    listed = [(name.encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": listed})


def test_the_token_of_forms_depends_on_the_session_alone() -> None:
    first, second = request(cookie=f"{COOKIE}=abc"), request(cookie=f"{COOKIE}=abc; other=1", host="elsewhere")
    assert form_token(first) == form_token(second)
    assert form_token(first) != form_token(request(cookie=f"{COOKIE}=abd"))
    assert "abc" not in form_token(first)


def test_without_a_session_there_is_no_token() -> None:
    assert form_token(request()) == ""
    assert form_token(request(cookie=f"{COOKIE}=")) == ""


def test_a_token_of_a_header_hides_the_cookie() -> None:
    both = request(authorization="Bearer  t ", cookie=f"{COOKIE}=abc")
    assert secret_of(both) == ("t", None)
    assert secret_of(request(authorization="Basic t", cookie=f"{COOKIE}=abc")) == (None, "abc")


@settings(max_examples=examples(30), deadline=None)
@given(st.text(alphabet="/\\.:@?#a\t\n\r \x00", max_size=8))
def test_a_path_of_ours_never_names_a_host(text: str) -> None:
    found = own_path(text)
    assert found.startswith("/")
    assert not found.startswith(("//", "/\\"))
    assert not set(found) & set("\\\t\n\r \x00")
