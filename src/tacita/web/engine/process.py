"""The process of the engine: opens the databases, listens on a socket, and answers until it is told to end."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tacita.core.errors import TacitaError
from tacita.web.engine.keeper import Keeper
from tacita.web.engine.local import LocalEngine
from tacita.web.engine.port import EngineUnavailableError, Reply
from tacita.web.engine.wire import LONGEST, pack, receive, reply_head
from tacita.web.settings import ServerSettings

__all__ = ["EngineServer", "run_engine"]

_Said = tuple[dict[str, Any], bytes]


class EngineServer:
    """Answers what comes over the socket.

    Parameters
    ----------
    engine
        Who answers.
    """

    def __init__(self, engine: LocalEngine) -> None:
        self.engine = engine
        self._running: set[asyncio.Task[None]] = set()

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection until it ends; questions that were begun come to their end."""
        try:
            while True:
                head, body = await receive(reader)
                begun = asyncio.create_task(self._answer(head, body, writer))
                self._running.add(begun)
                begun.add_done_callback(self._running.discard)
        except EngineUnavailableError:
            writer.close()

    async def finish(self) -> None:
        """Wait for what was begun, then close the databases."""
        if self._running:
            await asyncio.wait(set(self._running), timeout=30)
        await self.engine.close()

    async def _answer(self, head: dict[str, Any], body: bytes, writer: asyncio.StreamWriter) -> None:
        number = head.get("number")
        try:
            said, content = await self._called(head, body)
        except EngineUnavailableError:
            said, content = {"unavailable": True}, b""
        except TacitaError as error:
            said, content = {"wrong": str(error)}, b""
        except Exception:  # noqa: BLE001 - a message may quote data; whoever waits is told that it did not work
            said, content = {"unavailable": True}, b""
        if not writer.is_closing():
            try:
                writer.write(pack({**said, "number": number}, content))
                await writer.drain()
            except ConnectionError:
                return

    async def _called(self, head: dict[str, Any], body: bytes) -> _Said:
        engine, call = self.engine, head["call"]
        if call == "ask":
            return _of_reply(await engine.ask(head["dataset"], body, kind=head["kind"], user=head["user"]))
        if call == "answer":
            return _of_reply(await engine.answer(head["id"], datasets=head["datasets"], user=head["user"]))
        if call == "knows":
            return {"value": await engine.knows(head["id"], datasets=head["datasets"])}, b""
        if call == "job":
            return _of_reply(await engine.job(head["id"], user=head["user"]))
        if call == "steward":
            return {}, _json(await engine.steward(head["dataset"], head["what"], head["given"]))
        return {}, _json([facts.to_plain() for facts in await engine.facts()])


def run_engine(settings: ServerSettings, path: str | Path, *, ready: Callable[[], None] = lambda: None) -> None:
    """Open the databases and answer on a socket until SIGTERM.

    Parameters
    ----------
    settings
        What the server is told.
    path
        The socket; only this user can open it.
    ready
        Called when the socket is there.

    Raises
    ------
    FileError, ParameterError, SchemaError, DataError
        When a data set cannot be opened; nothing listens then.

    Notes
    -----
    Ctrl-C reaches every process of a server at once. The engine passes over it: workers finish what they have begun, and need
    the engine for that; whoever started it ends it after them.
    """
    keeper = Keeper.open(settings)
    asyncio.run(_serve(EngineServer(LocalEngine(keeper)), Path(path), ready))


async def _serve(server: EngineServer, path: Path, ready: Callable[[], None]) -> None:
    ends = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, ends.set)
    loop.add_signal_handler(signal.SIGINT, lambda: None)
    path.unlink(missing_ok=True)
    before = os.umask(0o177)
    try:
        listening = await asyncio.start_unix_server(server.connected, str(path), limit=LONGEST)
    finally:
        os.umask(before)
    ready()
    await ends.wait()
    listening.close()
    await server.finish()
    path.unlink(missing_ok=True)


def _of_reply(reply: Reply | None) -> _Said:
    return ({"reply": None}, b"") if reply is None else ({"reply": reply_head(reply)}, reply.body)


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
