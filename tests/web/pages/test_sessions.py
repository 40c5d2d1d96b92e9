"""Signing in and out: cookies, other sites, tokens that have ended, and where one is sent afterwards."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tacita.web.pages.form_guard import COOKIE
from tacita.web.pages.sign_in_waits import SignInWaits
from tests.web.pages.steward_server import OWN, StewardServer, form_token_in, make_server


@pytest.fixture
def server(tmp_path: Path) -> StewardServer:
    return make_server(tmp_path)


def sign_in(client: TestClient, token: str, after: str = "/", **headers: str) -> tuple[int, str, str]:
    """Sign in; return the status, where one is sent, and the cookie."""
    answer = client.post("/sign-in", data={"token": token, "next": after}, headers={**OWN, **headers})
    return answer.status_code, answer.headers.get("location", ""), answer.headers.get("set-cookie", "")


def test_the_form_is_a_plain_form_without_a_token_in_its_address(server: StewardServer) -> None:
    page = server.client().get("/sign-in?next=/steward")
    assert page.status_code == 200
    assert page.headers["cache-control"] == "no-store"
    assert '<form method="post" action="/sign-in"' in page.text
    assert 'name="next" value="/steward"' in page.text
    assert 'type="password"' in page.text


def test_a_token_begins_a_session_and_the_cookie_is_guarded(server: StewardServer) -> None:
    client = server.client()
    code, after, cookie = sign_in(client, server.token(), "/steward?x=1")
    assert (code, after) == (303, "/steward?x=1")
    parts = [part.strip().lower() for part in cookie.split(";")]
    assert parts[0].startswith(f"{COOKIE}=")
    assert {"httponly", "samesite=strict", "path=/"} <= set(parts)
    assert "secure" not in parts
    assert not any(part.startswith("domain") for part in parts)
    assert client.get("/steward").status_code == 200


def test_the_cookie_is_secure_where_the_request_came_by_https(server: StewardServer) -> None:
    client = server.client("https://127.0.0.1")
    code, _, cookie = sign_in(client, server.token(), Origin="https://127.0.0.1")
    assert code == 303
    assert "secure" in cookie.lower()
    assert sign_in(client, server.token(), Origin="http://127.0.0.1")[0] == 403


@pytest.mark.parametrize(
    "after",
    [
        "https://elsewhere.example/",
        "//elsewhere.example",
        "/\\elsewhere.example",
        "/\t/elsewhere.example",
        "\\/elsewhere.example",
        "javascript:alert(1)",
        "steward",
        "/a\r\nSet-Cookie: a=b",
        "",
        "/" + "a" * 3000,
    ],
)
def test_nobody_is_sent_elsewhere(server: StewardServer, after: str) -> None:
    client = server.client()
    page = client.get("/sign-in", params={"next": after})
    assert 'name="next" value="/"' in page.text
    assert sign_in(client, server.token(), after)[:2] == (303, "/")


def test_a_session_is_never_taken_from_the_request(server: StewardServer) -> None:
    given = "a" * 64
    client = server.client()
    client.cookies.set(COOKIE, given)
    cookie = sign_in(client, server.token())[2]
    assert given not in cookie
    assert server.accounts.session(given) is None


def test_signing_in_again_ends_the_session_before(server: StewardServer) -> None:
    client = server.signed_in()
    first = client.cookies[COOKIE]
    sign_in(client, server.token())
    assert client.cookies[COOKIE] != first
    assert server.accounts.session(first) is None
    assert server.accounts.session(client.cookies[COOKIE]) is not None


def test_a_wrong_token_is_told_in_one_way(server: StewardServer) -> None:
    revoked = server.accounts.new_token(user="rob", role="steward", datasets=("*",))
    server.accounts.revoke(revoked.facts.id)
    wrong = ["nonsense", revoked.text, revoked.text[:-1] + "0", "x" * 5000, "ü"]
    answers = [server.client().post("/sign-in", data={"token": text}, headers=OWN) for text in wrong]
    assert {(answer.status_code, answer.text) for answer in answers} == {(401, answers[0].text)}
    assert all("set-cookie" not in answer.headers for answer in answers)
    assert all(text not in answer.text for text, answer in zip(wrong, answers, strict=True))


def test_the_token_stands_in_no_log(server: StewardServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    token = server.token()
    assert sign_in(server.client(), token)[0] == 303
    assert sign_in(server.client(), token[:-4] + "beef")[0] == 401
    assert caplog.text.count(token[:-4]) == 0


def test_too_many_failures_at_once_are_sent_away(tmp_path: Path) -> None:
    server = make_server(tmp_path, waits=SignInWaits(first=0.0, at_once=0))
    answer = server.client().post("/sign-in", data={"token": "nonsense"}, headers=OWN)
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "60")
    assert sign_in(server.client(), server.token())[0] == 303


# --- other sites ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://elsewhere.example"},
        {"Origin": "http://127.0.0.1:81"},
        {"Origin": "http://127.0.0.1.elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://127.0.0.1", "Sec-Fetch-Site": "same-site"},
        {"Origin": "http://elsewhere.example", "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Referer": "http://elsewhere.example/127.0.0.1"},
        {"Referer": "http://[broken"},
        {},
    ],
)
def test_a_form_of_another_site_signs_nobody_in_or_out(server: StewardServer, headers: dict[str, str]) -> None:
    answer = server.client().post("/sign-in", data={"token": server.token()}, headers=headers)
    assert (answer.status_code, "must be sent from a page of this server" in answer.text) == (403, True)
    assert "set-cookie" not in answer.headers
    client = server.signed_in()
    token = form_token_in(client.get("/steward").text)
    assert client.post("/sign-out", data={"form_token": token}, headers=headers).status_code == 403
    assert client.get("/steward").status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://localhost"},
        {"Origin": "HTTP://LocalHost"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "null"},
        {"Sec-Fetch-Site": "none"},
        {"Referer": "http://localhost/sign-in"},
    ],
)
def test_a_form_of_ours_is_taken_whatever_the_browser_tells(server: StewardServer, headers: dict[str, str]) -> None:
    assert (
        server.client("http://localhost").post("/sign-in", data={"token": server.token()}, headers=headers).status_code
        == 303
    )


# --- the end of a session -------------------------------------------------------------------------------------------------


def test_signing_out_ends_the_session_for_everybody_who_has_it(server: StewardServer) -> None:
    client = server.signed_in()
    session = client.cookies[COOKIE]
    token = form_token_in(client.get("/steward").text)
    answer = client.post("/sign-out", data={"form_token": token}, headers=OWN)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "max-age=0" in answer.headers["set-cookie"].lower()
    other = server.client()
    other.cookies.set(COOKIE, session)
    assert other.get("/steward").status_code == 404


def test_signing_out_needs_the_token_of_the_form(server: StewardServer) -> None:
    client, other = server.signed_in(), server.signed_in(user="olga")
    strange = form_token_in(other.get("/steward").text)
    for given in ({"other": "1"}, {"form_token": "0" * 64}, {"form_token": strange}, {"form_token": "ü"}):
        answer = client.post("/sign-out", data=given, headers=OWN)
        assert (answer.status_code, "The form is out of date" in answer.text) == (403, True)
    assert client.get("/steward").status_code == 200
    assert server.client().get("/sign-out").status_code == 405


def test_a_revoked_token_ends_the_session(server: StewardServer) -> None:
    client = server.signed_in()
    assert client.get("/steward").status_code == 200
    server.accounts.revoke(server.accounts.tokens()[0].id)
    assert client.get("/steward").status_code == 404


# --- who asks -------------------------------------------------------------------------------------------------------------


def test_a_token_of_a_header_goes_before_the_cookie(server: StewardServer) -> None:
    client = server.signed_in()
    researcher = {"Authorization": f"Bearer {server.token('researcher', 'rita')}"}
    assert client.get("/steward", headers=researcher).status_code == 404
    assert client.get("/steward", headers={"Authorization": "Basic abc"}).status_code == 200
    steward = {"Authorization": f"bearer {server.token()}"}
    assert server.client().get("/steward", headers=steward).status_code == 200


def test_a_wrong_token_of_a_header_is_refused_and_a_wrong_cookie_is_nobody(server: StewardServer) -> None:
    client = server.client()
    assert client.get("/sign-in", headers={"Authorization": "Bearer nonsense"}).status_code == 401
    client.cookies.set(COOKIE, "nonsense")
    assert client.get("/sign-in").status_code == 200


def test_a_form_must_be_one_and_not_too_long(server: StewardServer) -> None:
    client = server.client()
    assert client.post("/sign-in", json={"token": server.token()}, headers=OWN).status_code == 400
    assert client.post("/sign-in", data={"token": "x" * (1 << 19)}, headers=OWN).status_code == 413
    assert client.post("/sign-in", data={f"f{i}": "1" for i in range(60)}, headers=OWN).status_code == 400


def test_who_signs_in_comes_back_to_the_question(server: StewardServer) -> None:
    page = server.client().get("/sign-in?next=/explore/town/table%3Fby%3Dsex%26u.part%3Da").text
    assert 'name="next" value="/explore/town/table?by=sex&amp;u.part=a"' in page
