"""The side that calls: one line to each of the others, opened when it is needed, for many queries at once.

Who cannot be reached is absent for a while that doubles with each failure, half of it drawn at random, so that a group whose
member comes back does not call it all at the same moment.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tacita.games.peers.channel import SecureChannel
from tacita.games.peers.keys import PeerKey
from tacita.games.peers.limits import PeerLimits
from tacita.games.peers.messages import PeerMessage, SearchAnswer, SearchRefusal, SearchRequest
from tacita.games.peers.noise import BrokenRulesError
from tacita.games.peers.roster import RosterEntry

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Outgoing"]


class Outgoing:
    """A line to one of the others.

    Parameters
    ----------
    entry
        Who it is.
    own
        The private key of this peer.
    limits
        How long to wait.
    rng
        Draws the pauses.
    """

    def __init__(self, entry: RosterEntry, own: PeerKey, limits: PeerLimits, rng: np.random.Generator) -> None:
        self.entry = entry
        self.absences = 0
        self._own, self._limits, self._rng = own, limits, rng
        self._line: SecureChannel | None = None
        self._listening: asyncio.Task[None] | None = None
        self._opening = asyncio.Lock()
        self._waiting: dict[int, asyncio.Future[PeerMessage]] = {}
        self._number = 0
        self._failures = 0
        self._again = 0.0

    @property
    def is_absent(self) -> bool:
        """Whether it could not be reached a short while ago."""
        return self._line is None and asyncio.get_running_loop().time() < self._again

    @property
    def seconds_to_wait(self) -> float:
        """How long until it is tried again."""
        return max(0.0, self._again - asyncio.get_running_loop().time())

    async def open(self) -> None:
        """Open the line where it is not.

        Raises
        ------
        BrokenRulesError
            When nobody answers, or somebody else does; then it is absent for a while.
        """
        async with self._opening:
            if self._line is not None:
                return
            if self.is_absent:
                raise BrokenRulesError("gone", f"'{self.entry.name}' cannot be reached at the moment.")
            try:
                self._line = await SecureChannel.call(
                    self.entry.host, self.entry.port, self._own, self.entry.key, self._limits
                )
            except BrokenRulesError:
                self._note_absence()
                raise
            self._listening = asyncio.create_task(self._listen(self._line))

    async def ask(self, query: str, seconds: float) -> SearchAnswer | SearchRefusal:
        """Send a query over the open line and wait for what comes back.

        Raises
        ------
        BrokenRulesError
            When the line breaks, or nothing comes in time; then the line is closed, and opened anew for the next query.
        """
        await self.open()
        number, self._number = self._number, self._number + 1
        line = self._line
        if line is None:  # it broke between two steps
            raise BrokenRulesError("gone", f"'{self.entry.name}' has closed the line.")
        answered: asyncio.Future[PeerMessage] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answered
        try:
            async with asyncio.timeout(seconds):
                await line.send(SearchRequest(number, query))
                reply = await answered
        except TimeoutError:
            self._drop(line)
            raise BrokenRulesError("slow", f"'{self.entry.name}' has not answered in time.") from None
        except BrokenRulesError:
            self._drop(line)
            raise
        finally:
            self._waiting.pop(number, None)
            if answered.done() and not answered.cancelled():
                answered.exception()  # seen here, so that nobody complains of it later
        if not isinstance(reply, (SearchAnswer, SearchRefusal)):
            raise BrokenRulesError("form", "What was called must answer or refuse.")
        self._failures = 0
        return reply

    async def close(self) -> None:
        """Close the line; who still waits for an answer is told that it is gone."""
        line, listening = self._line, self._listening
        self._line = None
        if line is not None:
            await line.finish()
        if listening is not None:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
        self._fail(BrokenRulesError("gone", "The line was closed."))

    # --- what comes -------------------------------------------------------------------------------------------------------

    async def _listen(self, line: SecureChannel) -> None:
        try:
            while True:
                message = await line.receive()
                if isinstance(message, SearchRequest):
                    raise BrokenRulesError("form", "What was called must not ask.")
                number = message.number
                waiting = self._waiting.get(number)
                if waiting is not None and not waiting.done():
                    waiting.set_result(message)
                elif number >= self._number:
                    raise BrokenRulesError("form", "An answer to a question that nobody asked.")
        except BrokenRulesError as error:
            self._drop(line, silent=error.kind == "idle")

    def _drop(self, line: SecureChannel, *, silent: bool = False) -> None:
        """Close a line that broke; one that was only silent for long is no absence."""
        line.close()
        if self._line is not line:
            return
        self._line = None
        if not silent:
            self._note_absence()
        self._fail(BrokenRulesError("gone", f"'{self.entry.name}' has closed the line."))

    def _note_absence(self) -> None:
        pause = min(self._limits.first_pause * 2.0**self._failures, self._limits.longest_pause)
        self._failures = min(self._failures + 1, 60)
        self.absences += 1
        self._again = asyncio.get_running_loop().time() + pause * (0.5 + 0.5 * float(self._rng.random()))

    def _fail(self, error: BrokenRulesError) -> None:
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(error)
