"""Reserving together."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from tacita.web.accounts.accounts import Accounts, open_accounts
from tacita.web.accounts.budget import BudgetRule, Reservation
from tacita.web.accounts.store import AccountsUnavailable
from tacita.web.accounts.visitor import Visitor
from tacita.web.api.budget_queue import BudgetQueue

EVE = Visitor.anonymous("192.0.2.7")


class _Counting:
    """Accounts that count their writes, and wait for a gate at the first."""

    def __init__(self, accounts: Accounts | None) -> None:
        self.accounts, self.writes, self.gate = accounts, [], threading.Event()

    def reserve_many(self, asked: list[Any], rules: Any) -> list[Reservation]:
        self.writes.append(len(asked))
        self.gate.wait(10)
        if self.accounts is None:
            raise AccountsUnavailable("gone")
        return self.accounts.reserve_many(asked, rules)


def test_what_comes_while_it_is_written_is_written_together(tmp_path: Path) -> None:
    counting = _Counting(open_accounts(tmp_path / "accounts.sqlite"))
    queue = BudgetQueue(counting, [BudgetRule(scope="address", questions=5, per="day")])  # type: ignore[arg-type]

    async def asked() -> list[bool]:
        first = asyncio.create_task(queue.reserve(EVE, "survey", 1))
        await asyncio.sleep(0.05)
        rest = [asyncio.create_task(queue.reserve(EVE, "survey", 1)) for _ in range(7)]
        await asyncio.sleep(0.05)
        counting.gate.set()
        return [one.granted for one in await asyncio.gather(first, *rest)]

    assert sorted(asyncio.run(asked())) == [False] * 3 + [True] * 5
    assert counting.writes == [1, 7]


def test_who_goes_away_has_paid(tmp_path: Path) -> None:
    accounts = open_accounts(tmp_path / "accounts.sqlite")
    counting = _Counting(accounts)
    queue = BudgetQueue(counting, [BudgetRule(scope="address", questions=5, per="day")])  # type: ignore[arg-type]

    async def gone() -> None:
        asked = asyncio.create_task(queue.reserve(EVE, "survey", 2))
        await asyncio.sleep(0.05)
        asked.cancel()
        counting.gate.set()
        await asyncio.gather(asked, return_exceptions=True)
        await queue.reserve(EVE, "survey", 1)

    asyncio.run(gone())
    assert [row.spent for row in accounts.spending()] == [3]


def test_everybody_is_told_when_nothing_could_be_counted() -> None:
    counting = _Counting(None)
    counting.gate.set()
    queue = BudgetQueue(counting, [BudgetRule(scope="address", questions=5, per="day")])  # type: ignore[arg-type]

    async def asked() -> list[Any]:
        return await asyncio.gather(*(queue.reserve(EVE, "survey", 1) for _ in range(3)), return_exceptions=True)

    assert [type(one) for one in asyncio.run(asked())] == [AccountsUnavailable] * 3


def test_without_rules_nothing_is_written() -> None:
    queue = BudgetQueue(None, ())  # type: ignore[arg-type]
    assert asyncio.run(queue.reserve(EVE, "survey", 1)) == Reservation(True)
    with pytest.raises(AttributeError):
        asyncio.run(BudgetQueue(None, [BudgetRule(scope="address")]).reserve(EVE, "survey", 1))  # type: ignore[arg-type]
