"""Games with free utilities: the exact probabilities by counting all orders, and the rows of the study."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tacita.games.coprivacy.general import coprivacy
from tacita.games.coprivacy.request_game import request_helps, request_strategies
from tacita.games.model.game import Game
from tacita.study.games.free_games import WAYS, exact_probability, free_game, free_rows


@pytest.mark.parametrize("way", ["pure", "mixed", "correlated"])
def test_all_orders_of_two_peers_are_counted(way: str) -> None:
    """Only the sign of what a switch brings counts: two signs for P1 and two for P2, sixteen games."""
    strategies = request_strategies(2)
    held = []
    for signs in itertools.product((-1.0, 1.0), repeat=4):
        values = np.zeros((3, 1, 2, 2))
        values[1, 0, 1] = signs[:2]  # what asking P2 is worth more than asking the system, processed or rejected
        values[2, 0, :, 0] = signs[2:]  # what processing is worth more than rejecting, not asked or asked
        game = Game(tuple(strategies), tuple(tuple(own) for own in strategies.values()), values)
        held.append(coprivacy(game, request_helps(game), way).holds)  # type: ignore[arg-type]
    assert sum(map(bool, held)) / 16 == exact_probability(2, way)


def test_the_rows_grow_with_the_concept() -> None:
    rows = free_rows(6, 5, most_peers=3)
    assert [(row.peers, row.way) for row in rows] == [(n, way) for n in (2, 3) for way in WAYS]
    for n in (2, 3):
        pure, mixed, bounded, correlated = (row.found for row in rows if row.peers == n)
        assert pure.coprivate <= mixed.coprivate <= correlated.coprivate
        assert mixed.coprivate + mixed.undecided >= bounded.coprivate
    assert all(row.exact is None for row in rows if row.peers == 3)


def test_every_utility_is_drawn() -> None:
    game = free_game(np.random.default_rng(1), 4)
    assert game.shape == (1, 4, 2, 2, 2)
    assert len(np.unique(game.utilities)) == game.utilities.size
