"""Facts of a report: scenario, risk before and after, risky combinations, and what of it stays inside."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pytest

import tacita as tc
from tacita.report.facts import external_facts, internal_facts
from tacita.report.html import scorecard_html

CANARY = "canary-village"


@pytest.fixture(scope="module")
def original() -> tc.Microdata:
    places = ["town"] * 60 + ["village"] * 39 + [CANARY]
    table = pa.table(
        {
            "place": places,
            "age": [20 + i % 40 for i in range(100)],
            "secret_key": ["x" if i % 9 else "y" for i in range(100)],
            "income": [float(100 + 7 * i % 53) for i in range(100)],
        }
    )
    return tc.Microdata.from_frame(table, keys=["place", "age", "secret_key"], confidential=["income"])


@pytest.fixture(scope="module")
def masked(original: tc.Microdata) -> tc.Release:
    steps = [
        tc.mask.GlobalRecode(map={"place": {"village": "country", CANARY: "country"}}, breaks={"age": [40]}),
        tc.mask.LocalSuppression(k=3),
    ]
    return tc.Recipe(steps).apply(original, seed=1)


def test_inside_there_is_before_and_after_with_the_riskiest(original: tc.Microdata, masked: tc.Release) -> None:
    card = tc.evaluate(original, masked)
    facts = internal_facts(card, masked, None, [])
    assert facts.scenario == card.scenario_words
    below = next(row for row in facts.beside if row.what == "records below k = 3")
    assert below.before is not None
    assert below.after == 0 < below.before
    assert [found.file for found in facts.riskiest] == ["original", "release"]
    assert all(len(found.rows) <= 10 for found in facts.riskiest)
    page = scorecard_html(card, release=masked)
    assert CANARY in page
    assert "Risk of the keys before and after" in page
    assert "missing in" in page, "suppressions per key"
    assert page.count(f"Scenario</strong>: {card.scenario_words}") == 1


def test_outside_there_is_only_what_the_file_itself_tells(original: tc.Microdata, masked: tc.Release) -> None:
    card = tc.evaluate(original, masked)
    facts = external_facts(card, masked, None, [])
    assert facts.riskiest == ()
    assert facts.beside
    assert all(row.before is None for row in facts.beside)
    # The same figures come from the public file alone, whatever the original was.
    other = replace(card, original=masked.public)
    assert [row.after for row in external_facts(other, masked, None, []).beside] == [row.after for row in facts.beside]
    page = scorecard_html(card, release=masked, form="external")
    assert CANARY not in page
    assert "Risk of the keys in the release" in page
    assert "Scenario" in page


def test_a_column_that_did_not_leave_is_not_named_outside(original: tc.Microdata) -> None:
    data = tc.Microdata.from_frame(
        original.to_arrow().drop_columns(["secret_key"]), keys=["place", "age"], confidential=["income"]
    )
    card = tc.evaluate(original, data, pairing="order", scenario=tc.Scenario(keys=["place", "secret_key"]))
    assert "secret_key" in internal_facts(card, None, None, []).scenario
    assert "secret_key" not in external_facts(card, None, None, []).scenario


def test_a_recode_names_its_columns(masked: tc.Release) -> None:
    card = tc.evaluate(masked.original, masked, measures=["k_anonymity"])
    steps = internal_facts(card, masked, None, []).steps
    assert steps is not None
    assert steps[0].columns == ("age", "place")
    assert (steps[0].title, steps[0].name) == ("Global recoding", "global_recode")
    assert [name for name, _, _ in steps[0].parameters or ()] == ["breaks", "map"], "empty tables are not shown"
    assert "Columns: none" not in scorecard_html(card, release=masked)
