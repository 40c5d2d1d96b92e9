"""The study of delta-coprivacy: its promises, its files, and that a wrong closed form would be seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacita.study.base import StudyResult, find_study
from tacita.study.games import delta_coprivacy as study
from tacita.study.games.delta_coprivacy import CURVES, agreeing_answers, curve_points
from tacita.study.games.pages import delta_figures
from tacita.study.games.request_model import RequestModel


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    return find_study("delta-coprivacy").run(replicates=400, seed=2, output=tmp_path_factory.mktemp("study") / "out")


def test_the_promises_hold(result: StudyResult) -> None:
    assert result.kept_promises
    found = {f.quantity: f for f in result.findings}
    assert found["answers of the predicates that agree with the inequalities"].ours == (100.0,)
    assert found["peers for delta = 0.9"].ours == (10,)
    assert found["probability of coprivacy however many peers"].ours == (0.0,)


def test_the_page_has_a_picture_for_each_condition(result: StudyResult) -> None:
    names = {Path(path).name for path in result.files}
    assert names == {f"{c}.{e}" for c in (*(c.name for c in CURVES), "free") for e in ("svg", "png")} | {
        "delta-coprivacy.html"
    }
    text = Path(result.files[-1]).read_text(encoding="utf-8")
    assert "1 - (1 - q)^(N - 1)" in text
    assert text.count("<svg") == len(CURVES) + 1


def test_the_table_says_never_where_no_number_is_enough(result: StudyResult) -> None:
    rows = {row[0]: row[1:] for row in result.tables[0].rows}
    assert rows["correlation -1"] == ("0.0000", "never", "never", "never")
    assert rows["independent, no cost"] == ("0.2500", "4", "10", "18")


def test_a_wrong_closed_form_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = RequestModel.probability
    monkeypatch.setattr(RequestModel, "probability", lambda self, reading="best": 0.9 * right(self, reading))
    assert max(point.errors for point in curve_points(2000, 1)) > study.FARTHEST


def test_the_same_seed_draws_the_same() -> None:
    assert curve_points(50, 3) == curve_points(50, 3)
    assert curve_points(50, 3) != curve_points(50, 4)
    assert agreeing_answers(6, 1) == (24, 24)


def test_every_curve_is_drawn(result: StudyResult) -> None:
    figures = delta_figures(CURVES, curve_points(20, 1), [])
    assert [one.name for one in figures] == [*(curve.name for curve in CURVES), "free"]
    for one in figures[:-1]:
        one.chart.to_dict()
