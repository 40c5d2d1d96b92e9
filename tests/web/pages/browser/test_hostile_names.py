"""Hostile names in a real browser: whatever variables, classes and titles are called, no page runs anything of it."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlencode

import httpx
import pytest

from tacita.query.restrictions.table_size import TableSize
from tacita.web.accounts import open_accounts
from tacita.web.api.app import make_app
from tacita.web.engine import Keeper, LocalEngine
from tacita.web.pages.addresses import effect_text
from tacita.web.settings import DatasetSettings, ServerLimits, ServerSettings
from tests.query.builders import opened, people, policy_of
from tests.web.pages.browser.page_browser import PageBrowser, listening, page_browser

CLASSES = (
    "<img src=x onerror=window.hit=1>",
    "</script><script>window.hit=2</script>",
    '" onmouseover="window.hit=3" autofocus onfocus="window.hit=4',
    "javascript:window.hit=5",
    "north\u202ehtuos",
    "{{7*7}}${7*7}<svg/onload=window.hit=6>",
    "</style><style>*{display:none}</style>",
    "<a href='https://elsewhere.example/'>x</a>",
    "=HYPERLINK(A1)",
    "@SUM(A1)",
    "+cmd|' /C calc'!A0",
    "-2+3",
)
"""Classes of a variable."""
NAME = 'sex"><img src=x onerror=window.hit=7>%*: \u202e.'
"""Name of a variable, which stands in addresses, forms and coefficients."""
LABEL = "</title></option></select><script>window.hit=8</script>\u202e & \"more\" <b onclick='window.hit=9'>bold</b>"
"""Label of a variable, and title of the data set and of the server."""

PIECES = {"u." + NAME: ["f"], "u1.kind": list(CLASSES[:3])}
PAGES = {
    "home": ("/", {}),
    "sign-in": ("/sign-in", {"next": "javascript:alert(1)"}),
    "nothing": ("/<script>window.hit=10</script>", {}),
    "unknown": ('/explore/"><script>window.hit=11</script>', {}),
    "overview": ("/explore/town", {}),
    "table": ("/explore/town/table", {"by": ["kind", NAME]}),
    "universe": ("/explore/town/table", {"by": "kind", **PIECES}),
    "refusal": ("/explore/town/table", {"by": LABEL, "u.<b>": CLASSES[1]}),
    "problem": ("/explore/town/table", {"by": [NAME, NAME]}),
    "mean": ("/explore/town/table", {"by": "kind", "statistic": "mean", "response": "wage"}),
    "regression": ("/explore/town/regression", {"response": "wage", "x": ["kind", effect_text(NAME)], "plots": "1"}),
    "quantiles": ("/explore/town/quantiles", {"response": "wage", "level": "<script>"}),
    "number": ("/explore/town/number", {"statistic": LABEL}),
}  # fmt: skip
"""A page of each kind, with what is asked."""


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageBrowser]:
    """Share one server and one browser."""
    folder = tmp_path_factory.mktemp("hostile")
    counts = {(kind, sex): 30 + 2 * i for i, kind in enumerate(CLASSES) for sex in ("f", CLASSES[0])}
    data = people(counts, ("kind", NAME))
    columns = tuple(replace(column, label=LABEL) for column in data.schema.columns)
    db = opened(data.with_schema(replace(data.schema, columns=columns)), policy_of(TableSize()))
    dataset = DatasetSettings(name="town", source="none", key="none", journal="none", title=LABEL, about=LABEL)
    settings = ServerSettings(datasets=(dataset,), accounts=str(folder / "accounts.sqlite"), title=LABEL, budgets=())
    settings = replace(settings, limits=ServerLimits(quantum=0))
    app = make_app(settings, LocalEngine(Keeper(settings, {"town": db})), open_accounts(settings.accounts))
    with listening(app) as address, page_browser(folder, address) as opened_browser:
        yield opened_browser


@pytest.mark.parametrize("name", PAGES)
def test_nothing_runs(person: PageBrowser, name: str) -> None:
    path, query = PAGES[name]
    text = urlencode(query, doseq=True)
    place = f"{path}?{text}" if text else path
    person.browser.run("window.isLeft = true")
    person.browser.call("Page.navigate", url=person.address + place)
    person.browser.wait_for("!window.isLeft && document.readyState === 'complete'")
    person.browser.run("for (const part of document.querySelectorAll('details')) part.open = true")
    for selector in (
        "[onclick]",
        "[onerror]",
        "[onload]",
        "[onmouseover]",
        "[onfocus]",
        "[style]",
        "main style",
        "main b",
    ):
        assert person.count(selector) == 0, selector
    assert person.count("script:not([src^='/static/'])") == 0
    assert person.count("a[href^='javascript:'], a[href*='elsewhere'], img:not([src^='/explore/'])") == 0
    assert person.browser.run("window.hit ?? 0") == 0
    assert person.text("footer"), "the page went on to its end"
    person.look(f"hostile-{name}")
    assert [said for said in person.strange() if "404" not in said] == []


def test_what_a_name_turns_does_not_turn_the_rest(person: PageBrowser) -> None:
    person.go(f"/explore/town/table?{urlencode({'by': ['kind', NAME]}, doseq=True)}")
    assert "\u202e" not in person.text("#result h2")
    assert "\u202e" in person.text("#result table.cells")  # in a cell of its own it turns nothing else


def test_a_name_of_any_kind_is_moved_into_the_equation(person: PageBrowser) -> None:
    person.go("/explore/town/regression")
    person.choose("#response", "wage")
    person.browser.run("[...document.querySelectorAll('.predictors button')].forEach(button => button.click())")
    person.browser.run("document.querySelector('input[name=i]').click()")
    assert " × " in person.text("#equation")
    person.browser.run("document.querySelector('.ask').requestSubmit()")
    person.browser.wait_for("location.search.length > 10 && document.readyState === 'complete'")
    assert "a variable that this data set does not have" not in person.text()
    assert person.count("[data-list=chosen] li") >= 2
    assert person.browser.run("window.hit ?? 0") == 0


def test_a_download_starts_no_formula(person: PageBrowser) -> None:
    """What a spreadsheet would run has a mark before it; a number with its sign is left as it is."""
    person.go("/explore/town/table?by=kind")
    place = person.browser.run("document.querySelector('.downloads a').getAttribute('href')")
    answer = httpx.get(person.address + place)
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.headers["x-content-type-options"] == "nosniff"
    heads = [row[0] for row in csv.reader(answer.text.splitlines()) if row]
    assert {word[1:] for word in heads if word.startswith("'")} >= {"=HYPERLINK(A1)", "@SUM(A1)"}
    for head in heads:
        assert not head.startswith(("=", "@", "\t", "\r"))
        assert not head.startswith(("+", "-")) or _is_number(head)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
