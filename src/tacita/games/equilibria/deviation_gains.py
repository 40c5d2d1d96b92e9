"""What a deviation brings: the independent check of every equilibrium, by tensors alone and by nothing that a solver uses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ParameterError
from tacita.games.model.game import Game

__all__ = ["advice_gains", "coarse_gains", "mixture_gains"]


def mixture_gains(game: Game, mixtures: Sequence[FloatArray]) -> FloatArray:
    """Return (n,): what each player gains by the best pure strategy against the mixtures of the others.

    ``max_t u_i(t, x_-i) - u_i(x)``; a profile of mixtures is a Nash equilibrium when no entry is above 0. Each player's tensor
    is multiplied by the others' probabilities one after the other.

    Examples
    --------
    >>> pennies = Game.from_matrices([[1, -1], [-1, 1]])
    >>> mixture_gains(pennies, [np.array([0.5, 0.5]), np.array([1.0, 0.0])]).tolist()
    [1.0, 0.0]
    """
    if len(mixtures) != game.size or any(len(x) != m for x, m in zip(mixtures, game.shape, strict=False)):
        raise ParameterError(
            f"mixture_gains: 'mixtures' must have probabilities for {game.size} players, one a strategy."
        )
    gains = np.zeros(game.size)
    for i in range(game.size):
        left = game.utilities[i]
        for j in reversed(range(game.size)):  # from the last axis, so that those before it keep their places
            if j != i:
                left = np.tensordot(left, mixtures[j], axes=(j, 0))
        gains[i] = left.max() - left @ mixtures[i]
    return gains


def advice_gains(game: Game, distribution: FloatArray) -> FloatArray:
    """Return (n,): what each player gains by the best rewriting of the advice that is drawn for her.

    ``sum_s max_t sum_(s_-i) p(s, s_-i) (u_i(t, s_-i) - u_i(s, s_-i))``: a distribution over profiles is a correlated equilibrium
    when no entry is above 0, and an epsilon-correlated one when none is above epsilon.

    References
    ----------
    Aumann, R. J. (1974), Subjectivity and correlation in randomized strategies, Journal of Mathematical Economics 1, 67-96.

    Examples
    --------
    >>> chicken = Game.from_matrices([[6, 2], [7, 0]], [[6, 7], [2, 0]])
    >>> advice_gains(chicken, np.array([[1, 1], [1, 0]]) / 3).round(9).tolist()
    [0.0, 0.0]
    """
    return np.array([np.maximum(_switches(game, distribution, i).max(axis=1), 0).sum() for i in range(game.size)])


def coarse_gains(game: Game, distribution: FloatArray) -> FloatArray:
    """Return (n,): what each player gains by the best fixed strategy in the place of all advice.

    ``max_t sum_s p(s) (u_i(t, s_-i) - u_i(s))``: a distribution is a coarse correlated equilibrium when no entry is above 0.
    """
    return np.array([_switches(game, distribution, i).sum(axis=0).max() for i in range(game.size)])


def _switches(game: Game, distribution: FloatArray, i: int) -> FloatArray:
    """(advised, played): what player i gains in the mean by playing another strategy whenever one is advised."""
    if distribution.shape != game.shape:
        raise ParameterError(
            f"A distribution must have the shape {game.shape} of the profiles, got {distribution.shape}."
        )
    drawn = np.moveaxis(distribution, i, -1).reshape(-1, game.shape[i])
    worth = np.moveaxis(game.utilities[i], i, -1).reshape(-1, game.shape[i])
    crossed = np.einsum("ra,rb->ab", drawn, worth)
    return np.asarray(crossed - np.diag(crossed)[:, None], np.float64)
