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
            own = Keeper(settings, keeper.databases)
            app = make_app(settings, engine or LocalEngine(own), accounts)
            return stack.enter_context(TestClient(app, raise_server_exceptions=False)), accounts

        yield made


@pytest.fixture
def client(serve: Serve) -> TestClient:
    return serve()[0]
