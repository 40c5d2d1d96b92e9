"""The tables of the accounts, and that the two stores have the same."""

from __future__ import annotations

import pytest

from tacita.core.errors import FileError, TacitaError
from tacita.web.accounts import Accounts, AccountsUnavailable
from tacita.web.accounts.store import TABLES, check_form, make_tables, unavailable


class Written:
    """Statements that only remember."""

    def __init__(self, form: list[tuple[str]]) -> None:
        self.form, self.said = form, []

    def rows(self, *_: object) -> list[tuple[str]]:
        return self.form

    def change(self, statement: str, *_: object) -> int:
        self.said.append(statement)
        return 1


def test_every_table_is_made(accounts: Accounts) -> None:
    assert set(TABLES) <= accounts._store.read(lambda s: s.tables())
    written = Written([])
    make_tables(written)
    assert [f"CREATE TABLE {name} " in said for name, said in zip(TABLES, written.said, strict=False)] == [True] * 6


@pytest.mark.parametrize("form", [[], [("",)], [("x",)], [("2",)]])
def test_other_forms_are_refused(form: list[tuple[str]]) -> None:
    with pytest.raises(FileError, match=r"^Here "):
        check_form(Written(form), "Here")


def test_the_known_form_passes() -> None:
    assert check_form(Written([("1",)]), "Here") is None


def test_there_is_one_error() -> None:
    error = unavailable("it is gone")
    assert isinstance(error, AccountsUnavailable)
    assert isinstance(error, TacitaError)
    assert str(error) == "The accounts cannot be reached: it is gone. Try again later."
