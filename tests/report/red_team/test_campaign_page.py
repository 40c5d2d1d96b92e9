"""The page of a campaign: the verdict first, every attack with its figures, what was not tried and why."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tacita.attack.judge.campaign import Campaign
from tacita.attack.judge.grade import Grade
from tacita.core import registry
from tacita.report.red_team.campaign_page import GRADE_HEADS, campaign_chart, campaign_page, campaign_tables, grade_row
from tests.attack.toys import Toy


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    registry.register(Toy)
    yield
    registry.unregister(Toy)


def found() -> Campaign:
    broken = Grade(
        attack="toy", target="the file", victims=50, of=100, success=0.5, low=0.4, high=0.6, baseline=0.1, sure=5,
        sure_right=5, queries=12, refused={"set_size": 3}, knows="what is shown", learned="Half of them.",
        figures={"error": 0.25},
    )  # fmt: skip
    held = Grade(attack="other", target="the file", victims=100, of=100, success=0.1, baseline=0.1)
    skipped = Grade(attack="third", target="the file", reason="There is no key.")
    wordless = Grade(attack="fourth", target="the file", victims=3, of=3, not_worded=("a dummy",))
    return Campaign(against="file", target="the file", grades=(broken, held, skipped, wordless), scenario="keys sex")


def test_the_page_says_the_verdict_and_what_to_do() -> None:
    page = campaign_page(found())
    for words in ("the file: failed", "Internal:", "keys sex", "Half of them.", "noise", "set_size (3)", "error 0.25"):
        assert words in page
    assert "There is no key." in page
    assert "a dummy" in page
    assert "no proof that they are held" in page
    assert "http" not in page.replace("http://www.w3.org", "").replace("https://www.w3.org", "")


def test_a_row_has_a_cell_under_each_head() -> None:
    row = grade_row(found().grades[0])
    assert len(row) == len(GRADE_HEADS)
    assert row[:7] == ("toy", "broken", "50.0 %", "10.0 %", "40.0 to 60.0 %", "5", "50 of 100")


def test_only_what_was_run_is_drawn() -> None:
    drawn = campaign_chart(found()).to_dict()
    assert [value["attack"] for value in drawn["data"]["values"]] == ["toy", "other"]
    nothing = Campaign(against="file", target="the file", grades=found().grades[2:])
    assert len(campaign_tables(nothing)) == 2
    assert "not judged" in campaign_page(nothing)
