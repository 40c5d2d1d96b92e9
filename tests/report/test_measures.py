"""What a report says about measures: titles, and a unit for every figure."""

from __future__ import annotations

import re

import pytest

import tacita as tc
from tacita.report.measures import measure_rows, risk_counts, score_of


@pytest.fixture(scope="module")
def whole_card() -> tc.Scorecard:
    data = tc.samples.household_survey(250, seed=1)
    steps = [tc.mask.GlobalRecode(levels={"region": 1}), tc.mask.RankSwap(columns=["savings"], p=10)]
    asked = [
        "k_anonymity",
        "individual_risk",
        "l_diversity",
        "delta_disclosure",
        "combination_rule",
        "il",
        "strongest",
        "rid",
    ]
    return tc.evaluate(data, tc.Recipe(steps).apply(data, seed=3), measures=asked)


def test_counts_never_stand_under_a_percent_sign(whole_card: tc.Scorecard) -> None:
    rows = {row.name: row for row in measure_rows(whole_card)}
    note = rows["k_anonymity"].note.replace("\u00a0", " ")
    assert "parts in %" not in note
    assert re.search(r"below 3: [\d ]+ records, below 5: [\d ]+ records, patterns: [\d ]+ combinations", note)
    assert "%" in rows["rid"].note
    assert "groups that break it" in rows["l_diversity"].note
    assert "largest log ratio: without bound" in rows["delta_disclosure"].note, "no 1.8e308 on a page"


def test_every_row_has_a_title_and_a_unit(whole_card: tc.Scorecard) -> None:
    for form in ("internal", "external"):
        for row in measure_rows(whole_card, form):  # type: ignore[arg-type]
            assert row.title
            assert row.title != row.name
            assert row.unit
            assert row.shown.endswith(row.unit)
    assert all(found.title for found in risk_counts(whole_card))


def test_parts_of_the_score_have_titles() -> None:
    data = tc.samples.household_survey(120, seed=1)
    card = tc.evaluate(data, tc.mask.RankSwap(columns=["savings"], p=10).apply(data, seed=1))
    score = score_of(card, "internal")
    assert score is not None
    assert [row.title for row in score.rows] == [card.results[row.measure][0].title for row in score.rows]


def test_the_external_form_has_no_parts(whole_card: tc.Scorecard) -> None:
    assert all(not row.note for row in measure_rows(whole_card, "external"))
