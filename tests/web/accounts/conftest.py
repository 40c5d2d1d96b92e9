"""Accounts on both stores: every test that takes ``place`` runs on SQLite and on PostgreSQL."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from tacita.web.accounts import Accounts, open_accounts
from tests.postgres import Server, postgres_server
from tests.web.accounts.children import HandClock

__all__ = ["accounts", "clock", "place", "postgres_place", "postgres_server"]


@pytest.fixture
def postgres_place(postgres_server: Server) -> str:
    """Give the address of a PostgreSQL schema that nobody else uses."""
    pytest.importorskip("psycopg", reason="the driver of PostgreSQL for accounts is not installed")
    name = f"accounts_{secrets.token_hex(6)}"
    postgres_server.execute(f"CREATE SCHEMA {name}")
    return f"{postgres_server.url()}?options=-csearch_path%3D{name}"


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give a place without accounts."""
    if request.param == "sqlite":
        return str(tmp_path / "accounts.sqlite")
    return str(request.getfixturevalue("postgres_place"))


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def accounts(place: str, clock: HandClock) -> Iterator[Accounts]:
    with open_accounts(place, now=clock) as opened:
        yield opened
