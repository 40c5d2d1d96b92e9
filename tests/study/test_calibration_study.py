"""The calibration study: a survey like the paper's, its tables, and the promises it keeps."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.data.samples.victimisation import BY_COUPLE, BY_SIZE, KEYS, RESPONDENTS, VICTIM, victimisation_survey
from tacita.study import StudyResult, find_study
from tacita.study.calibration import PAPER_DELETIONS, PAPER_RATES


@pytest.fixture(scope="module")
def survey() -> tc.Microdata:
    return victimisation_survey(seed=1)


@pytest.fixture(scope="module")
def once() -> StudyResult:
    return find_study("calibration").run(replicates=1, seed=1)


def test_printed_numbers_fit_together() -> None:
    assert sum(PAPER_DELETIONS) == 3178
    for tables in PAPER_RATES.values():
        for rows in tables.values():
            assert np.array(rows).sum(axis=1) == pytest.approx(np.full(len(rows), 100), abs=0.11)
    for name, rates in (("household_size", BY_SIZE), ("couple", BY_COUPLE)):
        assert 100 * rates == pytest.approx(np.array(PAPER_RATES[name]["original"]))


def test_survey_is_like_the_paper_s(survey: tc.Microdata) -> None:
    assert len(survey) == RESPONDENTS == 12_901
    assert survey.schema.keys == tuple(KEYS)
    assert [len(categories) for categories in KEYS.values()] == [2, 5, 6, 4, 5, 2, 4]
    for name, categories in KEYS.items():
        assert survey.codes(name).categories == categories
        assert set(survey.codes(name).values) == set(range(len(categories)))
    assert tc.risk.KAnonymity(k=3).assess(survey).value == pytest.approx(23.5, abs=1.0)
    weights, victim = survey.weights(), survey.codes("victim").values
    for name, printed in (("household_size", BY_SIZE), ("couple", BY_COUPLE)):
        codes = survey.codes(name).values
        for i, rates in enumerate(printed):
            for j in range(len(VICTIM)):
                here = weights[codes == i]
                assert weights[(codes == i) & (victim == j)].sum() / here.sum() == pytest.approx(rates[j], rel=1e-9)


def test_survey_is_repeatable() -> None:
    assert victimisation_survey(500, seed=3).same_content(victimisation_survey(500, seed=3))
    assert not victimisation_survey(500, seed=3).same_content(victimisation_survey(500, seed=4))


def test_every_promise_is_kept(once: StudyResult) -> None:
    assert once.kept_promises, [f for f in once.findings if f.met is False]
    assert sum(f.met is True for f in once.findings) >= 7


def test_the_paper_s_pattern(once: StudyResult) -> None:
    """Rates by household size are the original's under b, and drifted under a; by couple they drift a little under b."""
    drift = {(f.quantity, f.setting): f.ours[0] for f in once.findings if "drift" in f.quantity}
    size, couple = (
        "largest drift of a rate by household size, points",
        "largest drift of a rate by lives in a couple, points",
    )
    assert drift[size, "b"] < 1e-9
    assert drift[size, "a"] > 0.3
    assert 0 < drift[couple, "b"] < 2


def test_tables_stand_beside_the_paper_s(once: StudyResult) -> None:
    deletions, by_size, by_couple, statistics = once.tables
    assert [row[3] for row in deletions.rows] == ["0", "4", "9", "25", "493", "351", "2296", "3178"]
    assert len(by_size.rows) == 12
    assert len(by_couple.rows) == 6
    for row in by_size.rows:
        assert row[2] == row[4] == row[7] == row[9], "b keeps the original's rates, which are the paper's"
    assert by_couple.rows[0][2] == "85.6"
    assert len(statistics.rows) == 4


@pytest.mark.slow
def test_whole_study_keeps_its_promises() -> None:
    result = find_study("calibration").run()
    assert result.kept_promises, [f for f in result.findings if f.met is False]
