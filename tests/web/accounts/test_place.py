"""Where accounts are kept: a file or a database, nothing else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tacita.core.errors import ParameterError
from tacita.web.accounts.place import is_postgres, open_accounts_store
from tacita.web.accounts.sqlite_store import SqliteStore


def test_which_is_which(tmp_path: Path) -> None:
    assert is_postgres("postgresql://a@b/c")
    assert is_postgres("postgres://a@b/c")
    assert not is_postgres("accounts.sqlite")
    assert not is_postgres(tmp_path / "postgresql:" / "x")


@pytest.mark.parametrize("place", ["mysql://ann:canary@host/x", "https://canary", "", None, 7])
def test_other_places_are_refused_and_not_shown(place: object) -> None:
    with pytest.raises(ParameterError, match=r"^'accounts' must be the name of a file") as found:
        is_postgres(place)
    assert "canary" not in str(found.value)


def test_a_file_is_opened(tmp_path: Path) -> None:
    store = open_accounts_store(tmp_path / "x", create=True)
    assert isinstance(store, SqliteStore)
    store.close()


def test_without_the_driver_its_name_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(ParameterError, match=r"install 'tacita\[server\]'"):
        open_accounts_store("postgresql://a@127.0.0.1:1/c", create=True)
