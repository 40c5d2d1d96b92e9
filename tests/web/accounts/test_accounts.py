"""The accounts as a server opens them: ``tacita.web.accounts.accounts``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacita.core.errors import ParameterError
from tacita.web import accounts as room
from tacita.web.accounts import open_accounts
from tests.web.accounts.children import ANN, rule


def test_the_names_that_others_rely_on() -> None:
    wanted = {
        "open_accounts",
        "Accounts",
        "Visitor",
        "Role",
        "BudgetRule",
        "Reservation",
        "TokenFacts",
        "AccountsUnavailable",
    }
    assert wanted | {"restore_accounts", "address_range"} <= set(room.__all__)


def test_they_are_the_same_after_a_restart(place: str) -> None:
    with open_accounts(place) as accounts:
        made = accounts.new_token(user="ann", role="steward", datasets=("*",))
        session = accounts.new_session(made.facts.id)
        accounts.reserve(ANN, "survey", 5, [rule("user", 9, "ever")])
    with open_accounts(place) as accounts:
        assert accounts.who(made.text) == accounts.session(session)
        assert accounts.tokens() == [made.facts]
        assert [row.spent for row in accounts.spending()] == [5]


def test_after_they_were_closed_the_next_call_opens_them(place: str) -> None:
    accounts = open_accounts(place)
    accounts.close()
    assert accounts.tokens() == []
    accounts.close()
    accounts.close()


def test_a_path_is_a_file(tmp_path: Path) -> None:
    with open_accounts(tmp_path / "a b?c#d%20.sqlite") as accounts:
        assert accounts.tokens() == []
    assert [path.name for path in tmp_path.iterdir()] == ["a b?c#d%20.sqlite"]


def test_a_token_that_cannot_be_leaves_nothing(tmp_path: Path) -> None:
    with open_accounts(tmp_path / "x") as accounts:
        with pytest.raises(ParameterError):
            accounts.new_token(user="ann", role="boss", datasets=("*",))
        assert accounts.tokens() == []
