"""What two players can get together: the polygon of all payoffs, and of those that correlated equilibria reach."""

from __future__ import annotations

import math

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ParameterError
from tacita.games.equilibria.correlated import correlated_equilibrium
from tacita.games.model.game import Game

__all__ = ["correlated_payoffs", "feasible_payoffs"]

MOST_MODELS = 400
"""Linear models that are solved for one polygon at most; each but the last ones gives a corner."""
_NEAR = 1e-6


def feasible_payoffs(game: Game, players: tuple[str, str]) -> FloatArray:
    """Return (corners, 2): the hull of what profiles are worth to two players, counter-clockwise.

    Examples
    --------
    >>> feasible_payoffs(Game.from_matrices([[6, 2], [7, 0]], [[6, 7], [2, 0]]), ("player 1", "player 2")).tolist()
    [[0.0, 0.0], [7.0, 2.0], [6.0, 6.0], [2.0, 7.0]]
    """
    return _hull(_pairs(game, players))


def correlated_payoffs(game: Game, players: tuple[str, str], *, epsilon: float = 0.0) -> FloatArray:
    """Return (corners, 2): the polygon of what two players get in correlated equilibria, counter-clockwise.

    In a direction d the equilibrium with the largest ``d_1 u_1 + d_2 u_2`` is a corner, found by a linear model. It begins with
    the four directions of the axes; then it looks outwards from each edge, until no edge has a corner beyond it.

    Parameters
    ----------
    game
        The game.
    players
        The two whose payoffs are looked at.
    epsilon
        How much each player may gain by deviating.

    Notes
    -----
    A point counts as beyond an edge by more than 1e-6 of the players' ranges. After 400 models it ends, with a polygon inside
    the true one.

    References
    ----------
    Aumann, R. J. (1974), Subjectivity and correlation in randomized strategies, Journal of Mathematical Economics 1, 67-96.

    Examples
    --------
    >>> chicken = Game.from_matrices([[6, 2], [7, 0]], [[6, 7], [2, 0]])
    >>> correlated_payoffs(chicken, ("player 1", "player 2")).round(6).tolist()
    [[2.0, 7.0], [3.6, 3.6], [7.0, 2.0], [5.25, 5.25]]
    """
    pairs = _pairs(game, players)
    low, scale = pairs.min(axis=0), np.ptp(pairs, axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    own = np.stack([(game.utilities[game.player(p)] - low[i]) / scale[i] for i, p in enumerate(players)])

    def outermost(direction: FloatArray) -> FloatArray:
        found = correlated_equilibrium(game, np.tensordot(direction, own, axes=1), epsilon=epsilon)
        return np.array([float((part * found.distribution).sum()) for part in own])

    points = np.array([outermost(np.array(d, np.float64)) for d in ((1, 0), (0, 1), (-1, 0), (0, -1))])
    models, settled = 4, set[tuple[float, ...]]()
    is_done = False
    while not is_done and models < MOST_MODELS:
        is_done = True
        corners = _hull(points)
        for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            edge = tuple(np.concatenate([a, b]).round(9).tolist())
            length = math.hypot(*(b - a))
            if edge in settled or length < _NEAR or models >= MOST_MODELS:
                continue
            settled.add(edge)
            outwards = np.array([b[1] - a[1], a[0] - b[0]]) / length
            models += 1
            beyond = outermost(outwards)
            if outwards @ (beyond - a) > _NEAR:
                points = np.vstack([points, beyond])
                is_done = False
    return np.asarray(_hull(points) * scale + low, np.float64)


def _pairs(game: Game, players: tuple[str, str]) -> FloatArray:
    if len(players) != 2 or players[0] == players[1]:
        raise ParameterError("A polygon of payoffs: 'players' must be two different players.")
    return np.stack([game.utilities[game.player(player)].reshape(-1) for player in players], axis=1)


def _hull(points: FloatArray) -> FloatArray:
    """Corners of the hull, counter-clockwise from the leftmost; two of a segment, one of a point (Andrew's chains)."""
    spread = np.ptp(points, axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    _, first = np.unique((points / spread).round(9), axis=0, return_index=True)
    ordered = points[first][np.lexsort(points[first].T[::-1])]
    if len(ordered) < 3:
        return ordered
    lower, upper = _chain(ordered, spread), _chain(ordered[::-1], spread)
    return np.array([*lower[:-1], *upper[:-1]])


def _chain(ordered: FloatArray, spread: FloatArray) -> list[FloatArray]:
    made: list[FloatArray] = []
    for point in ordered:
        while len(made) > 1:
            (x, y), (u, v) = (made[-1] - made[-2]) / spread, (point - made[-2]) / spread
            if x * v - y * u > 1e-12:
                break
            made.pop()
        made.append(point)
    return made
