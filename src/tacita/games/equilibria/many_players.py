"""Mixed Nash equilibria of any number of players: all extreme ones for two, for more those that a search over supports finds."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ParameterError
from tacita.core.streams import Seed, Streams
from tacita.games.equilibria.equilibrium import Equilibrium, of_mixtures
from tacita.games.equilibria.pure import pure_equilibria, pure_profiles
from tacita.games.equilibria.two_players import extreme_equilibria
from tacita.games.model.dominance import eliminate
from tacita.games.model.game import Game

__all__ = ["MOST_SYSTEMS", "NashEquilibria", "is_searchable", "mixed_equilibria"]

MOST_SYSTEMS = 40_000
"""Combinations of supports, times the square of the players, that are looked at: some ten seconds."""
_STEPS, _NEAR = 30, 1e-7
_MOST_AXES, _SMALL = 24, 2000


@dataclass(frozen=True, eq=False, kw_only=True)
class NashEquilibria:
    """Nash equilibria of a game, pure ones first.

    Parameters
    ----------
    found
        The equilibria; each was checked.
    is_complete
        Whether every Nash equilibrium is one of these or a mixture of them; otherwise there may be others.
    """

    found: tuple[Equilibrium, ...]
    is_complete: bool


def mixed_equilibria(game: Game, *, starts: int = 12, seed: Seed = 1) -> NashEquilibria:
    """Return Nash equilibria in mixed strategies.

    With two players all extreme ones (:func:`extreme_equilibria`). With more, strictly dominated strategies go first; then for
    each combination of supports, small ones first, Newton's method solves ``u_i(s, x_-i) = v_i`` for all s in the support of i,
    from several starts. What comes out positive, and leaves nobody a gain outside the support, is an equilibrium. Almost every
    game has an odd number of them (Wilson 1971): after an even number the search is made once more, with four times the starts.

    Parameters
    ----------
    game
        The game.
    starts
        Points from which each combination is tried.
    seed
        Repeats the starts.

    Notes
    -----
    With three or more players the list may lack equilibria: those to which no start leads, and points of continua. A
    combination of supports in which a strategy is strictly dominated is passed over.

    References
    ----------
    Porter, R., Nudelman, E. and Shoham, Y. (2008), Simple search methods for finding a Nash equilibrium, Games and Economic
    Behavior 63, 642-662. Wilson, R. (1971), Computing equilibria of n-person games, SIAM Journal on Applied
    Mathematics 21, 80-87.

    Examples
    --------
    >>> found = mixed_equilibria(Game.from_matrices([[1, -1], [-1, 1]]))
    >>> found.is_complete, [one.words() for one in found.found]
    (True, ['player 1: 0.5 1 + 0.5 2; player 2: 0.5 1 + 0.5 2'])
    """
    choosing = [i for i, size in enumerate(game.shape) if size > 1]
    if len(choosing) <= 2 and game.size > 1:
        both = extreme_equilibria(game)
        return NashEquilibria(found=tuple(sorted(both, key=lambda one: one.kind != "pure")), is_complete=True)
    pure = pure_equilibria(game)
    if len(choosing) <= 1:
        return NashEquilibria(found=pure, is_complete=len(pure) == int(pure_profiles(game).sum()))
    left = eliminate(game).game
    if _systems(left) > MOST_SYSTEMS or game.size > _MOST_AXES:
        raise ParameterError(
            f"mixed_equilibria: {game.size} players have {_systems(left) // game.size**2:,} combinations of supports, more than "
            f"{MOST_SYSTEMS // game.size**2:,}; take pure or correlated equilibria, which large games have too."
        )
    rng = Streams(seed).stream("mixed_equilibria", str(starts))
    found: dict[tuple[float, ...], Equilibrium] = {}
    listed = list(_supports(left))
    for many in (starts, 4 * starts):
        for supports in listed:
            for mixtures in _solved(left, supports, many, rng):
                whole = _widened(game, left, mixtures)
                made = of_mixtures(game, whole)
                if made.kind != "pure" and (made.gains <= np.maximum(game.roundings * 10, 1e-12)).all():
                    key = tuple(np.concatenate(whole).round(6))
                    found.setdefault(key, made)
        if (len(pure) + len(found)) % 2:
            break
    return NashEquilibria(found=(*pure, *found.values()), is_complete=False)


def is_searchable(game: Game) -> bool:
    """Return whether a game of three and more players is small enough for the search over supports.

    Without strictly dominated strategies, ``prod (2^m_i - 1)`` combinations are looked at, each with n^2 blocks of slopes.

    Examples
    --------
    >>> is_searchable(Game.from_function({p: ["a", "b"] for p in "ABC"}, lambda _: [0, 0, 0]))
    True
    """
    return game.size <= _MOST_AXES and _systems(eliminate(game).game) <= MOST_SYSTEMS


def _systems(game: Game) -> int:
    return math.prod((1 << size) - 1 for size in game.shape) * game.size * game.size


def _supports(game: Game) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Combinations of supports in which nobody plays what is strictly dominated among them, small ones first; none is pure."""
    each = [
        [chosen for k in range(1, size + 1) for chosen in itertools.combinations(range(size), k)] for size in game.shape
    ]
    listed = sorted(itertools.product(*each), key=lambda one: (sum(map(len, one)), one))
    for supports in listed:
        if any(len(own) > 1 for own in supports) and not _has_dominated(game, supports):
            yield supports


def _has_dominated(game: Game, supports: Sequence[Sequence[int]]) -> bool:
    for i, own in enumerate(supports):
        others = [range(size) if j == i else supports[j] for j, size in enumerate(game.shape)]
        rows = np.moveaxis(game.utilities[i][np.ix_(*others)], i, 0).reshape(game.shape[i], -1)
        for s in own:
            if (rows > rows[s] + game.roundings[i]).all(axis=1).any():
                return True
    return False


def _solved(
    game: Game, supports: Sequence[Sequence[int]], starts: int, rng: np.random.Generator
) -> Iterator[list[FloatArray]]:
    """Give the mixtures over some supports at which all that is played is worth the same; positive ones."""
    small = game.restricted(supports)
    sizes = small.shape
    tensors = [small.utilities[i] / max(float(np.ptp(game.utilities[i])), 1e-300) for i in range(game.size)]
    x = [rng.dirichlet(np.ones(size), starts) for size in sizes]
    for x_i in x:
        x_i[0] = 1.0 / x_i.shape[1]
    values = np.stack([(_worth(tensors[i], x, i) * x[i]).sum(axis=1) for i in range(game.size)], axis=1)
    for _ in range(_STEPS):
        residual, slopes = _system(tensors, x, values)
        if float(np.abs(residual).max()) < 1e-13:
            break
        step = _step(slopes, residual)
        step *= np.minimum(1.0, 2.0 / np.maximum(np.abs(step).max(axis=1, keepdims=True), 1e-300))
        begin = 0
        for i, size in enumerate(sizes):
            x[i] = x[i] - step[:, begin : begin + size]
            begin += size
        values = values - step[:, begin:]
    residual, _ = _system(tensors, x, values)
    right = (np.abs(residual).max(axis=1) < 1e-10) & np.all([(x_i > _NEAR).all(axis=1) for x_i in x], axis=0)
    seen: set[tuple[float, ...]] = set()
    for z in np.flatnonzero(right):
        key = tuple(np.concatenate([x_i[z] for x_i in x]).round(7))
        if key not in seen:
            seen.add(key)
            yield [_scattered(x_i[z], own, size) for x_i, own, size in zip(x, supports, game.shape, strict=True)]


def _step(slopes: FloatArray, residual: FloatArray) -> FloatArray:
    """Newton's steps; where slopes are singular, the shortest ones."""
    try:
        step = np.linalg.solve(slopes, residual[..., None])[..., 0]
    except np.linalg.LinAlgError:
        step = np.einsum("zij,zj->zi", np.linalg.pinv(slopes, rcond=1e-10), residual)
    return np.asarray(np.nan_to_num(step, nan=0.0, posinf=0.0, neginf=0.0), np.float64)


def _worth(tensor: FloatArray, x: Sequence[FloatArray], *kept: int) -> FloatArray:
    """(starts, sizes of the kept axes): a tensor in the mean over the players whose axes are not kept."""
    start = tensor.ndim  # the axis of the starts
    factors: list[Any] = [part for j in range(tensor.ndim) if j not in kept for part in (x[j], [start, j])]
    if not factors:
        return np.broadcast_to(tensor, (len(x[0]), *tensor.shape))
    operands: list[Any] = [tensor, list(range(tensor.ndim)), *factors, [start, *kept]]
    # To look for the best order takes longer than a small sum.
    mean = np.einsum(*operands, optimize="greedy" if tensor.size > _SMALL else False)
    return np.asarray(mean, np.float64)


def _system(
    tensors: Sequence[FloatArray], x: Sequence[FloatArray], values: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """(starts, k) and (starts, k, k): what is to be 0, all worths less the value and all sums less 1, and its slopes."""
    sizes = [tensor.shape[i] for i, tensor in enumerate(tensors)]
    ends = np.cumsum([0, *sizes])
    n, k = len(tensors), int(ends[-1]) + len(tensors)
    residual, slopes = np.zeros((len(values), k)), np.zeros((len(values), k, k))
    for i, tensor in enumerate(tensors):
        own = slice(ends[i], ends[i + 1])
        residual[:, own] = _worth(tensor, x, i) - values[:, i : i + 1]
        slopes[:, own, ends[-1] + i] = -1.0
        for j in range(n):
            if j != i:
                slopes[:, own, ends[j] : ends[j + 1]] = _worth(tensor, x, i, j)
        residual[:, ends[-1] + i] = x[i].sum(axis=1) - 1.0
        slopes[:, ends[-1] + i, own] = 1.0
    return residual, slopes


def _scattered(values: FloatArray, places: Sequence[int], size: int) -> FloatArray:
    made = np.zeros(size)
    made[list(places)] = values
    return made


def _widened(game: Game, left: Game, mixtures: Sequence[FloatArray]) -> list[FloatArray]:
    """Mixtures of the whole game, with nothing for strategies that were removed."""
    places = [[own.index(name) for name in kept] for own, kept in zip(game.strategies, left.strategies, strict=True)]
    return [_scattered(x, at, size) for x, at, size in zip(mixtures, places, game.shape, strict=True)]
