"""Dominated strategies: by one other strategy or by a mixture, strictly or weakly, and their elimination round by round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import ParameterError
from tacita.games.model.game import Game

__all__ = ["Dominance", "Eliminated", "Fallen", "dominant_strategies", "dominates", "eliminate", "mixed_dominance"]

Dominance = Literal["strict", "weak"]
"""Strict: better against everything the others may do. Weak: never worse, and better against something."""


@dataclass(frozen=True, kw_only=True)
class Fallen:
    """A strategy that fell, and what dominated it.

    Parameters
    ----------
    round
        In which round, from 1.
    player, strategy
        Whose, and which.
    by
        What dominates it: strategies of the player with their probabilities, one alone or a mixture.
    dominance
        Whether strictly or weakly.
    """

    round: int
    player: str
    strategy: str
    by: Mapping[str, float]
    dominance: Dominance

    def words(self) -> str:
        """Return it as a sentence."""
        mixed = " + ".join(
            f"{share:.3g} {name!r}" if len(self.by) > 1 else repr(name) for name, share in self.by.items()
        )
        how = "strictly" if self.dominance == "strict" else "weakly"
        return f"Round {self.round}: {self.player!r} drops {self.strategy!r}, {how} dominated by {mixed}."


@dataclass(frozen=True, eq=False, kw_only=True)
class Eliminated:
    """What is left of a game, and what fell on the way.

    Parameters
    ----------
    game
        The game without the strategies that fell.
    fallen
        What fell, in its order.
    """

    game: Game
    fallen: tuple[Fallen, ...]

    @property
    def is_solved(self) -> bool:
        """Whether one profile alone is left."""
        return self.game.profiles == 1

    def words(self) -> str:
        """Return what fell as sentences, one a line."""
        return "\n".join(one.words() for one in self.fallen) or "No strategy is dominated."


def dominates(game: Game, player: str, dominance: Dominance = "strict") -> BoolArray:
    """Return (m, m): whether the strategy of the row dominates that of the column, for one player.

    Strict: ``u_i(a, s_-i) > u_i(b, s_-i)`` for all s_-i. Weak: ``>=`` for all and ``>`` for some. O(m^2) passes over the
    profiles of the others.

    Examples
    --------
    >>> game = Game.from_matrices([[3, 0], [5, 1]], [[3, 5], [0, 1]])
    >>> dominates(game, "player 1").tolist()
    [[False, False], [True, False]]
    """
    place = game.player(player)
    rows, rounding = game.own_rows(place), game.roundings[place]
    found = np.zeros((len(rows), len(rows)), np.bool_)
    for a, own in enumerate(rows):
        better = own - rows
        if dominance == "strict":
            found[a] = (better > rounding).all(axis=1)
        else:
            found[a] = (better >= -rounding).all(axis=1) & (better > rounding).any(axis=1)
    return found


def dominant_strategies(game: Game, player: str, *, strictly: bool = False) -> tuple[str, ...]:
    """Return the strategies of a player that are best whatever the others do, as expression (1) of the paper has it.

    Parameters
    ----------
    game, player
        Whose strategies.
    strictly
        Whether the inequality must be strict against every other strategy; then the dominant one is alone.

    Examples
    --------
    >>> dominant_strategies(Game.from_matrices([[0, 1], [0, 0.5]], [[0, 0], [1, 0.5]]), "player 1")
    ('1',)
    """
    place = game.player(player)
    rows, rounding = game.own_rows(place), game.roundings[place]
    beaten = (
        dominates(game, player) | np.eye(len(rows), dtype=np.bool_) if strictly else rows >= rows.max(axis=0) - rounding
    )
    return tuple(name for name, own in zip(game.strategies[place], beaten, strict=True) if own.all())


def mixed_dominance(game: Game, player: str, strategy: str, dominance: Dominance = "strict") -> dict[str, float] | None:
    """Return a mixture of the other strategies of a player that dominates one, with its probabilities; None where none does.

    A linear model over the mixture x: strictly, the largest e with ``sum_a x_a u(a, s_-i) >= u(b, s_-i) + e`` for all s_-i must
    be above 0; weakly, with e = 0 in each row, the largest sum over s_-i of what is left of these inequalities.

    Examples
    --------
    >>> game = Game.from_matrices([[4, 0], [0, 4], [1, 1]], [[0, 0], [0, 0], [0, 0]])
    >>> mixed_dominance(game, "player 1", "3")
    {'1': 0.5, '2': 0.5}
    """
    import scipy.sparse as sp

    from tacita.solve import solve

    place, fallen = game.player(player), game.strategy(player, strategy)
    rows = game.own_rows(place)
    others = [s for s in range(len(rows)) if s != fallen]
    if not others:
        return None
    scale = max(float(np.ptp(rows)), 1e-300)
    better = (rows[others] - rows[fallen]).T / scale  # (profiles of the others, mixture)
    m, n = len(better), len(others)
    margins = -np.ones((m, 1)) if dominance == "strict" else np.zeros((m, 1))
    matrix = sp.csr_array(np.block([[better, margins], [np.ones((1, n)), np.zeros((1, 1))]]))
    cost = np.zeros(n + 1)
    if dominance == "strict":
        cost[n] = 1.0
    else:
        cost[:n] = better.mean(axis=0)
    found = solve(
        cost,
        matrix,
        np.append(np.zeros(m), 1.0),
        np.append(np.full(m, np.inf), 1.0),
        np.append(np.zeros(n), -np.inf if dominance == "strict" else 0.0),
        np.append(np.ones(n), np.inf if dominance == "strict" else 0.0),
        maximise=True,
    )
    if not found.has_solution:
        return None
    mixture = np.where(found.values[:n] > 1e-7, found.values[:n], 0.0)
    mixture /= mixture.sum()
    return _mixture(game, place, others, mixture) if _holds(better @ mixture, dominance) else None


def _mixture(game: Game, place: int, others: list[int], mixture: FloatArray) -> dict[str, float]:
    own = game.strategies[place]
    return {own[s]: float(share) for s, share in zip(others, mixture, strict=True) if share > 0}


def _holds(better: FloatArray, dominance: Dominance) -> bool:
    """Whether what a mixture brings is enough, counted again: a solver's tolerance decides nothing."""
    rounding = 1e-9
    if dominance == "strict":
        return bool((better > rounding).all())
    return bool((better >= -rounding).all() and (better > 1e-7).any())


def eliminate(game: Game, dominance: Dominance = "strict", *, by_mixtures: bool = False) -> Eliminated:
    """Remove dominated strategies until none is left, and keep what fell and why.

    In each round all strategies fall, of all players, that are dominated by one that stays (or by a mixture).

    Parameters
    ----------
    game
        The game.
    dominance
        What falls. What is left by strict dominance does not depend on any order and holds all equilibria, correlated ones
        too. Weak dominance may throw out equilibria; its result is that of removing all at once, round by round.
    by_mixtures
        Whether mixtures dominate too.

    Examples
    --------
    >>> left = eliminate(Game.from_matrices([[3, 0], [5, 1]], [[3, 5], [0, 1]]))
    >>> left.is_solved, left.fallen[0].words()
    (True, "Round 1: 'player 1' drops '1', strictly dominated by '2'.")
    """
    if dominance not in ("strict", "weak"):
        raise ParameterError(f"eliminate: 'dominance' must be 'strict' or 'weak', got {dominance!r}.")
    kept = [list(range(size)) for size in game.shape]
    fallen: list[Fallen] = []
    current = game
    while True:
        number = fallen[-1].round + 1 if fallen else 1
        found = [one for i in range(game.size) for one in _round(current, i, dominance, by_mixtures, number)]
        if not found:
            return Eliminated(game=current, fallen=tuple(fallen))
        fallen += found
        for one in found:
            place = game.player(one.player)
            kept[place].remove(game.strategy(one.player, one.strategy))
        current = game.restricted(kept)


def _round(game: Game, place: int, dominance: Dominance, by_mixtures: bool, number: int) -> list[Fallen]:
    player, own = game.players[place], game.strategies[place]
    found = [
        Fallen(round=number, player=player, strategy=own[b], by={own[a]: 1.0}, dominance=dominance)
        for a, b in _by_one(dominates(game, player, dominance))
    ]
    if by_mixtures and not found and len(own) > 2:
        for strategy in own:
            mixture = mixed_dominance(game, player, strategy, dominance)
            if mixture is not None:  # one at a time: two strategies must not each fall by a mixture with the other
                return [Fallen(round=number, player=player, strategy=strategy, by=mixture, dominance=dominance)]
    return found


def _by_one(table: BoolArray) -> list[tuple[int, int]]:
    """Pairs of a strategy that stays and one that falls by it: dominance is transitive, so something undominated does it."""
    stays = ~table.any(axis=0)
    falls = table[stays].any(axis=0)  # but for rounding these are all the others
    return [(int(np.flatnonzero(table[:, b] & stays)[0]), int(b)) for b in np.flatnonzero(falls)]
