"""Reserving budgets: what arrives while the store is written to is reserved together with the next write."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from tacita.web.accounts.accounts import Accounts
from tacita.web.accounts.budget import BudgetRule, Reservation
from tacita.web.accounts.visitor import Visitor

__all__ = ["BudgetQueue"]

_Asked = tuple[Visitor, str, int]


class BudgetQueue:
    """Reserves questions before their work starts; many at once cost one write.

    Parameters
    ----------
    accounts
        Where budgets are kept.
    rules
        How much may be asked.
    """

    def __init__(self, accounts: Accounts, rules: Sequence[BudgetRule]) -> None:
        self.accounts, self.rules = accounts, tuple(rules)
        self._waiting: list[tuple[_Asked, asyncio.Future[Reservation]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def reserve(self, visitor: Visitor, dataset: str, questions: int) -> Reservation:
        """Reserve some questions.

        Raises
        ------
        AccountsUnavailable
            When the store cannot be reached; nothing is reserved then.
        """
        if not self.rules:
            return Reservation(True)
        future: asyncio.Future[Reservation] = asyncio.get_running_loop().create_future()
        self._waiting.append(((visitor, dataset, questions), future))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())
        return await asyncio.shield(future)

    async def _write(self) -> None:
        while self._waiting:
            taken, self._waiting = self._waiting, []
            try:
                asked = [one for one, _ in taken]
                given = await asyncio.to_thread(self.accounts.reserve_many, asked, self.rules)
            except Exception as error:  # noqa: BLE001 - everybody who waits gets the reason
                for _, future in taken:
                    if not future.done():
                        future.set_exception(error)
                continue
            for (_, future), reservation in zip(taken, given, strict=True):
                if not future.done():
                    future.set_result(reservation)
