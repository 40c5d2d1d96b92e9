"""The pages in a real browser: tables, refusals, regressions, without scripts, by the keyboard, on a wide and a narrow screen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from tests.web.pages.browser.page_browser import SIZES, PageBrowser, listening, page_browser
from tests.web.pages.page_server import page_app

PLACES = {
    "home": "/",
    "nothing": "/there-is-no-such-page",
    "sign-in": "/sign-in",
    "overview": "/explore/survey",
    "table-form": "/explore/survey/table",
    "table": "/explore/survey/table?by=education&by=sex&statistic=weighted_count&u.urban=city",
    "blocks": "/explore/survey/table?by=sex&by=occupation&by=urban",
    "parts": "/explore/survey/table?by=region&by=sex&each=region&statistic=mean&response=earnings",
    "refusal": "/explore/survey/table?by=occupation&by=birth_country&u.sex=male",
    "problem": "/explore/survey/table?by=sex&by=sex",
    "regression-form": "/explore/survey/regression",
    "regression": "/explore/survey/regression?response=earnings&x=age&x=sex&x=education&i=age*sex&plots=1",
    "quantiles": "/explore/survey/quantiles?response=earnings",
    "correlations": "/explore/survey/correlations?column=age&column=earnings&column=savings",
    "number": "/explore/numbers/number?statistic=mean&response=earnings",
}
"""A page of each kind."""


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageBrowser]:
    """Share one server and one browser."""
    folder = tmp_path_factory.mktemp("pages")
    with listening(page_app(folder, budgets=())) as address, page_browser(folder, address) as opened:
        yield opened


@pytest.fixture(autouse=True)
def restored(person: PageBrowser) -> Iterator[None]:
    """Leave the browser as the next test expects it, and find nothing strange."""
    person.scripts(are_on=True)
    person.resize("wide")
    yield
    assert [said for said in person.strange() if "404" not in said] == []


@pytest.mark.parametrize("size", SIZES)
def test_nothing_sticks_out_and_nobody_else_is_asked(person: PageBrowser, size: str) -> None:
    """Every page on each screen, with everything opened that can be; complaints, as of the policy, fail it as well."""
    person.resize(size)
    for name, place in PLACES.items():
        person.go(place)
        person.look(name)
        person.browser.run("for (const part of document.querySelectorAll('details')) part.open = true")
        person.look(f"{name}-opened")
        assert [said for said in person.strange() if "404" not in said] == [], name


def test_headings_landmarks_and_labels_are_in_order(person: PageBrowser) -> None:
    for name, place in PLACES.items():
        person.go(place)
        levels = person.browser.run("[...document.querySelectorAll('h1,h2,h3,h4')].map(h => +h.tagName[1])")
        assert levels[0] == 1, name
        assert levels.count(1) == 1, name
        assert all(after - before <= 1 for before, after in pairwise(levels)), f"{name}: {levels}"
        assert [person.count(one) for one in ("main", "header", "footer")] == [1, 1, 1], name
        unnamed = (
            "[...document.querySelectorAll('select, input:not([type=hidden]), textarea')]"
            ".filter(f => !f.labels.length && !f.ariaLabel).map(f => f.outerHTML)"
        )
        assert person.browser.run(unnamed) == [], name
        assert person.count("table:not(:has(caption))") == 0, name
        assert person.count("th:not([scope])") == 0, name
        assert person.count("img:not([alt])") == 0, name


def test_a_table_has_its_chart_its_map_its_downloads_and_its_citation(person: PageBrowser) -> None:
    person.go("/explore/survey/table")
    assert "How to ask" in person.text()
    person.choose("#by-1", "urban")
    person.choose("#by-2", "sex")
    person.browser.run("document.querySelector('.universe details').open = true")
    person.browser.click("input[name='u.region']")
    person.browser.click(".ask > .buttons button")
    person.arrive("/explore/survey/table?by=urban&by=sex&statistic=count")
    assert person.browser.run("location.hash") == "#result"
    assert person.browser.run("location.search").count("by=") == 2  # fields that are empty stay out of the address
    assert person.text("#result h2") == "Number of records by Kind of settlement and Sex"
    assert person.count("#result table.cells tbody tr") == 3
    assert person.count("#result table.map tbody td") == 6
    person.wait_for("document.querySelector('img.chart').naturalWidth > 100")
    links = person.browser.run("[...document.querySelectorAll('.downloads a')].map(a => a.textContent)")
    assert links == ["CSV", "JSON", "Arrow", "SDMX-CSV", "Chart as SVG"]
    person.browser.click(".cite summary")
    assert "Accessed" in person.text(".cite p")
    place = person.browser.run("document.querySelector('.result a').getAttribute('href')")
    numbers = person.text("#result table.cells")
    person.go(place)
    assert person.text("table.cells") == numbers


def test_a_picture_opened_by_itself_keeps_the_policy(person: PageBrowser) -> None:
    person.go(PLACES["table"])
    person.go(person.browser.run("document.querySelector('img.chart').getAttribute('src')"))
    assert person.browser.run("document.documentElement.tagName") == "svg"


def test_a_table_without_scripts(person: PageBrowser) -> None:
    person.scripts(are_on=False)
    person.go("/explore/survey/table")
    person.browser.run("document.querySelector('#by-1').value = 'urban'")
    person.browser.click(".ask > .buttons button")
    person.arrive("/explore/survey/table?by=urban")
    assert person.count("#result table.cells tbody tr") == 3
    person.wait_for("document.querySelector('img.chart').naturalWidth > 100")
    person.browser.click(".cite summary")
    assert "Accessed" in person.text(".cite p")


def test_a_regression_without_scripts(person: PageBrowser) -> None:
    person.scripts(are_on=False)
    person.go("/explore/survey/regression?edit=1")
    person.browser.run("document.querySelector('#response').value = 'earnings'")
    person.browser.click("input[name=x][value=age]")
    person.browser.click("input[name=x][value=sex]")
    person.browser.click("#interactions button")
    person.wait_for("document.querySelector(\"input[name=i][value='age*sex']\") !== null")
    assert person.count("#result table") == 0
    person.browser.click("input[name=i][value='age*sex']")
    person.browser.click(".ask > .buttons button")
    person.wait_for("document.querySelector('#result table.cells') !== null")
    assert "age:sex[male]" in person.text("#result")


def test_a_group_can_be_added_before_the_rows_are_chosen(person: PageBrowser) -> None:
    person.go("/explore/survey/table")
    person.browser.click("button[name=edit]")
    person.wait_for("document.querySelectorAll('fieldset.universe').length === 2")
    assert "How to ask" in person.text()


def test_a_refusal_says_what_may_be_changed_and_fills_the_form(person: PageBrowser) -> None:
    person.go(PLACES["refusal"])
    assert "This question is not answered" in person.text("[role=alert]")
    assert "What you may change" in person.text("[role=alert]")
    assert person.browser.run("document.title").startswith("Not answered")
    assert person.browser.run("document.querySelector('#by-1').value") == "occupation"
    person.browser.run(
        "[...document.querySelectorAll('.easier a')].find(a => a.textContent.includes('Country')).click()"
    )
    person.wait_for("location.search.includes('edit=1')")
    person.arrive("/explore/survey/table")
    assert person.browser.run("document.querySelector('#by-2').value") == ""
    assert person.count("#result .refusal, #result table") == 0


def test_a_regression_is_moved_together_and_has_its_plots(person: PageBrowser) -> None:
    person.go("/explore/survey/regression")
    person.choose("#response", "earnings")
    for name in ("sex", "age"):
        person.browser.click(f"li[data-name={name}] button")
    person.browser.click("[data-list=chosen] input[value='age:square']")
    person.browser.click("input[name=i][value='sex*age']")
    assert person.text("#equation") == "earnings ~ sex + age + square(age) + sex × age"
    person.browser.click(".ask > .buttons button")
    person.wait_for("document.querySelectorAll('#result table.cells').length === 2")
    assert person.text("#equation") == "earnings ~ sex + age + square(age) + sex × age"
    captions = person.browser.run("[...document.querySelectorAll('#result caption')].map(c => c.textContent)")
    assert captions[0] == "Coefficients"
    assert "square(age)" in person.text("#result table.cells")
    assert "Income from work" in person.text("#result .names")
    person.browser.click("#result .button[href*=plots]")
    person.wait_for("document.querySelector('img.chart')?.naturalWidth > 300")
    assert "none of them stands for a record" in person.text("#result")


def test_what_is_moved_out_of_the_equation_is_not_sent(person: PageBrowser) -> None:
    person.go("/explore/survey/regression?response=earnings&x=sex&x=age&i=sex*age&edit=1")
    person.browser.click("li[data-name=sex] button")
    assert person.text("#equation") == "earnings ~ age"
    assert person.count("input[name=i]") == 0
    assert person.browser.run("document.activeElement.getAttribute('aria-label')") == "Add Sex to the equation"
    person.browser.click("li[data-name=sex] button")
    assert person.text("#equation") == "earnings ~ age + sex"


def test_many_classes_are_found_and_ticked_at_once(person: PageBrowser) -> None:
    person.go("/explore/survey/table")
    person.browser.run("document.querySelector('[name=\"u.birth_country\"]').closest('details').open = true")
    box = "fieldset[data-filter]:has([name='u.birth_country'])"
    person.type_into(f"{box} input[type=search]", "tu")
    person.browser.click(f"{box} .tick-many button")
    ticked = person.browser.run(
        "[...document.querySelectorAll('[name=\"u.birth_country\"]:checked')].map(t => t.value)"
    )
    assert ticked
    assert all("tu" in word.lower() for word in ticked)
    assert f"{len(ticked)} of" in person.text("details:has([name='u.birth_country']) summary")
    person.browser.click(f"{box} .tick-many button:last-child")
    assert person.count("[name='u.birth_country']:checked") == 0


def test_the_keyboard_is_enough_for_a_table(person: PageBrowser) -> None:
    person.go("/explore/survey/table")
    person.press("Tab")
    assert person.browser.run("document.activeElement.className") == "skip"
    assert person.browser.run("document.activeElement.getBoundingClientRect().left") >= 0
    person.press("Enter")
    person.tab_to("#by-1")
    assert person.browser.run("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    person.browser.call("Input.insertText", text="Sex")
    for letter in "Sex":
        person.browser.call("Input.dispatchKeyEvent", type="char", text=letter)
    assert person.browser.run("document.activeElement.value") == "sex"
    person.tab_to(".ask > .buttons button")
    person.press("Enter")
    person.arrive("/explore/survey/table?by=sex")
    assert person.count("#result table.cells tbody tr") == 2


def test_enter_in_a_field_asks_and_adds_no_group(person: PageBrowser) -> None:
    person.go("/explore/survey/table?by=sex&edit=1")
    person.browser.run("document.querySelector('.universe details').open = true")
    person.browser.run("document.querySelector('.universe input[type=checkbox]').focus()")
    person.press("Enter")
    person.wait_for("document.querySelector('#result table.cells') !== null")
    assert "edit" not in person.browser.run("location.search")


def test_nothing_at_an_address_is_told_on_a_page(person: PageBrowser) -> None:
    person.go("/there-is-no-such-page")
    assert person.text("h1") == "There is nothing at this address."


@pytest.mark.parametrize("dark", [False, True])
def test_words_stand_out_from_the_paper(person: PageBrowser, dark: bool) -> None:
    """The contrast of the Web Content Accessibility Guidelines, of every text: 4.5 at least, in light and in dark."""
    for name in ("table", "refusal", "regression-form"):
        person.go(PLACES[name])
        person.browser.screenshot(dark=dark)
        assert person.browser.run(_FAINT) == [], name
    person.browser.screenshot(dark=False)


_FAINT = """(() => {
  const parts = colour => colour.match(/[\\d.]+/g).map(Number);
  const light = colour => parts(colour).slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const paper = element => {
    for (; element; element = element.parentElement) {
      const colour = getComputedStyle(element).backgroundColor;
      if (parts(colour)[3] !== 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    if (!own || !element.checkVisibility() || element.closest("option, .unseen")) continue;
    const [low, high] = [light(getComputedStyle(element).color), light(paper(element))].sort((a, b) => a - b);
    if ((high + 0.05) / (low + 0.05) < 4.5) found.push(element.outerHTML.slice(0, 120));
  }
  return found;
})()"""
