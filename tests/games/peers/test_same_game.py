"""The peers of ``tacita.games.peers.peer``, over real lines, play the game of section 4 move for move as it is written down."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import numpy as np

from tests.games.peers.material import group
from tests.oracles.games import peer_search as oracle

PEERS, QUERIES, ATTEMPTS = 5, 150, 2


class _InOrder:
    """Equally good peers come in the order of the roster."""

    def permutation(self, size: int) -> np.ndarray[Any, Any]:
        return np.arange(size)


def test_every_query_is_submitted_by_whom_the_rules_say() -> None:
    rng = np.random.default_rng(3)
    owners = rng.integers(0, PEERS, QUERIES).tolist()
    queries = np.minimum(rng.geometric(0.3, QUERIES), 8).tolist()
    helpful = [True] * (PEERS - 1) + [False]
    others = [[j for j in range(PEERS) if j != i] for i in range(PEERS)]

    async def play() -> tuple[list[int], list[float]]:
        submitters = []
        async with group(PEERS) as made:
            await made.start("backend")
            peers = [
                (await made.start(name, attempts=ATTEMPTS, helps=is_helpful))[0]
                for name, is_helpful in zip(made.names, helpful, strict=True)
            ]
            for peer in peers:
                peer.decisions._rng = _InOrder()  # type: ignore[assignment]
            for owner, query in zip(owners, queries, strict=True):
                found = await peers[owner].search(f"query {query}")
                submitters.append(made.names.index(found.via))
            return submitters, [peer.decisions.submitted.entropy for peer in peers]

    submitters, entropies = asyncio.run(play())
    expected, requests = oracle.play(owners, queries, others, helpful, ATTEMPTS, lambda i, _: others[i])
    assert submitters == expected
    assert len(requests) > 20
    assert len({*expected}) == PEERS
    counts = [Counter(q for q, s in zip(queries, expected, strict=True) if s == i) for i in range(PEERS)]
    np.testing.assert_allclose(entropies, [oracle.entropy(own) for own in counts], atol=1e-9)
