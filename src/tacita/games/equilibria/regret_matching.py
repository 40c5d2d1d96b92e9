"""Regret matching: players who only remember what they missed come near to a correlated equilibrium, and nobody advises them."""

from __future__ import annotations

from typing import Literal

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.core.streams import Seed, Streams
from tacita.games.equilibria.equilibrium import Equilibrium, of_distribution
from tacita.games.model.game import Game

__all__ = ["regret_matching"]


def regret_matching(
    game: Game,
    *,
    rounds: int = 2000,
    plays: int = 32,
    kind: Literal["correlated", "coarse"] = "correlated",
    seed: Seed = 1,
) -> Equilibrium:
    """Return the profiles that were played by players who follow their regrets, an epsilon-correlated equilibrium.

    In each round a player who played s changes to t with a probability in proportion to her regret
    ``R(s, t) = max(0, (1 / rounds) sum over rounds with s of u_i(t, s_-i) - u_i(s, s_-i))``, and stays otherwise (Hart and
    Mas-Colell's procedure). For the coarse kind she plays t in proportion to her regret of not having played t always.

    Parameters
    ----------
    game
        The game.
    rounds
        So often each play goes on; epsilon falls with the root of it.
    plays
        So many plays run side by side, from chance starts; the result is the mean of what was played in all.
    kind
        Which regrets are followed.
    seed
        Repeats the plays.

    Returns
    -------
    Equilibrium
        Its ``gain`` is the epsilon that was reached, found by the check and not by the players' own regrets.

    References
    ----------
    Hart, S. and Mas-Colell, A. (2000), A simple adaptive procedure leading to correlated equilibrium, Econometrica 68, 1127-1150.
    Domingo-Ferrer (2011), section 3: epsilon-correlated equilibria are reached without a centre.

    Examples
    --------
    >>> chicken = Game.from_matrices([[6, 2], [7, 0]], [[6, 7], [2, 0]])
    >>> regret_matching(chicken, seed=3).gain < 0.1
    True
    """
    for name, value in (("rounds", rounds), ("plays", plays)):
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise ParameterError(f"regret_matching: '{name}' must be a whole number, at least 1.")
    if kind not in ("correlated", "coarse"):
        raise ParameterError(f"regret_matching: 'kind' must be 'correlated' or 'coarse', got {kind!r}.")
    rng = Streams(seed).stream("regret_matching", kind, str(rounds), str(plays))
    n, sizes = game.size, game.shape
    strides = np.array([int(np.prod(sizes[i + 1 :])) for i in range(n)])
    flat = [game.utilities[i].reshape(-1) for i in range(n)]
    played = np.stack([rng.integers(size, size=plays) for size in sizes], axis=1)
    counts = np.zeros(game.profiles)
    regrets = [np.zeros((plays, size, size)) for size in sizes]
    # Above the largest possible sum of regrets, so that probabilities stay below 1 and every strategy may be kept.
    inertia = [2.0 * max(float(np.ptp(flat[i])), 1e-300) * max(sizes[i] - 1, 1) for i in range(n)]
    side = np.arange(plays)
    for number in range(1, rounds + 1):
        codes = played @ strides
        np.add.at(counts, codes, 1)
        following = played.copy()
        for i in range(n):
            at = played[:, i]
            others = (codes - at * strides[i])[:, None] + np.arange(sizes[i]) * strides[i]
            missed = flat[i][others] - flat[i][codes][:, None]
            regrets[i][side, at] += missed
            if kind == "correlated":
                chance = np.maximum(regrets[i][side, at], 0) / (number * inertia[i])
                chance[side, at] = 0.0
                chance[side, at] = 1 - chance.sum(axis=1)
            else:
                chance = _shares(regrets[i].sum(axis=1))
            following[:, i] = _drawn(chance, rng)
        played = following
    return of_distribution(game, (counts / counts.sum()).reshape(game.shape), kind)


def _shares(regrets: FloatArray) -> FloatArray:
    """Positive regrets as shares; equal ones where nothing is regretted."""
    positive = np.maximum(regrets, 0)
    total = positive.sum(axis=1, keepdims=True)
    return np.where(total > 0, positive / np.where(total > 0, total, 1), 1 / regrets.shape[1])


def _drawn(chance: FloatArray, rng: np.random.Generator) -> IntArray:
    ends = np.cumsum(chance, axis=1)
    ends[:, -1] = 1.0
    return np.asarray((rng.random(len(chance))[:, None] >= ends).sum(axis=1), np.int64)
