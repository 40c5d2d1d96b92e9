"""The report on a log: two forms, the same text again, and nothing of the inside on the outside."""

from __future__ import annotations

import re

import altair as alt
import pytest

from tacita.compare.logs.judge_log import judge_log
from tacita.compare.logs.measure_log import LogCard, measure_log
from tacita.logs.semantic_microaggregation import SemanticMicroaggregation
from tacita.release.log_release import LogRelease
from tacita.report.logs.log_page import levels_chart, log_page
from tests.logs.material import interested_users


@pytest.fixture(scope="module")
def made() -> tuple[LogRelease, LogCard]:
    log, topics = interested_users(31)
    found = SemanticMicroaggregation(k=3, time="none", identifying="keep").apply(log, topics, seed=7)
    release = LogRelease(log, found, "a tree")
    return release, measure_log(log, found, topics)


def test_both_forms(made: tuple[LogRelease, LogCard]) -> None:
    release, card = made
    verdict = judge_log(card, release.anonymised.certificate, ["profile_linkage <= 100"])
    inside, outside = (log_page(release, card, verdict, form=form) for form in ("internal", "external"))  # type: ignore[arg-type]
    assert inside == log_page(release, card, verdict)
    assert "Passed" in inside
    assert "Interests that are left" in outside
    assert "Each profile stands for at least 3 users." in outside
    for word in ("Verdict", "profile_linkage &lt;=", "a tree", f"{len(release.original):,}", "did not leave"):
        assert word in inside
        assert word not in outside
    assert not re.search(r"https?://(?!www\.w3\.org)", inside + outside)


def test_public_figures_are_round(made: tuple[LogRelease, LogCard]) -> None:
    release, card = made
    outside = log_page(release, card, judge_log(card, None), form="external")
    rows = re.findall(r"<td[^>]*>(−?[\d.,]+)</td>", outside)
    assert rows
    assert not [figure for figure in rows if "." in figure]


def test_no_text_and_no_user_of_the_log_is_on_a_page(made: tuple[LogRelease, LogCard]) -> None:
    release, card = made
    page = log_page(release, card, judge_log(card, None))
    assert not [text for text in release.original.texts.to_pylist() if text in page]
    assert "user 1" not in page


def test_the_chart_is_valid() -> None:
    assert isinstance(levels_chart([(1, 50.0), (2, 40.0)], 20.0), alt.LayerChart)
    levels_chart([(1, 50.0)], None).to_dict()
