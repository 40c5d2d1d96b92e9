"""The reception: budgets, closed data sets, queues, and engines that do not answer."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tacita.web.accounts.accounts import Accounts, open_accounts
from tacita.web.accounts.budget import BudgetRule
from tacita.web.accounts.visitor import Visitor
from tacita.web.api.errors import HttpRefusalError
from tacita.web.api.reception import Reception
from tacita.web.engine import EngineUnavailableError, Keeper, LocalEngine
from tacita.web.settings import ServerLimits, ServerSettings
from tests.web.api.test_routes import is_refused
from tests.web.conftest import CountingEngine, Serve

BY_SEX = {"by": ["sex"]}
IN_PARTS = {"by": ["occupation", "sex"], "each": "occupation"}


def bearer(accounts: Accounts, user: str, **given: Any) -> dict[str, str]:
    """The header of a new token."""
    made = accounts.new_token(user=user, **{"role": "researcher", "datasets": ("*",), **given})
    return {"Authorization": f"Bearer {made.text}"}


@pytest.mark.parametrize("scope", ["user", "address", "dataset", "organisation"])
def test_a_budget_stays_spent(scope: Any, serve: Serve) -> None:
    """Budgets of users are about visitors with a token, those of addresses about the others."""
    client, accounts = serve(budgets=(BudgetRule(scope=scope, questions=2, per="day"),))
    headers = {} if scope == "address" else bearer(accounts, "ann", organisation="institute")
    assert client.post("/tabulate", json=BY_SEX, headers=headers).status_code == 200
    is_refused(client.post("/tabulate", content=b"{", headers=headers), 400)
    for _ in range(2):
        said = client.post("/tabulate", json=BY_SEX, headers=headers)
        is_refused(said, 429, f"budget_{scope}")
        assert int(said.headers["retry-after"]) > 0
    assert [row.spent for row in accounts.spending()] == [2]


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
    ann, bob = bearer(accounts, "ann"), bearer(accounts, "bob")
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


def test_a_job_is_shown_as_long_as_its_data_set(serve: Serve) -> None:
    client, accounts = serve(limits=ServerLimits(parts=5, quantum=0))
    made = accounts.new_token(user="ann", role="researcher", datasets=("*",))
    ann = {"Authorization": f"Bearer {made.text}"}
    place = client.post("/tabulate", json=IN_PARTS, headers=ann).headers["location"]
    assert client.get(place, headers=ann).status_code in (200, 202)
    elsewhere = bearer(accounts, "ann", datasets=("other",))
    is_refused(client.get(place, headers=elsewhere), 404, "unknown_job")
    accounts.close_dataset("households", "stella", "an incident")
    time.sleep(1.1)  # as long as a process may believe that it is open
    is_refused(client.get(place, headers=ann), 503, "closed")
    accounts.revoke(made.facts.id)
    is_refused(client.get(place, headers=ann), 401, "token")


def test_answers_of_a_closed_data_set_are_not_there(serve: Serve) -> None:
    client, accounts = serve()
    answered = client.post("/tabulate", json=BY_SEX)
    accounts.close_dataset("households", "stella", "an incident")
    time.sleep(1.1)
    is_refused(client.get(answered.headers["location"]), 404, "unknown_answer")
    tag = {"If-None-Match": answered.headers["etag"]}
    is_refused(client.get(answered.headers["location"], headers=tag), 404, "unknown_answer")


def test_work_that_nobody_waits_for_is_still_under_way(demo: ServerSettings, keeper: Keeper, tmp_path: Path) -> None:
    """Whoever asks what takes too long, again and again, does not get one thread of the engine after the other."""
    limits = ServerLimits(seconds=0.1, per_visitor=2, quantum=0)
    gate, asked = asyncio.Event(), []

    class Waits(LocalEngine):
        async def ask(self, *given: Any, **named: Any) -> Any:
            asked.append(given)
            await gate.wait()
            return await super().ask(*given, **named)

    async def rules() -> list[str]:
        reception = Reception(replace(demo, limits=limits), Waits(keeper), open_accounts(tmp_path / "accounts.sqlite"))
        ann, found = Visitor.anonymous("192.0.2.7"), []
        for _ in range(3):
            with pytest.raises(HttpRefusalError) as error:
                await reception.ask(ann, None, "tabulate", b'{"by":["sex"]}')
            found.append(error.value.rule)
        assert len(reception.under_way) == 2
        gate.set()
        await asyncio.sleep(0.3)
        assert len(reception.under_way) == 0
        return found

    assert asyncio.run(rules()) == ["time_limit", "time_limit", "at_once"]
    assert len(asked) == 2


def test_parallel_questions_cannot_spend_more_than_there_is(serve: Serve, counting: CountingEngine) -> None:
    client, accounts = serve(engine=counting, budgets=(BudgetRule(scope="address", questions=7, per="day"),))
    with ThreadPoolExecutor(8) as threads:
        codes = list(threads.map(lambda _: client.post("/tabulate", json=BY_SEX).status_code, range(24)))
    assert sorted(codes) == [200] * 7 + [429] * 17
    assert counting.questions == 7
    assert [row.spent for row in accounts.spending()] == [7]


def test_a_table_in_parts_is_paid_by_its_parts(serve: Serve, counting: CountingEngine) -> None:
    client, accounts = serve(engine=counting, budgets=(BudgetRule(scope="address", questions=9, per="day"),))
    escaped = b'{"by":["sex"],"\\u0065\\u0061ch":"sex"}'
    assert client.post("/tabulate", content=escaped).status_code == 200
    assert [row.spent for row in accounts.spending()] == [2]
    is_refused(client.post("/tabulate", json=IN_PARTS), 429, "budget_address")
    assert counting.questions == 1
