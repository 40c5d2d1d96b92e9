"""Cover queries: a program submits fake queries of its own between the true ones, from a list that evolves.

Each peer has a list of queries, drawn at the start from what anybody asks, as from a feed of news. A cover query is taken from
the list; with a probability its entry is replaced by a related query, as a phrase from the page of results would be. Cover
queries come in bursts around true ones, or at any time.

References
----------
Howe, D. C., Nissenbaum, H. (2009). TrackMeNot: resisting surveillance in web search. Lessons from the identity trail, 417-436.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.errors import ParameterError
from tacita.core.streams import Seed, Streams
from tacita.games.search.community import Community
from tacita.games.search.sights import Sight, check_submissions
from tacita.numeric.compiled.random import stream_state
from tacita.numeric.peer_search.cover_walk import cover_walk

__all__ = ["Moments", "add_cover"]

Moments = Literal["bursts", "spread"]
"""bursts: cover queries come around true ones of their peer, in any order. spread: they come at any time."""


def add_cover(
    community: Community,
    *,
    rate: float = 1.0,
    seeds: int = 20,
    evolve: float = 0.3,
    moments: Moments = "bursts",
    seed: Seed,
) -> Sight:
    """Return what the database sees when every peer's program adds cover queries.

    Parameters
    ----------
    community
        Peers and queries.
    rate
        How many cover queries there are for a true one, on average.
    seeds
        Length of each peer's list.
    evolve
        With which probability the entry that was taken is replaced.
    moments
        ``bursts`` or ``spread``.
    seed
        Draws everything.

    Notes
    -----
    A related query is one of a peer who had the same query: the simulation has no pages of results. Complexity: O(M (1 + rate)).

    Examples
    --------
    >>> from tacita.games.search.community import community_of_sample
    >>> sight = add_cover(community_of_sample(50, 1000, seed=1), rate=2, seed=1)
    >>> bool(sight.is_own.sum() == len(sight.community))
    True
    """
    if not 0 <= rate <= 1000:
        raise ParameterError(f"'rate' must be from 0 to 1000 cover queries for a true one, got {rate}.")
    if isinstance(seeds, bool) or not isinstance(seeds, int) or not 1 <= seeds <= 10_000:
        raise ParameterError(f"'seeds' must be a whole number from 1 to 10000, got {seeds}.")
    if not 0 <= evolve <= 1:
        raise ParameterError(f"'evolve' must be a probability, got {evolve}.")
    if moments not in get_args(Moments):
        raise ParameterError(f"'moments' must be one of {', '.join(get_args(Moments))}, got {moments!r}.")
    check_submissions(community, 1 + rate, "rate")
    streams = Streams(seed).within("peer_search", "cover")
    rng = streams.stream("moments")
    total = len(community)
    behind = np.repeat(np.arange(total), rng.poisson(rate, total))  # with which true query each comes
    name = community.owner[behind]
    line = behind if moments == "bursts" else np.sort(rng.integers(0, max(total, 1), len(behind)))
    if moments == "spread":
        name = name[rng.permutation(len(name))]
    feed = community.query if total else np.zeros(1, np.int32)
    lists = feed[streams.stream("lists").integers(0, len(feed), (community.peers, seeds))]
    askers = _lists_of(community.query, community.owner, community.queries)
    asked = _lists_of(community.owner, community.query, community.peers)
    query = np.zeros(len(name), np.int32)
    state = stream_state(int(streams.stream("walk").integers(2**63)))
    cover_walk(np.ascontiguousarray(name), np.ascontiguousarray(lists), float(evolve), *askers, *asked, state, query)
    # A true query and its cover come in an order that says nothing of which is which.
    where = np.lexsort((rng.random(total + len(line)), np.concatenate([np.arange(total), line])))
    return Sight(
        community,
        np.concatenate([community.owner, name])[where],
        np.concatenate([community.query, query])[where],
        np.concatenate([np.arange(total), line])[where],
        np.concatenate([np.ones(total, np.bool_), np.zeros(len(name), np.bool_)])[where],
    )


def _lists_of(group: Any, item: Any, groups: int) -> tuple[IntArray, Any]:
    """Return where the items of each group begin, and the items."""
    start = np.zeros(groups + 1, np.int64)
    np.cumsum(np.bincount(group, minlength=groups), out=start[1:])
    return start, np.ascontiguousarray(item[np.argsort(group, kind="stable")])
