"""A peer or a back end as a process: a stream of queries in, events out, a status file, and an end in order."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import ipaddress
import json
import os
import signal
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tacita.core.errors import DataError, FileError, ParameterError, reason_of
from tacita.games.peers.limits import LONGEST_QUERY
from tacita.games.peers.peer import Peer
from tacita.games.peers.roster import RosterEntry

__all__ = ["Party", "StreamTally", "Tell", "answer_stream", "listening_socket", "run_party"]

Tell = Callable[[dict[str, Any]], None]
"""Takes an event: ready, answer, unanswered, done, fault, stopped."""
_LONGEST_LINE = 4 * LONGEST_QUERY
_STATUS_SECONDS = 2.0
_END = None


class Party(Protocol):
    """What runs: a peer, or the back end."""

    entry: RosterEntry

    async def start(self, sock: socket.socket | None = None) -> None: ...
    async def stop(self, seconds: float = 1.0) -> None: ...
    def status(self) -> dict[str, Any]: ...


def run_party(
    party: Party,
    tell: Tell,
    *,
    sock: socket.socket | None = None,
    queries: str | Path | None = None,
    at_once: int = 4,
    linger: float | None = None,
    status_file: Path | None = None,
    grace: float = 1.0,
    until_input_ends: bool = False,
) -> bool:
    """Run until it is told to stop (SIGTERM, SIGINT), or until the queries are answered and the time after them is over.

    Parameters
    ----------
    party
        A peer or a back end.
    tell
        Takes what happens. No event but an answer holds what comes from a query.
    sock
        A listening socket; None listens at the address of the roster.
    queries
        A file with one query a line, or ``-`` for standard input; only a peer has queries.
    at_once
        How many of them are asked at the same time.
    linger
        Seconds for which a peer goes on serving after its last query; None until it is told to stop.
    status_file
        A file with counts as JSON, written anew every two seconds and at the end.
    grace
        Seconds that what is being answered has at the end.
    until_input_ends
        Whether it stops when standard input ends, as it does when whoever started it has gone.

    Returns
    -------
    bool
        Whether every query was answered that was read.
    """
    tally = StreamTally()
    works: list[Callable[[], Awaitable[None]]] = []
    if queries is not None and isinstance(party, Peer):
        works.append(lambda: _work(party, tell, queries, at_once, linger, tally))
    if status_file is not None:
        works.append(lambda: _keep_status(party, status_file))
    if until_input_ends:
        works.append(_input_ends)
    asyncio.run(_run(party, tell, sock, works, grace))
    if status_file is not None:
        _write_status(party.status(), status_file)
    return tally.asked == tally.answered


async def _run(
    party: Party, tell: Tell, sock: socket.socket | None, works: Sequence[Callable[[], Awaitable[None]]], grace: float
) -> None:
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):  # not the main thread, or Windows
            loop.add_signal_handler(number, told.set)
    await party.start(sock)
    tell({"event": "ready", "name": party.entry.name, "process": os.getpid()})
    loop.set_exception_handler(
        lambda _, context: tell({"event": "fault", "kind": type(context.get("exception")).__name__})
    )
    tasks: list[asyncio.Future[Any]] = [
        asyncio.ensure_future(work) for work in (told.wait(), *(make() for make in works))
    ]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        failed = [task for task in tasks if task.done() and task.exception() is not None]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await party.stop(grace)
    tell({"event": "stopped", "status": party.status()})
    for task in failed:
        await task


async def _work(
    peer: Peer, tell: Tell, queries: str | Path, at_once: int, linger: float | None, tally: StreamTally
) -> None:
    await answer_stream(peer, tell, _lines(queries), at_once, tally)
    if linger is None:
        await asyncio.Event().wait()  # for whoever tells it to stop
    await asyncio.sleep(linger or 0.0)


async def _input_ends() -> None:
    async for _ in _lines("-"):
        continue


@dataclass
class StreamTally:
    """How many queries of a stream were asked, and how many of them answered."""

    asked: int = 0
    answered: int = 0


async def answer_stream(
    peer: Peer, tell: Tell, lines: AsyncIterator[str | None], at_once: int = 4, tally: StreamTally | None = None
) -> StreamTally:
    """Have the queries of a stream answered, several at a time, and count them; None is a line that is no query.

    Raises
    ------
    ParameterError
        When ``at_once`` is below 1.
    """
    if isinstance(at_once, bool) or not isinstance(at_once, int) or at_once < 1:
        raise ParameterError("answer_stream: 'at_once' must be a whole number, at least 1.")
    tally = tally or StreamTally()
    places, tasks = asyncio.Semaphore(at_once), set[asyncio.Task[None]]()
    troubles: list[OSError] = []  # of whoever is told: the reader of the answers has gone, the disk is full

    async def ask(number: int, line: str | None) -> None:
        try:
            found = await peer.search(line or "")
            tally.answered += 1
            hits = [[title, score] for title, score in found.hits]
            event = {"event": "answer", "number": number, "via": found.via, "asked": found.asked, "hits": hits}
        except (DataError, ParameterError) as error:
            event = {"event": "unanswered", "number": number, "reason": str(error)}
        finally:
            places.release()
        try:
            tell(event)
        except OSError as error:
            troubles.append(error)

    try:
        async for line in lines:
            await places.acquire()
            if troubles:
                break
            tally.asked += 1
            task = asyncio.create_task(ask(tally.asked, line))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
    if troubles:
        raise troubles[0]
    tell({"event": "done", "answered": tally.answered, "unanswered": tally.asked - tally.answered})
    return tally


# --- the stream -----------------------------------------------------------------------------------------------------------


async def _lines(source: str | Path) -> AsyncIterator[str | None]:
    """Give the lines of a file or of standard input, without empty ones; None for one that is too long or no UTF-8.

    A thread reads, because a file cannot be waited for; it is held back by a short queue, and ends with the process.
    """
    queue: asyncio.Queue[bytes | None] = asyncio.Queue(64)
    loop = asyncio.get_running_loop()
    handle = _opened(source)

    def read() -> None:
        with contextlib.suppress(
            RuntimeError, asyncio.CancelledError, concurrent.futures.CancelledError
        ):  # the loop has ended
            with contextlib.suppress(OSError):  # what was read before it broke is asked
                for line in _cut(handle):
                    asyncio.run_coroutine_threadsafe(queue.put(line), loop).result()
            asyncio.run_coroutine_threadsafe(queue.put(_END), loop).result()

    threading.Thread(target=read, daemon=True).start()
    while (line := await queue.get()) is not _END:
        try:
            text = line.decode().strip() if len(line) <= _LONGEST_LINE else None
        except UnicodeDecodeError:
            text = None
        if text != "":
            yield text


def _opened(source: str | Path) -> int:
    if source == "-":
        return os.dup(0)  # an own handle without a buffer, which no lock guards when the process ends
    path = Path(source)
    try:
        if path.exists() and not path.is_file():  # a pipe would hold up everything until somebody writes into it
            raise FileError(f"The queries '{path.name}' must be a file; '-' reads what is sent to standard input.")
        return os.open(path, os.O_RDONLY)
    except FileError:
        raise
    except (OSError, ValueError) as error:
        raise FileError(f"The queries '{path.name}' cannot be read: {reason_of(error)}.") from None


def _cut(handle: int) -> Any:
    """Give lines of bytes; what is beyond the longest line is dropped while it is read."""
    left = b""
    try:
        while chunk := os.read(handle, 65536):
            *whole, left = (left + chunk).split(b"\n")
            yield from whole
            left = left[: _LONGEST_LINE + 1]
    finally:
        os.close(handle)
    if left:
        yield left


# --- status and sockets -----------------------------------------------------------------------------------------------------


async def _keep_status(party: Party, path: Path) -> None:
    while True:
        _write_status(party.status(), path)
        await asyncio.sleep(_STATUS_SECONDS)


def _write_status(status: dict[str, Any], path: Path) -> None:
    """Put the status in its place, whole."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_text(json.dumps(status, indent=2) + "\n", encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise FileError(f"The status '{path.name}' cannot be written: {error.strerror or 'no reason given'}.") from None


def listening_socket(descriptor: int, *, beyond_this_machine: bool = False) -> socket.socket:
    """Return the listening socket that whoever started this process has handed over.

    Raises
    ------
    ParameterError
        When there is none of this number, it is none that listens, or others than this machine can reach it and may not.
    """
    try:
        sock = socket.socket(fileno=descriptor)
        if not sock.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            raise ParameterError("The descriptor must be that of a socket that listens.")
    except (OSError, ValueError, OverflowError):
        raise ParameterError("The descriptor must be that of an open socket that listens.") from None
    name = sock.getsockname()
    is_local = sock.family not in (socket.AF_INET, socket.AF_INET6) or ipaddress.ip_address(name[0]).is_loopback
    if not (is_local or beyond_this_machine):
        raise ParameterError(
            "The descriptor must be that of a socket of this machine alone; else say --beyond-this-machine."
        )
    sock.setblocking(False)
    return sock
