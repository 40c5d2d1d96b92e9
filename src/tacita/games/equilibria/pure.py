"""Pure Nash equilibria: profiles in which every player's strategy is a best one against the others'."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import BoolArray
from tacita.games.equilibria.equilibrium import Equilibrium, of_mixtures
from tacita.games.model.game import Game

__all__ = ["pure_equilibria", "pure_profiles"]

_MOST_NUMBERS = 2**25
"""Probabilities of all distributions together: 256 megabytes."""


def pure_profiles(game: Game) -> BoolArray:
    """Return (m_1, ..., m_n): whether a profile is a pure Nash equilibrium. One pass over each tensor, O(n profiles).

    Examples
    --------
    >>> game = Game.from_matrices([[0, 1], [0, 0.5]], [[0, 0], [1, 0.5]])
    >>> pure_profiles(game).tolist()
    [[True, True], [True, False]]
    """
    found = np.ones(game.shape, np.bool_)
    for i in range(game.size):
        found &= game.best_responses(i)
    return found


def pure_equilibria(game: Game, *, most: int = 1000) -> tuple[Equilibrium, ...]:
    """Return the pure Nash equilibria, in the order of the profiles.

    Parameters
    ----------
    game
        The game.
    most
        So many at most, and of a large game as many as fit into memory, at least one: each has a distribution over all profiles.
        :func:`pure_profiles` says all of them in one tensor.
    """
    places = np.argwhere(pure_profiles(game))[: min(most, max(_MOST_NUMBERS // game.profiles, 1))]
    return tuple(
        of_mixtures(game, [np.eye(size)[s] for size, s in zip(game.shape, place, strict=True)]) for place in places
    )
