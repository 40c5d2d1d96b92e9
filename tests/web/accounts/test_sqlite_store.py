"""Accounts in an SQLite file: who may read it, what is refused, a full disk, a file that is gone, a fork."""

from __future__ import annotations

import os
import resource
import sqlite3
import stat
import tempfile
import threading
from contextlib import closing
from pathlib import Path

import pytest

from tacita.core.errors import FileError
from tacita.web.accounts import Accounts, AccountsUnavailable, open_accounts, sqlite_store
from tacita.web.accounts.store import FORM
from tests.web.accounts.children import ANN, HandClock, begun, ended, rule

RULES = [rule("user", 1000)]
NOBODY = 65534


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "accounts.sqlite"


def spent(accounts: Accounts) -> int:
    return sum(row.spent for row in accounts.spending())


def test_only_its_owner_can_read_it(path: Path) -> None:
    before = os.umask(0)
    try:
        with open_accounts(path) as accounts:
            accounts.reserve(ANN, "survey", rules=RULES)
            assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}
            assert len(list(path.parent.iterdir())) == 3, "the file, its log and the index of that"
    finally:
        os.umask(before)


def test_a_commit_waits_for_the_disk(path: Path) -> None:
    with open_accounts(path) as accounts:
        found = accounts._store.read(
            lambda s: [s.rows(f"PRAGMA {name}")[0][0] for name in ("journal_mode", "synchronous")]
        )
    assert found == ["wal", 2]


def test_an_empty_file_is_taken(path: Path) -> None:
    path.touch()
    with open_accounts(path) as accounts:
        assert accounts.tokens() == []


@pytest.mark.parametrize("content", [b"no database", b"x" * 5000, b"SQLite format 3\0" + b"y" * 5000])
def test_another_file_is_refused_and_stays(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises((FileError, AccountsUnavailable)):
        open_accounts(path)
    assert path.read_bytes() == content
    assert list(path.parent.iterdir()) == [path]


def test_another_database_is_refused_and_stays(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE notes (text TEXT)")
        other.commit()
    content = path.read_bytes()
    with pytest.raises(FileError, match=r"The file 'accounts.sqlite' must hold accounts of the server"):
        open_accounts(path)
    assert path.read_bytes() == content


def test_a_later_form_is_refused(path: Path) -> None:
    open_accounts(path).close()
    with closing(sqlite3.connect(path)) as other:
        other.execute("UPDATE tacita_accounts SET value = ?", (str(FORM + 1),))
        other.commit()
    with pytest.raises(FileError, match=f"accounts of form {FORM + 1}, and this version knows form {FORM} only"):
        open_accounts(path)


def test_none_is_made_unless_it_may_be(path: Path) -> None:
    with pytest.raises(FileError, match="there is none"):
        open_accounts(path, create=False)
    assert not path.exists()
    with pytest.raises(FileError, match="must be a file"):
        open_accounts(path.parent)
    with pytest.raises(FileError, match="cannot be made: No such file"):
        open_accounts(path / "none")


def test_several_may_open_a_new_file_at_once(path: Path) -> None:
    numbers = [begun(lambda: open_accounts(path).reserve(ANN, "survey", rules=RULES)) for _ in range(6)]
    assert [ended(number) for number in numbers] == [0] * 6
    with open_accounts(path, create=False) as accounts:
        assert spent(accounts) == 6


def test_a_file_that_is_gone_is_no_new_budget(path: Path) -> None:
    with open_accounts(path, now=HandClock()) as accounts:
        assert accounts.reserve(ANN, "survey", 3, RULES).granted
        away = path.rename(path.with_name("away"))
        for _ in range(2):
            with pytest.raises(AccountsUnavailable, match="it is gone"):
                accounts.reserve(ANN, "survey", 3, RULES)
        assert not path.exists()
        path.touch()
        with pytest.raises(AccountsUnavailable, match="it is empty"):
            accounts.reserve(ANN, "survey", 3, RULES)
        away.replace(path)
        assert accounts.reserve(ANN, "survey", 3, RULES).granted
        assert spent(accounts) == 6


@pytest.mark.parametrize("is_in_use", [True, False])
def test_a_file_that_was_put_in_its_place_is_seen(path: Path, tmp_path: Path, is_in_use: bool) -> None:
    open_accounts(tmp_path / "other").close()
    with open_accounts(path) as accounts:
        accounts.new_token(user="ann", role="public", datasets=("*",))
        if not is_in_use:
            accounts.close()
        (tmp_path / "other").replace(path)
        if is_in_use:  # its log would be taken for that of the new one
            with pytest.raises(AccountsUnavailable, match="another file stands in its place"):
                accounts.tokens()
        else:
            assert accounts.tokens() == []


def test_something_else_in_its_place_is_the_one_error(path: Path) -> None:
    with open_accounts(path) as accounts:
        accounts.close()
        path.unlink()
        path.write_bytes(b"something else")
        with pytest.raises(AccountsUnavailable, match="it is none of accounts"):
            accounts.tokens()
        assert path.read_bytes() == b"something else"


def full_disk(path: Path) -> None:
    """In a child: no file may grow; then files may grow again."""
    accounts = open_accounts(path, now=HandClock())
    assert accounts.reserve(ANN, "survey", 2, RULES).granted
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    largest = max(file.stat().st_size for file in path.parent.iterdir())
    resource.setrlimit(resource.RLIMIT_FSIZE, (min(file.stat().st_size for file in path.parent.iterdir()), before[1]))
    assert largest > 0
    for _ in range(2):
        with pytest.raises(AccountsUnavailable, match="the disk failed or is full"):
            accounts.reserve_many([(ANN, f"survey {n}", 3) for n in range(500)], RULES)
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert accounts.reserve(ANN, "survey", 2, RULES).granted
    assert spent(accounts) == 4


def test_a_full_disk_keeps_nothing_and_goes_by(path: Path) -> None:
    assert ended(begun(lambda: full_disk(path))) == 0
    with open_accounts(path) as accounts:
        assert spent(accounts) == 4


def read_only(path: Path) -> None:
    """In a child, which is not root any more: the file may not be written to; then it may again."""
    if os.geteuid() == 0:
        os.chown(path.parent, NOBODY, NOBODY)
        os.setegid(NOBODY)
        os.seteuid(NOBODY)
    with open_accounts(path, now=HandClock()) as accounts:
        assert accounts.reserve(ANN, "survey", 1, RULES).granted
        accounts.close()
        path.chmod(0o400)
        for _ in range(2):
            with pytest.raises(AccountsUnavailable, match="it cannot be written to"):
                accounts.reserve(ANN, "survey", 1, RULES)
        path.chmod(0o600)
        assert accounts.reserve(ANN, "survey", 1, RULES).granted
        assert spent(accounts) == 2


def test_a_file_that_cannot_be_written() -> None:
    with tempfile.TemporaryDirectory() as folder:  # not pytest's own: nobody else may look into what belongs to root
        assert ended(begun(lambda: read_only(Path(folder) / "accounts.sqlite"))) == 0


def test_somebody_who_holds_it_for_too_long(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_store, "PATIENCE", 0.05)
    with (
        open_accounts(path, now=HandClock()) as accounts,
        closing(sqlite3.connect(path, isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(AccountsUnavailable, match="somebody else holds it for too long"):
            accounts.reserve(ANN, "survey", 1, RULES)
        assert accounts.spending() == [], "reading does not wait"
        other.execute("COMMIT")
        assert accounts.reserve(ANN, "survey", 1, RULES).granted


def test_a_damaged_file_is_one_error(path: Path) -> None:
    with open_accounts(path) as accounts:
        for number in range(300):
            accounts.new_token(user=f"user {number}", role="public", datasets=("*",))
        accounts.close()
        content = bytearray(path.read_bytes())
        content[4096:] = b"\xff" * (len(content) - 4096)
        path.write_bytes(content)
        with pytest.raises(AccountsUnavailable):
            accounts.tokens()


def test_what_the_work_itself_raises_is_not_kept(path: Path) -> None:
    def half(statements: object) -> None:
        statements.change("INSERT INTO tacita_periods (per, latest) VALUES ('day', 'x')")
        raise ZeroDivisionError

    with open_accounts(path) as accounts:
        with pytest.raises(ZeroDivisionError):
            accounts._store.write(half)
        assert accounts._store.read(lambda s: s.rows("SELECT * FROM tacita_periods")) == []


def test_after_a_fork_both_go_on(path: Path) -> None:
    with open_accounts(path, now=HandClock()) as accounts:
        assert accounts.reserve(ANN, "survey", 1, RULES).granted
        accounts._store._lock.acquire()  # as another thread may have, in the moment of the fork
        number = begun(lambda: [accounts.reserve(ANN, "survey", 1, RULES) for _ in range(5)])
        accounts._store._lock.release()
        assert accounts.reserve(ANN, "survey", 1, RULES).granted
        assert ended(number) == 0
        assert spent(accounts) == 7


def test_a_thread_may_use_what_another_opened(path: Path) -> None:
    found = []
    with open_accounts(path) as accounts:
        thread = threading.Thread(target=lambda: found.append(accounts.reserve(ANN, "survey", 1, RULES)))
        thread.start()
        thread.join()
    assert found[0].granted
