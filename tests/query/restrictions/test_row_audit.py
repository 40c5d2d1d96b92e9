"""Auditing of rows: who is singled out by tables of something confidential."""

from __future__ import annotations

import pytest

import tacita as tc
from tacita.core.errors import TacitaNote
from tacita.query.requests.regress import Regress
from tacita.query.requests.statistic import Statistic
from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.row_audit import RowAudit
from tests.query.builders import asked, judged, opened, people, policy_of, survey

RULE = RowAudit(limit=3)
COUNTS = {("a", "x"): 20, ("b", "x"): 12, ("a", "y"): 9, ("b", "y"): 1}


def mean(by: list[str], where: dict[str, list[str]] | None = None) -> Tabulate:
    return Tabulate(by=by, response="wage", statistic="mean", where=where)


def test_a_row_about_one_person_is_refused() -> None:
    db = opened(people(COUNTS, ("v", "w")), policy_of(RULE))
    assert judged(RULE, db, mean(["v"])).decision == "allow"
    assert judged(RULE, db, mean(["v", "w"])).decision == "deny"
    assert not RULE.applies(asked(db, Tabulate(by=["v", "w"])))  # the keys are known anyway


def test_differences_of_answered_rows_are_refused() -> None:
    db = opened(people(COUNTS, ("v", "w")), policy_of(RULE))
    assert db.ask(mean(["v"])).status == "answered"
    assert db.ask(mean(["w"], {"v": ["a"]})).status == "answered"
    assert db.ask(mean(["v"], {"w": ["x"]})).reasons == ("row_audit",), "b less b and x is one person"
    assert db.ask(mean(["v"]), user="another").status == "answered"


def test_what_follows_from_answers_is_free() -> None:
    db = opened(people(COUNTS, ("v", "w")), policy_of(RULE))
    assert db.ask(mean(["v"])).status == "answered"
    assert db.ask(Statistic(response="wage", statistic="sum")).status == "answered"


def test_a_universe_picked_by_something_confidential_stands_for_those_who_could_be_in_it() -> None:
    data = survey()
    db = opened(data, policy_of(RULE))
    ill = {"health": ["very bad"]}
    assert db.ask(Tabulate(by=["sex"], where=ill)).status == "answered", "the rows are all women and all men"
    tiny = Tabulate(by=["region", "occupation", "marital"], where=ill)
    assert judged(RULE, db, tiny).decision == "deny"


def test_the_classes_of_a_model_are_rows() -> None:
    """A fit with a constant tells the sum of its response in every class: one person less in a class shows."""
    counts = {("a", "x"): 40, ("b", "x"): 30, ("a", "y"): 20, ("b", "y"): 1}
    db = opened(people(counts, ("v", "w")), policy_of(RULE))
    model = Regress(response="wage", predictors=["v"])
    assert judged(RULE, db, model).decision == "allow"
    RULE.record(asked(db, model))
    fewer = Regress(response="wage", predictors=["v"], where={"w": ["x"]})
    assert judged(RULE, db, fewer).decision == "deny", "b less b and x is one person"


def test_too_many_rows_are_refused_before_work() -> None:
    rule = RowAudit(cells=1)
    db = opened(people(COUNTS, ("v", "w")), policy_of(rule))
    assert judged(rule, db, mean(["v"])).detail.startswith("a table of 2 rows")


def test_what_is_no_key_is_told_also_where_nobody_called_it_confidential() -> None:
    data = people(COUNTS, ("v", "w"))
    schema = data.schema.change("wage", roles=("other",))
    db = opened(data.with_schema(schema), policy_of(RULE))
    assert judged(RULE, db, mean(["v", "w"])).decision == "deny"


def test_a_file_without_any_role_has_nothing_to_audit() -> None:
    data = people(COUNTS, ("v", "w"))
    schema = data.schema
    for name in ("v", "w", "wage"):
        schema = schema.change(name, roles=("other",))
    db = opened(data.with_schema(schema), policy_of(RULE))
    assert not RULE.applies(asked(db, mean(["v", "w"])))
    with pytest.warns(TacitaNote, match="'row_audit' has nothing to audit"):
        tc.query.open(data.with_schema(schema), policy=policy_of(RULE), key=b"0123456789abcdef")
