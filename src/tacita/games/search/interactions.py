"""Whether an interaction is coprivate: the request game at that moment, of whole entropies, and its pure Nash equilibrium.

P1 is the owner i of a query x; P2, ... are peers she can ask. To submit it herself is worth H(Y_i and x) - H(Y_i). To have it
submitted by P_j is worth nothing against the database; against the peers she loses something always, and least where H(F_i(x))
after forwarding to j is largest (2). As the rules look at the database first and at the peers second, the loss against the peers
is scaled below what the database decides. For P_j to process is worth H(Y_j and x) - H(Y_j); of equal ones the rules take the
one with less work, so that processing costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.streams import Seed, Streams
from tacita.games.coprivacy.finding import Coprivacy
from tacita.games.coprivacy.help import Help
from tacita.games.coprivacy.pure import pure_coprivacy
from tacita.games.coprivacy.request_game import request_game
from tacita.games.model.game import Game
from tacita.games.search.play import SearchRun

__all__ = ["check_interactions", "interaction_game", "is_coprivate_interaction", "shannon"]

_EQUAL = 1e-9
"""Bits that two entropies may differ by and still be equal."""
_FURTHER = 3
"""Neighbours who were not asked."""
_MOST_ASKED = 8
"""Players of a game: it has a row for each combination of what the asked ones decide."""


def shannon(counts: IntArray) -> float:
    """Return the entropy of some counts, in bits; 0 of none.

    Examples
    --------
    >>> shannon(np.array([1, 1, 2]))
    1.5
    """
    shares = counts[counts > 0] / max(int(counts.sum()), 1)
    return float(-(shares * np.log2(shares)).sum()) + 0.0


def _gain(items: IntArray, item: int, size: int) -> float:
    """Return by how much the entropy changes when one more item comes to some; nothing where rounding alone changes it."""
    counts = np.bincount(items, minlength=size)
    before = shannon(counts)
    counts[item] += 1
    change = shannon(counts) - before
    return 0.0 if abs(change) < _EQUAL else change


def interaction_game(run: SearchRun, line: int, peers: Sequence[int]) -> Game:
    """Return the request game of the owner of a line with some peers, before that line is played.

    Parameters
    ----------
    run
        A run of the coprivate protocol.
    line
        Which query.
    peers
        Whom she can ask; they are P2, P3, ...

    Notes
    -----
    Nothing is taken from the kernel: counts are made again from who submitted what before the line. Complexity: O(line).
    """
    community = run.community
    owner, query = int(community.owner[line]), int(community.query[line])
    size = community.queries
    before = run.submitter[:line]
    alone = _gain(community.query[:line][before == owner], query, size)
    earlier = run.line < line
    same = (community.owner[run.line[earlier]] == owner) & (community.query[run.line[earlier]] == query)
    forwarded = run.receiver[earlier][same & run.by_owner[earlier]]
    after = [shannon(np.bincount(np.append(forwarded, peer), minlength=community.peers)) for peer in peers]
    every = [
        shannon(np.bincount(np.append(forwarded, peer), minlength=community.peers))
        for peer in _least(run, owner, forwarded)
    ]
    best = max([*after, *every])
    scale = (abs(alone) if alone < 0 else 1.0) / (2 * (2 + np.log2(len(forwarded) + 2)))
    loss = [scale * (1 + best - bits) for bits in after]
    asker = [[-lost, alone - lost] for lost in loss]
    helper = []
    for peer in peers:
        gain = _gain(community.query[:line][before == peer], query, size) if run.helpful[peer] else -1.0
        helper.append([gain - _EQUAL / 2, 0.0])
    return request_game(asker, helper, alone=alone, name=f"line {line}")


def _least(run: SearchRun, owner: int, forwarded: IntArray) -> list[int]:
    """Return a neighbour to whom the query was forwarded least often: the best of (2)."""
    friends = run.topology.neighbours(owner)
    if len(friends) == 0:
        return []
    times = np.bincount(forwarded, minlength=run.community.peers)[friends]
    return [int(friends[int(np.argmin(times))])]


def is_coprivate_interaction(run: SearchRun, line: int) -> tuple[Coprivacy, ...]:
    """Return for each peer who was asked about a line whether (S_ik, T_ki) is a pure Nash equilibrium.

    Neighbours who were not asked are players too, a few of them: she might rather have asked them. Where nobody was asked, they
    are looked at themselves.
    """
    of_line = (run.line == line) & run.by_owner
    asked = [int(peer) for peer in run.receiver[of_line]][-_MOST_ASKED:]
    friends = run.topology.neighbours(int(run.community.owner[line])).tolist()
    further = [peer for peer in friends[: len(asked) + _FURTHER] if peer not in asked][:_FURTHER]
    listed = asked + further
    if not listed:
        return ()
    game = interaction_game(run, line, listed)
    names = [f"P{place}" for place in range(2, len(asked or listed) + 2)]
    return tuple(
        pure_coprivacy(game, [Help(asker="P1", asks=f"ask {name}", helper=name, helps="process")]) for name in names
    )


def check_interactions(run: SearchRun, *, sample: int = 60, seed: Seed) -> dict[str, int]:
    """Compare what the rules did on some lines with the equilibria of the request game.

    A third of the lines are drawn from those where somebody helped, from those where nobody did, and from those that their owner
    submitted at once.

    Returns
    -------
    dict
        ``checked``: how many lines. ``agree``: on how many the last one asked is in equilibrium exactly where he helped, and no
        one before him is. ``coprivate``: on how many there is an equilibrium with help.
    """
    rng = Streams(seed).stream("peer_search", "check")
    kinds = (run.helped, run.wished & ~run.helped, ~run.wished)
    lines = np.concatenate([rng.permutation(np.flatnonzero(kind))[: sample // 3] for kind in kinds])
    agree = coprivate = 0
    for line in lines.tolist():
        holds = [bool(found.holds) for found in is_coprivate_interaction(run, line)]
        expected = [False] * len(holds)
        if run.helped[line]:
            expected[-1] = True
        agree += holds == expected
        coprivate += any(holds)
    return {"checked": len(lines), "agree": agree, "coprivate": coprivate}
