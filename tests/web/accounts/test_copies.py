"""Copies of accounts: consistent while they are in use, from each store into each."""

from __future__ import annotations

import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest

from tacita.core.errors import FileError
from tacita.web.accounts import Accounts, open_accounts, restore_accounts
from tests.web.accounts.children import ANN, HandClock, rule

RULES = [rule("user", 10**6), rule("dataset", 10**6, "ever")]


@pytest.fixture
def filled(accounts: Accounts) -> Accounts:
    accounts.new_token(user="ann", role="researcher", organisation="institute", datasets=("survey", "é"))
    gone = accounts.new_token(user="bob", role="steward", datasets=("*",))
    accounts.revoke(gone.facts.id)
    accounts.reserve(ANN, "survey", 7, RULES)
    accounts.close_dataset("survey", "sue", "why")
    return accounts


def test_everything_comes_back_but_sessions(filled: Accounts, tmp_path: Path, clock: HandClock) -> None:
    made = filled.new_token(user="eve", role="public", datasets=("*",))
    session = filled.new_session(made.facts.id)
    path = filled.backup(tmp_path / "copy")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = path.read_bytes()
    restore_accounts(path, tmp_path / "new")
    assert path.read_bytes() == before
    with open_accounts(tmp_path / "new", now=clock, create=False) as found:
        assert found.tokens() == filled.tokens()
        assert found.spending() == filled.spending()
        assert found.closed() == filled.closed()
        assert found.who(made.text).user == "eve"
        assert found.session(session) is None
        clock.go(hours=-24 * 40)
        assert not found.reserve(ANN, "survey", 10**6 - 6, RULES).granted, "the latest period is known"


def test_from_a_file_into_postgresql_and_back(postgres_place: str, tmp_path: Path, clock: HandClock) -> None:
    with open_accounts(tmp_path / "first", now=clock) as first:
        made = first.new_token(user="ann", role="researcher", datasets=("survey",))
        first.reserve(ANN, "survey", 7, RULES)
        first.backup(tmp_path / "copy")
        restore_accounts(tmp_path / "copy", postgres_place)
        with open_accounts(postgres_place, now=clock, create=False) as second:
            assert second.who(made.text).user == "ann"
            assert second.spending() == first.spending()
            second.backup(tmp_path / "back")
        with pytest.raises(FileError, match="must have no accounts, but it has"):
            restore_accounts(tmp_path / "copy", postgres_place)
    restore_accounts(tmp_path / "back", tmp_path / "third")
    with open_accounts(tmp_path / "third", now=clock) as third:
        assert third.tokens() == [made.facts]


def test_a_copy_is_of_one_moment(accounts: Accounts, tmp_path: Path) -> None:
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            accounts.reserve(ANN, "survey", 1, RULES)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for number in range(5):
            accounts.backup(tmp_path / f"copy {number}")
    finally:
        stop.set()
        thread.join()
    for number in range(5):
        with closing(sqlite3.connect(tmp_path / f"copy {number}")) as copy:
            spent = [row[0] for row in copy.execute("SELECT spent FROM tacita_spending")]
        assert len(set(spent)) <= 1, "both scopes are charged, or neither"


def test_nothing_is_replaced(filled: Accounts, tmp_path: Path) -> None:
    path = filled.backup(tmp_path / "copy")
    with pytest.raises(FileError, match="must be a new file"):
        filled.backup(path)
    (tmp_path / "there").write_text("mine")
    with pytest.raises(FileError, match="must be a new file"):
        restore_accounts(path, tmp_path / "there")
    assert (tmp_path / "there").read_text() == "mine"


def test_what_is_no_copy_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no copy")
    with closing(sqlite3.connect(tmp_path / "other")) as other:
        other.execute("CREATE TABLE notes (text TEXT)")
        other.commit()
    with open_accounts(tmp_path / "live") as accounts:
        accounts.new_token(user="ann", role="public", datasets=("*",))
        content = bytearray(accounts.backup(tmp_path / "damaged").read_bytes())
        content[4096:] = bytes(len(content) - 4096)
        (tmp_path / "damaged").write_bytes(content)
        for name, sentence in [
            ("none", "cannot be read: No such file"),
            ("text", "but it is something else"),
            ("other", "but it is something else"),
            ("live", "it is a file in use"),
            ("damaged", "is damaged"),
        ]:
            with pytest.raises(FileError, match=sentence):
                restore_accounts(tmp_path / name, tmp_path / "new")
    assert not (tmp_path / "new").exists()
