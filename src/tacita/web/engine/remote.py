"""The engine in another process of this machine, spoken to over a socket that only this user can open."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tacita.core.errors import ParameterError
from tacita.web.engine.port import AnsweringEngine, DatasetFacts, EngineUnavailableError, Reply
from tacita.web.engine.wire import LONGEST, pack, receive, reply_from_head

__all__ = ["RemoteEngine"]

_Answered = tuple[dict[str, Any], bytes]


class RemoteEngine(AnsweringEngine):
    """An engine behind a socket.

    Parameters
    ----------
    path
        The socket.

    Notes
    -----
    One connection carries all questions side by side. When the engine ends, everybody who waits is told that it is
    unavailable, and the next question connects anew: an engine that comes back is found without doing anything. Facts are
    asked for anew then, for it may have opened another version of the data.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)
        self._waiting: dict[int, asyncio.Future[_Answered]] = {}  # of the present connection
        self._number = 0
        self._writer: asyncio.StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None
        self._connecting = asyncio.Lock()
        self._facts: tuple[DatasetFacts, ...] | None = None

    async def facts(self) -> tuple[DatasetFacts, ...]:
        if self._facts is None:
            _, body = await self._call("facts")
            self._facts = tuple(DatasetFacts.from_plain(row) for row in _listed(body))
        return self._facts

    async def ask(self, dataset: str, body: bytes, *, kind: str, user: str) -> Reply:
        head, said = await self._call("ask", body, dataset=dataset, kind=kind, user=user)
        return reply_from_head(head["reply"], said)

    async def answer(self, id: str, *, datasets: Sequence[str], user: str) -> Reply | None:
        head, said = await self._call("answer", id=id, datasets=list(datasets), user=user)
        return None if head["reply"] is None else reply_from_head(head["reply"], said)

    async def knows(self, id: str, *, datasets: Sequence[str]) -> bool:
        head, _ = await self._call("knows", id=id, datasets=list(datasets))
        return bool(head["value"])

    async def job(self, id: str, *, user: str) -> Reply | None:
        head, said = await self._call("job", id=id, user=user)
        return None if head["reply"] is None else reply_from_head(head["reply"], said)

    async def steward(self, dataset: str, call: str, given: Mapping[str, Any]) -> Any:
        _, body = await self._call("steward", dataset=dataset, what=call, given=dict(given))
        return _listed(body)

    async def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        if self._reading is not None:
            self._reading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reading

    # --- the connection ------------------------------------------------------------------------------------------------

    async def _call(self, call: str, body: bytes = b"", **given: Any) -> _Answered:
        writer = await self._connected()
        self._number += 1
        number, waiting = self._number, self._waiting
        waits: asyncio.Future[_Answered] = asyncio.get_running_loop().create_future()
        waiting[number] = waits
        try:
            writer.write(pack({"number": number, "call": call, **given}, body))
            await writer.drain()
            head, said = await waits
        except ConnectionError as error:
            raise EngineUnavailableError("The engine has gone.") from error
        finally:
            waiting.pop(number, None)
        if head.get("unavailable"):
            raise EngineUnavailableError("Nothing can be answered now.")
        if "wrong" in head:
            raise ParameterError(str(head["wrong"]))
        return head, said

    async def _connected(self) -> asyncio.StreamWriter:
        async with self._connecting:
            if self._writer is None or self._writer.is_closing():
                try:
                    reader, self._writer = await asyncio.open_unix_connection(self.path, limit=LONGEST)
                except OSError as error:
                    raise EngineUnavailableError("The engine is not there.") from error
                self._facts, self._waiting = None, {}
                self._reading = asyncio.create_task(self._read(reader, self._writer, self._waiting))
            return self._writer

    async def _read(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, waiting: dict[int, asyncio.Future[_Answered]]
    ) -> None:
        try:
            while True:
                head, body = await receive(reader)
                waits = waiting.get(head.pop("number", -1))
                if waits is not None and not waits.done():
                    waits.set_result((head, body))
        except EngineUnavailableError as gone:
            writer.close()
            self._facts = None
            for waits in list(waiting.values()):
                if not waits.done():
                    waits.set_exception(EngineUnavailableError(str(gone)))


def _listed(body: bytes) -> Any:
    return json.loads(body)
