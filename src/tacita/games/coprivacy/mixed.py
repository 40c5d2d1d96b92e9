"""Mixed coprivacy: help has a positive probability in a mixed Nash equilibrium, within the players' boundary conditions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.streams import Seed
from tacita.games.coprivacy.correlated import POSITIVE
from tacita.games.coprivacy.finding import Coprivacy
from tacita.games.coprivacy.help import Help, check_helps
from tacita.games.equilibria.best_nash import likeliest_equilibrium
from tacita.games.equilibria.correlated import correlated_equilibrium
from tacita.games.equilibria.equilibrium import Equilibrium, of_mixtures
from tacita.games.equilibria.many_players import NashEquilibria, is_searchable, mixed_equilibria
from tacita.games.equilibria.pure import pure_profiles
from tacita.games.model.boundaries import Boundaries, bounded_game
from tacita.games.model.game import Game

__all__ = ["mixed_coprivacy"]

_NEVER, _EXACT = 1e-9, 1e-6


def mixed_coprivacy(
    game: Game,
    helps: Iterable[Help],
    *,
    boundaries: Boundaries | None = None,
    more_than: float = POSITIVE,
    seed: Seed = 1,
) -> Coprivacy:
    """Return whether a mixed Nash equilibrium gives help with a positive probability.

    The paper asks for a mixed equilibrium alone; by Nash's theorem every finite game has one, so that every game would be mixedly
    coprivate, also one in which nobody ever helps. Here who asks and who helps must do so with a probability above 0.

    Parameters
    ----------
    game
        The game, with utilities of privacy or general ones.
    helps
        Pairs of strategies that count as help.
    boundaries
        Between what the probabilities of a player's strategies must lie. A player then deviates within her boundaries alone.
        A lower boundary on help makes it certain that there is help; the answer says so.
    more_than
        Both the asking and the helping must be likelier than this.
    seed
        Repeats the search where more than two players have a choice.

    Returns
    -------
    Coprivacy
        With two players who have a choice the answer is certain. With more, it is where an equilibrium with help was found, and
        where no correlated equilibrium, of which the mixed ones are some, has help; otherwise ``holds`` is None.

    References
    ----------
    Domingo-Ferrer (2011), section 3, mixed coprivacy. Nash, J. (1951), Non-cooperative games, Annals of Mathematics 54, 286-295.

    Examples
    --------
    >>> pennies = Game.from_matrices([[1, -1], [-1, 1]])
    >>> found = mixed_coprivacy(pennies, [Help(asker="player 1", asks="1", helper="player 2", helps="1")])
    >>> found.holds, found.probability
    (True, 0.25)
    """
    listed = check_helps(game, helps)
    bounded, points = bounded_game(game, boundaries or {})
    reasons: list[str] = []
    open_ones: list[Help] = []
    choosing = sum(size > 1 for size in bounded.shape)
    for one in listed:
        wanted = {p: points[game.player(p)][:, game.strategy(p, s)] for p, s in one.played.items()}
        if choosing <= 2:
            asked = {p: own.tolist() for p, own in wanted.items()}
            found = likeliest_equilibrium(bounded, asked)
            if _least(bounded, found, wanted) > more_than and found.gain <= _EXACT * float(np.ptp(bounded.utilities)):
                return _shown(game, one, found, points)
            reasons.append(f"{one.words()}: no Nash equilibrium has both with a probability above {more_than:g}.")
            continue
        at_once = _pure_help(bounded, one, wanted, more_than)
        if at_once is not None:
            return _shown(game, one, at_once, points)
        likeliest = correlated_equilibrium(bounded, _together(bounded, wanted))
        if float((likeliest.distribution * _together(bounded, wanted)).sum()) <= _NEVER:
            reasons.append(f"{one.words()}: not even a correlated equilibrium has both.")
        else:
            open_ones.append(one)
    if open_ones:
        search = _searched(bounded, seed)
        for one in open_ones:
            wanted = {p: points[game.player(p)][:, game.strategy(p, s)] for p, s in one.played.items()}
            for found in search.found:
                if _least(bounded, found, wanted) > more_than:
                    return _shown(game, one, found, points)
            reasons.append(
                f"{one.words()}: none of {len(search.found)} Nash equilibria that were found has both."
                if is_searchable(bounded)
                else f"{one.words()}: no pure equilibrium has both; the game is too large for a search for others."
            )
    return Coprivacy(holds=None if open_ones else False, concept="mixed", reasons=tuple(reasons))


def _searched(game: Game, seed: Seed) -> NashEquilibria:
    """Nash equilibria of a game of many players by a search; none where it is too large for that."""
    if is_searchable(game):
        return mixed_equilibria(game, seed=seed)
    return NashEquilibria(found=(), is_complete=False)


def _pure_help(game: Game, one: Help, wanted: Mapping[str, FloatArray], more_than: float) -> Equilibrium | None:
    """A pure equilibrium of the corners in which both are likely enough: it is a mixed one too."""
    good = pure_profiles(game)
    for player in one.played:
        form = [1] * game.size
        form[game.player(player)] = -1
        good &= (wanted[player] > more_than).reshape(form)
    if not good.any():
        return None
    place = np.unravel_index(int(np.argmax(good)), game.shape)
    return of_mixtures(game, [np.eye(size)[s] for size, s in zip(game.shape, place, strict=True)])


def _least(game: Game, found: Equilibrium, wanted: Mapping[str, FloatArray]) -> float:
    """The smaller of the probabilities of asking and of helping."""
    mixtures = found.mixtures
    return min(float(mixtures[game.player(player)] @ own) for player, own in wanted.items())


def _together(game: Game, wanted: Mapping[str, FloatArray]) -> FloatArray:
    """(profiles): how likely both are in each profile of corners."""
    likely = np.ones(game.shape)
    for player, own in wanted.items():
        form = [1] * game.size
        form[game.player(player)] = len(own)
        likely = likely * own.reshape(form)
    return likely


def _shown(game: Game, one: Help, found: Equilibrium, points: Sequence[FloatArray]) -> Coprivacy:
    own = [x @ corner for x, corner in zip(found.mixtures, points, strict=True)]
    mixtures = {
        player: dict(zip(names, x.tolist(), strict=True))
        for player, names, x in zip(game.players, game.strategies, own, strict=True)
    }
    probability = mixtures[one.asker][one.asks] * mixtures[one.helper][one.helps]
    forced = [
        f"{player!r} plays {strategy!r} with a probability of at least {least:.3g}, by her boundaries and not by interest."
        for player, strategy in one.played.items()
        if (least := float(points[game.player(player)][:, game.strategy(player, strategy)].min())) > 0
        and game.shape[game.player(player)] > 1
    ]
    return Coprivacy(
        holds=True,
        concept="mixed",
        help=one,
        equilibrium=found,
        probability=probability,
        mixtures=mixtures,
        reasons=tuple(forced),
    )
