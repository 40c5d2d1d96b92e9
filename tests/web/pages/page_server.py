"""A server for tests of the public pages: a survey, a town with hostile names, and numbers under an auditor."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.testclient import TestClient

from tacita.query.database import Database
from tacita.query.restrictions.table_size import TableSize
from tacita.web.accounts import open_accounts
from tacita.web.api.app import make_app
from tacita.web.engine import Keeper, LocalEngine
from tacita.web.engine.port import DatasetFacts
from tacita.web.settings import BUDGETS, DatasetSettings, ServerLimits, ServerSettings
from tests.query.builders import fresh, opened, people, policy_of, survey

__all__ = ["HOSTILE", "TEMPLATED", "PageReader", "page_app", "pages_of", "read", "survey_facts"]

HOSTILE = '"><script>alert(1)</script>'
"""A class that would be a script where somebody forgot to escape it."""
TEMPLATED = "{{7*7}}'><img src=x onerror=alert(2)>"
"""A class that would be worked out by a template within a template."""


@cache
def _databases() -> dict[str, Database]:
    town = {(sex, part): 20 for sex in (HOSTILE, TEMPLATED, "f") for part in ("a", TEMPLATED)}
    return {
        "survey": opened(survey(2000), "mas"),
        "town": opened(people(town, ("sex", "part")), policy_of(TableSize())),
        "numbers": opened(survey(2000), "audited"),
    }


def _settings(folder: Path, **changes: Any) -> ServerSettings:
    titles = {"survey": "Household survey", "town": f"Town {HOSTILE}", "numbers": "Numbers {{7*7}}"}
    datasets = tuple(
        DatasetSettings(name=name, source="none", key="none", journal="none", title=title, about=f"About {TEMPLATED}")
        for name, title in titles.items()
    )
    made = ServerSettings(datasets=datasets, accounts=str(folder / "accounts.sqlite"), title="Office <of> numbers")
    return replace(made, **{"budgets": BUDGETS, "limits": ServerLimits(quantum=0), **changes})


def page_app(folder: Path, **changes: Any) -> FastAPI:
    """Return the whole application over databases that were asked nothing."""
    settings = _settings(folder, **changes)
    keeper = Keeper(settings, {name: fresh(db) for name, db in _databases().items()})
    return make_app(settings, LocalEngine(keeper), open_accounts(settings.accounts))


@contextmanager
def pages_of(folder: Path, **changes: Any) -> Iterator[TestClient]:
    """Give a client of the application; nothing listens."""
    with TestClient(page_app(folder, **changes), base_url="http://127.0.0.1", follow_redirects=False) as client:
        yield client


@cache
def survey_facts() -> DatasetFacts:
    """What is published about the survey."""
    keeper = Keeper(_settings(Path()), _databases())
    found = next(facts for facts in keeper.facts() if facts.name == "survey")
    keeper.jobs.close()
    return found


class PageReader(HTMLParser):
    """What stands in a page: its elements with their attributes, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self._open: list[str] = []
        self.scripts = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] in ("script", "style"):
            self.scripts += data
        else:
            self.text += data

    def found(self, tag: str, **attributes: str) -> list[dict[str, str]]:
        """Return the attributes of all elements of a kind that have some of them."""
        return [had for name, had in self.elements if name == tag and attributes.items() <= had.items()]

    @property
    def words(self) -> str:
        """The text with single blanks."""
        return " ".join(self.text.split())


def read(page: str) -> PageReader:
    """Parse a page."""
    made = PageReader()
    made.feed(page)
    return made
