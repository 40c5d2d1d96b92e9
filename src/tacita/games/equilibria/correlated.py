"""Correlated equilibria by a linear model: the best by any welfare, or those in which something is likeliest."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ParameterError, TacitaError
from tacita.games.equilibria.equilibrium import Equilibrium, of_distribution
from tacita.games.model.game import Game
from tacita.games.model.outcomes import Welfare, welfare

__all__ = ["correlated_equilibrium"]


def correlated_equilibrium(
    game: Game,
    best: Welfare | FloatArray = "utilitarian",
    *,
    epsilon: float = 0.0,
    kind: Literal["correlated", "coarse"] = "correlated",
) -> Equilibrium:
    """Return the correlated equilibrium that is best by a welfare.

    The variables are the probabilities p of the profiles. For every player i, advised strategy s and other strategy t:
    ``sum_(s_-i) p(s, s_-i) (u_i(t, s_-i) - u_i(s, s_-i)) <= 0``. With an epsilon the left sides are at most ``e_is >= 0``, and
    ``sum_s e_is <= epsilon`` for each player: all that she gains by rewriting her advice.

    Parameters
    ----------
    game
        The game.
    best
        ``utilitarian``: the largest sum of utilities; ``egalitarian``: the largest smallest mean utility; the name of a player:
        the largest of hers; or a tensor over profiles whose mean is made as large as can be.
    epsilon
        How much each player may gain by deviating.
    kind
        ``correlated``, or ``coarse``: each player only compares the whole advice with one fixed strategy.

    Complexity
    ----------
    A linear model with one variable a profile and sum m_i (m_i - 1) rows.

    References
    ----------
    Aumann, R. J. (1987), Correlated equilibrium as an expression of Bayesian rationality, Econometrica 55, 1-18.

    Examples
    --------
    >>> chicken = Game.from_matrices([[6, 2], [7, 0]], [[6, 7], [2, 0]])
    >>> found = correlated_equilibrium(chicken)
    >>> found.words(), round(sum(found.utilities.values()), 6)
    ('(1, 1) 0.5; (1, 2) 0.25; (2, 1) 0.25', 10.5)
    """
    import scipy.sparse as sp

    from tacita.solve import solve

    if isinstance(epsilon, bool) or not isinstance(epsilon, (int, float)) or not 0 <= epsilon < np.inf:
        raise ParameterError("correlated_equilibrium: 'epsilon' must be a finite number, not below 0.")
    n, k = game.profiles, sum(game.shape) if kind == "correlated" else game.size
    parts, slack_of = _conditions(game, kind)
    matrix, slacks = sp.csr_array(sp.vstack(parts)), k if epsilon > 0 else 0
    is_egalitarian = isinstance(best, str) and best == "egalitarian"
    extra = slacks + is_egalitarian  # p, then the slacks of an epsilon, then the smallest mean
    blocks: list[list[Any]] = [[matrix, _slack_columns(slack_of, slacks, extra)]]
    upper = [np.zeros(matrix.shape[0])]
    if slacks:
        blocks.append([sp.csr_array((game.size, n)), _sums_of_slacks(game, kind, extra)])
        upper.append(epsilon / _scales(game))
    if is_egalitarian:
        least = sp.lil_array((game.size, extra))
        least[:, extra - 1] = 1.0
        size = max(float(np.abs(game.utilities).max()), 1e-300)
        blocks.append([-sp.csr_array(game.utilities.reshape(game.size, -1) / size), sp.csr_array(least)])
        upper.append(np.zeros(game.size))
    total = sp.csr_array((np.ones(n), (np.zeros(n, int), np.arange(n))), shape=(1, n + extra))
    rows = sp.vstack([sp.csr_array(sp.block_array(blocks)) if extra else matrix, total])
    high = np.append(np.concatenate(upper), 1.0)
    low = np.append(np.full(len(high) - 1, -np.inf), 1.0)
    floor = np.zeros(n + extra)
    cost = np.zeros(n + extra)
    if is_egalitarian:
        floor[-1], cost[-1] = -np.inf, 1.0
    else:
        cost[:n] = _wish(game, best)
    found = solve(cost, rows, low, high, floor, np.full(n + extra, np.inf), maximise=True)
    if not found.has_solution:
        raise TacitaError("correlated_equilibrium: the solver found none, though there is one; this is a fault.")
    return of_distribution(game, found.values[:n].reshape(game.shape), kind)


def _wish(game: Game, best: Welfare | FloatArray) -> FloatArray:
    """(profiles,): what is to be large in the mean."""
    if isinstance(best, str):
        return _unit(welfare(game, best).reshape(-1))
    wish = np.asarray(best, np.float64)
    if wish.shape != game.shape or not np.isfinite(wish).all():
        raise ParameterError(
            f"correlated_equilibrium: 'best' must be a welfare, or finite numbers of the shape {game.shape} of the profiles."
        )
    return _unit(wish.reshape(-1))


def _unit(wish: FloatArray) -> FloatArray:
    """A wish between 0 and 1, best by the same equilibria: a solver's tolerance is absolute."""
    spread = float(np.ptp(wish))
    return np.asarray((wish - wish.min()) / (spread if spread > 0 else 1.0), np.float64)


def _scales(game: Game) -> FloatArray:
    """(n,): ranges of the utilities, by which the rows are divided: a solver's tolerance is absolute."""
    spread = np.ptp(game.utilities.reshape(game.size, -1), axis=1)
    return np.where(spread > 0, spread, 1.0)


def _conditions(game: Game, kind: str) -> tuple[list[Any], FloatArray]:
    """The rows of all players, and the slack that each belongs to."""
    import scipy.sparse as sp

    codes = np.arange(game.profiles).reshape(game.shape)
    parts: list[Any] = []
    slack_of: list[int] = []
    scales, begin = _scales(game), 0
    for i, size in enumerate(game.shape):
        places = np.moveaxis(codes, i, 0).reshape(size, -1)
        worth = game.own_rows(i) / scales[i]
        for s in range(size if kind == "correlated" else 1):
            for t in range(size):
                if kind == "correlated" and s != t:
                    entries, columns = worth[t] - worth[s], places[s]
                elif kind == "coarse":
                    entries, columns = (worth[t] - worth).reshape(-1), places.reshape(-1)
                else:
                    continue
                parts.append(sp.csr_array((entries, (np.zeros(len(columns), int), columns)), shape=(1, game.profiles)))
                slack_of.append(begin + s)
        begin += size if kind == "correlated" else 1
    if not parts:
        parts, slack_of = [sp.csr_array((1, game.profiles))], [0]
    return parts, np.array(slack_of)


def _slack_columns(slack_of: FloatArray, slacks: int, extra: int) -> Any:
    import scipy.sparse as sp

    rows = len(slack_of)
    if not slacks:
        return sp.csr_array((rows, extra))
    return sp.csr_array((-np.ones(rows), (np.arange(rows), slack_of)), shape=(rows, extra))


def _sums_of_slacks(game: Game, kind: str, extra: int) -> Any:
    import scipy.sparse as sp

    sizes = game.shape if kind == "correlated" else (1,) * game.size
    players = np.repeat(np.arange(game.size), sizes)
    return sp.csr_array((np.ones(len(players)), (players, np.arange(len(players)))), shape=(game.size, extra))
