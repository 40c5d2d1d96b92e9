"""The interactive map in a real browser: hover, click, keyboard, legend, axes; in light and in dark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import tacita as tc
from tacita.compare.search.search_result import SearchResult
from tests.report.browser import Browser, find_browser

MONEY = ("earnings", "other_income", "tax", "savings")


@pytest.fixture(scope="module")
def found() -> SearchResult:
    data = tc.samples.household_survey(400, seed=1)
    candidates = [
        tc.grid("rank_swap", columns=MONEY, p=[2, 10, 20]),
        tc.grid("mdav", columns=MONEY, k=[3, 10]),
        tc.grid("individual_ranking", columns=MONEY, k=[3, 20]),
        tc.grid("additive_noise", columns=MONEY, sd_ratio=[0.05, 0.2]),
        tc.grid("multiplicative_noise", columns=MONEY, inflation=[0.05, 0.3]),
        tc.grid("resampling", columns=MONEY, times=3),
    ]
    measures = ["il", "il1s", "dld", "rid"]
    return tc.search(
        data,
        candidates,
        columns=MONEY,
        scenario={"known": MONEY},
        measures=measures,
        seeds=2,
        processes=1,
        constraint={"dld": 10, "rid": 70},
    )


@pytest.fixture
def browser(found: SearchResult, tmp_path: Path) -> Iterator[Browser]:
    program = find_browser()
    if program is None:
        pytest.skip("there is no Chromium; 'apt-get install chromium' brings it, TACITA_BROWSER names another one")
    page = tmp_path / "map.html"
    page.write_text(found.to_html(), encoding="utf-8")
    with Browser(program, tmp_path) as opened:
        opened.open(page)
        yield opened
        assert opened.complaints() == []


def point(result: SearchResult, family: str) -> str:
    """Return the selector of the first point of a family."""
    label = next(p.label for p in result.points if p.family == family)
    return f'#map .point[data-label="{label}"]'


def test_every_candidate_is_on_the_map(found: SearchResult, browser: Browser) -> None:
    assert len(found.families) == 6
    assert browser.run("document.querySelectorAll('#map .point').length") == len(found)
    assert browser.run("document.querySelectorAll('#map .point.on').length") == len(found.frontier)
    assert browser.run("document.querySelectorAll('#map .frontier').length") == 1
    assert browser.run("document.querySelectorAll('#points tbody tr').length") == len(found)


def test_the_frontier_is_named_and_no_name_covers_another(found: SearchResult, browser: Browser) -> None:
    names = browser.run("[...document.querySelectorAll('#map .name')].map((n) => n.textContent)")
    assert names[0] == f"best: {found.best().label}"
    assert len(names) >= len(found.frontier) / 2
    assert set(names[1:]) <= {point.label for point in found.frontier}
    boxes = browser.run(
        "[...document.querySelectorAll('#map .name')].map((n) => { const b = n.getBBox(); "
        "return [b.x, b.y, b.x + b.width, b.y + b.height]; })"
    )
    for i, (a, b, c, d) in enumerate(boxes):
        assert 70 <= a < c <= 860, "inside the picture"
        for e, f, g, h in boxes[:i]:
            assert not (a < g and e < c and b < h and f < d)


def test_scenario_and_units_are_on_the_page(browser: Browser) -> None:
    said = browser.run("document.body.innerText")
    assert "Scenario: keys" in said
    assert "linkage by earnings" in said
    assert "Interval disclosure by ranks (rid), %" in said
    assert "points" in said


def test_hovering_shows_the_method(found: SearchResult, browser: Browser) -> None:
    assert browser.run("document.getElementById('tip').hidden")
    browser.move_to(point(found, "mdav"))
    browser.wait_for("!document.getElementById('tip').hidden")
    said = browser.run("document.getElementById('tip').innerText")
    assert "mdav, k = 3" in said
    assert "earnings, other_income, tax, savings" in said
    assert "score" in said
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=2, y=2)
    browser.wait_for("document.getElementById('tip').hidden")


def test_clicking_shows_the_scorecard_with_parts_that_add_up(found: SearchResult, browser: Browser) -> None:
    browser.click(point(found, "additive_noise"))
    card = browser.run("document.getElementById('card').innerText")
    assert "additive_noise, sd_ratio = 0.05" in card
    for name in ("il", "il1s", "dld", "rid", "Recipe", 'mask = "additive_noise"', "0.5 il + 0.25 strongest + 0.25 rid"):
        assert name in card
    cells = browser.run(
        "[...document.querySelector('#card table tbody').rows].map(row => row.lastElementChild.innerText)"
    )
    *parts, total = (float(text) for text in cells)
    assert len(parts) == 3
    assert sum(parts) == pytest.approx(total, abs=1e-9)
    chosen = next(p for p in found.points if p.label == "additive_noise, sd_ratio = 0.05")
    assert total == pytest.approx(chosen["score"], abs=0.0051)


def test_the_best_is_chosen_when_the_page_opens(found: SearchResult, browser: Browser) -> None:
    assert found.best().label in browser.run("document.querySelector('#card h2').innerText")
    assert "best" in browser.run("document.querySelector('#card .badges').innerText")
    browser.press("Escape")
    assert "Choose a point" in browser.run("document.getElementById('card').innerText")


def test_the_legend_hides_a_family_and_shows_it_again(found: SearchResult, browser: Browser) -> None:
    count = "document.querySelectorAll('#map .point[data-family=\"rank_swap\"]').length"
    button = '#legend button[data-family="rank_swap"]'
    state = f"document.querySelector('{button}').getAttribute('aria-pressed')"
    assert (browser.run(count), browser.run(state)) == (3, "true")
    browser.click(button)
    assert (browser.run(count), browser.run(state)) == (0, "false")
    assert browser.run("document.querySelectorAll('#map .point').length") == len(found) - 3
    browser.click("#legend button.all")
    assert (browser.run(count), browser.run(state)) == (3, "true")


def test_the_keyboard_is_enough(found: SearchResult, browser: Browser) -> None:
    assert browser.run("document.querySelectorAll('#map .point[tabindex=\"0\"]').length") == 1
    browser.run("document.querySelector('#map .point[tabindex=\"0\"]').focus()")
    first = browser.run("document.activeElement.dataset.label")
    browser.press("ArrowRight")
    second = browser.run("document.activeElement.dataset.label")
    assert first != second
    assert not browser.run("document.getElementById('tip').hidden")
    assert browser.run("document.activeElement.getAttribute('aria-label')").startswith(second)
    browser.press("Enter")
    assert browser.run("document.querySelector('#card h2').innerText") == second
    browser.press("ArrowLeft")
    assert browser.run("document.activeElement.dataset.label") == first


def test_other_axes_have_their_own_frontier(found: SearchResult, browser: Browser) -> None:
    browser.run(
        "for (const [id, name] of [['loss', 'il1s'], ['risk', 'rid']]) { const s = document.getElementById(id);"
        " s.value = name; s.dispatchEvent(new Event('change')); }"
    )
    shown = set(browser.run("[...document.querySelectorAll('#map .point.on')].map(n => n.dataset.label)"))
    x, y = ([p[name] for p in found.points] for name in ("il1s", "rid"))
    beaten = [
        any(x[j] <= x[i] and y[j] <= y[i] and (x[j] < x[i] or y[j] < y[i]) for j in range(len(x)))
        for i in range(len(x))
    ]
    assert shown == {p.label for p, lost in zip(found.points, beaten, strict=True) if not lost}
    assert "il1s" in browser.run("document.getElementById('map').textContent")


@pytest.mark.parametrize("dark", [False, True])
def test_it_can_be_seen_in_light_and_in_dark(browser: Browser, dark: bool) -> None:
    """Every mark and every word of the map stands out from the paper."""
    browser.screenshot(dark=dark)
    paper, *others = browser.run(
        "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('#map .title')).fill,"
        " ...[...document.querySelectorAll('#legend path')].map(n => getComputedStyle(n).fill)]"
    )
    assert len(others) == 7
    for colour in others:
        assert contrast(paper, colour) >= 3


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of the Web Content Accessibility Guidelines."""

    def light(text: str) -> float:
        part = np.array([float(v) for v in text[text.index("(") + 1 : -1].split(",")[:3]]) / 255
        linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)
