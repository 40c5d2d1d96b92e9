"""Solving games: correlated equilibria by a linear model against one row for every rewriting of advice, and Nash equilibria.

``ours_ms`` is the time of one solution, ``ratio`` that of the slow version in ours. ``gain`` is the largest gain of a deviation,
found by the independent check.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from tests.oracles.games.normal_form import best_correlated

from benchmarks.tables import ratio_of, timed
from tacita.games.coprivacy.request_game import request_game, request_helps
from tacita.games.equilibria.correlated import correlated_equilibrium
from tacita.games.equilibria.many_players import mixed_equilibria
from tacita.games.model.game import Game
from tacita.games.model.outcomes import welfare
from tacita.games.solved import solve_game

__all__ = ["run"]


def _drawn(shape: tuple[int, ...], seed: int = 1) -> Game:
    return Game.from_matrices(*np.random.default_rng(seed).random((len(shape), *shape)))


def run(quick: bool) -> list[dict[str, Any]]:
    """Time the linear model, the search for Nash equilibria, and all that is asked of a game."""
    rows: list[dict[str, Any]] = []
    for best in ("utilitarian", "egalitarian"):
        game = _drawn((3,) * 6)
        seconds = timed(lambda g=game, b=best: correlated_equilibrium(g, b))
        gain = correlated_equilibrium(game, best).gain
        case = f"correlated, 6 players x 3 strategies, {best}"
        rows.append({"case": case, "ours_ms": 1000 * seconds, "gain": gain, "target": "<= 1000 ms"})
    small = _drawn((3, 3, 3) if quick else (3, 3, 3, 3))
    ours = timed(lambda: correlated_equilibrium(small))
    slow = timed(lambda: best_correlated(small, welfare(small)), repeats=1)
    case = f"correlated, {small.size} players x 3 strategies, against a row for each rewriting"
    rows.append({"case": case, "ours_ms": 1000 * ours, "ratio": ratio_of(slow, ours)})
    for shape in ((2, 2, 2), (3, 3, 3), (2,) * 5, *(() if quick else ((2,) * 6, (10, 10)))):
        game = _drawn(shape)
        found = mixed_equilibria(game).found
        rows.append(
            {
                "case": f"Nash equilibria, {' x '.join(map(str, shape))}",
                "ours_ms": 1000 * timed(lambda g=game: mixed_equilibria(g), repeats=1),
                "found": len(found),
                "gain": max(one.gain for one in found),
            }
        )
    rng = np.random.default_rng(2)
    peers = request_game(rng.normal(size=(3, 2)), rng.normal(size=(3, 2)), alone=0.0)
    seconds = timed(lambda: solve_game(peers, request_helps(peers)), repeats=1)
    rows.append({"case": "all that is asked of a game of Definition 1 with 4 peers", "ours_ms": 1000 * seconds})
    return rows
