"""Who can ask whom: everybody, a ring, random pairs, or a few with very many neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from tacita.core.arrays import IntArray, PlaceArray
from tacita.core.errors import ParameterError
from tacita.numeric.compiled.random import stream_state
from tacita.numeric.peer_search.scale_free import preferential_edges

__all__ = ["Topology", "TopologyKind", "draw_topology"]

TopologyKind = Literal["complete", "ring", "random", "scale_free"]
"""complete: everybody can ask everybody. ring: the nearest on a circle. random: pairs drawn at random. scale_free: by
preferential attachment, a few peers with very many neighbours."""


@dataclass(frozen=True, eq=False)
class Topology:
    """A graph of peers.

    Parameters
    ----------
    kind
        How it was made.
    peers
        N.
    start, friend
        The neighbours of peer i are ``friend[start[i]:start[i + 1]]``; nothing where everybody is everybody's neighbour.
    """

    kind: TopologyKind
    peers: int
    start: IntArray
    friend: PlaceArray

    @property
    def is_complete(self) -> bool:
        """Whether everybody can ask everybody."""
        return self.kind == "complete"

    @property
    def degrees(self) -> IntArray:
        """(N,) how many neighbours each peer has."""
        return np.full(self.peers, self.peers - 1, np.int64) if self.is_complete else np.diff(self.start)

    def neighbours(self, peer: int) -> IntArray:
        """Return the neighbours of a peer."""
        if self.is_complete:
            return np.delete(np.arange(self.peers), peer)
        return self.friend[self.start[peer] : self.start[peer + 1]].astype(np.int64)


def draw_topology(kind: TopologyKind, peers: int, *, degree: int = 10, rng: np.random.Generator) -> Topology:
    """Make a graph of peers.

    Parameters
    ----------
    kind
        ``complete``, ``ring``, ``random`` or ``scale_free``.
    peers
        N.
    degree
        How many neighbours a peer has on average; an even number for ``ring`` and ``scale_free``. With ``peers`` - 1 or more the
        graph is complete.
    rng
        Draws the random ones.

    Raises
    ------
    ParameterError
        When there is no such kind, or the degree does not fit.

    Notes
    -----
    A peer of a random graph may have no neighbour; she submits all her queries herself. Complexity: O(peers degree).

    References
    ----------
    Watts & Strogatz (1998) for the ring; Erdos & Renyi (1959), graphs with so many edges; Barabasi & Albert (1999).

    Examples
    --------
    >>> draw_topology("ring", 5, degree=2, rng=np.random.default_rng(1)).neighbours(0).tolist()
    [1, 4]
    """
    if kind not in get_args(TopologyKind):
        raise ParameterError(f"'topology' must be one of {', '.join(get_args(TopologyKind))}, got {kind!r}.")
    if isinstance(degree, bool) or not isinstance(degree, int) or degree < 1:
        raise ParameterError("'degree' must be a whole number, at least 1.")
    if kind in ("ring", "scale_free") and degree % 2:
        raise ParameterError(f"'degree' must be an even number for '{kind}', got {degree}.")
    if kind == "complete" or degree >= peers - 1:
        return Topology("complete", peers, np.zeros(1, np.int64), np.zeros(0, np.int32))
    if kind == "ring":
        first = np.repeat(np.arange(peers), degree // 2)
        second = (first + np.tile(np.arange(1, degree // 2 + 1), peers)) % peers
    elif kind == "random":
        first, second = _random_pairs(peers, min(peers * degree // 2, peers * (peers - 1) // 2), rng)
    else:
        ends = np.zeros(2 * peers * (degree // 2), np.int32)
        preferential_edges(degree // 2, stream_state(int(rng.integers(2**63))), ends)
        first, second = ends[::2].astype(np.int64), ends[1::2].astype(np.int64)
    return _of_edges(kind, peers, first, second)


def _random_pairs(peers: int, edges: int, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Draw so many different pairs: too many are drawn, and the first of the different ones are kept."""
    low, high = np.zeros(0, np.int64), np.zeros(0, np.int64)
    while len(low) < edges:  # degree < peers - 1 leaves a free pair, so each round has a chance to find one
        a, b = rng.integers(0, peers, (2, 2 * (edges - len(low)) + 16))
        keep = a != b
        low = np.concatenate([low, np.minimum(a, b)[keep]])
        high = np.concatenate([high, np.maximum(a, b)[keep]])
        first = np.sort(np.unique(low * peers + high, return_index=True)[1])[:edges]
        low, high = low[first], high[first]
    return low, high


def _of_edges(kind: TopologyKind, peers: int, first: IntArray, second: IntArray) -> Topology:
    """Put each edge to both its ends; loops and edges that come twice are dropped."""
    both = np.concatenate([first * peers + second, second * peers + first])
    codes = np.unique(both[np.concatenate([first != second, first != second])])
    start = np.zeros(peers + 1, np.int64)
    np.cumsum(np.bincount(codes // peers, minlength=peers), out=start[1:])
    return Topology(kind, peers, start, (codes % peers).astype(np.int32))
