"""Post-masking optimisation as a study: its figures are those of optimise, its paper's figures add up."""

from __future__ import annotations

import pytest

from tacita.study import find_study, post_masking
from tacita.study.post_masking import BEFORE, GAINS


def test_the_scores_of_the_paper_are_sums_of_their_parts() -> None:
    """Expression (5.1) holds for every printed row to its rounding; one is misprinted and stands corrected."""
    for row in (*BEFORE.values(), *GAINS.values()):
        assert row.score == pytest.approx(0.5 * row.il + 0.25 * row.dld + 0.25 * row.rid, abs=0.011)


def test_tables_have_all_methods_and_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(post_masking, "SHARES", (0.3,))
    result = find_study("post-masking").run(replicates=1, data=["sample"])
    assert [table.title.split(":")[0] for table in result.tables] == ["Table 5.1", "Table 5.2"]
    for table in result.tables:
        assert [row[0] for row in table.rows] == ["before", "hill_climbing", "gradient"]
        scores = [float(row[2]) for row in table.rows]
        for row in table.rows:
            score, il, dld, rid = (float(cell) for cell in row[2:6])
            assert score == pytest.approx(0.5 * il + 0.25 * dld + 0.25 * rid, rel=2e-3)
        assert min(scores[1:]) < scores[0]
    assert all(finding.met is None for finding in result.findings), "the paper speaks of census only"
    assert any("One replicate only" in note for note in result.notes)


@pytest.mark.slow
def test_census_gains_what_the_paper_gained() -> None:
    try:
        result = find_study("post-masking").run(replicates=2, data=["census"])
    except FileNotFoundError:
        pytest.skip("census.csv is not there")
    assert result.kept_promises
