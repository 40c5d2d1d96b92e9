"""What ``tacita games oblivion-sim`` runs: the code's tracing, the game with its boundary, a multicast, and the protocol once."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.streams import Seed, Streams, check_seed
from tacita.games.coprivacy.finding import Coprivacy
from tacita.games.oblivion.content import NumberContent
from tacita.games.oblivion.forwarding_game import (
    Forwarding,
    forwarding_coprivacy,
    forwarding_game,
    honest_is_equilibrium,
    needed_penalty,
)
from tacita.games.oblivion.multicast import Multicast, MulticastRound, play_multicast
from tacita.games.oblivion.protocol_run import ProtocolRun, run_protocol
from tacita.games.oblivion.tracing_rates import TracingRate, tracing_rate

__all__ = ["HonestMap", "OblivionStudy", "honest_map", "study_oblivion"]

_HOPS, _STEP = 3, 0.1
_MOST_RECIPIENTS = 1000
"""Codewords that tracing is measured with; the threshold is that of all receivers."""


@dataclass(frozen=True, eq=False)
class HonestMap:
    """Where honest forwarding is an equilibrium, found by the game at each point, and the boundary by the formula.

    Parameters
    ----------
    tracing, penalties
        The axes.
    is_honest
        (penalties, tracing): whether it is.
    boundary
        (tracing,): :func:`needed_penalty`.
    """

    tracing: FloatArray
    penalties: FloatArray
    is_honest: np.ndarray[Any, np.dtype[np.bool_]]
    boundary: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class OblivionStudy:
    """What was found.

    Parameters
    ----------
    settings, forwarders
        The game, its chance of tracing as it was measured.
    tree
        The multicast.
    rates
        By the size of the coalition: how often the code of the tree traces it.
    is_honest, coprivacy, penalty
        Whether honest forwarding is an equilibrium, whether source and forwarders help each other, and the penalty it takes.
    honest_map
        For which chances of tracing and penalties.
    rounds, with_short_code
        The multicast round by round; the same with a quarter of the code's positions.
    protocol
        The protocol played once.
    """

    settings: Forwarding
    forwarders: int
    tree: Multicast
    rates: dict[int, TracingRate]
    is_honest: bool
    coprivacy: Coprivacy
    penalty: float
    honest_map: HonestMap
    rounds: tuple[MulticastRound, ...]
    with_short_code: tuple[MulticastRound, ...]
    protocol: ProtocolRun

    def as_plain(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return {
            "settings": {
                parameter.name: getattr(self.settings, parameter.name) for parameter in Forwarding.parameters()
            },
            "forwarders": self.forwarders,
            "tree": self.tree.to_plain(),
            "code_length": self.tree.code_length,
            "tracing_by_coalition": {str(size): asdict(rate) for size, rate in self.rates.items()},
            "honest_is_equilibrium": self.is_honest,
            "needed_penalty": self.penalty,
            "coprivacy": self.coprivacy.as_plain(),
            "boundary": [
                {"tracing": t, "penalty": f}
                for t, f in zip(self.honest_map.tracing.tolist(), self.honest_map.boundary.tolist(), strict=True)
            ],
            "rounds": [one.as_plain() for one in self.rounds],
            "rounds_with_short_code": [one.as_plain() for one in self.with_short_code],
            "protocol": self.protocol.as_plain(),
        }


def honest_map(settings: Forwarding, forwarders: int = 1, *, points: int = 15) -> HonestMap:
    """Look where honest forwarding is an equilibrium, over chances of tracing and penalties.

    Parameters
    ----------
    settings
        All but the two.
    forwarders
        How many forward.
    points
        Along each axis.

    Complexity
    ----------
    A game for each point.

    Examples
    --------
    >>> found = honest_map(Forwarding(), points=4)
    >>> bool((found.is_honest == (found.penalties[:, None] >= found.boundary)).all())
    True
    """
    # Seen from the middle of a cell, so that no point lies on the boundary by chance.
    tracing = (np.arange(points) + 0.5) / points
    top = needed_penalty(replace(settings, tracing=0.25), forwarders)
    most = min(top, 1000.0) if np.isfinite(top) and top > 0 else 10.0
    penalties = most * (np.arange(points) + 0.5) / points
    honest = [
        [
            honest_is_equilibrium(forwarding_game(replace(settings, tracing=t, penalty=f), forwarders))
            for t in tracing.tolist()
        ]
        for f in penalties.tolist()
    ]
    boundary = np.array([needed_penalty(replace(settings, tracing=t), forwarders) for t in tracing.tolist()])
    return HonestMap(tracing, penalties, np.array(honest, np.bool_), boundary)


def study_oblivion(
    settings: Forwarding, tree: Multicast, seed: Seed, *, forwarders: int = 2, trials: int = 60, points: int = 15
) -> OblivionStudy:
    """Measure the code, put what it traces into the game, find the boundary, play the multicast, and the protocol once.

    Parameters
    ----------
    settings
        What the players win and lose; its chance of tracing is replaced by the measured one.
    tree
        The multicast.
    seed
        Draws everything.
    forwarders
        In the chain of the game.
    trials
        For each size of coalition.
    points
        Of the map, along each axis.
    """
    streams = Streams(check_seed(seed, owner="study_oblivion")).within("oblivion", "study")
    count = min(tree.receivers, _MOST_RECIPIENTS)
    each = min(tree.false_accusation * count / tree.receivers, 0.5)
    sizes = sorted({1, 2, 3, 4, 6, 8, tree.coalition})
    rates = {
        size: tracing_rate(
            count, tree.code_length, size, streams.stream("rates", str(size)), designed=tree.coalition,
            attack=tree.attack, false_accusation=each, trials=trials,
        )
        for size in sizes
        if size <= count
    }  # fmt: skip
    measured = replace(settings, tracing=rates[min(tree.coalition, count)].rate)
    game = forwarding_game(measured, forwarders)
    short = replace(tree, length=max(tree.code_length // 4, 8))
    rows = streams.stream("content").normal(100, 20, tree.code_length * _HOPS + 120)
    return OblivionStudy(
        settings=measured, forwarders=forwarders, tree=tree, rates=rates, is_honest=honest_is_equilibrium(game),
        coprivacy=forwarding_coprivacy(game), penalty=needed_penalty(measured, forwarders),
        honest_map=honest_map(measured, forwarders, points=points),
        rounds=play_multicast(tree, measured, seed), with_short_code=play_multicast(short, measured, seed),
        protocol=run_protocol(
            NumberContent(rows, _STEP), length=tree.code_length, hops=_HOPS, coalition=tree.coalition, seed=seed
        ),
    )  # fmt: skip
