"""Waits: how often a user may ask."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.waits import Waits
from tests.query.builders import judged, opened, policy_of, ring

ASK = Tabulate(by=["sex"])


def _clock() -> itertools.count[float]:
    return itertools.count(1000.0, 1.0)


def test_a_user_who_asks_too_often_has_to_wait_and_others_do_not() -> None:
    clock = _clock()
    db = opened(ring(), policy_of(Waits(most=3, window=100)), now=lambda: next(clock))
    assert [db.ask(ASK, user="ann").status for _ in range(4)] == ["answered"] * 3 + ["refused"]
    assert db.ask(ASK, user="ann").reasons == ("waits",)
    assert db.ask(ASK, user="bob").status == "answered"


def test_refused_questions_count() -> None:
    clock = _clock()
    db = opened(ring(), policy_of(Waits(most=2, window=100)), now=lambda: next(clock))
    for _ in range(2):
        assert db.ask({"kind": "tabulate", "by": ["nobody"]}, user="ann").reasons == ("unknown_variable",)
    assert db.ask(ASK, user="ann").reasons == ("waits",)


def test_after_the_window_the_user_may_ask_again() -> None:
    now = [0.0]
    db = opened(ring(), policy_of(Waits(most=1, window=60)), now=lambda: now[0])
    assert db.ask(ASK, user="ann").status == "answered"
    now[0] = 59.0
    assert db.ask(ASK, user="ann").status == "refused"
    now[0] = 119.5
    assert db.ask(ASK, user="ann").status == "answered"


def test_a_gap_between_two_questions() -> None:
    rule = Waits(least_gap=10)
    db = opened(ring(), policy_of(rule))
    db.history.was_asked("ann", 100.0)
    assert judged(rule, db, ASK, user="ann", now=109.0).decision == "deny"
    assert judged(rule, db, ASK, user="ann", now=110.0).decision == "allow"
    assert judged(rule, db, ASK, user="bob", now=101.0).decision == "allow"


def test_waits_go_on_when_the_database_is_opened_again(tmp_path: Path) -> None:
    policy, place = policy_of(Waits(most=2, window=3600)), tmp_path / "journal.jsonl"
    db = opened(ring(), policy, journal=place)
    for user in ("ann", "ann", "bob"):
        assert db.ask(ASK, user=user).status == "answered"
    again = opened(ring(), policy, journal=place)
    assert again.ask(ASK, user="ann").reasons == ("waits",)
    assert again.ask(ASK, user="bob").status == "answered"
    db.ask(ASK, user="eve")  # the next turn at the journal shows what another process was asked
    assert db.ask(ASK, user="bob").reasons == ("waits",)


def test_without_identities_times_begin_again(tmp_path: Path) -> None:
    policy, place = replace(policy_of(Waits(most=1, window=3600)), identities=False), tmp_path / "journal.jsonl"
    db = opened(ring(), policy, journal=place)
    assert [db.ask(ASK, user="ann").status for _ in range(2)] == ["answered", "refused"]
    assert opened(ring(), policy, journal=place).ask(ASK, user="ann").status == "answered"
