"""Tokens and sessions on both stores: ``tacita.web.accounts.credentials`` through the accounts."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest

from tacita.core.errors import ParameterError
from tacita.web.accounts import Accounts, Visitor, open_accounts
from tacita.web.accounts.accounts import TOKEN_SECONDS
from tacita.web.accounts.tokens import NewToken, utc
from tests.web.accounts.children import HandClock


def made(accounts: Accounts, clock: HandClock, hours: float | None = None, **more: object) -> NewToken:
    expires = None if hours is None else utc(clock()) + timedelta(hours=hours)
    given = {"user": "ann", "role": "researcher", "organisation": "institute", "datasets": ("survey", "b"), **more}
    return accounts.new_token(**given, expires=expires)


def forgets(accounts: Accounts) -> None:
    """Let the time pass after which a process looks again."""
    late = accounts._known._clock() + TOKEN_SECONDS
    accounts._known._clock = lambda: late


def test_a_token_stands_for_its_user(accounts: Accounts, clock: HandClock) -> None:
    token = made(accounts, clock)
    expected = Visitor("ann", "researcher", "institute", ("survey", "b"), "192.0.2.1", token.facts.id)
    assert accounts.who(token.text, address="192.0.2.1") == expected
    assert accounts.who(token.text).address == ""
    assert accounts.tokens() == [token.facts]


def test_what_is_no_token_is_nobody(accounts: Accounts, clock: HandClock) -> None:
    text = made(accounts, clock).text
    number = text.split("_")[1]
    others = [f"tacita_{number}_{'0' * 64}", text[:-1] + ("0" if text[-1] != "0" else "1"), "x" * 10**6, "", "\0", None]
    others.append(f"tacita_{'f' * 16}_{text.split('_')[2]}")
    assert [accounts.who(other) for other in others] == [None] * len(others)


def test_a_token_ends(accounts: Accounts, clock: HandClock) -> None:
    token = made(accounts, clock, hours=1)
    assert accounts.who(token.text) is not None
    clock.go(hours=1)  # although it is remembered
    assert accounts.who(token.text) is None


def test_a_revoked_token_opens_nothing(accounts: Accounts, clock: HandClock) -> None:
    token, other = made(accounts, clock), made(accounts, clock, user="bob")
    assert accounts.who(token.text) is not None
    clock.go(seconds=5)
    assert accounts.revoke(token.facts.id).revoked == utc(clock())
    assert accounts.who(token.text) is None
    assert accounts.who(other.text) is not None
    clock.go(seconds=5)
    assert accounts.revoke(token.facts.id).revoked == utc(clock() - 5)
    with pytest.raises(ParameterError, match="there is none of that number"):
        accounts.revoke("0" * 16)


def test_another_process_believes_in_a_token_for_a_moment_only(place: str, clock: HandClock) -> None:
    with open_accounts(place, now=clock) as one, open_accounts(place, now=clock) as other:
        token = made(one, clock)
        assert other.who(token.text) is not None
        one.revoke(token.facts.id)
        forgets(other)
        assert other.who(token.text) is None


def test_a_thousand_looks_are_one_look_at_the_store(accounts: Accounts, clock: HandClock) -> None:
    token, looks, read = made(accounts, clock), [], accounts._store.read
    accounts._store.read = lambda work: looks.append(1) or read(work)
    accounts._known._clock = lambda: 0.0
    for _ in range(1000):
        assert accounts.who(token.text) is not None
    assert len(looks) == 1


def test_a_session_ends_by_itself_and_with_its_token(accounts: Accounts, clock: HandClock) -> None:
    token = made(accounts, clock, hours=10)
    visitor = accounts.who(token.text)
    short, long = accounts.new_session(visitor, hours=1), accounts.new_session(token.facts.id, hours=100)
    assert accounts.session(short) == accounts.session(long) == visitor
    clock.go(hours=1)
    assert accounts.session(short) is None
    assert accounts.session(long, address="::1").address == "::1"
    clock.go(hours=9)
    assert accounts.session(long) is None
    with pytest.raises(ParameterError, match="it has ended or was revoked"):
        accounts.new_session(visitor)


def test_a_session_ends_when_it_is_told_to(accounts: Accounts, clock: HandClock) -> None:
    token = made(accounts, clock)
    first, second = (accounts.new_session(token.facts.id) for _ in range(2))
    assert first != second
    assert accounts.session(first) is not None
    accounts.end_session(first)
    accounts.end_session(first)
    accounts.end_session("nothing")
    assert accounts.session(first) is None
    assert accounts.session(second) is not None
    accounts.revoke(token.facts.id)
    assert accounts.session(second) is None


@pytest.mark.parametrize("text", ["", "x" * 10**6, "0" * 64, None, "0" * 63 + "\n"])
def test_what_is_no_session_is_nobody(accounts: Accounts, text: object) -> None:
    assert accounts.session(text) is None


@pytest.mark.parametrize("hours", [0, -1, 1000, float("nan")])
def test_a_session_has_a_length(accounts: Accounts, clock: HandClock, hours: float) -> None:
    with pytest.raises(ParameterError, match="'hours' must be in"):
        accounts.new_session(made(accounts, clock).facts.id, hours)


def test_nobody_without_a_token_has_a_session(accounts: Accounts) -> None:
    with pytest.raises(ParameterError, match="number of a token"):
        accounts.new_session(Visitor.anonymous("::1"))


def test_no_secret_is_in_the_file(tmp_path: Path, clock: HandClock) -> None:
    path = tmp_path / "accounts.sqlite"
    with open_accounts(path, now=clock) as accounts:
        token = made(accounts, clock)
        session = accounts.new_session(token.facts.id)
        accounts.who(token.text)
        kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    kept += path.read_bytes()
    assert token.facts.id.encode() in kept
    assert token.text.split("_")[2].encode() not in kept
    assert session.encode() not in kept
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT length(digest) FROM tacita_tokens").fetchall() == [(64,)]
