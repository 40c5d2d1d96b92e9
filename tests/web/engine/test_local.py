"""The engine in this process."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import Any

from tacita.web.engine import Keeper, LocalEngine
from tacita.web.settings import ServerLimits


def test_no_more_questions_at_once_than_told(keeper: Keeper) -> None:
    settings = replace(keeper.settings, limits=ServerLimits(at_once=2))
    own, lock, running, most = Keeper(settings, keeper.databases), threading.Lock(), [0], [0]

    def asked(*_: Any, **__: Any) -> None:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        threading.Event().wait(0.02)
        with lock:
            running[0] -= 1

    own.ask = asked  # type: ignore[assignment, method-assign]

    async def run() -> None:
        engine = LocalEngine(own)
        await asyncio.gather(*(engine.ask("x", b"", kind="tabulate", user="ann") for _ in range(8)))
        await engine.close()

    asyncio.run(run())
    assert most == [2]


def test_what_was_begun_comes_to_its_end(keeper: Keeper) -> None:
    """Who goes away has asked all the same: the journal has it."""
    own = Keeper(keeper.settings, keeper.databases)
    journal = keeper.databases["households"].journal

    async def run() -> None:
        engine = LocalEngine(own)
        asked = asyncio.create_task(engine.ask("households", b'{"by":["urban"]}', kind="tabulate", user="ann"))
        await asyncio.sleep(0)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        await engine.close()

    before = int(journal.head().partition(":")[0])
    asyncio.run(run())
    assert int(journal.head().partition(":")[0]) == before + 1
