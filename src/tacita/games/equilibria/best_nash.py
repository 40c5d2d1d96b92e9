"""The best Nash equilibrium of two players by what is wished for, proven to be the best, by a mixed-integer model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ParameterError, TacitaError
from tacita.games.equilibria.equilibrium import Equilibrium, of_mixtures
from tacita.games.equilibria.two_players import mixtures_of_all, two_choosers
from tacita.games.model.game import Game
from tacita.games.model.outcomes import Welfare

__all__ = ["best_equilibrium", "likeliest_equilibrium"]


@dataclass(frozen=True, eq=False)
class _NashRows:
    """Rows and bounds of the model; variables are x, y, b, c (whole), u, v and one that is maximised at will, t.

    ``(A y)_i <= u``, ``u - (A y)_i <= b_i``, ``x_i <= 1 - b_i``, and the same for the second player, with utilities between 0 and
    1: a strategy is played only where it loses nothing (Sandholm and others 2005, formulation 1).
    """

    a: FloatArray
    b: FloatArray
    rows: list[Any]
    lower: list[float]
    upper: list[float]

    @property
    def columns(self) -> int:
        return 2 * sum(self.a.shape) + 3

    def row(self, entries: Mapping[int, float], low: float, high: float) -> None:
        """Add a row of few entries."""
        made = np.zeros(self.columns)
        for place, value in entries.items():
            made[place] = value
        self.rows.append(made)
        self.lower.append(low)
        self.upper.append(high)

    @classmethod
    def of(cls, a: FloatArray, b: FloatArray) -> _NashRows:
        m, n = a.shape
        model = cls(a, b, [], [], [])
        k = m + n
        for size, other, worth, own, value in ((m, n, a, 0, 2 * k), (n, m, b.T, m, 2 * k + 1)):
            theirs = m if own == 0 else 0
            model.row({own + s: 1.0 for s in range(size)}, 1.0, 1.0)
            for s in range(size):
                mean = {theirs + t: -float(worth[s, t]) for t in range(other)}
                model.row({**mean, value: 1.0}, 0.0, np.inf)
                model.row({**mean, value: 1.0, k + own + s: -1.0}, -np.inf, 0.0)
                model.row({own + s: 1.0, k + own + s: 1.0}, -np.inf, 1.0)
        return model

    def solve(self, cost: FloatArray) -> FloatArray:
        """Return x and y of the best solution."""
        import scipy.sparse as sp

        from tacita.solve import solve

        m, n = self.a.shape
        whole = np.zeros(self.columns, np.bool_)
        whole[m + n : 2 * (m + n)] = True
        found = solve(
            cost,
            sp.csr_array(np.array(self.rows)),
            np.array(self.lower),
            np.array(self.upper),
            np.zeros(self.columns),
            np.ones(self.columns),
            integer=whole,
            maximise=True,
        )
        if not found.has_solution:
            raise TacitaError(
                "best_equilibrium: the solver found no equilibrium, though there is one; this is a fault."
            )
        never = found.values[m + n : 2 * (m + n)] > 0.5
        return np.where(never, 0.0, found.values[: m + n])  # a solver's tolerance leaves dust there


def best_equilibrium(game: Game, best: Welfare = "utilitarian") -> Equilibrium:
    """Return the Nash equilibrium of two players that is best by a welfare.

    Parameters
    ----------
    game
        Two players with a choice.
    best
        ``utilitarian``: the sum of utilities; ``egalitarian``: the smaller one; or the name of a player.

    Notes
    -----
    The model has a whole variable for each strategy, so that it takes exponential time at worst; with some dozens of strategies
    it goes on where :func:`extreme_equilibria` cannot. It is right to the solver's tolerance; ``gain`` says how far that is.

    References
    ----------
    Sandholm, T., Gilpin, A. and Conitzer, V. (2005), Mixed-integer programming methods for finding Nash equilibria, Proceedings
    of AAAI, 495-501.

    Examples
    --------
    >>> best_equilibrium(Game.from_matrices([[3, 0], [0, 2]], [[2, 0], [0, 3]]), "player 2").words()
    '(2, 2)'
    """
    first, second = two_choosers(game)
    model, scales = _model(game, first, second)
    cost = np.zeros(model.columns)
    u, v, t = model.columns - 3, model.columns - 2, model.columns - 1
    if best == "utilitarian":
        cost[u], cost[v] = scales[0][1], scales[1][1]
        cost /= max(cost.max(), 1e-300)
    elif best == "egalitarian":
        (low_u, u_range), (low_v, v_range) = scales
        base, unit = min(low_u, low_v), max(u_range + low_u, v_range + low_v) - min(low_u, low_v)
        unit = unit if unit > 0 else 1.0
        for place, low, spread in ((u, low_u, u_range), (v, low_v, v_range)):
            model.row({t: 1.0, place: -spread / unit}, -np.inf, (low - base) / unit)
        cost[t] = 1.0
    else:
        place = game.player(best)
        if place in (first, second):
            cost[u if place == first else v] = 1.0
    return _equilibrium(game, first, second, model.solve(cost))


def likeliest_equilibrium(game: Game, wanted: Mapping[str, Sequence[float]]) -> Equilibrium:
    """Return the Nash equilibrium of two players in which the least likely of some strategies is as likely as can be.

    Parameters
    ----------
    game
        Two players with a choice.
    wanted
        For one or both of them, by name, how much each strategy counts: 1 for those that are wanted and 0 for others. The result
        gives each player's wanted strategies a probability above 0 if any equilibrium does.

    Examples
    --------
    >>> sexes = Game.from_matrices([[3, 0], [0, 2]], [[2, 0], [0, 3]])
    >>> likeliest_equilibrium(sexes, {"player 1": [1, 0], "player 2": [0, 1]}).words()
    'player 1: 0.6 1 + 0.4 2; player 2: 0.4 1 + 0.6 2'
    """
    first, second = two_choosers(game)
    model, _ = _model(game, first, second)
    cost = np.zeros(model.columns)
    cost[-1] = 1.0
    for player, weights in wanted.items():
        place = game.player(player)
        if len(weights) != game.shape[place]:
            raise ParameterError(f"likeliest_equilibrium: 'wanted' must have a number for each strategy of {player!r}.")
        if place in (first, second):
            begin = 0 if place == first else model.a.shape[0]
            counted = {begin + s: -float(weight) for s, weight in enumerate(weights)}
            model.row({**counted, model.columns - 1: 1.0}, -np.inf, 0.0)
    return _equilibrium(game, first, second, model.solve(cost))


def _model(game: Game, first: int, second: int) -> tuple[_NashRows, list[tuple[float, float]]]:
    """The model with utilities between 0 and 1, and of both players the least utility and the range."""
    shape = game.shape[first], game.shape[second]
    worths, scales = [], []
    for i in (first, second):
        values = np.moveaxis(game.utilities[i], (first, second), (0, 1)).reshape(shape)
        low, spread = float(values.min()), float(np.ptp(values))
        worths.append((values - low) / (spread if spread > 0 else 1.0))
        scales.append((low, spread))
    return _NashRows.of(worths[0], worths[1]), scales


def _equilibrium(game: Game, first: int, second: int, values: FloatArray) -> Equilibrium:
    m = game.shape[first]
    return of_mixtures(game, mixtures_of_all(game, first, second, values[:m], values[m:]))
