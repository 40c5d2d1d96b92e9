"""The side that is called, of peers and of the back end: who may come in, how many, how often, and what is counted."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from tacita.core.errors import FileError
from tacita.games.peers.channel import SecureChannel
from tacita.games.peers.keys import PeerKey
from tacita.games.peers.limits import MOST_FRAME, PeerLimits
from tacita.games.peers.messages import SearchAnswer, SearchRefusal, SearchRequest
from tacita.games.peers.noise import BrokenRulesError
from tacita.games.peers.roster import RosterEntry

__all__ = ["AnswerTo", "Listener"]

AnswerTo = Callable[[str, SearchRequest], Awaitable[SearchAnswer | SearchRefusal]]
"""What answers a request of somebody who is named."""
_MINUTE = 60.0


@dataclass
class _Caller:
    """What is known of one who calls: its open lines, oldest first, and when it asked in the last minute."""

    lines: deque[SecureChannel] = field(default_factory=deque)
    asked: deque[float] = field(default_factory=deque)


class Listener:
    """Takes calls from those who are known, and has their requests answered.

    Parameters
    ----------
    own
        The private key.
    known
        Names by public keys.
    answer
        Answers a request; must end by itself.
    limits
        How much is taken.

    Notes
    -----
    Whoever breaks the rules is cut off and counted by kind in :attr:`counts`: ``garbage``, ``forged``, ``stranger``, ``slow``,
    ``size``, ``form``, ``flood``, ``idle``, ``gone`` (closed in order), ``turned away`` (too many at once), ``fault``
    (of this program). Nothing that came is kept.

    Where as many requests of one line are worked on as may be, nothing more is read from it, so the sender has to wait.
    """

    def __init__(self, own: PeerKey, known: dict[bytes, str], answer: AnswerTo, limits: PeerLimits) -> None:
        self.counts: Counter[str] = Counter()
        self._own, self._known, self._answer, self._limits = own, known, answer, limits
        self._most_open = max(limits.connections, 2 * len(known) + limits.handshakes)
        self._callers = {name: _Caller() for name in known.values()}
        self._open: set[asyncio.Task[None]] = set()
        self._strangers: dict[asyncio.StreamWriter, None] = {}  # in the order in which they came
        self._server: asyncio.Server | None = None

    async def start(self, where: RosterEntry, sock: socket.socket | None = None) -> None:
        """Begin to listen, at an address or on a socket that the caller has opened.

        Raises
        ------
        FileError
            When the address cannot be had.
        """
        try:
            if sock is not None:
                self._server = await asyncio.start_server(self._called, sock=sock, limit=MOST_FRAME)
            else:
                self._server = await asyncio.start_server(self._called, where.host, where.port, limit=MOST_FRAME)
        except OSError as error:
            reason = error.strerror or "the system gave no reason"
            raise FileError(f"'{where.name}' cannot listen at {where.address}: {reason}.") from None

    async def stop(self, seconds: float) -> None:
        """Take no more calls, let what is being answered be answered for so many seconds, then close every line."""
        if self._server is not None:
            self._server.close()
        deadline = asyncio.get_running_loop().time() + seconds
        while self.at_work and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(0.02)
        tasks = list(self._open)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    at_work = 0
    """Requests that are being answered."""

    # --- one call -----------------------------------------------------------------------------------------------------------

    async def _called(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None or len(self._open) >= self._most_open:
            self.counts["turned away"] += 1
            writer.transport.abort()
            return
        self._open.add(task)
        try:
            await self._serve(reader, writer)
        except BrokenRulesError as error:
            self.counts[error.kind] += 1
        except asyncio.CancelledError:
            pass  # the listener is being stopped
        except Exception:  # noqa: BLE001 - one line must not take the others with it, and a message may quote what came
            self.counts["fault"] += 1
        finally:
            writer.transport.abort()
            self._open.discard(task)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if (
            len(self._strangers) >= self._limits.handshakes
        ):  # an honest handshake takes milliseconds: the oldest is not one
            oldest = next(iter(self._strangers))
            del self._strangers[oldest]
            oldest.transport.abort()
            self.counts["turned away"] += 1
        self._strangers[writer] = None
        try:
            line = await SecureChannel.accept(reader, writer, self._own, self._known, self._limits)
        finally:
            self._strangers.pop(writer, None)
        name = self._known[line.theirs]
        caller = self._callers[name]
        if len(caller.lines) >= self._limits.connections_of_one:
            caller.lines.popleft().close()
        caller.lines.append(line)
        self.counts["calls"] += 1
        working: set[asyncio.Task[None]] = set()
        try:
            await self._take_requests(name, line, caller, working)
        finally:
            if line in caller.lines:
                caller.lines.remove(line)
            left = list(working)
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)

    async def _take_requests(
        self, name: str, line: SecureChannel, caller: _Caller, working: set[asyncio.Task[None]]
    ) -> None:
        places = asyncio.Semaphore(self._limits.at_once)
        refused = 0
        while True:
            await places.acquire()  # back pressure: until there is a place, nothing is read
            request = await line.receive()
            if not isinstance(request, SearchRequest):
                raise BrokenRulesError("form", "A caller must ask.")
            if self._is_too_often(caller):
                refused += 1
                if refused > self._limits.queries_per_minute:
                    raise BrokenRulesError("flood", "A caller goes on asking though it is refused.")
                self.counts["busy"] += 1
                await line.send(SearchRefusal(request.number, "busy"))
                places.release()
                continue
            refused = 0
            task = asyncio.create_task(self._reply(name, request, line, places))
            working.add(task)
            task.add_done_callback(working.discard)

    async def _reply(self, name: str, request: SearchRequest, line: SecureChannel, places: asyncio.Semaphore) -> None:
        self.at_work += 1
        try:
            await line.send(await self._answer(name, request))
        except BrokenRulesError as error:
            self.counts[error.kind] += 1
            line.close()
        except Exception:  # noqa: BLE001 - see above
            self.counts["fault"] += 1
            line.close()
        finally:
            self.at_work -= 1
            places.release()

    def _is_too_often(self, caller: _Caller) -> bool:
        now = asyncio.get_running_loop().time()
        while caller.asked and caller.asked[0] <= now - _MINUTE:
            caller.asked.popleft()
        if len(caller.asked) >= self._limits.queries_per_minute:
            return True
        caller.asked.append(now)
        return False
