"""Games whose utilities are drawn anew for every profile: how often help is an equilibrium, by each concept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tacita.core.streams import Seed
from tacita.games.coprivacy.delta import DeltaCoprivacy, delta_coprivacy
from tacita.games.coprivacy.finding import Coprivacy
from tacita.games.coprivacy.general import coprivacy
from tacita.games.coprivacy.mixed import mixed_coprivacy
from tacita.games.coprivacy.request_game import request_helps, request_strategies
from tacita.games.model.game import Game

__all__ = ["MOST_FORCED", "WAYS", "FreeRow", "exact_probability", "free_game", "free_rows"]

MOST_FORCED = 0.5
"""The boundary condition that is studied: no helper processes with a higher probability."""
WAYS = ("pure", "mixed", f"mixed, help at most {MOST_FORCED:g}", "correlated")


@dataclass(frozen=True, kw_only=True)
class FreeRow:
    """How likely such a game is coprivate by one concept, and the exact probability where it is known."""

    peers: int
    way: str
    found: DeltaCoprivacy
    exact: float | None


def free_game(rng: np.random.Generator, peers: int) -> Game:
    """Return a game of Definition 1 in which every player's utility of every profile is drawn on its own."""
    strategies = request_strategies(peers)
    shape = tuple(map(len, strategies.values()))
    values = rng.random((len(shape), *shape))
    return Game(tuple(strategies), tuple(tuple(own) for own in strategies.values()), values)


def exact_probability(peers: int, way: str) -> float | None:
    """Return the probability for two peers, from the sixteen orders of a game of two by two.

    Pure: each of two players prefers the pair with 1/2, so 1/4. Mixed and correlated: two cyclic orders of sixteen have a mixed
    equilibrium alone, which has help, and one more has two pure ones without help and a mixed one with it: 4/16 + 2/16 + 1/16.
    """
    if peers != 2:
        return None
    return {"pure": 4 / 16, "mixed": 7 / 16, "correlated": 7 / 16}.get(way)


def free_rows(draws: int, seed: Seed, *, most_peers: int = 4) -> list[FreeRow]:
    """Return a row for each number of peers and each concept; mixed equilibria of four peers and more would take too long."""
    rows = []
    for peers in range(2, most_peers + 1):
        for way in WAYS:
            if way.startswith("mixed") and peers > 3:
                continue
            found = delta_coprivacy(_drawer(peers), _judge(way, peers), draws=draws, seed=seed)
            rows.append(FreeRow(peers=peers, way=way, found=found, exact=exact_probability(peers, way)))
    return rows


def _drawer(peers: int) -> Callable[[np.random.Generator], Game]:
    return lambda rng: free_game(rng, peers)


def _judge(way: str, peers: int) -> Callable[[Game], Coprivacy]:
    if way in ("pure", "correlated"):
        return lambda game: coprivacy(game, request_helps(game), way)  # type: ignore[arg-type]
    most = 1.0 if way == "mixed" else MOST_FORCED
    boundaries = {f"P{k}": {"process": (0.0, most)} for k in range(2, peers + 1)} if most < 1 else None
    return lambda game: mixed_coprivacy(game, request_helps(game), boundaries=boundaries)
