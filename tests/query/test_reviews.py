"""Questions that wait for a person: decided once, from the journal, for good."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tacita.core.errors import FileError, ParameterError
from tacita.query.database import Database
from tacita.query.journal.memory import MemoryJournal
from tacita.query.journal.verify import verify
from tacita.query.outcome import Outcome
from tacita.query.requests import Statistic, Tabulate
from tacita.query.restrictions import Combinations, Differences, TableSize
from tacita.query.restrictions.restriction import ALLOW, deny, review
from tacita.query.reviews import DECISION, DENIED, Reviews
from tests.query.builders import KEY, opened, policy_of, ring

POLICY = policy_of(TableSize(), Combinations(ask=[["who"]]))
WAITS = Tabulate(by=["who"])
REQUEST = {"kind": "tabulate", "by": ["wé"]}
TEXT = json.dumps(REQUEST, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
SAID = (Outcome("size", ALLOW), Outcome("meet", review("they meet")))


def _noted(*decisions: str) -> Reviews:
    """Reviews of a journal in which a question waited, and was decided."""
    journal, found = MemoryJournal(key=KEY), Reviews()
    rules = [("size", "allow", None), ("meet", "review", "they meet")]
    journal.append(user="ann", request=REQUEST, status="review", rules=rules)
    journal.append(user="bob", request=REQUEST, status="review", rules=rules)
    for decision in decisions:
        journal.append(DECISION, user="steward", request=REQUEST, status=decision)
    for entry in journal.entries():
        found.note(entry)
    return found


def test_a_question_waits_once_with_who_asked_first_and_the_rules_that_left_it() -> None:
    found = _noted()
    assert len(found) == 1
    (made,) = found.listed()
    assert (made.number, made.request, made.rules, made.state) == (1, REQUEST, (("meet", "they meet"),), "waiting")
    assert found.waiting(1) == made
    plain = made.to_plain()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["rules"] == [{"rule": "meet", "detail": "they meet"}]


@pytest.mark.parametrize("state", ["allowed", "denied"])
def test_what_is_decided_does_not_wait(state: Any) -> None:
    found = _noted(state)
    assert (len(found), found.listed()) == (0, ())
    assert [made.number for made in found.listed(state)] == [1]
    with pytest.raises(ParameterError, match="'number' must be that of a question that waits for a person, got 1"):
        found.waiting(1)


def test_a_decision_about_nothing_is_none() -> None:
    journal, found = MemoryJournal(key=KEY), Reviews()
    assert found.decided(journal.append(DECISION, request=REQUEST, status="allowed")) is None
    assert found.settled(TEXT, SAID) == SAID
    found = _noted()
    assert found.decided(journal.append(DECISION, request=REQUEST, status="perhaps")) is None
    assert len(found) == 1


def test_what_a_person_says_settles_what_was_left_to_him_and_nothing_else() -> None:
    assert _noted().settled(TEXT, SAID) == SAID
    allowed = _noted("allowed").settled(TEXT, (*SAID, Outcome("gamma", deny("too small"))))
    assert [(o.rule, o.ruling.decision) for o in allowed] == [("size", "allow"), ("meet", "allow"), ("gamma", "deny")]
    denied = _noted("denied").settled(TEXT, SAID)
    assert denied[:2] == SAID
    assert (denied[2].rule, denied[2].ruling.decision) == (DENIED, "deny")
    assert _noted("denied").settled(TEXT + " ", SAID) == SAID, "another question"


# --- by the database --------------------------------------------------------------------------------------------------------


def _opened(path: Path | None = None) -> Database:
    return opened(ring(), POLICY, journal=path)


def _number(db: Database) -> int:
    return db.reviews.listed()[0].number


def test_an_allowed_question_is_answered_again_and_again() -> None:
    db = _opened()
    waiting = db.ask(WAITS, user="ann")
    assert (waiting.status, waiting.reasons, waiting.table) == ("review", ("combinations",), None)
    made = db.decide(_number(db), allow=True, steward="eve", why="harmless")
    assert (made.state, len(db.reviews)) == ("allowed", 0)
    found = [db.ask(WAITS), db.ask(WAITS, user="bob"), db.answer(waiting.id)]
    assert [getattr(answer, "status", None) for answer in found] == ["answered"] * 3
    assert found[0] == found[1] == found[2]
    assert found[0].id == waiting.id
    assert db.history.answered == 1


def test_a_denied_question_is_refused_by_that_name() -> None:
    db = _opened()
    db.ask(WAITS)
    assert db.decide(_number(db), allow=False, steward="eve").state == "denied"
    answer = db.ask(WAITS)
    assert (answer.status, answer.reasons, answer.table) == ("refused", (DENIED,), None)
    assert db.ask(Tabulate(by=["who"], where={"sex": "f"})).status == "review", "another question waits for itself"


def test_the_journal_has_the_decision_and_its_reason() -> None:
    db = _opened()
    db.ask(WAITS, user="ann")
    db.decide(_number(db), allow=False, steward="eve", why="too fine")
    entry = list(db.journal.entries())[-1]
    assert (entry.kind, entry.status, entry.answer) == (DECISION, "denied", None)
    assert [(said.rule, said.decision, said.detail) for said in entry.rules] == [("review", "deny", "too fine")]
    assert entry.user == db.journal.pseudonym("eve")


@pytest.mark.parametrize(("allow", "status", "reasons"), [(True, "answered", ()), (False, "refused", (DENIED,))])
def test_decisions_survive_opening_again(tmp_path: Path, status: str, reasons: tuple[str, ...], *, allow: bool) -> None:
    path = tmp_path / "journal.jsonl"
    waiting = _opened(path).ask(WAITS)
    db = _opened(path)
    assert [made.state for made in db.reviews.listed()] == ["waiting"]
    db.decide(_number(db), allow=allow, steward="eve")
    for _ in range(2):
        answer = _opened(path).ask(WAITS)
        assert (answer.status, answer.reasons, answer.id) == (status, reasons, waiting.id)
    fetched = _opened(path).answer(waiting.id)
    assert fetched is not None
    assert fetched.status == status
    assert verify(path, key=KEY).state == "verified"


def test_only_what_waits_is_decided_and_only_once() -> None:
    db = _opened()
    db.ask(Tabulate(by=["sex"]))
    head = db.journal.head()
    for number in (0, 1, 2, 99, -1):
        with pytest.raises(ParameterError, match="waits for a person"):
            db.decide(number, allow=True, steward="eve")
    assert db.journal.head() == head
    db.ask(WAITS)
    number = _number(db)
    db.decide(number, allow=False, steward="eve")
    with pytest.raises(ParameterError, match="waits for a person"):
        db.decide(number, allow=True, steward="mallory")
    assert db.ask(WAITS).reasons == (DENIED,)


def test_rules_that_refuse_still_win_over_an_allowance() -> None:
    db = opened(ring(), policy_of(Combinations(ask=[["who"]]), Differences(least=3)))
    sums = [
        Statistic(response="wage", statistic="sum", where={"who": [f"r{i:02d}" for i in range(size)]})
        for size in (20, 21)
    ]
    assert [db.ask(request).status for request in sums] == ["review"] * 2
    for made in db.reviews.listed():
        db.decide(made.number, allow=True, steward="eve")
    assert [db.ask(request).reasons for request in sums] == [(), ("differences",)]


def test_a_steward_at_another_process_decides_what_was_asked_here(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    here, there = _opened(path), _opened(path)
    here.ask(WAITS)
    there.decide(_number(here), allow=True, steward="eve")
    with pytest.raises(ParameterError, match="waits for a person"):
        here.decide(_number(here), allow=False, steward="bob")
    assert here.ask(WAITS).status == "answered"


def test_a_decision_that_the_disk_does_not_have_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(handle: int) -> None:
        raise OSError(errno.EIO, "the disk is broken")

    db = _opened(tmp_path / "journal.jsonl")
    db.ask(WAITS)
    with monkeypatch.context() as failing:
        failing.setattr(os, "fsync", broken)
        with pytest.raises(FileError, match="brought to the disk"):
            db.decide(_number(db), allow=True, steward="eve")
    assert db.ask(WAITS).status == "review"
    db.decide(_number(db), allow=True, steward="eve")
    assert db.ask(WAITS).status == "answered"
