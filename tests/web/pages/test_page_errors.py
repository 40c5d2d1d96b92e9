"""What goes wrong on a page is told on a page."""

from __future__ import annotations

from pathlib import Path

from starlette.testclient import TestClient

from tacita.web.api.errors import HttpRefusalError
from tacita.web.pages.page_errors import for_visitors
from tests.web.pages.page_server import pages_of, read


def test_a_wrong_token_is_told_on_a_page(tmp_path: Path) -> None:
    with pages_of(tmp_path) as client:
        found = client.get("/", headers={"Authorization": "Bearer nothing"})
        assert found.status_code == 401
        assert "The token is not one" in read(found.text).words


def test_a_refusal_says_when_to_come_back(tmp_path: Path) -> None:
    from fastapi import FastAPI
    from starlette.routing import Route

    from tacita.web.accounts import open_accounts
    from tacita.web.api.reception import Reception
    from tacita.web.settings import DatasetSettings, ServerSettings

    async def refuse(*_given: object) -> None:
        raise HttpRefusalError(503, "busy", "Ask <again>.", retry_after=7)

    dataset = DatasetSettings(name="x", source="x", key="x", journal="x")
    settings = ServerSettings(datasets=(dataset,), accounts=str(tmp_path / "accounts.sqlite"))
    with open_accounts(settings.accounts) as accounts:
        reception = Reception(settings, None, accounts)  # type: ignore[arg-type]
        app = FastAPI(routes=[Route("/x", for_visitors(reception, refuse))])  # type: ignore[arg-type]
        answer = TestClient(app, base_url="http://127.0.0.1").get("/x")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "7")
    assert "Ask &lt;again&gt;." in answer.text
    assert "Too many questions are under way." in read(answer.text).words


def test_nothing_is_told_to_people_on_a_page_and_to_programs_in_their_shape(tmp_path: Path) -> None:
    with pages_of(tmp_path) as client:
        person = client.get("/none", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
        assert (person.status_code, "There is nothing at this address" in read(person.text).words) == (404, True)
        for answer in (client.get("/none"), client.post("/none", headers={"Accept": "text/html"})):
            assert (answer.status_code, answer.json()["reasons"]) == (404, ["not_found"])
        assert client.put("/datasets", headers={"Accept": "text/html"}).status_code == 405
