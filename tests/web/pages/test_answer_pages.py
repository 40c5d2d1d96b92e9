"""The page of an answer, its pictures and the queue: none of them asks anew."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tacita.web.accounts.budget import BudgetRule
from tacita.web.settings import ServerLimits
from tests.web.pages.page_server import HOSTILE, pages_of, read

ONCE = (BudgetRule(scope="address", questions=1, per="day"),)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with pages_of(tmp_path, budgets=ONCE) as opened:
        yield opened


def picture_of(client: TestClient, address: str) -> str:
    (found,) = read(client.get(address).text).found("img")
    return found["src"]


def test_an_answer_costs_nothing_a_second_time(client: TestClient) -> None:
    picture = picture_of(client, "/explore/survey/table?by=urban")
    place = picture.removesuffix("/chart.svg")
    for _ in range(2):
        drawn = client.get(picture)
        assert (drawn.status_code, drawn.headers["content-type"]) == (200, "image/svg+xml")
        assert drawn.content.startswith(b"<svg")
        found = read(client.get(place).text)
        assert found.found("img", src=picture)
    (link,) = [had for had in found.found("a") if "edit=1" in had["href"]]
    assert link == {"href": "/explore/survey/table?by=urban&edit=1", "rel": "nofollow"}
    assert f"http://127.0.0.1{place}" in found.words


def test_an_answer_has_only_its_own_picture(client: TestClient) -> None:
    place = picture_of(client, "/explore/survey/table?by=urban").removesuffix("/chart.svg")
    wrong = client.get(f"{place}/residuals.svg")
    assert wrong.status_code == 404
    assert "There is nothing at this address." in read(wrong.text).words


def test_a_refused_question_has_a_page_too(client: TestClient) -> None:
    refused = client.get("/explore/survey/table?by=occupation&by=birth_country")
    assert "not answered" in refused.text


@pytest.mark.parametrize("address", ["/explore/answer/0", "/explore/answer/0/chart.svg", "/explore/jobs/0"])
def test_what_is_not_there_is_told_on_a_page(client: TestClient, address: str) -> None:
    found = client.get(address)
    assert found.status_code == 404
    assert "<h1>" in found.text


def test_a_large_table_is_waited_for(tmp_path: Path) -> None:
    with pages_of(tmp_path, limits=ServerLimits(cells=3, quantum=0)) as client:
        place = client.get("/explore/survey/table?by=urban&by=sex").headers["location"]
        end = time.monotonic() + 30
        while (answer := client.get(place)).status_code == 200:
            waiting = read(answer.text)
            assert waiting.found("meta", **{"http-equiv": "refresh"})
            assert waiting.found("progress")
            assert time.monotonic() < end
            time.sleep(0.02)
        assert answer.status_code == 303
        assert (
            "Number of records by Kind of settlement and Sex" in read(client.get(answer.headers["location"]).text).words
        )


def test_a_refused_large_table_is_told(tmp_path: Path) -> None:
    with pages_of(tmp_path, limits=ServerLimits(cells=3, quantum=0)) as client:
        place = client.get("/explore/survey/table?by=occupation&by=birth_country").headers["location"]
        end = time.monotonic() + 30
        while "not answered" not in (found := read(client.get(place).text)).words:
            assert time.monotonic() < end
            time.sleep(0.02)
        assert "sparsity" in found.words


def test_a_picture_of_hostile_names_is_a_picture(client: TestClient) -> None:
    picture = picture_of(client, "/explore/town/table?by=sex")
    drawn = client.get(picture)
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert "<script" not in drawn.text
    assert HOSTILE not in drawn.text
    assert "script-src 'self'" in drawn.headers["content-security-policy"]


def test_a_picture_is_for_who_may_see_the_answer(tmp_path: Path) -> None:
    """A picture that is kept is not given to somebody who may not see the data set."""
    from dataclasses import replace

    from tests.web.pages.page_server import page_app

    app = page_app(tmp_path)
    with TestClient(app, base_url="http://127.0.0.1", follow_redirects=False) as client:
        picture = picture_of(client, "/explore/survey/table?by=urban")
        assert client.get(picture).status_code == 200
        engine = next(
            route.endpoint.__closure__ for route in app.routes if getattr(route, "path", "") == "/explore/answer/{id}"
        )
        reception = next(cell.cell_contents for cell in engine if type(cell.cell_contents).__name__ == "Reception")  # type: ignore[union-attr]
        reception.engine._facts = tuple(replace(facts, open_to="researcher") for facts in reception.engine._facts)
        assert client.get(picture).status_code == 404
