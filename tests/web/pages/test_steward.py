"""The steward's pages: nobody else sees them, decisions reach the user, and the switch is in the journal."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.web.conftest import Serve
from tests.web.pages.steward_server import OWN, REVIEWED, StewardServer, form_token_in, make_server

REFUSED = {"kind": "tabulate", "by": ["region", "part"]}
ANSWERED = {"kind": "tabulate", "by": ["sex"]}
PLACES = (
    "/steward",
    "/steward/",
    "/steward/budgets",
    "/steward/town/journal",
    "/steward/town/refusals",
    "/steward/town/reviews",
    "/steward/town/explain",
    "/steward/town/verify",
    "/steward/town/close",
    "/steward/town/open",
)


@pytest.fixture
def server(tmp_path: Path) -> StewardServer:
    return make_server(tmp_path)


def send(client: TestClient, path: str, **form: str) -> Any:
    """Send a form of the steward's as a browser does."""
    return client.post(path, data={"form_token": form_token_in(client.get("/steward").text), **form}, headers=OWN)


def entries(server: StewardServer, kind: str) -> list[Any]:
    """Return the entries of a kind in the journal."""
    return [entry for entry in server.keeper.databases["town"].journal.entries() if entry.kind == kind]


# --- who sees them --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS"])
@pytest.mark.parametrize("path", PLACES)
def test_for_everybody_else_there_is_nothing(server: StewardServer, path: str, method: str) -> None:
    researcher = {"Authorization": f"Bearer {server.token('researcher', 'rita')}"}
    for headers in ({}, researcher, {"Authorization": "Bearer nonsense"}):
        found = server.client().request(method, path, headers=headers)
        nothing = server.client().request(method, "/no/such/page", headers=headers)
        assert found.status_code == nothing.status_code == 404
        assert found.content == nothing.content
        assert dict(found.headers) == dict(nothing.headers)


def test_the_whole_application_tells_others_nothing_either(serve: Serve) -> None:
    client, accounts = serve()
    headers = {"Authorization": f"Bearer {accounts.new_token(user='rita', role='researcher', datasets=('*',)).text}"}
    for method in ("GET", "POST", "DELETE"):
        nothing = client.request(method, "/no/such/page", headers=headers)
        assert nothing.status_code == 404
        for path in PLACES:
            found = client.request(method, path, headers=headers, follow_redirects=False)
            assert (found.status_code, found.content, found.headers) == (404, nothing.content, nothing.headers)


def test_a_page_tells_others_nothing_either(serve: Serve) -> None:
    """To a person who looks, the page of the steward is the page of an address that does not exist; it names itself only."""
    client, _ = serve()
    nothing = client.get("/no/such/page", headers={"Accept": "text/html"})
    assert "There is nothing at this address" in nothing.text
    for path in PLACES:
        found = client.get(path, headers={"Accept": "text/html"}, follow_redirects=False)
        assert found.status_code == 404
        assert found.text.replace(f"next={path}", "next=/no/such/page") == nothing.text


@pytest.mark.parametrize("path", ["/stewardess", "/steward/town", "/steward/town/nothing", "/steward/town/journal/x"])
def test_a_steward_is_told_what_is_not_there(server: StewardServer, path: str) -> None:
    assert server.signed_in().get(path).status_code == 404


def test_a_steward_of_another_data_set_does_not_see_this_one(server: StewardServer) -> None:
    headers = {"Authorization": f"Bearer {server.token(datasets=('village',))}"}
    client = server.client()
    assert "country" not in client.get("/steward", headers=headers).text
    assert client.get("/steward/town/journal", headers=headers).status_code == 404
    assert client.get("/steward/budgets", headers=headers).status_code == 200


# --- what they show -------------------------------------------------------------------------------------------------------


class _PageParts(HTMLParser):
    """Collects what a page must not have."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "style" or name.startswith("on") or (value or "").startswith(("http:", "https:", "//")):
                self.faults.append(f"{tag} {name}={value}")
        if tag == "style" or (tag == "script" and not (dict(attrs).get("src") or "").startswith("/")):
            self.faults.append(tag)


@pytest.mark.parametrize("path", [place for place in PLACES if not place.endswith("verify")])
def test_pages_have_no_script_and_hostile_words_stay_words(server: StewardServer, path: str) -> None:
    hostile = '"><script>alert(1)</script>'
    server.ask({**ANSWERED, "where": {"region": [hostile]}}, server.token("researcher", hostile))
    server.ask(REVIEWED)
    page = server.signed_in(user="<b>stella").get(path)
    assert page.status_code == 200
    assert page.headers["cache-control"] == "no-store"
    assert hostile not in page.text
    assert "<i>country" not in page.text
    parts = _PageParts()
    parts.feed(page.text)
    assert parts.faults == []


def test_the_overview_counts_what_was_asked(server: StewardServer) -> None:
    for request in (ANSWERED, REFUSED, REFUSED, REVIEWED):
        server.ask(request)
    page = server.signed_in().get("/steward").text
    assert "<dt>Answered</dt><dd>1</dd>" in page
    assert '<a href="/steward/town/refusals">2</a>' in page
    assert '<a href="/steward/town/reviews">1</a>' in page
    assert "Not verified since the server started" in page


def test_the_journal_is_verified_by_a_button(server: StewardServer) -> None:
    server.ask(ANSWERED)
    client = server.signed_in()
    page = send(client, "/steward/town/verify")
    assert page.status_code == 200
    assert ">verified</strong>" in page.text
    assert "Verified, " in client.get("/steward").text
    path = Path(server.keeper.settings.datasets[0].journal)
    path.write_bytes(path.read_bytes().replace(b'"answered"', b'"refused"'))
    page = send(client, "/steward/town/verify")
    assert ">broken</strong>" in page.text
    assert "<li>Line" in page.text


def test_the_journal_has_pseudonyms_words_and_details(server: StewardServer) -> None:
    server.ask(REVIEWED, server.token("researcher", "rita"))
    page = server.signed_in().get("/steward/town/journal").text
    assert "rita" not in page
    assert "sex, region meet" in page
    assert "by sex and region" in page or "by sex, region" in page
    assert "&#34;kind&#34;: &#34;tabulate&#34;" in page


def test_the_journal_is_filtered(server: StewardServer) -> None:
    for request in (ANSWERED, REFUSED, REVIEWED):
        server.ask(request)
    client = server.signed_in()

    def numbers(query: str) -> int:
        return str(client.get(f"/steward/town/journal?{query}").text).count("<article")

    assert numbers("status=refused") == 1
    assert numbers("rule=combinations&status=review") == 1
    assert numbers("kind=journal") == 1
    assert numbers("kind=nothing") == 0
    assert numbers("last=2") == 2
    assert numbers("last=-1") == numbers("last=x") == numbers("") >= 4


def test_refusals_stand_by_rule(server: StewardServer) -> None:
    for request in (REFUSED, REFUSED, REVIEWED):
        server.ask(request)
    page = server.signed_in().get("/steward/town/refusals").text
    assert page.index("rule=table_size") < page.index("rule=combinations")
    assert '<meter min="0" max="2" value="2">' in page


def test_budgets_stand_beside_what_was_spent(server: StewardServer) -> None:
    token = server.token("researcher", "rita")
    for _ in range(3):
        server.ask(ANSWERED, token)
    client = server.signed_in()
    page = client.get("/steward/budgets").text
    assert '<th scope="row">rita</th><td>town</td>' in page.replace("\n", "")
    assert 'max="5000"' in page
    assert 'value="3"' in page
    assert "rita" not in client.get("/steward/budgets?dataset=village").text


def test_a_request_is_explained(server: StewardServer) -> None:
    client = server.signed_in()
    page = send(client, "/steward/town/explain", request=json.dumps(REVIEWED))
    assert page.status_code == 200
    assert "left to a person" in page.text
    assert "sex, region meet" in page.text
    assert len(entries(server, "explain")) == 1
    assert "It would be refused" in send(client, "/steward/town/explain", request="{nonsense").text
    assert send(client, "/steward/town/explain", request="").status_code == 200


# --- decisions ------------------------------------------------------------------------------------------------------------


def test_a_review_from_the_question_to_the_answer(server: StewardServer) -> None:
    token = server.token("researcher", "rita")
    asked = server.ask(REVIEWED, token)
    assert asked.status_code == 202
    place, headers = f"/answers/{asked.json()['id']}", {"Authorization": f"Bearer {token}"}
    assert server.client().get(place, headers=headers).status_code == 202
    client = server.signed_in()
    page = client.get("/steward/town/reviews").text
    (entry,) = [e for e in entries(server, "request") if e.status == "review"][:1]
    assert f"Question {entry.number}" in page
    done = send(
        client, "/steward/town/reviews", number=str(entry.number), decision="allow", why="agreed with the board"
    )
    assert (done.status_code, done.headers["location"]) == (303, "/steward/town/reviews?done=1")
    answer = server.client().get(place, headers=headers)
    assert (answer.status_code, answer.json()["status"]) == (200, "answered")
    page = client.get(done.headers["location"]).text
    assert "Nothing waits" in page
    assert "The decision stands" in page
    (decision,) = entries(server, "decision")
    assert (decision.status, decision.rules[0].detail) == ("allowed", "agreed with the board")
    assert decision.user is not None
    assert "stella" not in decision.user


def test_a_review_may_be_refused_and_is_decided_once(server: StewardServer) -> None:
    asked = server.ask(REVIEWED)
    client = server.signed_in()
    number = str(entries(server, "request")[0].number)
    assert send(client, "/steward/town/reviews", number=number, decision="refuse", why="too fine").status_code == 303
    answer = server.client().get(f"/answers/{asked.json()['id']}")
    assert (answer.status_code, answer.json()["reasons"]) == (403, ["denied_by_review"])
    again = send(client, "/steward/town/reviews", number=number, decision="allow", why="after all")
    assert (again.status_code, "somebody else has decided" in again.text) == (409, True)
    assert len(entries(server, "decision")) == 1


@pytest.mark.parametrize("form", [{"decision": "allow"}, {"decision": "allow", "why": "  "}, {"why": "so"}, {}])
def test_a_decision_has_a_reason(server: StewardServer, form: dict[str, str]) -> None:
    server.ask(REVIEWED)
    number = str(entries(server, "request")[0].number)
    answer = send(server.signed_in(), "/steward/town/reviews", number=number, **form)
    assert (answer.status_code, 'role="alert"' in answer.text) == (400, True)
    assert entries(server, "decision") == []


@pytest.mark.parametrize("path", ["reviews", "explain", "verify", "close", "open"])
def test_nothing_is_done_for_a_form_from_elsewhere(server: StewardServer, path: str) -> None:
    server.ask(REVIEWED)
    number = str(entries(server, "request")[0].number)
    client, other = server.signed_in(), server.signed_in(user="olga")
    token, strange = (form_token_in(who.get("/steward").text) for who in (client, other))
    form = {"number": number, "decision": "allow", "why": "so", "request": json.dumps(ANSWERED)}
    before = len(list(server.keeper.databases["town"].journal.entries()))
    for given, headers, words in (
        ({}, OWN, "The form is out of date"),
        ({"form_token": strange}, OWN, "The form is out of date"),
        ({"form_token": token}, {"Origin": "https://elsewhere.example"}, "must be sent from a page of this server"),
        ({"form_token": token}, {}, "must be sent from a page of this server"),
        ({"form_token": token}, {**OWN, "Sec-Fetch-Site": "cross-site"}, "must be sent from a page of this server"),
    ):
        answer = client.post(f"/steward/town/{path}", data={**form, **given}, headers=headers)
        assert (answer.status_code, words in answer.text) == (403, True)
    assert len(list(server.keeper.databases["town"].journal.entries())) == before
    assert server.accounts.closed() == {}


# --- the switch -----------------------------------------------------------------------------------------------------------


def test_the_switch_closes_and_opens_and_the_journal_is_told(server: StewardServer) -> None:
    client = server.signed_in()
    assert server.ask(ANSWERED).status_code == 200
    assert send(client, "/steward/town/close", why="a leak\nis looked at").status_code == 303
    refused = server.ask(ANSWERED)
    assert (refused.status_code, refused.json()["reasons"]) == (503, ["closed"])
    assert "by stella: a leak is looked at" in client.get("/steward").text
    assert "It is closed already" in client.get("/steward/town/close").text
    assert send(client, "/steward/town/open", why="no leak").status_code == 303
    assert server.ask(ANSWERED).status_code == 200
    told = entries(server, "switch")
    assert [entry.request for entry in told] == [
        {"closed": True, "why": "a leak is looked at"},
        {"closed": False, "why": "no leak"},
    ]
    assert all(entry.user and entry.user != "stella" for entry in told)
    assert "The data set was closed." in client.get("/steward/town/journal?kind=switch").text


def test_the_switch_has_a_reason_and_an_open_data_set_is_not_opened(server: StewardServer) -> None:
    client = server.signed_in()
    assert send(client, "/steward/town/close", why=" ").status_code == 400
    assert server.accounts.closed() == {}
    opened = send(client, "/steward/town/open", why="so")
    assert (opened.status_code, "The data set is open already" in opened.text) == (400, True)
    assert entries(server, "switch") == []
    assert "It is open already" in client.get("/steward/town/open").text


def test_a_data_set_is_closed_even_where_the_journal_cannot_be_told(
    server: StewardServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = server.signed_in()

    def full(*_given: Any, **_said: Any) -> Any:
        from tacita.core.errors import FileError

        raise FileError("The disk is full.")

    monkeypatch.setattr(server.keeper.databases["town"], "tell", full)
    assert send(client, "/steward/town/close", why="so").status_code == 503
    assert "town" in server.accounts.closed()
    assert send(client, "/steward/town/open", why="so").status_code == 503
    assert "town" in server.accounts.closed()
