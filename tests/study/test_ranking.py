"""The ranking by score: what is ranked, how the parts make the score, and the overview's finding on census."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tacita.study import find_study, ranking


def test_candidates_are_many_and_different() -> None:
    listed = ranking.candidates()
    named = {(c.family, c.parameter) for c in listed}
    assert len(named) == len(listed) > 150
    assert ("Rank swapping", 15) in named
    assert ("MDAV, three columns at a time", 10) in named
    assert len({c.family for c in listed}) == 11


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = {("Rank swapping", 1), ("Rank swapping", 15), ("MDAV, three columns at a time", 5), ("JPEG", 50)}
    kept = tuple(c for c in ranking.candidates() if (c.family, c.parameter) in wanted)
    monkeypatch.setattr(ranking, "candidates", lambda: kept)


def test_table_is_sorted_and_scores_are_sums_of_parts(short: None) -> None:
    result = find_study("ranking").run(replicates=2, data=["sample"])
    best, of_each = result.tables
    assert [row[0] for row in best.rows] == ["1", "2", "3", "4"]
    scores = [float(row[3]) for row in best.rows]
    assert scores == sorted(scores)
    weights = {"il": 0.5, "dld": 0.125, "pld": 0.125, "rid": 0.25, "id": 0.25}
    assert best.heads[4:7] == ("il", "dld", "pld")
    for row in best.rows:
        parts = dict(zip(best.heads[4:], map(float, row[4:]), strict=True))
        assert float(row[3]) == pytest.approx(sum(weights[name] * value for name, value in parts.items()), abs=0.06)
    assert {row[1] for row in of_each.rows} == {"Rank swapping", "MDAV, three columns at a time", "JPEG"}
    assert result.kept_promises, "nothing is promised for other data than census"
    assert find_study("ranking").run(replicates=2, data=["sample"]) == result


@pytest.mark.slow
def test_the_overviews_good_performers_rank_high_on_census(reference: Callable[[str], Path]) -> None:
    """Rank swapping with p about 15 and MDAV by three columns: both in the best quarter of all candidates."""
    reference("census.csv")
    result = find_study("ranking").run(replicates=5, data=["census"])
    assert result.kept_promises, result.findings
