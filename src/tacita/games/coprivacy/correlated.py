"""Correlated coprivacy: help is given in a correlated equilibrium, in which each player follows advice in her own interest."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tacita.games.coprivacy.finding import Coprivacy
from tacita.games.coprivacy.help import Help, check_helps
from tacita.games.equilibria.correlated import correlated_equilibrium
from tacita.games.model.game import Game

__all__ = ["POSITIVE", "correlated_coprivacy"]

POSITIVE = 1e-5
"""Above a solver's tolerance: what is less likely counts as never."""


def correlated_coprivacy(
    game: Game, helps: Iterable[Help], *, epsilon: float = 0.0, more_than: float = POSITIVE
) -> Coprivacy:
    """Return whether a correlated equilibrium gives help, and the one in which it is likeliest.

    For each pair of strategies that counts as help, the largest probability of both together over all correlated equilibria is
    found by a linear model. So the answer is certain either way.

    Parameters
    ----------
    game
        The game, with utilities of privacy or general ones.
    helps
        Pairs of strategies that count as help.
    epsilon
        How much a player may gain by deviating: epsilon-correlated coprivacy.
    more_than
        The help must be likelier than this.

    References
    ----------
    Domingo-Ferrer (2011), section 3, correlated coprivacy.

    Examples
    --------
    >>> chicken = Game.from_matrices([[6, 2], [7, 0]], [[6, 7], [2, 0]])
    >>> both = Help(asker="player 1", asks="1", helper="player 2", helps="1")
    >>> found = correlated_coprivacy(chicken, [both])
    >>> found.holds, round(found.probability, 6)
    (True, 0.5)
    """
    listed = check_helps(game, helps)
    best = Coprivacy(holds=False, concept="correlated")
    reasons = []
    for one in listed:
        places = [
            [game.strategy(player, one.played[player])] if player in one.played else range(size)
            for player, size in zip(game.players, game.shape, strict=True)
        ]
        wish = np.zeros(game.shape)
        wish[np.ix_(*places)] = 1.0
        found = correlated_equilibrium(game, wish, epsilon=epsilon)
        probability = found.probability(one.played)
        reasons.append(f"{one.words()}: at most with probability {probability:.3g} in any correlated equilibrium.")
        if probability > max(more_than, best.probability):
            best = Coprivacy(
                holds=True,
                concept="correlated",
                help=one,
                equilibrium=found,
                probability=probability,
                mixtures=found.probabilities,
            )
    return best if best.holds else Coprivacy(holds=False, concept="correlated", reasons=tuple(reasons))
