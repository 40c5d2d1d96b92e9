"""Coprivacy of Definition 1: to ask and to help are best for both, as a pure Nash equilibrium."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np

from tacita.core.arrays import BoolArray
from tacita.core.errors import ParameterError
from tacita.games.coprivacy.finding import Coprivacy
from tacita.games.coprivacy.help import Help, check_helps
from tacita.games.equilibria.equilibrium import of_mixtures
from tacita.games.model.game import Game

__all__ = ["Others", "pure_coprivacy"]

Others = Literal["best", "some", "every"]
"""What is asked of the players who neither ask nor help. best: they play best responses too, so that the whole profile is a Nash
equilibrium. some: they may play anything. every: whatever they play, neither of the two gains by another strategy."""


def pure_coprivacy(game: Game, helps: Iterable[Help], *, others: Others = "best") -> Coprivacy:
    """Return whether some help is a pure Nash equilibrium between the one who asks and the one who helps.

    With privacy utilities this is coprivacy; with others (:func:`combined_utility`) it is general coprivacy.

    Parameters
    ----------
    game
        The game.
    helps
        Pairs of strategies that count as help.
    others
        What is asked of the other players, of whom Definition 1 is silent.

    References
    ----------
    Domingo-Ferrer (2011), Definition 1.

    Examples
    --------
    >>> from tacita.games.coprivacy.request_game import request_game, request_helps
    >>> game = request_game([[3, -1]], [[1, 0]], alone=0)
    >>> print(pure_coprivacy(game, request_helps(game)).words())
    Coprivacy: 'P1' plays 'ask P2' and 'P2' plays 'process', in the equilibrium (process, ask P2, process).
    """
    if others not in ("best", "some", "every"):
        raise ParameterError(f"pure_coprivacy: 'others' must be 'best', 'some' or 'every', got {others!r}.")
    listed = check_helps(game, helps)
    rest = np.ones(game.shape, np.bool_)
    best = [game.best_responses(i) for i in range(game.size)]
    reasons = []
    for one in listed:
        pair = game.player(one.asker), game.player(one.helper)
        rest = np.ones(game.shape, np.bool_)
        for i in range(game.size):
            if i not in pair and others == "best":
                rest &= best[i]
        holds = best[pair[0]] & best[pair[1]]
        where = _where(game, one)
        good = where & holds & rest
        if good.any() and (others != "every" or bool(holds[where].all())):
            place = np.unravel_index(int(np.argmax(good)), game.shape)
            found = of_mixtures(game, [np.eye(size)[s] for size, s in zip(game.shape, place, strict=True)])
            return Coprivacy(
                holds=True, concept="pure", help=one, equilibrium=found, probability=1.0, mixtures=found.probabilities
            )
        reasons.append(_reason(game, one, where & rest, worst=others == "every"))
    return Coprivacy(holds=False, concept="pure", reasons=tuple(reasons))


def _where(game: Game, one: Help) -> BoolArray:
    """The profiles in which the help is given."""
    places: list[slice | int] = [slice(None)] * game.size
    for player, strategy in one.played.items():
        places[game.player(player)] = game.strategy(player, strategy)
    chosen = np.zeros(game.shape, np.bool_)
    chosen[tuple(places)] = True
    return chosen


def _reason(game: Game, one: Help, where: BoolArray, *, worst: bool) -> str:
    """Who leaves the help, for what, and what it brings: where the two together lose least, or most."""
    if not where.any():
        return f"{one.words()}: no profile with it is a best response of all the others."
    gains = {player: game.gains(game.player(player)) for player in one.played}
    most = np.maximum(gains[one.asker], gains[one.helper])
    at = int(np.argmax(np.where(where, most, -np.inf)) if worst else np.argmin(np.where(where, most, np.inf)))
    place = np.unravel_index(at, game.shape)
    leaver = max(one.played, key=lambda player: float(gains[player][place]))
    i = game.player(leaver)
    whole: list[Any] = [i, *place]
    whole[i + 1] = slice(None)
    better = game.strategies[i][int(np.argmax(game.utilities[tuple(whole)]))]
    return (
        f"{one.words()}: in ({', '.join(game.named(place))}), {leaver!r} gains {float(gains[leaver][place]):.4g} "
        f"by {better!r}."
    )
