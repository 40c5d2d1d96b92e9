"""All extreme Nash equilibria of two players: the corners of both best-response polyhedra, matched by their labels."""

from __future__ import annotations

import itertools
import math

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.games.equilibria.equilibrium import Equilibrium, of_mixtures
from tacita.games.model.game import Game

__all__ = ["MOST_BASES", "corners", "extreme_equilibria", "mixtures_of_all", "two_choosers"]

MOST_BASES = 2_000_000
"""Square systems that are solved for each player at most: two players with 11 strategies each have 705 432."""
TIGHT = 1e-8


def extreme_equilibria(game: Game) -> tuple[Equilibrium, ...]:
    """Return all extreme Nash equilibria of a game of two players, pure ones among them.

    With utilities A, B > 0 a mixture x of the first player, scaled by what the second gets, is a point of
    ``P = {x >= 0, B^T x <= 1}``; y of ``Q = {y >= 0, A y <= 1}``. Strategies that are not played and strategies that are best
    responses are the labels of a point; (x, y) is an equilibrium when every strategy is a label of one of both. Equilibria are
    convex hulls of extreme ones, pairs of corners; there is at least one, and in a degenerate game those on
    the ends of a continuum are all here.

    Parameters
    ----------
    game
        Two players; others may be there with one strategy each.

    Raises
    ------
    ParameterError
        When three or more players have a choice, or there are more than two million bases;
        :func:`best_equilibrium` finds single equilibria of larger games.

    Complexity
    ----------
    C(m + n, m) linear systems for each player, solved in batches; corners of one by corners of the other for the labels.

    References
    ----------
    Mangasarian, O. L. (1964), Equilibrium points of bimatrix games, SIAM Journal 12, 778-780. von Stengel, B. (2007), Equilibrium
    computation for two-player games, in Nisan et al., Algorithmic game theory, chapter 3, algorithm 3.5.

    Examples
    --------
    >>> sexes = Game.from_matrices([[3, 0], [0, 2]], [[2, 0], [0, 3]])
    >>> for one in extreme_equilibria(sexes): print(one.words())
    (1, 1)
    player 1: 0.6 1 + 0.4 2; player 2: 0.4 1 + 0.6 2
    (2, 2)
    """
    first, second = two_choosers(game)
    a = np.moveaxis(game.utilities[first], (first, second), (0, 1)).reshape(game.shape[first], game.shape[second])
    b = np.moveaxis(game.utilities[second], (first, second), (0, 1)).reshape(a.shape)
    bases = math.comb(sum(a.shape), a.shape[0])
    if bases > MOST_BASES:
        raise ParameterError(
            f"extreme_equilibria: {a.shape[0]} by {a.shape[1]} strategies have more than {MOST_BASES:,} bases; "
            "remove dominated strategies, or take best_equilibrium."
        )
    x, unplayed, best = corners(_positive(b).T)
    x_labels = np.hstack([unplayed, best])
    y, unplayed, best = corners(_positive(a))
    y_labels = np.hstack([best, unplayed])
    found: dict[tuple[float, ...], tuple[FloatArray, FloatArray]] = {}
    for point, labels in zip(x, x_labels, strict=True):
        for other in y[y_labels[:, ~labels].all(axis=1)]:
            if point.any() and other.any():  # the corners at 0 stand for no mixture
                pair = point / point.sum(), other / other.sum()
                found.setdefault((*(-pair[0].round(7)), *(-pair[1].round(7))), pair)
    return tuple(of_mixtures(game, mixtures_of_all(game, first, second, *found[key])) for key in sorted(found))


def two_choosers(game: Game) -> tuple[int, int]:
    """Return the two players who have a choice, the first two where fewer have one."""
    choosing = [i for i, size in enumerate(game.shape) if size > 1]
    if len(choosing) > 2 or game.size < 2:
        raise ParameterError(f"There must be two players with a choice, got {len(choosing)} of {game.size} players.")
    rest = [i for i in range(game.size) if i not in choosing]
    first, second = sorted([*choosing, *rest][:2])
    return first, second


def mixtures_of_all(game: Game, first: int, second: int, x: FloatArray, y: FloatArray) -> list[FloatArray]:
    """Return the mixtures of all players, of whom two have a choice."""
    mixtures = [np.ones(1) for _ in game.players]
    mixtures[first], mixtures[second] = x, y
    return mixtures


def _positive(values: FloatArray) -> FloatArray:
    """Utilities between 1 and 2: equilibria stay the same, and the polyhedra become bounded."""
    spread = float(np.ptp(values))
    return np.asarray(1.0 + (values - values.min()) / (spread if spread > 0 else 1.0), np.float64)


def corners(rows: FloatArray) -> tuple[FloatArray, BoolArray, BoolArray]:
    """Return the corners of ``{z >= 0, R z <= 1}`` for positive R, with where z is 0 and which rows are 1.

    A corner with k positive entries is the solution of a k by k system of its tight rows; all pairs of k columns and k rows are
    solved at once.

    Examples
    --------
    >>> z, _, _ = corners(np.array([[1.0, 2.0], [2.0, 1.0]]))
    >>> sorted(map(tuple, z.round(3).tolist()))
    [(0.0, 0.0), (0.0, 0.5), (0.333, 0.333), (0.5, 0.0)]
    """
    tight, n = rows.shape
    found = [np.zeros((1, n))]
    for k in range(1, min(tight, n) + 1):
        columns = np.array(list(itertools.combinations(range(n), k)))
        chosen = np.array(list(itertools.combinations(range(tight), k)))
        step = max(2_000_000 // (len(chosen) * k * k), 1)
        for start in range(0, len(columns), step):
            found.append(_solved(rows, columns[start : start + step], chosen))
    points = np.concatenate(found)
    _, first = np.unique(points.round(9), axis=0, return_index=True)
    z = points[first]
    return z, z <= TIGHT, z @ rows.T >= 1 - TIGHT


def _solved(rows: FloatArray, columns: IntArray, chosen: IntArray) -> FloatArray:
    systems = rows[chosen[None, :, :, None], columns[:, None, None, :]]
    c, r, k, _ = systems.shape
    flat = systems.reshape(c * r, k, k)
    regular = (
        np.linalg.slogdet(flat).sign != 0
    )  # what is nearly singular lands outside, or is a point with the labels it has
    solved = np.linalg.solve(flat[regular], np.ones((int(regular.sum()), k, 1)))[..., 0]
    z = np.zeros((len(solved), rows.shape[1]))
    np.put_along_axis(z, np.repeat(columns, r, axis=0)[regular], solved, axis=1)
    inside = (z > -TIGHT).all(axis=1) & (z @ rows.T <= 1 + TIGHT).all(axis=1)
    return np.maximum(z[inside], 0.0)
