"""The shape of an equilibrium: a distribution over profiles, what it is worth, and what deviating from it would bring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Literal

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ParameterError
from tacita.games.equilibria.deviation_gains import advice_gains, coarse_gains, mixture_gains
from tacita.games.model.game import Game

__all__ = ["Equilibrium", "EquilibriumKind", "of_distribution", "of_mixtures"]

EquilibriumKind = Literal["pure", "mixed", "correlated", "coarse"]
"""pure        one profile; no player gains by another strategy (Nash)
mixed       each player draws on her own; no player gains by another strategy (Nash)
correlated  a profile is drawn for all, each is advised of her part; no player gains by rewriting the advice
coarse      as correlated, but one may only leave before the advice is heard
"""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Equilibrium:
    """Players' behaviour that no player leaves for more than a gain of epsilon.

    Parameters
    ----------
    game
        The game that it belongs to.
    kind
        What may be drawn together, and which deviations are looked at.
    distribution
        (m_1, ..., m_n): probability of each profile; for Nash equilibria the product of the players' own probabilities.
    gains
        For each player the largest gain of a deviation, found by the check and not by the solver; 0 but for rounding in an
        exact equilibrium.
    """

    game: Game
    kind: EquilibriumKind
    distribution: FloatArray = field(repr=False)
    gains: FloatArray

    def __repr__(self) -> str:
        return f"Equilibrium({self.words()})"

    @property
    def gain(self) -> float:
        """The largest gain that a deviation of any player brings: the epsilon of the equilibrium."""
        return max(float(self.gains.max()), 0.0)

    @property
    def mixtures(self) -> tuple[FloatArray, ...]:
        """For each player the probability of each strategy."""
        axes = range(self.game.size)
        return tuple(self.distribution.sum(axis=tuple(j for j in axes if j != i)) for i in axes)

    @property
    def utilities(self) -> Mapping[str, float]:
        """What it is worth to each player in the mean."""
        flat = self.distribution.reshape(-1)
        worth = self.game.utilities.reshape(self.game.size, -1) @ flat
        return {player: float(value) for player, value in zip(self.game.players, worth, strict=True)}

    @property
    def probabilities(self) -> Mapping[str, Mapping[str, float]]:
        """For each player, by name, how likely each strategy is."""
        game = self.game
        return {
            player: dict(zip(own, x.tolist(), strict=True))
            for player, own, x in zip(game.players, game.strategies, self.mixtures, strict=True)
        }

    def probability(self, played: Mapping[str, str]) -> float:
        """Return how likely it is that some players play these strategies at once.

        Parameters
        ----------
        played
            For each player that matters, by name, the strategy.
        """
        game, part = self.game, self.distribution
        chosen: list[int | slice] = [slice(None)] * game.size
        for player, strategy in played.items():
            chosen[game.player(player)] = game.strategy(player, strategy)
        return float(part[tuple(chosen)].sum())

    def verify(self) -> float:
        """Check the inequalities anew and return the largest gain of a deviation."""
        return max(float(_gains(self.game, self.kind, self.distribution, self.mixtures).max()), 0.0)

    def words(self, digits: int = 3) -> str:
        """Return it as text: a profile, each player's mixture, or the profiles that are drawn."""
        game = self.game
        if self.kind == "pure":
            return f"({', '.join(game.named(np.unravel_index(self.distribution.argmax(), game.shape)))})"
        if self.kind == "mixed":
            told = [_mixed(own, x, digits) for own, x in zip(game.strategies, self.mixtures, strict=True)]
            return "; ".join(f"{player}: {text}" for player, text in zip(game.players, told, strict=True))
        drawn = [
            (float(self.distribution[tuple(place)]), place)
            for place in np.argwhere(self.distribution > 0.5 * 10**-digits)
        ]
        drawn.sort(key=lambda one: -one[0])
        shown = [f"({', '.join(game.named(place))}) {share:.{digits}g}" for share, place in drawn[:12]]
        return "; ".join(shown) + (f"; and {len(drawn) - 12} more" if len(drawn) > 12 else "")

    def as_plain(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        game = self.game
        drawn = np.argwhere(self.distribution > 1e-12)
        return {
            "kind": self.kind,
            "utilities": dict(self.utilities),
            "probabilities": {player: dict(own) for player, own in self.probabilities.items()},
            "profiles": [
                {"profile": list(game.named(place)), "probability": float(self.distribution[tuple(place)])}
                for place in drawn
            ],
            "gain": self.gain,
        }


def _mixed(own: Sequence[str], x: FloatArray, digits: int) -> str:
    told = [(name, share) for name, share in zip(own, x.tolist(), strict=True) if share > 0.5 * 10**-digits]
    return told[0][0] if len(told) == 1 else " + ".join(f"{share:.{digits}g} {name}" for name, share in told)


def _gains(game: Game, kind: EquilibriumKind, distribution: FloatArray, mixtures: Sequence[FloatArray]) -> FloatArray:
    if kind in ("pure", "mixed"):
        return mixture_gains(game, mixtures)
    return advice_gains(game, distribution) if kind == "correlated" else coarse_gains(game, distribution)


def of_mixtures(game: Game, mixtures: Sequence[FloatArray]) -> Equilibrium:
    """Make an equilibrium of what each player draws on her own; the gains are computed here, whatever made the mixtures.

    Examples
    --------
    >>> of_mixtures(Game.from_matrices([[1, -1], [-1, 1]]), [np.array([0.5, 0.5])] * 2).gain
    0.0
    """
    clean = [_distribution(x) for x in mixtures]
    gains = mixture_gains(game, clean)
    joint = reduce(np.multiply.outer, clean)
    kind: EquilibriumKind = "pure" if all(float(x.max()) == 1.0 for x in clean) else "mixed"
    return Equilibrium(game=game, kind=kind, distribution=joint, gains=gains)


def of_distribution(
    game: Game, distribution: FloatArray, kind: Literal["correlated", "coarse"] = "correlated"
) -> Equilibrium:
    """Make a correlated or coarse equilibrium of a distribution over profiles, with its gains."""
    clean = _distribution(distribution)
    return Equilibrium(game=game, kind=kind, distribution=clean, gains=_gains(game, kind, clean, ()))


def _distribution(values: FloatArray) -> FloatArray:
    """Probabilities without the dust of a solver: nothing below 0, and a sum of 1."""
    clean = np.where(values > 1e-12, values, 0.0)
    total = float(clean.sum())
    if not total > 0 or not np.isfinite(total):
        raise ParameterError("An equilibrium's probabilities must be finite, not below 0, and not all 0.")
    return np.asarray(clean / total, np.float64)
