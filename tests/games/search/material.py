"""Small communities for the tests of the folder."""

from __future__ import annotations

from functools import cache

import numpy as np
from hypothesis import strategies as st

from tacita.games.search.community import Community, community_of_sample
from tacita.games.search.comparison import SearchComparison, compare_search

__all__ = ["compared_sample", "drawn_community", "sampled", "small_communities"]


@cache
def sampled(peers: int = 150, queries: int = 6000) -> Community:
    """The package's own log, cut short."""
    return community_of_sample(peers, queries, seed=1)


@cache
def compared_sample() -> SearchComparison:
    """All ways of searching on it."""
    return compare_search(sampled(), seed=1)


def drawn_community(seed: int, peers: int, queries: int, lines: int) -> Community:
    """Queries of unequal popularity, by peers of unequal activity; topics of two queries each."""
    rng = np.random.default_rng(seed)
    owner = np.minimum(rng.geometric(0.4, lines) - 1, peers - 1)
    query = np.minimum(rng.geometric(0.5, lines) - 1, queries - 1)
    return Community(owner, query, peers=peers, queries=queries, topic=(np.arange(queries) // 2).astype(np.int32))


@st.composite
def small_communities(draw: st.DrawFn) -> Community:
    """Few peers and few queries, full of ties."""
    return drawn_community(
        draw(st.integers(0, 10**6)), draw(st.integers(2, 7)), draw(st.integers(1, 5)), draw(st.integers(0, 60))
    )
