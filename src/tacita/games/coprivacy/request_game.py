"""The game of Definition 1: a peer has a request and chooses whom to ask, the asked one processes or rejects it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tacita.core.errors import ParameterError
from tacita.games.coprivacy.help import Help
from tacita.games.model.game import Game, check_profiles

__all__ = ["request_game", "request_helps", "request_strategies"]

SYSTEM, PROCESS, REJECT = "P0", "process", "reject"


def request_strategies(peers: int, *, system: bool = True) -> dict[str, list[str]]:
    """Return the players of Definition 1 and their strategies.

    Parameters
    ----------
    peers
        N, how many peers there are, the one with the request among them; at least 2.
    system
        Whether there is a system player P0, who processes every request.

    Examples
    --------
    >>> request_strategies(2)
    {'P0': ['process'], 'P1': ['ask P0', 'ask P2'], 'P2': ['process', 'reject']}
    """
    if isinstance(peers, bool) or not isinstance(peers, int) or peers < 2:
        raise ParameterError("request_strategies: 'peers' must be a whole number, at least 2.")
    asked = ([SYSTEM] if system else []) + [f"P{k}" for k in range(2, peers + 1)]
    own = {SYSTEM: [PROCESS]} if system else {}
    return {**own, "P1": [f"ask {name}" for name in asked], **{f"P{k}": [PROCESS, REJECT] for k in range(2, peers + 1)}}


def request_helps(game: Game) -> tuple[Help, ...]:
    """Return what counts as help in a game of Definition 1: P1 asks a peer, and the peer processes the request."""
    helpers = [player for player in game.players if player not in (SYSTEM, "P1")]
    return tuple(Help(asker="P1", asks=f"ask {name}", helper=name, helps=PROCESS) for name in helpers)


def request_game(
    asker: Any, helper: Any, *, alone: float | None = None, idle: Sequence[float] | float = 0.0, name: str = ""
) -> Game:
    """Make a game of Definition 1 in which only what the asked peer does matters.

    Parameters
    ----------
    asker
        (N - 1, 2): what it is worth to P1 that P2, ..., PN processes her request (first column) or rejects it (second).
    helper
        (N - 1, 2): what it is worth to the asked peer to process the request, or to reject it.
    alone
        What it is worth to P1 to ask the system player herself; None where there is none.
    idle
        What it is worth to each peer not to be asked.
    name
        Of the game.

    Notes
    -----
    Peers differ in what was leaked before the game starts; that stands in the utilities. Utilities that depend on more than this
    are given by ``Game.from_function(request_strategies(N), utility)``.

    Examples
    --------
    >>> game = request_game([[3, -1]], [[1, 0]], alone=0)
    >>> game.players, game.utility("P1", ("process", "ask P2", "process"))
    (('P0', 'P1', 'P2'), 3.0)
    """
    own, theirs = np.asarray(asker, np.float64), np.asarray(helper, np.float64)
    if own.ndim != 2 or own.shape[1] != 2 or theirs.shape != own.shape:
        raise ParameterError(
            "request_game: 'asker' and 'helper' must have a row for each asked peer, processed and rejected."
        )
    peers = len(own) + 1
    strategies = request_strategies(peers, system=alone is not None)
    shape = tuple(map(len, strategies.values()))
    check_profiles(shape)
    resting = np.broadcast_to(np.asarray(idle, np.float64), (peers - 1,))
    first = int(alone is not None)  # the place of P1
    values = np.zeros((len(shape), *shape))
    for choice in range(shape[first]):  # of P1
        utilities = values[(slice(None),) * (first + 1) + (choice,)]  # (players, decisions of the others)
        utilities[first + 1 :] = resting.reshape(-1, *[1] * (utilities.ndim - 1))
        asked = choice - first
        if asked < 0:
            utilities[first] = alone
            continue
        decides = np.ones(utilities.ndim - 1, np.int64)
        decides[first + asked] = 2  # the axis of the asked peer, where that of P1 is gone
        utilities[first] = own[asked].reshape(decides)
        utilities[first + 1 + asked] = theirs[asked].reshape(decides)
    players = tuple(strategies)
    return Game(players, tuple(tuple(listed) for listed in strategies.values()), values, name)
