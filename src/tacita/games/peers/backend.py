"""The back end: a database that peers search in, which answers everybody and sees who asked what.

It is the player P0 of Definition 1 and at the same time the adversary: with a view file it writes down under whose name
each query came, so that what it learned can be measured. Without one it keeps counts alone.
"""

from __future__ import annotations

import json
import os
import socket
from collections import Counter
from pathlib import Path
from typing import Any

from tacita.core.errors import FileError, ParameterError, reason_of
from tacita.games.peers.documents import DocumentIndex
from tacita.games.peers.keys import PeerKey
from tacita.games.peers.limits import PeerLimits
from tacita.games.peers.listener import Listener
from tacita.games.peers.messages import SearchAnswer, SearchRequest
from tacita.games.peers.roster import Roster

__all__ = ["SearchBackend", "ViewFile"]


class ViewFile:
    """Where the back end writes who asked what: a line of JSON each, in a new file that only its owner can read.

    Parameters
    ----------
    path
        The file.
    overwrite
        Whether one that is there may be emptied.

    Raises
    ------
    FileError
        When it is there already, or cannot be written.
    """

    def __init__(self, path: str | Path, *, overwrite: bool = False) -> None:
        self.path = Path(path)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | (os.O_TRUNC if overwrite else os.O_EXCL)
        try:
            self._handle = os.open(self.path, flags | getattr(os, "O_NOFOLLOW", 0), 0o600)
        except FileExistsError:
            raise FileError(f"'{self.path.name}' is there already; choose another name or say --overwrite.") from None
        except (OSError, ValueError) as error:
            raise FileError(f"'{self.path.name}' cannot be written: {reason_of(error)}.") from None

    def note(self, peer: str, query: str) -> None:
        """Write one line, whole; an end by force cuts off nothing but the line that is being written."""
        line = json.dumps({"peer": peer, "query": query}, ensure_ascii=False, separators=(",", ":")) + "\n"
        try:
            os.write(self._handle, line.encode())
        except OSError as error:
            raise FileError(f"'{self.path.name}' cannot be written: {reason_of(error)}.") from None

    def close(self) -> None:
        """Close the file."""
        os.close(self._handle)


class SearchBackend:
    """The back end as it runs in a process of its own.

    Parameters
    ----------
    roster
        Who may ask.
    key
        The private key of the back end.
    index
        What is searched in.
    view
        Where it writes who asked what; None for counts alone.
    limits
        How much it takes; by default from each peer a hundred times as many queries as a peer does for another.

    beyond_this_machine
        Whether addresses are allowed that other machines can reach.

    Raises
    ------
    ParameterError
        When the key is another one than the roster says, or an address is not of this machine and may not be.

    Notes
    -----
    Where the view cannot be written the back end goes on answering, and its status says how many lines are lacking.
    """

    def __init__(
        self,
        roster: Roster,
        key: PeerKey,
        index: DocumentIndex,
        *,
        view: ViewFile | None = None,
        limits: PeerLimits | None = None,
        beyond_this_machine: bool = False,
    ) -> None:
        if not beyond_this_machine:
            roster.check_local()
        if key.public != roster.backend.key:
            raise ParameterError("SearchBackend: the private key is not that of the back end in the roster.")
        self.entry, self.index, self.view = roster.backend, index, view
        self.asked: Counter[str] = Counter()
        self.not_noted = 0
        limits = limits or PeerLimits(queries_per_minute=100 * PeerLimits().queries_per_minute)
        self.listener = Listener(key, {entry.key: entry.name for entry in roster.peers}, self._answer, limits)

    async def start(self, sock: socket.socket | None = None) -> None:
        """Begin to listen."""
        await self.listener.start(self.entry, sock)

    async def stop(self, seconds: float = 1.0) -> None:
        """Take no more calls, answer what is being answered for so many seconds, then close every line and the view."""
        await self.listener.stop(seconds)
        if self.view is not None:
            self.view.close()

    async def _answer(self, name: str, request: SearchRequest) -> SearchAnswer:
        self.asked[name] += 1
        if self.view is not None:
            try:
                self.view.note(name, request.query)
            except FileError:
                self.not_noted += 1
        return SearchAnswer(request.number, self.index.search(request.query))

    def status(self) -> dict[str, Any]:
        """Return counts, and no text of any query."""
        return {
            "name": self.entry.name,
            "documents": len(self.index),
            "not_noted": self.not_noted,
            "asked": dict(sorted(self.asked.items())),
            "lines": dict(sorted(self.listener.counts.items())),
        }
