"""The pages that one chooses on, and what holds for every page: no script in it, no other host, hostile names as text."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from tacita.web.pages import STATIC
from tacita.web.pages.explore_pages import offers_of
from tests.web.pages.page_server import HOSTILE, pages_of, read

ADDRESSES = [
    "/",
    "/explore/survey",
    "/explore/town",
    "/explore/nothing",
    "/explore/survey/table",
    "/explore/survey/table?by=urban&by=sex&by=marital",
    "/explore/town/table?by=sex&by=part",
    "/explore/town/table?by=sex&by=nothing",
    "/explore/survey/regression?response=earnings&x=age&x=sex&plots=1",
    "/explore/survey/quantiles?response=earnings",
    "/explore/survey/correlations?column=age&column=earnings",
    "/explore/numbers/number?statistic=count",
    "/explore/answer/none",
    "/sign-in",
]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with pages_of(tmp_path_factory.mktemp("pages"), is_demo=True) as opened:
        yield opened


def test_the_first_page_lists_the_data_sets(client: TestClient) -> None:
    found = read(client.get("/").text)
    assert "Household survey" in found.words
    links = {had["href"] for had in found.found("a")}
    assert {
        "/explore/survey",
        "/explore/survey/table",
        "/explore/survey/regression",
        "/explore/numbers/number",
    } <= links
    assert "/explore/numbers/regression" not in links
    assert "open to everybody" in found.words
    assert "Demonstration." in found.words


def test_the_page_of_a_data_set_lists_its_variables(client: TestClient) -> None:
    found = read(client.get("/explore/survey").text)
    for word in ("Region of residence", "birth_country", "very good", "17 variables", "43 classes"):
        assert word in found.words


def test_offers_are_what_the_policy_answers() -> None:
    assert [kind for kind, *_ in offers_of("x", ("residuals", "regress", "tabulate"))] == ["tabulate", "regress"]


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_page_is_sound(client: TestClient, address: str) -> None:
    """No script or style within the page, nothing of another host, every control with a name, hostile names as text."""
    answer = client.get(address)
    text, found = answer.text, read(answer.text)
    assert found.scripts.strip() == ""
    for tag, had in found.elements:
        assert not [name for name in had if name == "style" or name.startswith("on")], (tag, had)
        for name in ("src", "href", "action"):
            assert had.get(name, "/").startswith(("/", "#")), had
            assert not had.get(name, "/").startswith("//"), had
    assert not re.search(r"https?://(?!127\.0\.0\.1)", text.replace("http://www.w3.org", ""))
    assert HOSTILE not in text
    assert "49'" not in text
    assert found.found("html", lang="en")
    assert found.found("a", href="#main")
    assert found.found("meta", name="robots", content="noindex")
    assert len(found.found("h1")) == 1
    assert found.found("p", role="status")
    ids = [had["id"] for _, had in found.elements if "id" in had]
    assert len(set(ids)) == len(ids)
    labelled = {had["for"] for had in found.found("label") if "for" in had}
    for tag in ("select", "input"):
        for had in found.found(tag):
            if had.get("type") not in ("hidden", "checkbox"):
                assert had["id"] in labelled, had
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_links_that_ask_are_not_followed_by_robots(client: TestClient) -> None:
    for address in ADDRESSES:
        for had in read(client.get(address).text).found("a"):
            if had["href"].startswith("/explore/") and "?" in had["href"]:
                assert had["rel"] == "nofollow"


def test_style_and_scripts_are_served_and_ask_nobody(client: TestClient) -> None:
    files = sorted(path.name for path in STATIC.iterdir())
    assert files == ["copy.js", "equation.js", "forms.js", "icon.svg", "tacita.css"]
    for name in files:
        answer = client.get(f"/static/{name}")
        assert answer.status_code == 200
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", answer.text)
        assert not re.search(r"\beval\b|innerHTML|@import|url\((?!.icon\.svg.\))", answer.text)
    assert client.get("/static/../__init__.py").status_code == 404


def test_the_link_to_the_sign_in_keeps_the_question(client: TestClient) -> None:
    found = read(client.get("/explore/survey/table?by=sex&edit=1").text)
    assert found.found("a", href="/sign-in?next=/explore/survey/table%3Fby%3Dsex%26edit%3D1")
