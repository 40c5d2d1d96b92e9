"""An engine behind a socket: it says what the one in this process says, goes away and comes back."""

from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tacita.core.errors import ParameterError
from tacita.web.engine import EngineUnavailableError, Keeper, LocalEngine, RemoteEngine
from tacita.web.engine.process import EngineServer

BODY = b'{"by":["sex"]}'


def over_socket(engine: Any, work: Callable[[RemoteEngine, Any], Awaitable[Any]], path: Path) -> Any:
    """Do some work with an engine behind a socket; the server of it may be ended and begun."""

    class Listening:
        async def begin(self) -> None:
            self.server = EngineServer(engine)
            self.lines: list[asyncio.StreamWriter] = []

            async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                self.lines.append(writer)
                await self.server.connected(reader, writer)

            self.socket = await asyncio.start_unix_server(connected, str(path))

        async def end(self) -> None:
            self.socket.close()
            for line in self.lines:
                line.close()
            path.unlink(missing_ok=True)

    async def run() -> Any:
        listening, remote = Listening(), RemoteEngine(path)
        await listening.begin()
        try:
            return await work(remote, listening)
        finally:
            await remote.close()
            await listening.end()

    return asyncio.run(asyncio.wait_for(run(), 30))


def test_it_says_what_the_local_one_says(keeper: Keeper, tmp_path: Path) -> None:
    local = LocalEngine(keeper)

    async def work(remote: RemoteEngine, _: Any) -> bool:
        assert await remote.facts() == await local.facts()
        said = await remote.ask("households", BODY, kind="tabulate", user="ann")
        assert said == await local.ask("households", BODY, kind="tabulate", user="ann")
        assert await remote.answer(said.id, datasets=["households"], user="ann") == said
        assert await remote.answer(said.id, datasets=["other"], user="ann") is None
        assert await remote.knows(said.id, datasets=["households"])
        assert not await remote.knows(said.id, datasets=[])
        assert await remote.job("0" * 32, user="ann") is None
        refusals = await remote.steward("households", "refusals", {})
        assert refusals == json.loads(json.dumps(await local.steward("households", "refusals", {})))
        with pytest.raises(ParameterError, match="cannot do that"):
            await remote.steward("households", "erase", {})
        with pytest.raises(ParameterError, match="no such data set"):
            await remote.ask("none", BODY, kind="tabulate", user="ann")
        return True

    assert over_socket(local, work, tmp_path / "engine")


def test_an_engine_that_comes_back_is_found(keeper: Keeper, tmp_path: Path) -> None:
    async def work(remote: RemoteEngine, listening: Any) -> bool:
        first = await remote.ask("households", BODY, kind="tabulate", user="ann")
        await remote.facts()
        await listening.end()
        await asyncio.sleep(0.05)
        for call in (remote.facts(), remote.ask("households", BODY, kind="tabulate", user="ann")):
            with pytest.raises(EngineUnavailableError):
                await call
        await listening.begin()
        assert await remote.ask("households", BODY, kind="tabulate", user="ann") == first
        assert len(await remote.facts()) == 1
        return True

    assert over_socket(LocalEngine(keeper), work, tmp_path / "engine")


class _Waits(LocalEngine):
    """An engine that never answers, or fails."""

    async def ask(self, dataset: str, *_: Any, **__: Any) -> Any:
        if dataset == "broken":
            raise RuntimeError("canary 4711")
        await asyncio.sleep(60)


def test_who_waits_is_told_when_the_engine_goes(keeper: Keeper, tmp_path: Path) -> None:
    async def work(remote: RemoteEngine, listening: Any) -> bool:
        asked = [asyncio.create_task(remote.ask("x", BODY, kind="tabulate", user="ann")) for _ in range(3)]
        await asyncio.sleep(0.05)
        await listening.end()
        found = await asyncio.gather(*asked, return_exceptions=True)
        assert [type(one) for one in found] == [EngineUnavailableError] * 3
        return True

    assert over_socket(_Waits(keeper), work, tmp_path / "engine")


def test_what_fails_is_told_without_its_message(keeper: Keeper, tmp_path: Path) -> None:
    async def work(remote: RemoteEngine, _: Any) -> bool:
        with pytest.raises(EngineUnavailableError) as error:
            await remote.ask("broken", BODY, kind="tabulate", user="ann")
        assert "4711" not in str(error.value)
        return True

    assert over_socket(_Waits(keeper), work, tmp_path / "engine")


def test_the_socket_is_for_its_owner_only(keeper: Keeper, tmp_path: Path) -> None:
    from tacita.web.engine.process import _serve

    path, modes = tmp_path / "engine", []

    async def run() -> None:
        ready = asyncio.Event()
        serving = asyncio.create_task(_serve(EngineServer(LocalEngine(keeper)), path, ready.set))
        await asyncio.wait_for(ready.wait(), 10)
        modes.append(stat.S_IMODE(path.stat().st_mode))
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    asyncio.run(run())
    assert modes == [0o600]
