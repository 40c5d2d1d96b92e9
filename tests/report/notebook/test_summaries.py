"""Results under a cell: roles and figures with units and scenario, escaped, and no value of a record."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.compare.scorecard import Scorecard
from tacita.compare.search.search_result import SearchResult
from tacita.report.notebook.summaries import notebook_html
from tacita.tables.protect.protected import Protected

MONEY = ["earnings", "savings"]


class _Words(HTMLParser):
    """Reads the text of a piece of HTML and checks that every element is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        del attrs
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag != "span":
            self.text.append(" ")

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text.append(data)


def words(thing: object) -> str:
    """Return what a reader sees of a thing in a notebook."""
    shown = thing._repr_html_()  # type: ignore[attr-defined]
    assert shown == notebook_html(thing)
    assert not re.search(r"https?:|<script|@import|url\(", shown), "it asks for something from elsewhere"
    reader = _Words()
    reader.feed(shown)
    assert reader.open == []
    return " ".join("".join(reader.text).replace("\u00a0", " ").split())


@pytest.fixture(scope="module")
def data() -> tc.Microdata:
    return tc.samples.household_survey(300, seed=1)


@pytest.fixture(scope="module")
def card(data: tc.Microdata) -> Scorecard:
    release = tc.Recipe([tc.mask.RankSwap(columns=MONEY, p=10)]).apply(data, seed=7)
    return tc.evaluate(data, release)


@pytest.fixture(scope="module")
def found(data: tc.Microdata) -> SearchResult:
    grid = [tc.grid("rank_swap", columns=MONEY, p=[2, 10]), tc.grid("mdav", columns=MONEY, k=[3])]
    return tc.search(data, grid, columns=MONEY, scenario={"known": MONEY}, seeds=2, processes=1)


@pytest.fixture(scope="module")
def protected() -> Protected:
    firms = tc.samples.business_survey(300, seed=1)
    table = tc.tabulate(firms, ["activity", "region"], response="turnover")
    return tc.tables.Suppress().protect(table, tc.tables.PPercent(p=10).judge(table))


def test_microdata_show_shape_and_roles(data: tc.Microdata) -> None:
    said = words(data)
    assert "300 records" in said
    assert all(name in said for name in data.names)
    assert "numeric confidential" in said
    assert words(data.schema).startswith(f"Schema: {len(data.schema)} columns")


def test_no_value_of_a_record_is_shown() -> None:
    frame = pa.table({"town": ["Xanadu", "Camelot", "Xanadu"], "money": [98765.5, 43210.25, 1.5], "age": [77, 78, 79]})
    data = tc.Microdata.from_frame(
        frame, keys=["town", "age"], missing={"town": ["Camelot"]}, scales={"age": "ordinal"}
    )
    data = data.with_schema(data.schema.change("age", categories=(77, 78, 79), labels=((77, "old"),)))
    card = tc.evaluate(data, data.with_numbers({"money": np.array([1.0, 2.0, 3.0])}), measures=["il1s"])
    for thing in (data, data.schema, tc.assess(data), card):
        said = words(thing)
        assert not re.search("Xanadu|Camelot|98765|43210|\\b7[789]\\b|old", said)
    assert "3 categories, 1 label" in words(data)


def test_names_are_escaped_and_short() -> None:
    evil = "<script>alert(1)</script>" + "x" * 5000
    data = tc.Microdata.from_frame(pa.table({evil: [1, 2], "b\x00": [1, 2]}), keys=[evil])
    shown = data._repr_html_()
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown
    assert len(shown) < 8000
    assert "\x00" not in shown


def test_long_things_stay_short() -> None:
    wide = tc.Microdata.from_frame(pa.table({f"column_{i:03d}": [1] for i in range(200)}))
    assert "30 of 200" in words(wide)
    assert "column_029" in words(wide)
    assert "column_030" not in words(wide)


def test_a_scorecard_has_units_scenario_and_both_files(card: Scorecard) -> None:
    said = words(card)
    assert f"Scenario: {card.scenario_words}." in said
    assert f"Score {card.score:.2f} points" in said
    for row in card.rows():
        assert row["measure"] in said
        assert str(row["what"])[:40] in said
    below = next(row for row in card.beside if row.what == "records below k = 2")
    assert f"records below k = 2 {below.before:.0f} records {below.after:.0f} records" in said
    assert re.search(r"mean individual risk [\d.]+ % [\d.]+ %", said)


def test_a_card_without_a_score_says_why(data: tc.Microdata) -> None:
    card = tc.evaluate(data, tc.mask.RankSwap(columns=MONEY, p=10).apply(data, seed=1), measures=["il1s"])
    assert card.score_note in words(card)


def test_an_assessment(data: tc.Microdata) -> None:
    found = tc.assess(data)
    said = words(found)
    assert f"Scenario: keys {', '.join(found.keys)}" in said
    assert "weighted by weight" in said
    for row in found.facts():
        assert row["what"] in said
    assert ".riskiest" in said
    unweighted = tc.assess(data.drop(["weight"]))
    assert "every record stands for itself" in words(unweighted)


def test_a_search(found: SearchResult) -> None:
    said = words(found)
    assert f"Scenario: {found.scenario}." in said
    assert f"Lowest score: {found.best().label}" in said
    assert all(point.label in said for point in found)
    assert found.loss.words in said
    assert f", {found.risk.unit})" in said


def test_a_search_that_meets_no_limit(data: tc.Microdata) -> None:
    hopeless = tc.search(data, [tc.grid("rank_swap", columns=MONEY, p=[2])], processes=1, constraint={"rid": 0})
    assert "No candidate meets rid <= 0" in words(hopeless)


def test_tables_show_what_was_done_and_no_cell(protected: Protected) -> None:
    said = words(protected)
    assert f"{int(protected.secondary.sum())} cells" in said
    assert "Passed" in said
    assert "turnover by activity by region" in said
    assert protected.certificate is not None
    audit = words(protected.certificate)
    assert "Passed: every protection level holds." in audit
    assert f"Attackers: {protected.certificate.attackers}" in audit
    assert f"hidden cells {int(protected.hidden.sum())} cells" in audit
    values = {f"{value:.0f}" for value in protected.table.values if value > 10_000}
    assert len(values) > 20
    assert not values & set(re.findall(r"\d{5,}", (said + audit).replace(" ", "")))


def test_an_audit_that_failed_says_so(protected: Protected) -> None:
    unsafe = protected.unsafe.cells
    leaky = tc.tables.audit(protected.problem, unsafe)
    said = words(leaky)
    assert "FAILED" in said
    assert "levels missed" in said


def test_what_it_does_not_know_is_its_repr() -> None:
    assert "<p>3 &lt; 4</p>" in notebook_html(type("Odd", (), {"__repr__": lambda _: "3 < 4"})())
