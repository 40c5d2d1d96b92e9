"""What the tests of peers share: a roster with sockets that listen, a small index, a group in one process."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from pathlib import Path

from tacita.games.peers.backend import SearchBackend, ViewFile
from tacita.games.peers.documents import DocumentIndex
from tacita.games.peers.keys import PeerKey
from tacita.games.peers.limits import PeerLimits
from tacita.games.peers.peer import Peer
from tacita.games.peers.roster import BACKEND, Roster, RosterEntry

__all__ = ["HASTY", "INDEX", "PATIENT", "Group", "group", "listening"]

HASTY = PeerLimits(
    connect_seconds=0.6,
    frame_seconds=0.3,
    answer_seconds=0.5,
    backend_seconds=0.4,
    patience_seconds=3,
    first_pause=0.05,
)
"""Limits that a test can wait for."""
PATIENT = PeerLimits(patience_seconds=5, first_pause=0.05)
"""Limits that a busy machine does not reach."""
INDEX = DocumentIndex(["Bread", "Tides", "Guitar"], ["flour and salt", "the salt sea", "six strings"])


def listening() -> socket.socket:
    """A socket that listens at a free port."""
    sock = socket.socket()
    sock.bind(("127.0.0.1", 0))
    sock.listen()
    return sock


class Group:
    """Keys, sockets and a roster of some peers and a back end; what is started is up to the test."""

    def __init__(self, peers: int) -> None:
        self.names = [f"p{i}" for i in range(1, peers + 1)]
        self.keys = {name: PeerKey.draw() for name in (BACKEND, *self.names)}
        self.sockets = {name: listening() for name in self.keys}
        entries = {
            name: RosterEntry(name, "127.0.0.1", sock.getsockname()[1], self.keys[name].public)
            for name, sock in self.sockets.items()
        }
        self.roster = Roster(entries[BACKEND], tuple(entries[name] for name in self.names))
        self.running: dict[str, Peer | SearchBackend] = {}

    async def start(
        self, *names: str, limits: PeerLimits = PATIENT, view: Path | None = None, **options: object
    ) -> list[Peer]:
        """Start some of them; the others keep silent at their sockets."""
        for name in names:
            if name == BACKEND:
                file = None if view is None else ViewFile(view)
                self.running[name] = SearchBackend(self.roster, self.keys[name], INDEX, view=file)
            else:
                self.running[name] = Peer(name, self.roster, self.keys[name], limits=limits, seed=1, **options)  # type: ignore[arg-type]
            await self.running[name].start(self.sockets[name])
        return [party for name in names if isinstance(party := self.running[name], Peer)]

    def hang_up(self, name: str) -> None:
        """Nobody listens any more where somebody did."""
        self.sockets[name].close()

    @property
    def backend(self) -> SearchBackend:
        """The back end that runs."""
        found = self.running[BACKEND]
        if not isinstance(found, SearchBackend):
            raise AssertionError("the back end is not running")
        return found

    async def stop(self) -> None:
        """Stop everything that runs."""
        await asyncio.gather(*(party.stop(0.2) for party in self.running.values()))
        for sock in self.sockets.values():
            sock.close()


@contextlib.asynccontextmanager
async def group(peers: int) -> AsyncIterator[Group]:
    """A group that is stopped at the end."""
    made = Group(peers)
    try:
        yield made
    finally:
        await made.stop()
