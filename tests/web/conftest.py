"""One small demonstration server that the tests of the server share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tacita.web.accounts.accounts import Accounts, open_accounts
from tacita.web.api.app import make_app
from tacita.web.demo import demo_settings
from tacita.web.engine import Keeper, LocalEngine
from tacita.web.settings import ServerSettings

BASE = "http://127.0.0.1"
"""The address of servers under test; others are refused by the guard of hosts."""

Serve = Callable[..., tuple[TestClient, Accounts]]


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> ServerSettings:
    """Settings of a demonstration of 1000 records."""
    return replace(demo_settings(tmp_path_factory.mktemp("demo"), records=1000), budgets=())


@pytest.fixture(scope="session")
def keeper(demo: ServerSettings) -> Iterator[Keeper]:
    opened = Keeper.open(demo)
    yield opened
    opened.jobs.close()


@pytest.fixture
def serve(demo: ServerSettings, keeper: Keeper, tmp_path: Path) -> Iterator[Serve]:
    """Give servers over the one database, each with settings and accounts of its own."""
    with ExitStack() as stack:

        def made(*, engine: Any = None, open_to: str = "public", **changes: Any) -> tuple[TestClient, Accounts]:
            (dataset,) = demo.datasets
            settings = replace(demo, datasets=(replace(dataset, open_to=open_to),), **changes)
            accounts = open_accounts(tmp_path / "accounts.sqlite")
            app = make_app(settings, engine or LocalEngine(Keeper(settings, keeper.databases)), accounts)
            client = TestClient(app, base_url=BASE, raise_server_exceptions=False, client=("192.0.2.7", 50_000))
            return stack.enter_context(client), accounts

        yield made


class CountingEngine(LocalEngine):
    """An engine that counts how often it was asked a question."""

    def __init__(self, keeper: Keeper) -> None:
        super().__init__(keeper)
        self.questions = 0

    async def ask(self, *given: Any, **named: Any) -> Any:
        self.questions += 1
        return await super().ask(*given, **named)


@pytest.fixture
def counting(keeper: Keeper) -> CountingEngine:
    return CountingEngine(Keeper(keeper.settings, keeper.databases))


@pytest.fixture
def client(serve: Serve) -> TestClient:
    return serve()[0]
