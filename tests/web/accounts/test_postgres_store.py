"""Accounts in PostgreSQL: lost connections, a server that is stopped and started, and no word of its address."""

from __future__ import annotations

import shutil
import subprocess
import time
import traceback
from pathlib import Path

import pytest

from tacita.core.errors import FileError, ParameterError
from tacita.web.accounts import AccountsUnavailable, open_accounts
from tacita.web.accounts.postgres_store import PostgresStore
from tacita.web.accounts.store import FORM
from tests import postgres
from tests.postgres import Server
from tests.web.accounts.children import ANN, HandClock, begun, ended, rule

RULES = [rule("user", 1000)]
CANARY = "c4n4ry"


def all_words(error: BaseException) -> str:
    return "".join(traceback.format_exception(error)) + str(error) + repr(error)


def test_an_address_that_does_not_answer_is_not_shown() -> None:
    pytest.importorskip("psycopg", reason="the driver of PostgreSQL for accounts is not installed")
    with pytest.raises(AccountsUnavailable, match="PostgreSQL does not answer") as found:
        open_accounts(f"postgresql://ann:{CANARY}@127.0.0.1:1/x")
    assert CANARY not in all_words(found.value)


@pytest.mark.parametrize("url", [f"postgresql://[{CANARY}", f"postgresql://a@b/c?{CANARY}=1"])
def test_what_is_no_address_is_not_shown(url: str) -> None:
    pytest.importorskip("psycopg", reason="the driver of PostgreSQL for accounts is not installed")
    with pytest.raises(ParameterError, match="'accounts' must be a file or an address") as found:
        open_accounts(url)
    assert CANARY not in all_words(found.value)


def test_a_wrong_password_is_not_shown(postgres_server: Server, postgres_place: str) -> None:
    with pytest.raises(AccountsUnavailable, match="or does not let us in") as found:
        open_accounts(postgres_server.url(password=CANARY))
    assert CANARY not in all_words(found.value)
    assert "secret" in repr(PostgresStore(postgres_place))


def test_none_is_made_unless_it_may_be(postgres_place: str) -> None:
    with pytest.raises(FileError, match="but it has none"):
        open_accounts(postgres_place, create=False)
    open_accounts(postgres_place).close()
    with open_accounts(postgres_place, create=False) as accounts:
        accounts._store.write(lambda s: s.change("UPDATE tacita_accounts SET value = ?", (str(FORM + 1),)))
    with pytest.raises(FileError, match=f"accounts of form {FORM + 1}"):
        open_accounts(postgres_place)


def test_several_may_make_the_tables_at_once(postgres_place: str) -> None:
    numbers = [begun(lambda: open_accounts(postgres_place).reserve(ANN, "survey", rules=RULES)) for _ in range(5)]
    assert [ended(number) for number in numbers] == [0] * 5
    with open_accounts(postgres_place, create=False) as accounts:
        assert [row.spent for row in accounts.spending()] == [5]


def test_a_connection_that_was_lost_is_made_anew(postgres_server: Server, postgres_place: str) -> None:
    with open_accounts(postgres_place, now=HandClock()) as accounts:
        for _ in range(3):
            assert accounts.reserve(ANN, "survey", 1, RULES).granted
            postgres_server.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tacita'"
            )
        assert [row.spent for row in accounts.spending()] == [3]


def test_a_commit_that_was_lost_is_never_repeated(postgres_place: str) -> None:
    """The connection breaks after the server kept the work and before it said so: the work must not be done again."""
    with open_accounts(postgres_place, now=HandClock()) as accounts:
        accounts.reserve(ANN, "survey", 1, RULES)
        connection, calls = accounts._store._connection, []
        execute = connection.execute

        def lost(statement: str, *more: object) -> object:
            found = execute(statement, *more)
            if statement == "COMMIT":
                import psycopg

                calls.append(statement)
                raise psycopg.OperationalError("gone")
            return found

        connection.execute = lost
        with pytest.raises(AccountsUnavailable, match="while it was told to keep something"):
            accounts.reserve(ANN, "survey", 1, RULES)
        assert calls == ["COMMIT"]
        assert [row.spent for row in accounts.spending()] == [2]


def test_what_the_work_itself_raises_is_not_kept(postgres_place: str) -> None:
    def half(statements: object) -> None:
        statements.change("INSERT INTO tacita_periods (per, latest) VALUES ('day', 'x')")
        raise ZeroDivisionError

    with open_accounts(postgres_place) as accounts:
        with pytest.raises(ZeroDivisionError):
            accounts._store.write(half)
        assert accounts._store.read(lambda s: s.rows("SELECT * FROM tacita_periods")) == []


def test_tables_that_are_gone_are_one_error(postgres_place: str) -> None:
    with open_accounts(postgres_place) as accounts:
        accounts._store.write(lambda s: s.change("ALTER TABLE tacita_spending RENAME TO away"))
        with pytest.raises(AccountsUnavailable, match="it refused a statement"):
            accounts.reserve(ANN, "survey", 1, RULES)
        accounts._store.write(lambda s: s.change("ALTER TABLE away RENAME TO tacita_spending"))
        assert accounts.reserve(ANN, "survey", 1, RULES).granted


def test_after_a_fork_both_go_on(postgres_place: str) -> None:
    with open_accounts(postgres_place, now=HandClock()) as accounts:
        accounts.reserve(ANN, "survey", 1, RULES)
        number = begun(lambda: [accounts.reserve(ANN, "survey", 1, RULES) for _ in range(5)])
        assert accounts.reserve(ANN, "survey", 1, RULES).granted
        assert ended(number) == 0
        assert [row.spent for row in accounts.spending()] == [7]


@pytest.fixture
def own_server(postgres_server: Server) -> object:
    """Give a server that no other test uses; the shared one only shows that there can be one."""
    running = postgres._started()
    yield running
    postgres._end(running.process)
    shutil.rmtree(running.folder, ignore_errors=True)


def start_again(running: object) -> None:
    """Start a server that was stopped, on the port that it had."""
    given = {**postgres.SETTINGS, "port": running.server.port, "unix_socket_directories": running.folder}
    words = [f"-c{name}={value}" for name, value in given.items()]
    program = [*postgres._unprivileged(), postgres._programs() / "postgres", "-D", running.folder / "data", *words]
    with (running.folder / "log").open("ab") as log:
        running.process = subprocess.Popen(program, cwd=running.folder, stdout=log, stderr=log)
    told, patience = Path(running.folder) / "data" / "postmaster.pid", time.monotonic() + 20
    while time.monotonic() < patience:
        lines = told.read_text(encoding="ascii").splitlines() if told.exists() else []
        if len(lines) > 7 and lines[7].strip() == "ready" and int(lines[0]) == running.process.pid:
            return
        time.sleep(0.02)
    pytest.fail("the server does not start again")


def test_a_server_that_is_stopped_and_started(own_server: object) -> None:
    with open_accounts(own_server.server.url(), now=HandClock()) as accounts:
        assert accounts.reserve(ANN, "survey", 2, RULES).granted
        postgres._end(own_server.process)
        for _ in range(2):
            with pytest.raises(AccountsUnavailable) as found:
                accounts.reserve(ANN, "survey", 2, RULES)
            assert own_server.server.password not in all_words(found.value)
        start_again(own_server)
        assert accounts.reserve(ANN, "survey", 2, RULES).granted
        assert [row.spent for row in accounts.spending()] == [4]
