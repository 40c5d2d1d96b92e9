"""How long peers wait, how much they take, and how much they do for others: every wait and every size has its bound."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from tacita.core.errors import ParameterError

__all__ = ["LONGEST_QUERY", "MOST_FRAME", "MOST_HITS", "PeerLimits"]

MOST_FRAME = 16_384
"""Bytes of a frame after its header; a longer one ends the connection before it is read."""
LONGEST_QUERY = 512
"""Characters of a query."""
MOST_HITS = 10
"""Documents in an answer."""


@dataclass(frozen=True, kw_only=True)
class PeerLimits:
    """The limits of a peer or of a back end.

    Parameters
    ----------
    connect_seconds
        To reach somebody and to agree on keys with them; the same for whoever calls.
    frame_seconds
        For the rest of a message once its first byte is there, and for the other end to take one.
    answer_seconds
        For a peer to answer what was forwarded to it; then the next one is asked.
    backend_seconds
        For the back end to answer; must be shorter than ``answer_seconds``, or helpers would always be late.
    patience_seconds
        How long an own query is tried again where the back end cannot be reached.
    idle_seconds
        A connection on which nothing is said for so long is closed.
    first_pause, longest_pause
        Seconds after which somebody who has vanished is tried again: doubled each time, and half of it drawn at random.
    connections
        Open at once, of all that call; in a large group at least two for each of those who are known.
    handshakes
        Among them those that have not shown who they are; a further one pushes out the oldest, so that whoever opens many and
        says nothing keeps nobody out.
    connections_of_one
        Of one peer; a further one closes its oldest.
    at_once
        Queries of others that are worked on at the same time, on one connection; nothing more is read until one is done.
    queries_per_minute
        Of one peer for whom this one submits; more are answered with "busy", and twice as many close the connection.
    """

    connect_seconds: float = 5.0
    frame_seconds: float = 5.0
    answer_seconds: float = 5.0
    backend_seconds: float = 3.0
    patience_seconds: float = 30.0
    idle_seconds: float = 600.0
    first_pause: float = 0.25
    longest_pause: float = 60.0
    connections: int = 256
    handshakes: int = 32
    connections_of_one: int = 4
    at_once: int = 16
    queries_per_minute: int = 600

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            whole = isinstance(field.default, int)
            if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
                kind = "a whole number" if whole else "a number"
                raise ParameterError(f"PeerLimits: '{field.name}' must be {kind}, got {type(value).__name__}.")
            if not (0 < value < math.inf):
                raise ParameterError(f"PeerLimits: '{field.name}' must be above 0 and finite, got {value}.")
        if self.backend_seconds >= self.answer_seconds:
            raise ParameterError("PeerLimits: 'backend_seconds' must be below 'answer_seconds'.")
