"""Profiles as outcomes for all: welfare, and profiles that nobody can improve on without hurting another (Pareto)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import ParameterError
from tacita.games.model.game import Game

__all__ = ["Welfare", "combined_utility", "pareto_optimal", "welfare"]

Welfare: TypeAlias = Literal["utilitarian", "egalitarian"] | str
"""What is good for all: the sum of utilities, the smallest utility, or the utility of the player of that name."""

_BLOCK = 2**22


def welfare(game: Game, by: Welfare = "utilitarian") -> FloatArray:
    """Return (m_1, ..., m_n): the welfare of each profile.

    Examples
    --------
    >>> game = Game.from_matrices([[3, 0], [5, 1]], [[3, 5], [0, 1]])
    >>> welfare(game).tolist()
    [[6.0, 5.0], [5.0, 2.0]]
    """
    if by == "utilitarian":
        return np.asarray(game.utilities.sum(axis=0), np.float64)
    if by == "egalitarian":
        return np.asarray(game.utilities.min(axis=0), np.float64)
    if by not in game.players:
        raise ParameterError(f"welfare: 'by' must be 'utilitarian', 'egalitarian' or the name of a player, got {by!r}.")
    return np.asarray(game.utilities[game.player(by)], np.float64)


def pareto_optimal(game: Game) -> BoolArray:
    """Return (m_1, ..., m_n): whether no other profile is better for somebody and worse for nobody.

    Profiles are looked at by falling sum of utilities: only one with a larger sum can be better for all. O(F n) for each
    profile, with F the profiles on the frontier.

    Examples
    --------
    >>> pareto_optimal(Game.from_matrices([[3, 0], [5, 1]], [[3, 5], [0, 1]])).tolist()
    [[True, True], [True, False]]
    """
    values = game.utilities.reshape(game.size, -1).T
    different, back = np.unique(values, axis=0, return_inverse=True)
    order = np.lexsort((*(-different).T, -different.sum(axis=1)))
    kept = np.empty((0, game.size))
    is_optimal = np.zeros(len(different), np.bool_)
    step = max(_BLOCK // (game.size * 256), 1)
    for start in range(0, len(order), step):
        block = order[start : start + step]
        candidates = block[~_is_beaten(different[block], kept)]
        # What is left is small: it beats or is beaten within the block.
        left = candidates[~_is_beaten(different[candidates], different[candidates])]
        is_optimal[left] = True
        kept = np.concatenate([kept, different[left]])
    return is_optimal[back.reshape(-1)].reshape(game.shape)


def _is_beaten(values: FloatArray, by: FloatArray) -> BoolArray:
    """(k,): whether a row of ``by`` is nowhere smaller and somewhere larger."""
    beaten = np.zeros(len(values), np.bool_)
    step = max(_BLOCK // max(by.size, 1), 1)
    for start in range(0, len(values), step):
        rows = values[start : start + step, None, :]
        nowhere, somewhere = (by >= rows).all(axis=2), (by > rows).any(axis=2)
        beaten[start : start + step] = np.logical_and(nowhere, somewhere).any(axis=1)
    return beaten


def combined_utility(parts: Mapping[str, Game], weights: Mapping[str, float], *, name: str = "") -> Game:
    """Return the game of a general utility: privacy with functionality, security or whatever else players want.

    ``u_i(s) = sum_c w_c u_i^c(s)``: the set of general utility functions that replaces that of privacy utilities in general
    coprivacy.

    Parameters
    ----------
    parts
        Games of the same players and strategies, by what their utilities are about.
    weights
        For each part how much it counts.
    name
        Of the combined game.

    References
    ----------
    Domingo-Ferrer (2011), section 3, general coprivacy.

    Examples
    --------
    >>> privacy = Game.from_matrices([[1, 0], [0, 0]], [[1, 0], [0, 0]])
    >>> function = Game.from_matrices([[0, 0], [2, 4]], [[0, 2], [0, 4]])
    >>> combined_utility({"privacy": privacy, "function": function}, {"privacy": 1, "function": 0.5}).utilities[0].tolist()
    [[1.0, 0.0], [1.0, 2.0]]
    """
    if not parts or set(parts) != set(weights):
        raise ParameterError(
            "combined_utility: 'weights' must have a number for each of the parts, at least one, and no other."
        )
    games = list(parts.values())
    for what, game in parts.items():
        if game.players != games[0].players or game.strategies != games[0].strategies:
            raise ParameterError(f"combined_utility: {what!r} must have the players and strategies of the other parts.")
        if not np.isfinite(weights[what]):
            raise ParameterError(f"combined_utility: the weight of {what!r} must be a finite number.")
    values = sum(
        (float(weights[what]) * game.utilities for what, game in parts.items()), np.zeros_like(games[0].utilities)
    )
    return Game(games[0].players, games[0].strategies, values, name)
