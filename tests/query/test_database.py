"""The database: the pipeline in its order, default deny, repeated questions, explanations, threads."""

from __future__ import annotations

import errno
import json
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import tacita as tc
from tacita.core.errors import ColumnError, DataError, FileError, ParameterError, TacitaWarning
from tacita.core.traits import RestrictionTraits, Stage
from tacita.query import database
from tacita.query.compute import compute
from tacita.query.database import Database
from tacita.query.journal.verify import verify
from tacita.query.noise.cell_key import CellKeyNoise
from tacita.query.question import Question
from tacita.query.requests import Correlate, Quantiles, Regress, Statistic, Tabulate
from tacita.query.restrictions import Combinations, Differences, SetSize, SumAudit, TableSize, Waits
from tacita.query.restrictions.restriction import ALLOW, Restriction, Ruling, deny, review
from tests.query.builders import EVERY_KIND, KEY, fresh, opened, people, policy_of, ring, survey

ASK = Tabulate(by=["sex"])


# --- who decides -----------------------------------------------------------------------------------------------------------


def test_what_no_rule_looks_at_is_refused() -> None:
    assert opened(ring(), policy_of()).ask(ASK).reasons == ("no_rule",)
    only_sums = opened(ring(), policy_of(SumAudit(), standard_errors=False))
    assert only_sums.ask(ASK).reasons == ("no_rule",)
    assert only_sums.ask(Statistic(response="wage", statistic="sum")).status == "answered"


def test_a_repeated_question_is_answered_though_no_rule_looks_at_it_again() -> None:
    db = opened(ring(), policy_of(SumAudit(), standard_errors=False))
    found = [db.ask(Statistic(response="wage", statistic="sum")) for _ in range(3)]
    assert [a.status for a in found] == ["answered"] * 3
    assert len({a.to_json() for a in found}) == 1
    assert db.history.answered == 1


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_requests_that_are_not_offered(kind: str) -> None:
    db = opened(ring(), policy_of(TableSize(), requests=[k for k in EVERY_KIND if k != kind]))
    asked: dict[str, dict[str, Any]] = {
        "tabulate": {"by": ["sex"]},
        "regress": {"response": "wage", "predictors": ["sex"]},
        "residuals": {"response": "wage", "predictors": ["sex"]},
        "correlate": {"columns": ["wage", "sex"]},
        "quantiles": {"response": "wage"},
        "statistic": {},
    }
    answer = db.ask({"kind": kind, **asked[kind]})
    assert (answer.reasons, answer.hint) == (("not_offered",), f"Requests of kind '{kind}' are not answered here.")


SAID: list[str] = []
"""Which restrictions of a test were asked, in their order."""


def _toy(stage: Stage, rule: str, said: Ruling | Exception = ALLOW) -> Restriction:
    """Make a restriction that says what a test tells it."""

    def judge(self: Restriction, question: Question) -> Ruling:
        SAID.append(rule)
        if isinstance(said, Exception):
            raise said
        return said

    words = {"__doc__": "Say what a test says.", "name": rule, "traits": RestrictionTraits(stage=stage), "judge": judge}
    made: Restriction = dataclass(frozen=True, kw_only=True)(type("Toy", (Restriction,), words))()
    return made


def _with(*toys: Restriction) -> Database:
    SAID.clear()
    return opened(ring(), policy_of(*toys))


@pytest.mark.usefixtures("clean_registry")
def test_stages_come_in_their_order_whatever_the_order_of_the_policy() -> None:
    db = _with(_toy("history", "h"), _toy("result", "x"), _toy("universe", "u"), _toy("request", "r"))
    assert db.ask(ASK).status == "answered"
    assert SAID == ["r", "u", "h", "x"]


@pytest.mark.usefixtures("clean_registry")
def test_the_first_stage_that_refuses_ends_it_and_its_other_rules_are_asked() -> None:
    db = _with(_toy("request", "a", deny("")), _toy("request", "b", deny("")), _toy("universe", "c", deny("")))
    assert db.ask(ASK).reasons == ("a", "b")
    assert SAID == ["a", "b"]


@pytest.mark.usefixtures("clean_registry")
def test_a_review_does_not_end_it_and_any_deny_wins() -> None:
    db = _with(_toy("request", "a", review("")), _toy("history", "b", deny("")))
    assert (db.ask(ASK).status, db.ask(ASK).reasons) == ("refused", ("b",))
    db = _with(_toy("request", "a", review("")), _toy("history", "b"))
    assert (db.ask(ASK).status, db.ask(ASK).reasons) == ("review", ("a",))


@pytest.mark.usefixtures("clean_registry")
def test_a_restriction_may_look_at_the_result() -> None:
    db = _with(_toy("request", "a"), _toy("result", "b", deny("too exact")))
    answer = db.ask(ASK)
    assert (answer.status, answer.reasons, answer.table) == ("refused", ("b",), None)
    assert db.history.answered == 0


@pytest.mark.usefixtures("clean_registry")
def test_a_restriction_that_fails_refuses() -> None:
    db = _with(_toy("request", "a", ValueError("canary 4711")))
    assert db.ask(ASK).reasons == ("a",)
    details = [said.detail for entry in db.journal.entries() for said in entry.rules]
    assert details == ["it could not be judged: ValueError"]


# --- the same question ----------------------------------------------------------------------------------------------------


def test_the_same_question_has_the_same_bytes_from_every_source(tmp_path: Path) -> None:
    """Microdata, Parquet, DuckDB and another object of the same key: tables, models, refusals."""
    data = survey()
    for ending in ("parquet", "duckdb"):
        tc.write(data, tmp_path / f"survey.{ending}")
    asked = [
        Tabulate(by=["sex", "urban"]),
        Tabulate(by=["sex"], response="income", statistic="mean"),
        Regress(response="income", predictors=["age", "sex"]),
        Correlate(columns=["age", "income"]),
        Quantiles(response="income"),
        Tabulate(by=["sex"], where={"birth_country": "Brazil"}),
    ]
    for policy in ("mas", "tables"):
        answers = []
        for source in (data, data, tmp_path / "survey.parquet", tmp_path / "survey.duckdb"):
            db = opened(source, policy, schema=None if source is data else data.schema, record_id="person_id")
            answers.append([db.ask(request).to_json() for request in asked])
        assert all(found == answers[0] for found in answers[1:]), policy


def test_another_key_draws_other_noise_and_other_ids() -> None:
    one, other = (opened(survey(), "tables", key=key).ask(Tabulate(by=["education"])) for key in (KEY, KEY[::-1]))
    assert one.table.values.tolist() != other.table.values.tolist()
    assert one.id != other.id
    assert opened(survey(), "tables", key=KEY).ask(Tabulate(by=["education"])).to_json() == one.to_json()


def test_the_same_set_of_records_has_the_same_noise_however_it_is_described() -> None:
    """Everybody who is married by marital status, and the same people found by a class of another variable."""
    counts = {("a", "x"): 40, ("b", "y"): 60, ("c", "z"): 50}
    db = opened(people(counts, ("v", "w")), policy_of(TableSize(), requests=["tabulate"], cells=CellKeyNoise()))
    by_v, by_w = (db.ask(Tabulate(by=[name])).table.values.tolist() for name in ("v", "w"))
    assert by_v == by_w


def test_eight_threads_get_the_same_answers_as_one() -> None:
    asked = [Tabulate(by=[name]) for name in ("sex", "urban", "education", "marital", "employment", "health")]
    asked += [Tabulate(by=["sex"], where={"urban": c}) for c in ("city", "town", "rural")]
    alone = opened(survey(), "tables")
    wanted = {request.to_json(): alone.ask(request).to_json() for request in asked}
    db = fresh(alone)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda r: (r.to_json(), db.ask(r, user="x").to_json()), asked * 4))
    assert all(wanted[text] == answer for text, answer in found)
    assert db.history.answered == len(asked)
    assert [e.number for e in db.journal.entries()] == list(range(len(asked) * 4 + 1))


def test_threads_share_one_auditor() -> None:
    """Of sums that give away a record in pairs, one of each pair is answered, whoever comes first."""
    db = opened(ring(), policy_of(Differences(least=3)))
    sets = [[f"r{i:02d}" for i in range(20 + more)] for more in (0, 1)]
    with ThreadPoolExecutor(8) as pool:
        found = list(
            pool.map(lambda w: db.ask(Statistic(response="wage", statistic="sum", where={"who": w})).status, sets * 4)
        )
    assert sorted(set(found)) == ["answered", "refused"]
    assert db.history.answered == 1


@pytest.mark.parametrize("is_file", [False, True])
def test_of_sums_that_race_and_would_single_out_a_record_one_is_answered(tmp_path: Path, *, is_file: bool) -> None:
    """Six pairs of sums that differ by one record: of each pair one is answered, in whatever order they come."""
    policy = policy_of(SumAudit(), standard_errors=False)
    for turn in range(3):
        path = tmp_path / f"{turn}.jsonl"
        db = opened(ring(), policy, journal=path if is_file else None)
        blocks = [[f"r{10 * block + i:02d}" for i in range(10)] for block in range(6)]
        sets = [names[:size] for names in blocks for size in (9, 10)]
        with ThreadPoolExecutor(12) as pool:
            asked = [Statistic(response="wage", statistic="sum", where={"who": names}) for names in sets]
            found = [answer.status for answer in pool.map(db.ask, asked)]
        assert [sorted(found[i : i + 2]) for i in range(0, 12, 2)] == [["answered", "refused"]] * 6
        assert db.history.answered == 6
        entered = [entry.status for entry in db.journal.entries() if entry.kind == "request"]
        assert sorted(entered) == ["answered"] * 6 + ["refused"] * 6
        if is_file:
            assert verify(path, key=KEY).state == "verified"
            again = opened(ring(), policy, journal=path)
            assert [again.ask(request).status for request in asked] == found


def test_twins_that_race_are_one_answer_and_its_repetitions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All are computed before one is entered; opening again must not count them several times."""
    path, together = tmp_path / "journal.jsonl", threading.Barrier(6)

    def computed(question: Question) -> Any:
        together.wait(30)
        return compute(question)

    db = opened(ring(), policy_of(TableSize()), journal=path)
    monkeypatch.setattr(database, "compute", computed)
    with ThreadPoolExecutor(6) as pool:
        found = {answer.to_json() for answer in pool.map(db.ask, [ASK] * 6)}
    assert len(found) == 1
    said = [[one.rule for one in entry.rules] for entry in db.journal.entries() if entry.kind == "request"]
    assert said == [["table_size"]] + [["table_size", "answered_before"]] * 5
    assert opened(ring(), policy_of(TableSize()), journal=path).history.answered == db.history.answered == 1


# --- a disk that fails ------------------------------------------------------------------------------------------------------


def _broken(handle: int) -> None:
    raise OSError(errno.EIO, "the disk is broken")


def test_an_answer_that_was_held_back_is_entered_as_new_when_it_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Were it given as a repetition, no entry would say that it left, and opening again would forget it."""
    path, policy = tmp_path / "journal.jsonl", policy_of(SumAudit(), standard_errors=False)
    db = opened(ring(), policy, journal=path)
    sums = [
        Statistic(response="wage", statistic="sum", where={"who": [f"r{i:02d}" for i in range(n)]}) for n in (9, 10)
    ]
    with monkeypatch.context() as failing:
        failing.setattr(os, "fsync", _broken)
        with pytest.raises(FileError, match="brought to the disk"):
            db.ask(sums[0])
    assert db.ask(sums[0]).status == "answered"
    again = opened(ring(), policy, journal=path)
    assert again.history.answered == 1
    assert again.ask(sums[1]).reasons == ("sum_audit",)
    assert verify(path, key=KEY).state == "verified"


def test_an_entry_that_took_the_number_of_one_held_back_is_met(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, policy = tmp_path / "journal.jsonl", policy_of(SumAudit(), standard_errors=False)
    db = opened(ring(), policy, journal=path)
    sums = [
        Statistic(response="wage", statistic="sum", where={"who": [f"r{i:02d}" for i in range(n)]}) for n in (9, 10)
    ]
    with monkeypatch.context() as failing:
        failing.setattr(os, "fsync", _broken)
        for name in ("sex", "block", "who"):
            with pytest.raises(FileError, match="brought to the disk"):
                db.ask(Tabulate(by=[name], response="wage", statistic="total"))
    other = opened(ring(), policy, journal=path)
    assert other.ask(sums[0]).status == "answered"
    assert db.ask(sums[1]).reasons == ("sum_audit",)


# --- explanations -----------------------------------------------------------------------------------------------------------


def test_an_explanation_shows_every_rule_and_changes_nothing_but_the_journal() -> None:
    db = opened(ring(), policy_of(SetSize(k=10), Differences(least=3), TableSize(dimensions=1)))
    sums = Statistic(response="wage", statistic="sum", where={"who": ["r01", "r02"]})
    before = db.journal.head()
    found = db.explain(sums, user="steward")
    assert found.status == "refused"
    assert found.records == 2
    shown = {o.rule: (o.ruling.decision, o.ruling.detail) for o in found.outcomes}
    assert [o.rule for o in found.outcomes] == ["table_size", "set_size", "differences"]
    assert shown["set_size"][0] == "deny"
    assert "10" in shown["set_size"][1]
    assert shown["differences"][0] == "deny"
    assert db.history.answered == 0
    assert not db.history.asked_at
    assert db.journal.head() != before
    assert list(db.journal.entries())[-1].kind == "explain"
    assert json.dumps(found.to_plain())


def test_an_explanation_of_what_would_be_answered_answers_nothing() -> None:
    db = opened(ring(), policy_of(Differences(least=3)))
    found = db.explain(ASK)
    assert found.status == "answered"
    assert set(found.to_plain()) == {"status", "records", "rules"}
    assert db.history.answered == 0
    entry = list(db.journal.entries())[-1]
    assert (entry.kind, entry.status, entry.answer) == ("explain", "answered", None)


def test_an_explanation_of_what_is_not_understood_is_in_the_journal_too() -> None:
    db = opened(ring(), policy_of(TableSize()))
    assert db.explain({"kind": "tabulate", "by": ["nobody"]}).outcomes[0].rule == "unknown_variable"
    assert db.explain("no json").outcomes[0].rule == "request_form"
    kinds = [(e.kind, e.status) for e in db.journal.entries()]
    assert kinds[-2:] == [("explain", "refused")] * 2


def test_an_explanation_says_that_no_rule_applies_or_that_it_cannot_be_computed() -> None:
    assert opened(ring(), policy_of()).explain(ASK).outcomes[0].rule == "no_rule"
    db = opened(ring(), policy_of(TableSize()))
    empty = Tabulate(by=["sex"], where={"who": "r01", "sex": "m"})
    assert [o.rule for o in db.explain(empty).outcomes] == ["table_size", "no_records"]


# --- opening ------------------------------------------------------------------------------------------------------------------


def test_a_journal_needs_a_key(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="'key' must be given where a journal is kept"):
        tc.query.open(ring(), policy="internal", journal=tmp_path / "journal.jsonl")
    assert not (tmp_path / "journal.jsonl").exists()


def test_without_a_key_every_opening_draws_other_noise() -> None:
    policy = policy_of(TableSize(), requests=["tabulate"], cells=CellKeyNoise())
    found = {tuple(opened(ring(), policy, key=None).ask(Tabulate(by=["who"])).table.values) for _ in range(3)}
    assert len(found) == 3


def test_dropping_without_strata_is_warned_of() -> None:
    policy = policy_of(TableSize(), subsample=tc.query.Policy.preset("mas").subsample)
    with pytest.warns(TacitaWarning, match="No stratum is named"):
        tc.query.open(ring(), policy=policy, key=KEY)


def test_strata_of_the_policy_must_be_there() -> None:
    with pytest.raises(ColumnError, match="nowhere"):
        opened(ring(), policy_of(TableSize(), strata=("nowhere",)))


def test_the_repr_tells_sizes_only() -> None:
    assert repr(opened(ring(), policy_of(TableSize()))) == "Database: 60 records, 4 variables, policy 'own'"


def test_data_without_a_variable_to_ask_for() -> None:
    data = people({("a",): 1, ("b",): 1}, ["v"])
    data = data.with_schema(data.schema.change("v", roles=("identifier",)).change("wage", roles=("weight",)))
    with pytest.raises(DataError, match="no variable that could be asked for"):
        opened(data, policy_of(TableSize()))


def test_waits_are_for_repeated_questions_too() -> None:
    db = opened(ring(), policy_of(Waits(most=2, window=1e6), Combinations()))
    assert [db.ask(ASK, user="ann").status for _ in range(3)] == ["answered", "answered", "refused"]
