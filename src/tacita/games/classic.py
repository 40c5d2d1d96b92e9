"""Games that everybody knows, and the two examples of the paper."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tacita.core.errors import ParameterError
from tacita.games.coprivacy.help import Help
from tacita.games.coprivacy.request_game import request_game, request_helps
from tacita.games.model.game import Game, check_profiles

__all__ = [
    "anonymous_relays",
    "battle_of_the_sexes",
    "chicken",
    "matching_pennies",
    "pollution_game",
    "prisoners_dilemma",
    "publishing_game",
    "social_network",
]


def prisoners_dilemma() -> Game:
    """Return the prisoner's dilemma: to talk is strictly dominant, and both would be better off silent.

    Examples
    --------
    >>> prisoners_dilemma().utility("prisoner 1", ("talks", "silent"))
    0.0
    """
    first = [[-1, -10], [0, -5]]
    return Game.from_matrices(
        first,
        np.transpose(first),
        players=["prisoner 1", "prisoner 2"],
        strategies=[["silent", "talks"]] * 2,
        name="prisoner's dilemma",
    )


def matching_pennies() -> Game:
    """Return matching pennies: one wins when both sides are equal, the other when they differ; both must draw evenly."""
    return Game.from_matrices(
        [[1, -1], [-1, 1]],
        players=["even", "odd"],
        strategies=[["heads", "tails"]] * 2,
        name="matching pennies",
    )


def battle_of_the_sexes() -> Game:
    """Return the battle of the sexes: two pure equilibria, each better for one, and a mixed one that is worse for both."""
    return Game.from_matrices(
        [[3, 0], [0, 2]],
        [[2, 0], [0, 3]],
        players=["she", "he"],
        strategies=[["opera", "match"]] * 2,
        name="battle of the sexes",
    )


def chicken() -> Game:
    """Return chicken with Aumann's utilities, whose best correlated equilibrium is outside the hull of the Nash equilibria.

    References
    ----------
    Aumann, R. J. (1974), Subjectivity and correlation in randomized strategies, Journal of Mathematical Economics 1, 67-96.
    """
    return Game.from_matrices(
        [[6, 2], [7, 0]],
        [[6, 7], [2, 0]],
        players=["driver 1", "driver 2"],
        strategies=[["swerves", "goes on"]] * 2,
        name="chicken",
    )


def pollution_game(players: int = 3, *, cost: float = 3.0) -> Game:
    """Return the pollution game: each country pays for control, or adds 1 to the cost of every country.

    Parameters
    ----------
    players
        How many countries.
    cost
        What control costs. Above 1, and below the number of countries, everybody pollutes though all would rather control.

    References
    ----------
    Tardos, E. and Vazirani, V. V. (2007), Basic solution concepts and computational issues, in Nisan et al., Algorithmic game
    theory, example 1.2.

    Examples
    --------
    >>> pollution_game(4).utility("country 1", ("pollutes",) * 4)
    -4.0
    """
    shape = _two_each(players, "pollution_game")
    pollutes = np.indices(shape)
    values = -pollutes.sum(axis=0) - cost * (1 - pollutes)
    named = tuple(f"country {i + 1}" for i in range(players))
    return Game(
        named, (("controls", "pollutes"),) * players, values.astype(np.float64), f"pollution, {players} countries"
    )


def publishing_game(users: int = 2, *, sensitivity: float = 1.0) -> tuple[Game, tuple[Help, ...]]:
    """Return the game of users of a social network, who each hide (H) or publish (P) one attribute, and what counts as help.

    ``u_j = (sum over j' != j of b V(j')) / (1 + b V(j))``, with V = 1 for what is published: PRF_2 of equation (3). To publish
    helps all others; here each user asks by publishing, and is helped by one who publishes. The pollution game in the terms of a
    network: nobody gains by publishing, whatever the others do.

    Parameters
    ----------
    users
        How many users.
    sensitivity
        b, of the attribute.

    References
    ----------
    Domingo-Ferrer (2011), section 5, equation (3).
    """
    shape = _two_each(users, "publishing_game")
    published = np.indices(shape).astype(np.float64) * sensitivity
    values = (published.sum(axis=0) - published) / (1 + published)
    named = tuple(f"User {i + 1}" for i in range(users))
    game = Game(named, (("H", "P"),) * users, values, f"social network, {users} users")
    helps = tuple(
        Help(asker=one, asks="P", helper=other, helps="P") for one in named for other in named if one != other
    )
    return game, helps


def social_network() -> tuple[Game, tuple[Help, ...]]:
    """Return Example 2 of the paper: two users who hide or publish, with utilities 0, 1, 0 and 1/2.

    Notes
    -----
    The paper says that (H, H) is the only equilibrium. (H, P) and (P, H) are equilibria too: a user whom nobody tells anything
    loses nothing by publishing. Whether the network collapses depends on what users do who gain nothing either way.

    References
    ----------
    Domingo-Ferrer (2011), Example 2.

    Examples
    --------
    >>> game, _ = social_network()
    >>> game.utilities.tolist()
    [[[0.0, 1.0], [0.0, 0.5]], [[0.0, 0.0], [1.0, 0.5]]]
    """
    return publishing_game(2)


def anonymous_relays(crowds: Sequence[int] = (3, 7), *, cost: float = 0.0) -> tuple[Game, tuple[Help, ...]]:
    """Return Example 1 of the paper as a game of Definition 1: a user may ask a relay, and the relay hides among what it relays.

    Privacy is the entropy, in bits, of who among a crowd was the sender: ``log2(c)``. Asking the site itself (P0) gives 0. A
    relay that processes the request has a crowd of c + 1 for both; one that rejects it keeps its crowd of c, and the user
    has nothing.

    Parameters
    ----------
    crowds
        For each relay the senders among whom it hides already, itself one of them.
    cost
        What relaying costs the relay, in the same bits: a general utility.

    Notes
    -----
    The paper describes this example and gives no numbers; the entropies are ours.

    References
    ----------
    Domingo-Ferrer (2011), Example 1.

    Examples
    --------
    >>> from tacita.games.coprivacy.pure import pure_coprivacy
    >>> pure_coprivacy(*anonymous_relays()).holds, pure_coprivacy(*anonymous_relays(cost=0.5)).holds
    (True, False)
    """
    if not len(crowds) or any(isinstance(c, bool) or not isinstance(c, int) or c < 1 for c in crowds):
        raise ParameterError("anonymous_relays: 'crowds' must be whole numbers, at least 1, one for each relay.")
    before = np.log2(np.array(crowds, np.float64))
    after = np.log2(np.array(crowds, np.float64) + 1)
    asker = np.stack([after, np.zeros(len(crowds))], axis=1)
    helper = np.stack([after - cost, before], axis=1)
    game = request_game(asker, helper, alone=0.0, idle=before.tolist(), name="anonymous relays")
    return game, request_helps(game)


def _two_each(players: int, owner: str) -> tuple[int, ...]:
    """The shape of a game of two strategies each, which fits into memory."""
    if isinstance(players, bool) or not isinstance(players, int) or players < 2:
        raise ParameterError(f"{owner}: there must be a whole number of players, at least 2.")
    check_profiles((2,) * players)
    return (2,) * players
