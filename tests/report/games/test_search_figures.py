from __future__ import annotations

import json

import pytest

from tacita.games.search.comparison import SearchComparison, compare_search
from tacita.report.games.search_figures import WAY_WORDS, data_of_pictures, search_lines, share_bars
from tacita.report.render import svg_bytes
from tests.games.search.material import compared_sample, sampled


@pytest.fixture(scope="module")
def compared() -> SearchComparison:
    return compared_sample()


def test_every_picture_has_its_numbers_as_json(compared: SearchComparison) -> None:
    data = data_of_pictures(compared)
    assert set(data) == {
        "entropy-over-time", "help-over-time", "database", "peers", "free-riders", "attempts", "topology", "sizes",
    }  # fmt: skip
    assert all(json.loads(json.dumps(rows, allow_nan=False)) == rows for rows in data.values())
    known = {row["way"]: row["share"] for row in data["database"] if row["panel"] == "queries known"}
    assert set(known) == set(WAY_WORDS.values())
    assert known["coprivate"] == 100
    assert known["random forwarding"] == pytest.approx(100 * compared.way("random")["recall"])


def test_alone_there_are_no_pictures_of_what_was_not_varied() -> None:
    data = data_of_pictures(compare_search(sampled(), compare=False, seed=1))
    assert "free-riders" not in data
    assert {row["line"] for row in data["entropy-over-time"]} == {"coprivate"}


def test_lines_have_their_names_and_every_panel(compared: SearchComparison) -> None:
    text = svg_bytes(search_lines(data_of_pictures(compared)["free-riders"], x="free riders, %", y="bits")).decode()
    for shown in ("those who help", "free riders, %", "random forwarding", "coprivate", "bits"):
        assert shown in text


def test_bars_have_their_numbers() -> None:
    rows = [{"panel": "one", "way": "a", "share": 12.5}, {"panel": "one", "way": "b", "share": 0.0}]
    text = svg_bytes(share_bars(rows)).decode()
    for shown in (">one<", ">a<", ">b<", ">12.5<"):
        assert shown in text
