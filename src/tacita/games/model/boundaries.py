"""Boundary conditions: between what the probabilities of a player's strategies must lie, as a game of the corners."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import TypeAlias

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ParameterError
from tacita.games.model.game import Game

__all__ = ["Boundaries", "bounded_game", "corners_between"]

Boundaries: TypeAlias = Mapping[str, Mapping[str, tuple[float, float]]]
"""For players, by name, and some of their strategies the smallest and the largest probability."""
_MOST_STRATEGIES = 12


def bounded_game(game: Game, boundaries: Boundaries) -> tuple[Game, tuple[FloatArray, ...]]:
    """Return the game whose strategies are the corners of what each player may mix, and for each player those corners.

    A mixture within the boundaries is a mixture of the corners and the other way round, and utilities are linear in each player's
    mixture. So Nash equilibria of this game are the equilibria of players who may mix, and deviate, within their boundaries only.

    Parameters
    ----------
    game
        The game.
    boundaries
        For some players and strategies the smallest and the largest probability; between 0 and 1 for all others.

    Returns
    -------
    bounded, corners
        The game, and for each player (corners, strategies): the probabilities that a corner stands for.

    Examples
    --------
    >>> pennies = Game.from_matrices([[1, -1], [-1, 1]])
    >>> bounded, corners = bounded_game(pennies, {"player 1": {"1": (0.0, 0.25)}})
    >>> corners[0].tolist(), bounded.utilities[0].tolist()
    ([[0.0, 1.0], [0.25, 0.75]], [[-1.0, 1.0], [-0.5, 0.5]])
    """
    points, names = [], []
    for player in boundaries:
        game.player(player)
    for player, own in zip(game.players, game.strategies, strict=True):
        if player not in boundaries:
            points.append(np.eye(len(own)))
            names.append(own)
            continue
        low, high = np.zeros(len(own)), np.ones(len(own))
        for strategy, between in boundaries[player].items():
            low[game.strategy(player, strategy)], high[game.strategy(player, strategy)] = _between(
                between, player, strategy
            )
        corners = corners_between(low, high)
        if not len(corners):
            raise ParameterError(
                f"bounded_game: the boundaries of {player!r} must leave probabilities with a sum of 1."
            )
        points.append(corners)
        names.append(tuple(_named(own, corner) for corner in corners))
    utilities = game.utilities
    for i, corners in enumerate(points):
        utilities = np.moveaxis(np.tensordot(corners, utilities, axes=(1, i + 1)), 0, i + 1)
    return Game(game.players, tuple(names), np.ascontiguousarray(utilities), game.name), tuple(points)


def corners_between(low: FloatArray, high: FloatArray) -> FloatArray:
    """Return the corners of ``{low <= x <= high, sum x = 1}``: all entries but one stand at a boundary. O(m 2^(m - 1)).

    Examples
    --------
    >>> corners_between(np.array([0.0, 0.5]), np.array([1.0, 0.8])).round(9).tolist()
    [[0.2, 0.8], [0.5, 0.5]]
    """
    m = len(low)
    if m > _MOST_STRATEGIES:
        raise ParameterError(
            f"corners_between: boundaries are for at most {_MOST_STRATEGIES} strategies of a player, got {m}."
        )
    ends = np.array(list(itertools.product((0, 1), repeat=m - 1)), np.int64).reshape(2 ** (m - 1), m - 1)
    found = []
    for free in range(m):
        rest = np.delete(np.arange(m), free)
        x = np.empty((len(ends), m))
        x[:, rest] = np.where(ends == 1, high[rest], low[rest])
        x[:, free] = 1.0 - x[:, rest].sum(axis=1)
        found.append(x[(x[:, free] >= low[free] - 1e-12) & (x[:, free] <= high[free] + 1e-12)])
    points = np.clip(np.concatenate(found), 0.0, 1.0)
    _, first = np.unique(points.round(12), axis=0, return_index=True)
    return np.asarray(points[first], np.float64)


def _between(given: tuple[float, float], player: str, strategy: str) -> tuple[float, float]:
    try:
        low, high = (float(value) for value in given)
    except (TypeError, ValueError):
        low, high = np.nan, np.nan
    if not 0 <= low <= high <= 1:
        raise ParameterError(
            f"bounded_game: the boundaries of {strategy!r} of {player!r} must be two probabilities, the smaller one first."
        )
    return low, high


def _named(own: tuple[str, ...], corner: FloatArray) -> str:
    told = [(name, share) for name, share in zip(own, corner.tolist(), strict=True) if share > 0]
    return told[0][0] if len(told) == 1 else " + ".join(f"{share:.12g} {name}" for name, share in told)
