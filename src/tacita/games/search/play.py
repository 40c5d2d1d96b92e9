"""Playing a stream of queries by the rules of section 4, by random forwarding, or by nobody's help."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np

from tacita.core.arrays import BoolArray, IntArray, PlaceArray
from tacita.core.errors import ParameterError
from tacita.core.progress import task
from tacita.core.streams import Seed, Streams
from tacita.games.search.community import Community
from tacita.games.search.topology import Topology, TopologyKind, draw_topology
from tacita.numeric.peer_search.asking_order import asking_order
from tacita.numeric.peer_search.coprivate_rules import follow_rules
from tacita.numeric.peer_search.random_paths import LONGEST_PATH, forward_at_random
from tacita.numeric.peer_search.stream import Fate, Requests, Stream, room_for_requests
from tacita.numeric.peer_search.submitted import nothing_submitted

__all__ = ["Protocol", "SearchRules", "SearchRun", "play_search"]

Protocol = Literal["coprivate", "random", "crowds", "none"]
"""coprivate: the rules of section 4. random: every query goes to a random neighbour, who submits it. crowds: he passes it on
with a probability. none: everybody submits her own."""

_ROOM = 1 << 22
"""Requests that are held at a time."""
_MOST_ATTEMPTS = 1000


@dataclass(frozen=True, kw_only=True)
class SearchRules:
    """What the peers do.

    Parameters
    ----------
    protocol
        ``coprivate`` (section 4), ``random``, ``crowds`` or ``none``.
    attempts
        After how many peers who ignore her a peer submits her query herself.
    free_riders
        Share of the peers, drawn at random, who ask for help and never help.
    topology, degree
        Who can ask whom; see :func:`draw_topology`.
    onward
        With which probability a peer of ``crowds`` passes a query on.

    Raises
    ------
    ParameterError
        When a parameter is out of its range.
    """

    protocol: Protocol = "coprivate"
    attempts: int = 3
    free_riders: float = 0.0
    topology: TopologyKind = "complete"
    degree: int = 10
    onward: float = 0.75

    def __post_init__(self) -> None:
        if self.protocol not in get_args(Protocol):
            raise ParameterError(f"'protocol' must be one of {', '.join(get_args(Protocol))}, got {self.protocol!r}.")
        whole = isinstance(self.attempts, int) and not isinstance(self.attempts, bool)
        if not whole or not 1 <= self.attempts <= _MOST_ATTEMPTS:
            raise ParameterError(f"'attempts' must be a whole number from 1 to {_MOST_ATTEMPTS}, got {self.attempts}.")
        if not 0 <= self.free_riders <= 1:  # a NaN fails too
            raise ParameterError(f"'free_riders' must be a share from 0 to 1, got {self.free_riders}.")
        if not 0 <= self.onward < 1:
            raise ParameterError(f"'onward' must be a probability, at least 0 and below 1, got {self.onward}.")


@dataclass(frozen=True, eq=False)
class SearchRun:
    """What became of a stream of queries.

    Parameters
    ----------
    community, rules, topology
        What was played.
    helpful
        (N,) who is no free rider.
    submitter
        (M,) who submitted each query.
    wished
        (M,) whether its owner wanted help: not S_ii.
    line, sender, receiver
        One entry a request: about which line, from whom, to whom. The owner is the sender but on the way of ``crowds``.
    order_seed
        The word that fixes in which order equal neighbours are asked.
    """

    community: Community
    rules: SearchRules
    topology: Topology
    helpful: BoolArray
    submitter: PlaceArray
    wished: BoolArray
    line: PlaceArray
    sender: PlaceArray
    receiver: PlaceArray
    order_seed: int

    @cached_property
    def helped(self) -> BoolArray:
        """(M,) whether somebody else submitted the query."""
        return np.asarray(self.submitter != self.community.owner, np.bool_)

    @cached_property
    def by_owner(self) -> BoolArray:
        """One entry a request: whether it came from the owner."""
        return np.asarray(self.sender == self.community.owner[self.line], np.bool_)

    def preferred(self, owner: int, query: int) -> IntArray:
        """Return the neighbours of an owner in the order in which equal ones are asked about a query."""
        friends = self.topology.neighbours(owner)
        places = np.empty(len(friends), np.int64)
        asking_order(np.array([self.order_seed], np.uint64), owner, query, places)
        return friends[places]

    def facts(self) -> dict[str, Any]:
        """Return in numbers what happened."""
        queries = max(len(self.community), 1)
        own = int(self.by_owner.sum())
        answered = int(self.helped.sum())
        load = np.bincount(self.submitter, minlength=self.community.peers)
        mean = len(self.community) / self.community.peers
        return {
            "queries": len(self.community),
            "wished_help": float(self.wished.sum() / queries),
            "helped": float(answered / queries),
            "help_given_when_wished": float(answered / max(int(self.wished.sum()), 1)),
            "requests_accepted": float(answered / max(own, 1)),
            "messages_per_query": float(len(self.line) / queries),
            "largest_load": float(load.max(initial=0) / max(mean, 1e-300)),
            "load_cv": float(load.std() / max(mean, 1e-300)),
        }


def play_search(community: Community, rules: SearchRules | None = None, *, seed: Seed) -> SearchRun:
    """Let the peers of a community play all its queries, one after the other.

    Parameters
    ----------
    community
        Peers and queries.
    rules
        What the peers do; the rules of section 4 where none are given.
    seed
        Draws the graph, the free riders, and who comes first of equal ones. Same seed, same run.

    Notes
    -----
    A request that is ignored counts in F^i(x) as one that is granted: the asked peer knows the query either way. Complexity:
    O(requests); a million queries of 10 000 peers take about a second.

    References
    ----------
    Domingo-Ferrer (2011), section 4.

    Examples
    --------
    >>> from tacita.games.search.community import community_of_sample
    >>> run = play_search(community_of_sample(50, 1000, seed=1), SearchRules(attempts=2), seed=1)
    >>> bool(run.helped.any()), bool((run.submitter == run.community.owner)[~run.wished].all())
    (True, True)
    """
    rules = SearchRules() if rules is None else rules
    streams = Streams(seed).within("peer_search")
    peers = community.peers
    graph = draw_topology(rules.topology, peers, degree=rules.degree, rng=streams.stream("topology"))
    helpful = np.ones(peers, np.bool_)
    riders = round(rules.free_riders * peers)
    helpful[streams.stream("free riders").permutation(peers)[:riders]] = False
    pair, pairs = community.pair
    stream = Stream(
        community.owner, community.query, pair, community.queries, helpful, graph.is_complete, graph.start, graph.friend
    )
    word = streams.stream("order").integers(0, 2**64, 1, np.uint64)
    fate = Fate(community.owner.copy(), np.zeros(len(community), np.bool_))
    found = [] if rules.protocol == "none" else _played(stream, fate, rules, word, pairs)
    line, sender, receiver = (
        np.concatenate([np.zeros(0, np.int32), *(part[place] for part in found)]) for place in range(3)
    )
    return SearchRun(
        community, rules, graph, helpful, fate.submitter, fate.wished, line, sender, receiver, int(word[0])
    )


def _played(stream: Stream, fate: Fate, rules: SearchRules, word: Any, pairs: int) -> list[Requests]:
    """Play the lines block by block; return the requests of each."""
    total = len(stream.owner)
    longest = rules.attempts + (LONGEST_PATH if rules.protocol == "crowds" else 0)
    block = max(1, min(_ROOM // longest, 1 << 16))
    room = room_for_requests(block * longest)
    state, forwarded = nothing_submitted(len(stream.helpful), total), np.zeros(pairs, np.int64)
    walk, onward = word.copy(), rules.onward if rules.protocol == "crowds" else 0.0
    found = []
    with task("Playing queries", total) as running:
        for first in range(0, total, block):
            last = min(first + block, total)
            if rules.protocol == "coprivate":
                number = follow_rules(stream, first, last, rules.attempts, word, state, forwarded, fate, room)
            else:
                number = forward_at_random(stream, first, last, rules.attempts, onward, walk, fate, room)
            found.append(Requests(*(part[:number].copy() for part in room)))
            running.advance(last - first)
    return found
