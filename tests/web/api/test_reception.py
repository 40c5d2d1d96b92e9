"""The reception: budgets, closed data sets, queues, and the moment that refusals leave."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import Any

import pytest

from tacita.web.accounts.budget import BudgetRule
from tacita.web.api.reception import Reception, _questions
from tacita.web.engine import EngineUnavailableError, Keeper, LocalEngine
from tacita.web.settings import ServerLimits, ServerSettings
from tests.web.api.test_routes import is_refused
from tests.web.conftest import Serve

BY_SEX = {"by": ["sex"]}
IN_PARTS = {"by": ["occupation", "sex"], "each": "occupation"}


def test_a_budget_stays_spent(serve: Serve) -> None:
    client, accounts = serve(budgets=(BudgetRule(scope="user", questions=2, per="day"),))
    assert client.post("/tabulate", json=BY_SEX).status_code == 200
    is_refused(client.post("/tabulate", content=b"{"), 400)
    for _ in range(2):
        said = client.post("/tabulate", json=BY_SEX)
        is_refused(said, 429, "budget_user")
        assert int(said.headers["retry-after"]) > 0
    assert [row.spent for row in accounts.spending()] == [2]


@pytest.mark.parametrize(
    ("body", "cost"),
    [
        (b'{"by":["sex"]}', 1),
        (b'{"each":"sex"}', 2),
        (b'{"\\u0065ach":"sex"}', 2),
        (b'{"each":"age"}', 16),
        (b'{"each":"marital"}', 5),
        (b'{"each":"none"}', 1),
        (b'{"each":["sex"]}', 1),
        (b'["each"]', 1),
        (b'{"each"', 1),
        (b'"each"' + b"[" * 100_000, 1),
    ],
)
def test_a_table_in_parts_costs_its_parts(body: bytes, cost: int, keeper: Keeper) -> None:
    (facts,) = keeper.facts()
    assert _questions(body, facts) == cost


def test_a_closed_data_set(serve: Serve) -> None:
    client, accounts = serve()
    accounts.close_dataset("households", "stella", "an incident")
    said = client.post("/tabulate", json=BY_SEX)
    is_refused(said, 503, "closed")
    assert "incident" not in said.text
    assert said.headers["retry-after"] == "3600"
    assert client.get("/datasets").json()["datasets"][0]["is_closed"] is True


def test_a_large_table_waits_and_is_shown_to_its_user_only(serve: Serve) -> None:
    client, accounts = serve(limits=ServerLimits(parts=5))
    ann, bob = (
        {"Authorization": f"Bearer {accounts.new_token(user=user, role='researcher', datasets=('*',)).text}"}
        for user in ("ann", "bob")
    )
    queued = client.post("/tabulate", json=IN_PARTS, headers=ann)
    assert queued.status_code == 202
    assert queued.json()["status"] in ("queued", "running")
    place = queued.headers["location"]
    is_refused(client.get(place, headers=bob), 404, "unknown_job")
    is_refused(client.get(place), 404, "unknown_job")
    until = time.monotonic() + 30
    while (said := client.get(place, headers=ann)).status_code == 202 and time.monotonic() < until:
        time.sleep(0.05)
    assert said.status_code == 200, said.text
    assert said.json()["status"] == "answered"


def test_a_full_queue(serve: Serve) -> None:
    client, _ = serve(limits=ServerLimits(parts=5, queue=0))
    is_refused(client.post("/tabulate", json=IN_PARTS), 429, "queue_full")


class _Gone(LocalEngine):
    """An engine that cannot answer."""

    async def ask(self, *_: Any, **__: Any) -> Any:
        raise EngineUnavailableError("gone")


class _Slow(LocalEngine):
    """An engine that takes its time."""

    async def ask(self, *_: Any, **__: Any) -> Any:
        await asyncio.sleep(5)


class _Broken(LocalEngine):
    """An engine with a fault whose message quotes data."""

    async def ask(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("canary 4711")


@pytest.mark.parametrize(("engine", "rule"), [(_Gone, "unavailable"), (_Slow, "time_limit"), (_Broken, "unavailable")])
def test_an_engine_that_does_not_answer(engine: type[LocalEngine], rule: str, serve: Serve, keeper: Keeper) -> None:
    made = engine(Keeper(keeper.settings, keeper.databases))
    client, _ = serve(engine=made, limits=ServerLimits(seconds=0.1))
    said = client.post("/tabulate", json=BY_SEX)
    is_refused(said, 503, rule)
    assert "canary" not in said.text


def test_too_many_at_once(demo: ServerSettings) -> None:
    reception = Reception(replace(demo, limits=ServerLimits(per_visitor=1, at_once=1, waiting=1)), None, None)  # type: ignore[arg-type]
    with reception._one_more("ann"), pytest.raises(Exception, match="at_once"), reception._one_more("ann"):
        pass
    with (
        reception._one_more("ann"),
        reception._one_more("bob"),
        pytest.raises(Exception, match="busy"),
        reception._one_more("cat"),
    ):
        pass
    assert not reception._busy


def test_refusals_leave_at_multiples_of_the_quantum(demo: ServerSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr("tacita.web.api.reception.asyncio.sleep", sleep)
    monkeypatch.setattr("tacita.web.api.reception.time.monotonic", lambda: 100.13)
    reception = Reception(replace(demo, limits=ServerLimits(quantum=0.25)), None, None)  # type: ignore[arg-type]
    for begun in (100.0, 99.8, 90.1):
        asyncio.run(reception._hold(begun))
        left = 100.13 + slept[-1] - begun
        assert left / 0.25 == pytest.approx(round(left / 0.25))
        assert 0 <= slept[-1] <= 0.25
