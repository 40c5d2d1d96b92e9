"""A stream of queries as kernels read it, who can ask whom, and where they write what happened."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacita.core.arrays import Bool1, Int1, Place1, Whole
from tacita.core.kernel import kernel

__all__ = ["Fate", "Requests", "Stream", "degree_of", "friend_of", "room_for_requests"]


class Stream(NamedTuple):
    """Queries in the order in which they arise."""

    owner: Place1  # (M,) who has the query
    query: Place1  # (M,) which query it is
    pair: Place1  # (M,) number of the pair of owner and query
    queries: int  # how many different ones there are
    helpful: Bool1  # (N,) whether a peer ever helps
    complete: bool  # whether everybody can ask everybody
    start: Int1  # (N + 1,) otherwise: where the neighbours of each begin
    friend: Place1  # neighbours, one peer after the other


class Fate(NamedTuple):
    """What became of each query."""

    submitter: Place1  # (M,) who submitted it
    wished: Bool1  # (M,) whether the owner wanted help


class Requests(NamedTuple):
    """Who asked whom about which query, as far as there is room."""

    line: Place1
    sender: Place1
    receiver: Place1


def room_for_requests(size: int) -> Requests:
    """Return room for so many requests."""
    return Requests(np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.int32))


@kernel(inline=True)
def degree_of(stream: Stream, peer: Whole) -> int:
    """Return how many neighbours a peer can ask."""
    if stream.complete:
        return len(stream.helpful) - 1
    return int(stream.start[peer + 1] - stream.start[peer])


@kernel(inline=True)
def friend_of(stream: Stream, peer: Whole, place: Whole) -> np.int64:
    """Return the neighbour of a peer at a place."""
    if stream.complete:
        return np.int64(place + 1 if place >= peer else place)
    return np.int64(stream.friend[stream.start[peer] + place])
