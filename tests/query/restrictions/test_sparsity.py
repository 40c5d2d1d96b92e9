"""Sparsity: tables that are the records again."""

from __future__ import annotations

import pytest

from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.sparsity import Sparsity
from tests.query.builders import asked, judged, opened, people, policy_of, survey

RULE = Sparsity(per_cell=5)
COUNTS = {("a", "x"): 8, ("b", "x"): 5, ("a", "y"): 4, ("b", "y"): 3}


def test_a_table_needs_records_for_its_cells() -> None:
    db = opened(people(COUNTS, ("v", "w")), policy_of(RULE))
    assert judged(RULE, db, Tabulate(by=["v", "w"])).decision == "allow"
    fewer = opened(people({**COUNTS, ("b", "y"): 2}, ("v", "w")), policy_of(RULE))
    assert judged(RULE, fewer, Tabulate(by=["v", "w"])).decision == "deny"
    assert judged(RULE, fewer, Tabulate(by=["v"])).decision == "allow"


def test_the_records_of_the_universe_count() -> None:
    db = opened(people(COUNTS, ("v", "w")), policy_of(RULE))
    assert judged(RULE, db, Tabulate(by=["v"], where={"w": ["x"]})).decision == "allow"
    assert judged(RULE, db, Tabulate(by=["v"], where={"w": ["y"]})).decision == "deny"


@pytest.mark.parametrize("preset", ["mas", "tables"])
def test_presets_refuse_a_table_of_single_persons(preset: str) -> None:
    db = opened(survey(), preset)
    assert "sparsity" in db.ask(Tabulate(by=["region", "occupation", "marital"])).reasons
    assert "sparsity" not in db.ask(Tabulate(by=["region", "sex"])).reasons


def test_only_tables_are_looked_at() -> None:
    from tacita.query.requests.quantiles import Quantiles

    db = opened(survey(), "mas")
    assert not RULE.applies(asked(db, Quantiles(response="income")))
