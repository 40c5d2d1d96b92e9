"""The engine in this process: questions are worked on by threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from tacita.web.engine.keeper import Keeper
from tacita.web.engine.port import AnsweringEngine, DatasetFacts, Reply

__all__ = ["LocalEngine"]

T = TypeVar("T")


class LocalEngine(AnsweringEngine):
    """An engine that holds its databases itself.

    Parameters
    ----------
    keeper
        The databases.

    Notes
    -----
    A question that was begun comes to its end and is entered, whether or not somebody still waits for it.
    """

    def __init__(self, keeper: Keeper) -> None:
        self.keeper = keeper
        self._facts = keeper.facts()
        self._threads = ThreadPoolExecutor(keeper.settings.limits.at_once, thread_name_prefix="questions")
        self._steward = ThreadPoolExecutor(1, thread_name_prefix="steward")

    async def facts(self) -> tuple[DatasetFacts, ...]:
        return self._facts

    async def ask(self, dataset: str, body: bytes, *, kind: str, user: str) -> Reply:
        return await self._run(self._threads, lambda: self.keeper.ask(dataset, body, kind=kind, user=user))

    async def answer(self, id: str, *, datasets: Sequence[str], user: str) -> Reply | None:
        return await self._run(self._threads, lambda: self.keeper.answer(id, datasets=datasets, user=user))

    async def knows(self, id: str, *, datasets: Sequence[str]) -> bool:
        return self.keeper.knows(id, datasets=datasets)

    async def job(self, id: str, *, user: str) -> Reply | None:
        return self.keeper.job(id, user=user)

    async def steward(self, dataset: str, call: str, given: Mapping[str, Any]) -> Any:
        return await self._run(self._steward, lambda: self.keeper.steward(dataset, call, given))

    async def close(self) -> None:
        for threads in (self._threads, self._steward):
            await asyncio.to_thread(threads.shutdown, wait=True)
        await asyncio.to_thread(self.keeper.jobs.close)

    async def _run(self, threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(threads, work)
