"""A peer: forwards its own queries or submits them, submits those of others or ignores them, and copes with who is gone.

What happens to an own query::

    H(Y) would not fall      ->  submit it                                   Sii
    otherwise                ->  ask the peer who is best by (2)             Sik
        it submits           ->  the answer comes back                       Tki: coprivacy
        it ignores, is gone  ->  the second best, the third best, ...        Tkk
    nobody after `attempts`  ->  submit it after all
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from dataclasses import dataclass
from typing import Any

from tacita.core.errors import DataError, ParameterError
from tacita.core.streams import Seed, Streams, draw_seed
from tacita.games.peers.decisions import QueryDecisions
from tacita.games.peers.keys import PeerKey
from tacita.games.peers.limits import PeerLimits
from tacita.games.peers.listener import Listener
from tacita.games.peers.messages import SearchAnswer, SearchRefusal, SearchRequest, check_query
from tacita.games.peers.noise import BrokenRulesError
from tacita.games.peers.outgoing import Outgoing
from tacita.games.peers.roster import BACKEND, Roster

__all__ = ["Peer", "SearchFound"]


@dataclass(frozen=True)
class SearchFound:
    """What became of a query.

    Parameters
    ----------
    hits
        Titles with their scores, best first.
    via
        The name of the peer that submitted it.
    asked
        How many peers it was forwarded to, the one that helped among them.
    """

    hits: tuple[tuple[str, float], ...]
    via: str
    asked: int


class Peer:
    """One peer, as it runs in a process of its own.

    Parameters
    ----------
    name
        Its name in the roster.
    roster
        Everybody.
    key
        Its private key, which must belong to the public one in the roster.
    attempts
        How many peers are asked before it submits a query itself; 0 never asks anybody.
    helps
        Whether it submits for others at all; one that does not is a free rider.
    limits
        How long it waits, and how much it does for others.
    seed
        Decides between peers who are equally good; None draws one. Keys never come from it.
    beyond_this_machine
        Whether addresses are allowed that other machines can reach.

    Raises
    ------
    ParameterError
        When the name is not in the roster, the key is another one, or an address is not of this machine and may not be.

    Notes
    -----
    Everything runs in one thread of one event loop, so a decision and its count are one step.
    """

    def __init__(
        self,
        name: str,
        roster: Roster,
        key: PeerKey,
        *,
        attempts: int = 3,
        helps: bool = True,
        limits: PeerLimits | None = None,
        seed: Seed | None = None,
        beyond_this_machine: bool = False,
    ) -> None:
        if not beyond_this_machine:
            roster.check_local()
        if isinstance(attempts, bool) or not isinstance(attempts, int) or attempts < 0:
            raise ParameterError("Peer: 'attempts' must be a whole number, 0 or more.")
        self.entry = roster[name]
        if name == BACKEND:
            raise ParameterError(f"Peer: '{BACKEND}' is the back end and no peer.")
        if key.public != self.entry.key:
            raise ParameterError(f"Peer: the private key is not that of '{name}' in the roster.")
        self.name, self.attempts, self.helps = name, attempts, helps
        self.limits = limits or PeerLimits()
        self.counts: Counter[str] = Counter()
        streams = Streams(draw_seed() if seed is None else seed).within("peer", name)
        others = [entry for entry in roster.peers if entry.name != name]
        self.decisions = QueryDecisions((entry.name for entry in others), streams.stream("ties"))
        pauses = streams.stream("pauses")
        self._lines = {entry.name: Outgoing(entry, key, self.limits, pauses) for entry in others}
        self._backend = Outgoing(roster.backend, key, self.limits, pauses)
        self.listener = Listener(key, {entry.key: entry.name for entry in others}, self._answer, self.limits)

    async def start(self, sock: socket.socket | None = None) -> None:
        """Begin to listen."""
        await self.listener.start(self.entry, sock)

    async def stop(self, seconds: float = 1.0) -> None:
        """Take no more calls, answer what is being answered for so many seconds, then close every line."""
        await self.listener.stop(seconds)
        await asyncio.gather(*(line.close() for line in (*self._lines.values(), self._backend)))

    # --- own queries --------------------------------------------------------------------------------------------------------

    async def search(self, query: str) -> SearchFound:
        """Have an own query answered: by the database directly, or through another peer.

        Raises
        ------
        ParameterError
            When it is no query.
        DataError
            When the back end cannot be reached for as long as the patience lasts.
        """
        query = check_query(query)
        self.counts["own"] += 1
        if self.decisions.takes_itself(query):
            self.counts["submitted at once"] += 1
            return SearchFound(await self._submit_patiently(query), self.name, 0)
        asked = 0
        for name in self.decisions.whom_to_ask(query):
            if asked >= self.attempts:
                break
            line = self._lines[name]
            if line.is_absent:
                continue
            try:
                await line.open()
            except BrokenRulesError:
                self.counts["passed over"] += (
                    1  # it has not seen the query, so it counts neither in F nor as an attempt
                )
                continue
            asked += 1
            self.decisions.note_forward(query, name)
            found = await self._forward(query, line)
            if found is not None:
                return SearchFound(found, name, asked)
        self.decisions.note_submission(query)
        self.counts["submitted in the end"] += 1
        return SearchFound(await self._submit_patiently(query), self.name, asked)

    async def _forward(self, query: str, line: Outgoing) -> tuple[tuple[str, float], ...] | None:
        self.counts["forwarded"] += 1
        try:
            reply = await line.ask(query, self.limits.answer_seconds)
        except BrokenRulesError as error:
            self.counts[f"helper {error.kind}"] += 1
            return None
        if isinstance(reply, SearchRefusal):
            self.counts[f"helper {reply.reason}"] += 1
            return None
        self.counts["helped by others"] += 1
        return reply.hits

    async def _submit_patiently(self, query: str) -> tuple[tuple[str, float], ...]:
        """Submit until there is an answer; every wait is bounded, and so is their sum."""
        loop = asyncio.get_running_loop()
        deadline, tries = loop.time() + self.limits.patience_seconds, 0
        while True:
            try:
                reply = await self._backend.ask(query, self.limits.backend_seconds)
            except BrokenRulesError:
                reply = SearchRefusal(0, "no back end")
            if isinstance(reply, SearchAnswer):
                return reply.hits
            pause = max(self._backend.seconds_to_wait, min(0.05 * 2.0**tries, 5.0))
            tries += 1
            if loop.time() + pause > deadline:
                self.counts["unanswered"] += 1
                raise DataError("The back end cannot be reached, so the query was not answered.")
            self.counts["waited for the back end"] += 1
            await asyncio.sleep(pause)

    # --- queries of others --------------------------------------------------------------------------------------------------

    async def _answer(self, name: str, request: SearchRequest) -> SearchAnswer | SearchRefusal:
        """Tki or Tkk, for whoever it is: who asks plays no part."""
        del name
        self.counts["asked by others"] += 1
        if not self.helps or not self.decisions.takes_for_another(request.query):
            self.counts["ignored"] += 1
            return SearchRefusal(request.number, "unwilling")
        is_out = False
        try:
            async with asyncio.timeout(self.limits.backend_seconds):  # the asker does not wait much longer
                await self._backend.open()
                is_out = True
                reply = await self._backend.ask(request.query, self.limits.backend_seconds)
        except (BrokenRulesError, TimeoutError):
            if not is_out:  # otherwise the database may have seen it
                self.decisions.take_back_submission(request.query)
            self.counts["without back end"] += 1
            return SearchRefusal(request.number, "no back end")
        if isinstance(reply, SearchRefusal):
            return SearchRefusal(request.number, "no back end" if reply.reason == "unwilling" else reply.reason)
        self.counts["submitted for others"] += 1
        return SearchAnswer(request.number, reply.hits)

    # --- what happened ------------------------------------------------------------------------------------------------------

    def status(self) -> dict[str, Any]:
        """Return counts and entropies, and no text of any query."""
        return {
            "name": self.name,
            "own": dict(sorted(self.counts.items())),
            "lines": dict(sorted(self.listener.counts.items())),
            "absences": {name: line.absences for name, line in self._lines.items() if line.absences},
            "entropy_against_database": self.decisions.submitted.entropy,
            "entropy_against_peers": self.decisions.forward_entropy(),
            "different_queries_submitted": len(self.decisions.submitted.counts),
        }
