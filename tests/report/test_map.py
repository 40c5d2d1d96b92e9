"""The page and the chart of a search, as text; tests/report/test_map_browser.py opens the page."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.compare.search.search_result import SearchResult
from tacita.report.map import search_chart, search_page
from tacita.report.render import svg_bytes

NASTY = "</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def found() -> SearchResult:
    rng = np.random.default_rng(3)
    table = pa.table({"a": rng.lognormal(4, 1, 60), NASTY: rng.normal(9, 2, 60)})
    data = tc.Microdata.from_frame(table, keys=["a", NASTY])
    given = {
        "<b>named</b>": tc.mask.RankSwap(columns=("a", NASTY), p=20),
        "other": tc.grid("mdav", columns=("a", NASTY), k=[3, 9]),
    }
    return tc.search(data, given, measures=["il", "dld", "rid"], seeds=2, processes=1, constraint={"rid": 99})


def facts(page: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="facts">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    parsed: dict[str, object] = json.loads(found.group(1))
    return parsed


def test_the_page_needs_nothing_but_itself(found: SearchResult) -> None:
    page = search_page(found)
    assert page.startswith("<!DOCTYPE html>")
    assert page == found.to_html()
    assert not re.findall(r'(?:src|href)="(?!data:|#)[^"]*"', page)
    assert not re.search(r"@import|url\(", page)
    assert set(re.findall(r"https?://[^\s\"']+", page)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in page


def test_names_from_data_cannot_break_out(found: SearchResult) -> None:
    page = search_page(found)
    assert NASTY not in page
    assert "<b>named</b>" not in page
    assert page.count("</script>") == 2
    assert "&lt;b&gt;named" in page


class _Balance(HTMLParser):
    """Checks that every element is closed in its order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag not in {"meta", "link", "input", "br"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_well_formed(found: SearchResult) -> None:
    reader = _Balance()
    reader.feed(search_page(found))
    assert reader.open == []


def test_the_script_is_given_every_point(found: SearchResult) -> None:
    given = facts(search_page(found))
    points = given["points"]
    assert isinstance(points, list)
    assert [p["label"] for p in points] == [p.label for p in found]
    assert given["best"] == [p.label for p in found].index(found.best().label)
    assert given["limits"] == [{"name": "rid", "bound": 99.0, "words": "rid <= 99"}]
    for shown, point in zip(points, found, strict=True):
        assert shown["values"]["il"][0] == pytest.approx(point["il"], rel=1e-6)
        parts = [float(part["points"]) for part in shown["parts"]]
        assert sum(parts) == pytest.approx(float(shown["total"]), abs=1e-9)
        assert tc.Recipe.from_toml(shown["recipe"]) == point.recipe


def test_the_table_has_parts_beside_the_score(found: SearchResult) -> None:
    page = search_page(found)
    head = re.search(r'id="points".*?<thead>(.*?)</thead>', page, re.DOTALL)
    assert head is not None
    assert re.findall(r">([^<]+)</th>", head.group(1)) == [
        "Candidate",
        "Family",
        "Seeds",
        "Information loss of the score (il), %",
        "Strongest attack (strongest), %",
        "Interval disclosure by ranks (rid), %",
        "Score, points",
        "Frontier",
    ]


def test_what_failed_and_what_is_left_is_said(found: SearchResult) -> None:
    data = tc.Microdata.from_frame(pa.table({"a": np.arange(40.0), "s": ["x", "y"] * 20}), keys=["a"])
    made = tc.search(
        data, [tc.mask.Mdav(columns="s", k=3), tc.mask.Mdav(columns="a", k=3)], processes=1, constraint="rid <= 0"
    )
    page = search_page(made)
    assert "Candidates that failed" in page
    assert "works on numeric columns" in page
    assert "No candidate meets rid &lt;= 0" in page
    late = tc.search(data, tc.mask.Mdav(columns="a", k=3), processes=1, time_limit=1e-9)
    assert "1 trials were left untried" in search_page(late)
    assert facts(search_page(late))["points"] == []
    svg_bytes(late.plot())


def test_the_chart_has_every_point_and_the_frontier(found: SearchResult) -> None:
    leaders, line, dots, names = found.plot().to_dict()["layer"]
    assert len(dots["data"]["values"]) == len(found)
    assert [(v["loss"], v["risk"]) for v in line["data"]["values"]] == [(p["loss"], p["risk"]) for p in found.frontier]
    assert dots["encoding"]["color"]["scale"]["domain"] == list(found.families)
    labels = [value["name"] for value in names["data"]["values"]]
    assert labels[0] == f"best: {found.best().label}"
    assert set(labels[1:]) <= {point.label for point in found.frontier}
    assert len(leaders["data"]["values"]) == len(labels)
    assert svg_bytes(search_chart(found)) == svg_bytes(search_chart(found))
