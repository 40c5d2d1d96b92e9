"""The steward in a real browser: allows a question and refuses another, closes the data set and signs out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tacita.web.accounts import open_accounts
from tacita.web.api.app import make_app
from tacita.web.engine import LocalEngine
from tests.web.pages.browser.page_browser import SIZES, PageBrowser, listening, page_browser
from tests.web.pages.steward_server import REVIEWED, StewardServer, make_server


@dataclass(frozen=True)
class Office:
    """A steward before a browser, and the server."""

    steward: PageBrowser
    server: StewardServer

    def sign_in(self, token: str, after: str) -> None:
        self.steward.go(f"/sign-in?next={after}")
        self.steward.type_into("#token", token)
        self.steward.press("Enter")
        self.steward.arrive(after)


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    server = make_server(tmp_path)
    settings = server.keeper.settings
    app = make_app(settings, LocalEngine(server.keeper), open_accounts(settings.accounts))
    with listening(app) as address, page_browser(tmp_path / "browser", address) as steward:
        yield Office(steward, server)


@pytest.mark.parametrize("size", [pytest.param("wide"), pytest.param("narrow", marks=pytest.mark.slow)])
def test_a_steward_works_without_scripts(office: Office, size: str) -> None:
    steward, server = office.steward, office.server
    assert size in SIZES
    steward.resize(size)
    steward.scripts(are_on=False)
    server.ask({"kind": "tabulate", "by": ["region", "part"]})
    asked = server.ask(REVIEWED)
    steward.go("/sign-in?next=/steward")
    steward.look("sign-in")
    office.sign_in(server.token(), "/steward")
    steward.look("steward")
    for name in ("journal", "refusals", "explain"):
        steward.go(f"/steward/town/{name}")
        steward.look(name)
    steward.go("/steward/budgets")
    steward.look("budgets")
    steward.go("/steward/town/reviews")
    steward.look("reviews")
    steward.type_into("input[name=why]", "agreed with the board")
    steward.browser.click("button[value=allow]")
    steward.arrive("/steward/town/reviews?done=1")
    assert "Nothing waits" in steward.text()
    assert server.client().get(f"/answers/{asked.json()['id']}").status_code == 200
    steward.go("/steward/town/close")
    steward.type_into("#why", "a leak is looked at")
    steward.look("close")
    steward.press("Enter")
    steward.wait_for("document.body.innerText.includes('a leak is looked at')")
    steward.browser.click("form[action='/steward/town/verify'] button")
    steward.arrive("/steward/town/verify")
    steward.look("verified")
    steward.browser.click("form[action='/sign-out'] button")
    steward.wait_for("location.pathname === '/'")
    steward.go("/steward")
    assert "There is nothing at this address" in steward.text()
    assert [said for said in steward.strange() if "404" not in said] == []


def test_one_question_is_allowed_and_one_refused_and_the_asker_sees_both(office: Office) -> None:
    person, server = office.steward, office.server
    researcher = server.token("researcher", "rita")
    office.sign_in(researcher, "/explore/town")
    places = []
    for question in ("by=sex&by=region", "by=sex&by=region&u.part=a"):
        person.go(f"/explore/town/table?{question}")
        assert "A person has to look at this question" in person.text("[role=alert]")
        assert person.browser.run("document.title").startswith("Waits for a person")
        places.append(person.browser.run("document.querySelector('.refusal a').getAttribute('href')"))
    person.browser.click("form[action='/sign-out'] button")
    person.wait_for("location.pathname === '/'")
    office.sign_in(server.token(), "/steward/town/reviews")
    assert person.count("article") == 2
    person.type_into("article input[name=why]", "no decision yet")
    person.press("Enter")  # which is neither of the two buttons
    for left, decision in ((1, "refuse"), (0, "allow")):
        wanted = "Universe: everybody" if decision == "allow" else "part is a"
        card = "article:first-of-type" if wanted in person.text("article:first-of-type") else "article:last-of-type"
        person.type_into(f"{card} input[name=why]", "agreed")
        person.browser.click(f"{card} button[value={decision}]")
        person.wait_for(f"location.search === '?done=1' && document.querySelectorAll('article').length === {left}")
        person.go("/steward/town/reviews")
    assert "Nothing waits" in person.text()
    person.browser.click("form[action='/sign-out'] button")
    person.wait_for("location.pathname === '/'")
    office.sign_in(researcher, "/explore/town")
    person.go(places[0])
    assert person.text("h1").startswith("Answer")
    assert person.count("table.cells tbody tr") == 2
    person.go(places[1])
    assert "A person has looked at this question and has refused it" in person.text("[role=alert]")
    assert person.count("table.cells") == 0
    assert person.strange() == []
