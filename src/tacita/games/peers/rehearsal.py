"""A rehearsal: a whole group as processes of this machine, streams of queries, peers that are killed, and what the back end saw.

Nobody shares memory with anybody. Sockets are opened here and handed over, so that no port is guessed. Each peer gets its next
queries when earlier ones are answered; when a third of all is answered some peers are killed (SIGKILL). The others go on. At
the end the killed ones come back with what they had still to ask.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import os
import signal
import socket
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tacita.core.errors import DataError, ParameterError
from tacita.core.progress import Task, task
from tacita.core.streams import Seed, Streams
from tacita.games.peers.keys import PeerKey
from tacita.games.peers.messages import check_query
from tacita.games.peers.roster import BACKEND, Roster, RosterEntry, roster_entry
from tacita.games.peers.view import ViewMeasured, measure_view, read_seen

__all__ = ["Rehearsed", "rehearse"]

_WINDOW = 3
"""Queries of one peer that are on their way at the same time."""
_KILL_AT = 1 / 3
_MOST_LINE = 1 << 20


@dataclass(frozen=True)
class Rehearsed:
    """What came of a rehearsal.

    Parameters
    ----------
    queries, answered
        How many queries the peers had, and how many were answered.
    answered_by_survivors
        How many of these were answered while the killed peers were away, from the kill on.
    killed
        The names of those who were killed.
    pending_at_kill
        Queries of the others that were on their way at that moment.
    statuses
        What each process said when it stopped, by name; of a killed one what it said after it came back.
    view
        What the back end learned.
    seconds
        How long it took, with starting the processes.
    """

    queries: int
    answered: int
    answered_by_survivors: int
    killed: tuple[str, ...]
    pending_at_kill: int
    statuses: Mapping[str, Mapping[str, Any]]
    view: ViewMeasured
    seconds: float

    def total(self, count: str) -> int:
        """Return one count of own queries over all peers."""
        return sum(int(status.get("own", {}).get(count, 0)) for status in self.statuses.values())


def rehearse(
    program: Sequence[str],
    queries: Mapping[str, Sequence[str]],
    *,
    kill: int = 0,
    documents: str = "sample",
    options: Sequence[str] = (),
    seed: Seed = 1,
    seconds: float = 120.0,
) -> Rehearsed:
    """Run a group of peers on this machine, kill some of them, and measure what the back end saw.

    Parameters
    ----------
    program
        What starts the commands ``backend`` and ``serve``, such as ``["tacita", "games", "peer"]``.
    queries
        The queries of each peer, in their order.
    kill
        How many peers are killed on the way.
    documents
        What the back end searches in.
    options
        Further options of each peer.
    seed
        Chooses who is killed, and decides between equally good peers. Which process is quicker it does not decide, so two runs
        differ.
    seconds
        After so long everything is stopped.

    Raises
    ------
    ParameterError
        When there are not two peers at least, or not one that survives, or a query is none.
    DataError
        When a process does not start or ends, or the time is over.
    """
    names = list(queries)
    if len(names) < 2 or isinstance(kill, bool) or not isinstance(kill, int) or not 0 <= kill < len(names):
        raise ParameterError("rehearse: there must be 2 peers at least, and 'kill' must leave one of them.")
    if not (isinstance(seconds, (int, float)) and 0 < seconds < math.inf):
        raise ParameterError("rehearse: 'seconds' must be a number above 0.")
    if BACKEND in names:
        raise ParameterError(f"rehearse: no peer may be called '{BACKEND}'.")
    asked = {name: [check_query(query) for query in own] for name, own in queries.items()}
    victims = Streams(seed).stream("rehearse", "killed").permutation(len(names))[:kill]
    with tempfile.TemporaryDirectory(prefix="tacita-peers-") as folder:
        group = _Group(list(program), asked, [names[i] for i in sorted(victims.tolist())], Path(folder), seed)
        group.options = list(options)
        group.documents = documents if documents == "sample" else str(Path(documents).absolute())
        return asyncio.run(group.run(seconds))


@dataclass
class _Process:
    """One process, what is still to be asked through it, and what it said."""

    entry: RosterEntry
    todo: list[str]
    sent: list[str] = field(default_factory=list)
    answered: set[int] = field(default_factory=set)
    handle: asyncio.subprocess.Process | None = None
    status: dict[str, Any] = field(default_factory=dict)
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    done: asyncio.Event = field(default_factory=asyncio.Event)
    reading: asyncio.Task[None] | None = None
    is_killed: bool = False

    @property
    def left(self) -> list[str]:
        """What was not answered."""
        return [query for number, query in enumerate(self.sent, 1) if number not in self.answered] + self.todo


class _Group:
    def __init__(
        self, program: list[str], queries: dict[str, list[str]], victims: list[str], folder: Path, seed: Seed
    ) -> None:
        self.program, self.queries, self.victims, self.folder, self.seed = program, queries, victims, folder, seed
        self.options: list[str] = []
        self.documents = "sample"
        self.total = sum(map(len, queries.values()))
        self.answered = self.by_survivors = self.pending = 0
        self.is_over_kill = False
        self.processes: dict[str, _Process] = {}
        self.trouble: asyncio.Future[None]
        self.progress: Task

    async def run(self, seconds: float) -> Rehearsed:
        begin = time.perf_counter()
        self.trouble = asyncio.get_running_loop().create_future()
        with task("Rehearsing", self.total) as self.progress:
            try:
                async with asyncio.timeout(seconds):
                    await self._all()
            except TimeoutError:
                raise DataError(
                    f"rehearse: after {seconds:g} seconds {self.answered} of {self.total} queries were answered; everything was "
                    "stopped."
                ) from None
            finally:
                await self._end()
        seen = read_seen(self.folder / "view.jsonl")
        statuses = {name: process.status for name, process in self.processes.items()}
        return Rehearsed(
            self.total, self.answered, self.by_survivors, tuple(self.victims), self.pending, statuses,
            measure_view(seen, self.queries), time.perf_counter() - begin,
        )  # fmt: skip

    async def _all(self) -> None:
        sockets = self._prepare()
        try:
            for name, sock in sockets.items():
                await self._start(name, sock)
        finally:
            for sock in sockets.values():
                sock.close()
        await self._or_trouble(*(process.ready.wait() for process in self.processes.values()))
        peers = [process for name, process in self.processes.items() if name != BACKEND]
        for process in peers:
            self._feed(process)
        await self._or_trouble(*(p.done.wait() for p in peers if p.entry.name not in self.victims))
        self._kill_now()  # where so few queries were asked that it was not yet time
        for name in self.victims:
            await self._come_back(name)
        await self._or_trouble(*(self.processes[name].done.wait() for name in self.victims))
        for name in (*self.queries, BACKEND):
            await self._stop(self.processes[name])

    def _prepare(self) -> dict[str, socket.socket]:
        sockets: dict[str, socket.socket] = {}
        entries: dict[str, RosterEntry] = {}
        for name in (BACKEND, *self.queries):
            sockets[name] = _open_socket(0)
            key = PeerKey.draw()
            entries[name] = roster_entry(name, f"127.0.0.1:{sockets[name].getsockname()[1]}", key.public)
            key.write(self.folder / f"{name}.key")  # whose name is one now
        Roster(entries[BACKEND], tuple(entries[name] for name in self.queries)).write(self.folder / "roster.toml")
        self.processes = {name: _Process(entry, list(self.queries.get(name, ()))) for name, entry in entries.items()}
        return sockets

    # --- processes --------------------------------------------------------------------------------------------------------

    async def _start(self, name: str, sock: socket.socket) -> None:
        process = self.processes[name]
        common = ["--roster", "roster.toml", "--key", f"{name}.key", "--descriptor", str(sock.fileno()), "--json"]
        if name == BACKEND:
            words = ["backend", *common, "--documents", self.documents, "--view", "view.jsonl", "--until-input-ends"]
        else:
            words = ["serve", name, *common, "--queries", "-", "--at-once", str(_WINDOW), "--seed", str(self.seed)]
            words += ["--linger", "5"]  # of no use but where the rehearsal itself is killed: then its processes end too
            words += self.options
        try:
            process.handle = await asyncio.create_subprocess_exec(
                *self.program, *words, cwd=self.folder, pass_fds=(sock.fileno(),), start_new_session=True, limit=_MOST_LINE,
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            )  # fmt: skip
        except OSError as error:
            raise DataError(f"rehearse: the program cannot be started: {error.strerror}.") from None
        finally:
            sock.close()  # who listens now is the process alone: when it is killed, nobody does
        process.reading = asyncio.create_task(self._read(process, process.handle))

    async def _read(self, process: _Process, handle: asyncio.subprocess.Process) -> None:
        """Take what a process says, to its end."""
        if handle.stdout is None:
            return
        async for line in handle.stdout:
            event = json.loads(line)
            if event["event"] == "ready":
                process.ready.set()
            elif event["event"] == "answer":
                self._note_answer(process, int(event["number"]))
            elif event["event"] == "unanswered" and not self.trouble.done():
                self.trouble.set_exception(
                    DataError("rehearse: a query was not answered: the back end is out of reach.")
                )
            elif event["event"] == "stopped":
                process.status = event["status"]
        await handle.wait()
        if not process.is_killed and not process.status and not self.trouble.done():
            self.trouble.set_exception(
                DataError(f"rehearse: the process of '{process.entry.name}' has ended by itself.")
            )

    def _note_answer(self, process: _Process, number: int) -> None:
        process.answered.add(number)
        self.answered += 1
        self.progress.advance()
        if self.is_over_kill and not process.is_killed and process.entry.name not in self.victims:
            self.by_survivors += 1
        if self.answered >= self.total * _KILL_AT:
            self._kill_now()
        if not process.is_killed:
            self._feed(process)

    def _feed(self, process: _Process) -> None:
        """Hand over the next queries; the last one closes the stream."""
        stdin = process.handle.stdin if process.handle is not None else None
        if stdin is None or stdin.is_closing():
            return
        with contextlib.suppress(OSError, RuntimeError):  # it has just gone
            while process.todo and len(process.sent) - len(process.answered) < _WINDOW:
                process.sent.append(process.todo.pop(0))
                stdin.write(process.sent[-1].encode() + b"\n")
        if not process.left:
            process.done.set()

    def _kill_now(self) -> None:
        if self.is_over_kill:
            return
        self.is_over_kill = True
        for name in self.victims:
            process = self.processes[name]
            if process.handle is not None:
                process.is_killed = True
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process.handle.pid, signal.SIGKILL)
        others = [p for name, p in self.processes.items() if name not in self.victims]
        self.pending = sum(len(p.sent) - len(p.answered) for p in others)

    async def _come_back(self, name: str) -> None:
        """Start a killed peer again, where it was, with what it had still to ask."""
        old = self.processes[name]
        if old.reading is not None:
            await old.reading
        process = self.processes[name] = _Process(old.entry, old.left)
        await self._start(name, _open_socket(old.entry.port))
        await self._or_trouble(process.ready.wait())
        self._feed(process)

    async def _stop(self, process: _Process) -> None:
        if process.handle is not None and process.reading is not None:
            with contextlib.suppress(ProcessLookupError):
                process.handle.terminate()
            await process.reading

    async def _or_trouble(self, *waits: Any) -> None:
        """Wait for all of these, or raise what went wrong meanwhile."""
        together = asyncio.ensure_future(asyncio.gather(*waits))
        both: list[asyncio.Future[Any]] = [together, self.trouble]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            if self.trouble.done():
                self.trouble.result()
        finally:
            together.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await together

    async def _end(self) -> None:
        """Leave no process behind."""
        for process in self.processes.values():
            if process.handle is not None and process.handle.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.handle.kill()
                await process.handle.wait()
        tasks = [process.reading for process in self.processes.values() if process.reading is not None]
        for reading in tasks:
            reading.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self.trouble.done():
            self.trouble.exception()


def _open_socket(port: int) -> socket.socket:
    sock = socket.socket()
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(("127.0.0.1", port))
        sock.listen(128)
    except OSError as error:
        sock.close()
        raise DataError(f"rehearse: no port can be had: {error.strerror}.") from None
    return sock
