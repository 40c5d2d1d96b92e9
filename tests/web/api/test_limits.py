"""What is refused before data are touched: the engine is not asked, or only its catalogue is."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

from tacita.web.engine import Keeper, LocalEngine
from tacita.web.settings import ServerLimits
from tests.web.api.test_routes import is_refused
from tests.web.conftest import CountingEngine, Serve


def test_a_body_that_is_too_large(serve: Serve, counting: CountingEngine) -> None:
    client, _ = serve(engine=counting, limits=ServerLimits(body=1024))
    content = json.dumps({"by": ["sex"]}).encode()
    is_refused(client.post("/tabulate", content=content.ljust(1025)), 413, "body_size")
    is_refused(client.post("/tabulate", content=iter([content, b" " * 1024])), 413, "body_size")
    assert counting.questions == 0
    assert client.post("/tabulate", content=content.ljust(1024)).status_code == 200
    assert counting.questions == 1


def test_too_many_at_once(serve: Serve, counting: CountingEngine) -> None:
    client, _ = serve(engine=counting, limits=ServerLimits(at_once=1, waiting=0, per_visitor=1))
    reception = next(
        cell.cell_contents
        for route in client.app.routes  # type: ignore[attr-defined]
        if getattr(route, "path", "") == "/tabulate"
        for cell in route.endpoint.__closure__
        if type(cell.cell_contents).__name__ == "Reception"
    )
    with reception.under_way.one_more("anonymous:192.0.2.0/24"):
        is_refused(client.post("/tabulate", json={"by": ["sex"]}), 429, "at_once")
    with reception.under_way.one_more("somebody else"):
        is_refused(client.post("/tabulate", json={"by": ["sex"]}), 503, "busy")
    assert counting.questions == 0
    assert client.post("/tabulate", json={"by": ["sex"]}).status_code == 200


def test_time(serve: Serve, keeper: Keeper) -> None:
    class Slow(LocalEngine):
        async def ask(self, *_: Any, **__: Any) -> Any:
            await asyncio.sleep(10)

    client, _ = serve(engine=Slow(Keeper(keeper.settings, keeper.databases)), limits=ServerLimits(seconds=0.1))
    said = client.post("/tabulate", json={"by": ["sex"]})
    is_refused(said, 503, "time_limit")
    assert said.headers["retry-after"] == "5"


class _Untouched:
    """Stands for the records: whoever looks at them is noted."""

    def __init__(self) -> None:
        self.looks: list[str] = []

    def __getattr__(self, name: str) -> Any:
        self.looks.append(name)
        raise AssertionError("The records were looked at.")


@pytest.fixture
def records(keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> _Untouched:
    made = _Untouched()
    monkeypatch.setattr(keeper.databases["households"].version, "records", made)
    return made


@pytest.fixture
def small(serve: Serve, keeper: Keeper) -> TestClient:
    """A client of a server that answers small questions only."""
    limits = ServerLimits(cells=50, parts=5, queue=0)
    own = Keeper(replace(keeper.settings, limits=limits), keeper.databases)
    return serve(engine=LocalEngine(own), limits=limits)[0]


@pytest.mark.parametrize(
    ("kind", "asked", "rule"),
    [
        ("tabulate", {"by": ["occupation", "age"]}, "queue_full"),
        ("tabulate", {"by": ["occupation"], "each": "occupation"}, "queue_full"),
        ("tabulate", {"by": ["sex"], "where": {"sex": {"any": [[["x"]]]}}}, "request_form"),
        ("tabulate", {"by": ["sex"], "where": {"any": [{"any": [{"any": []}]}]}}, None),
        ("regress", {"response": "income", "predictors": ["age"] * 500}, None),
        ("regress", {"response": "income", "predictors": [f"x{i}" for i in range(500)]}, None),
        ("correlate", {"columns": ["age"] * 500}, None),
    ],
)
def test_large_questions_do_not_touch_the_records(
    kind: str, asked: dict[str, Any], rule: str | None, small: TestClient, records: _Untouched
) -> None:
    said = small.post(f"/{kind}", json=asked)
    is_refused(said, 429 if rule == "queue_full" else 400, rule)
    assert records.looks == []


@pytest.mark.parametrize("content", [b"[" * 50_000, b'{"where":' * 20_000, b'{"by":' + b"[" * 13 + b"]" * 13 + b"}"])
def test_deep_nesting_does_not_touch_the_records(content: bytes, small: TestClient, records: _Untouched) -> None:
    is_refused(small.post("/tabulate", content=content), 400, "request_form")
    assert records.looks == []


def test_small_questions_do_touch_them(small: TestClient, records: _Untouched) -> None:
    small.post("/tabulate", json={"by": ["marital", "urban"]})
    assert records.looks
