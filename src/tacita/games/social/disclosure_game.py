"""Small networks as finite games, so that what is said of large ones can be checked against all profiles."""

from __future__ import annotations

import itertools

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.games.model.game import Game, check_profiles
from tacita.games.social.network import Network
from tacita.games.social.scores import checked_sensitivities

__all__ = ["disclosure_game", "reach_of_profile"]


def disclosure_game(network: Network, sensitivities: FloatArray) -> Game:
    """Return the game in which each user chooses how far each attribute is shown, and PRF is the utility.

    A strategy is called by the reach of each attribute: ``0`` hides the only one, ``2-0`` shows the first up to two links away.

    Parameters
    ----------
    network
        A few users.
    sensitivities
        (n, l) or (n,): beta_ik. With one attribute, l = 1 and a complete network it is the dichotomous game of equation (3).

    Raises
    ------
    ParameterError
        When there are too many profiles.

    Complexity
    ----------
    O(N^2 P) time for P profiles.

    References
    ----------
    Domingo-Ferrer (2011), section 5 and Example 2.

    Examples
    --------
    >>> game = disclosure_game(Network.of_edges([("User 1", "User 2")]), np.array([1.0]))
    >>> game.utilities[0].tolist()
    [[0.0, 1.0], [0.0, 0.5]]
    """
    weights = checked_sensitivities(sensitivities, "disclosure_game")
    attributes, distance = weights.shape
    check_profiles(((distance + 1) ** attributes,) * network.users)
    chosen = list(itertools.product(range(distance + 1), repeat=attributes))
    # (strategies, l): what a user who plays it shows to those exactly k links away
    shown = np.array(
        [[sum(weights[i, k] for i in range(attributes) if s[i] > k) for k in range(distance)] for s in chosen]
    )
    away = _distances(network, distance)
    places = np.indices((len(chosen),) * network.users)
    values = np.zeros((network.users, *places.shape[1:]))
    for j, other in itertools.permutations(range(network.users), 2):
        if 1 <= away[j, other] <= distance:
            values[j] += shown[places[other], away[j, other] - 1]
    for j in range(network.users):
        values[j] /= 1.0 + shown.sum(axis=1)[places[j]]
    names = tuple("-".join(map(str, s)) for s in chosen)
    players = tuple(str(network.name_of(j)) for j in range(network.users))
    return Game(players, (names,) * network.users, values, f"disclosure, {network.users} users")


def reach_of_profile(profile: tuple[str, ...]) -> IntArray:
    """Return (N, n): the reach of each attribute in a profile of such a game.

    Examples
    --------
    >>> reach_of_profile(("0-2", "1-1")).tolist()
    [[0, 2], [1, 1]]
    """
    try:
        return np.array([[int(part) for part in own.split("-")] for own in profile], np.int64)
    except ValueError:
        raise ParameterError(
            "reach_of_profile: 'profile' must be of a disclosure game, with strategies such as '0-2'."
        ) from None


def _distances(network: Network, most: int) -> IntArray:
    """(N, N): links between two users, 0 where there are more than ``most``."""
    linked = np.zeros((network.users, network.users), np.bool_)
    linked[network.tails, network.links.neighbour] = True
    away, reached = np.zeros(linked.shape, np.int64), np.eye(network.users, dtype=np.bool_)
    frontier = reached.copy()
    for k in range(1, most + 1):
        frontier = (frontier.astype(np.int64) @ linked > 0) & ~reached
        away[frontier] = k
        reached |= frontier
    return away
