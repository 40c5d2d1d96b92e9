"""Delta-coprivacy: how likely a game is coprivate when its utilities are drawn, with an interval of that probability."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from tacita.core.errors import ParameterError
from tacita.core.progress import task
from tacita.core.streams import Seed, Streams
from tacita.games.coprivacy.finding import Coprivacy
from tacita.games.model.game import Game
from tacita.numeric.statistics.shares import intervals_of_shares

__all__ = ["DeltaCoprivacy", "delta_coprivacy"]


@dataclass(frozen=True, kw_only=True)
class DeltaCoprivacy:
    """How likely a game with drawn utilities is coprivate.

    Parameters
    ----------
    draws
        How many games were drawn.
    coprivate, undecided
        How many of them were coprivate, and of how many it is not known.
    low, high
        Wilson's interval of the probability; a game that is not decided counts as not coprivate for the lower end, and as
        coprivate for the upper one.
    level
        How often such an interval holds the probability.
    """

    draws: int
    coprivate: int
    undecided: int
    low: float
    high: float
    level: float

    @property
    def share(self) -> float:
        """The share of the drawn games that were coprivate."""
        return self.coprivate / self.draws

    def is_at_least(self, delta: float) -> bool | None:
        """Return whether the game is delta-coprivate; None where the interval holds delta and more draws are needed."""
        if isinstance(delta, bool) or not 0 <= delta <= 1:
            raise ParameterError("is_at_least: 'delta' must be a probability, between 0 and 1.")
        if self.low >= delta:
            return True
        return False if self.high < delta else None

    def words(self) -> str:
        """Return it as a sentence."""
        unknown = f"; {self.undecided} not decided" if self.undecided else ""
        return (
            f"Coprivate with probability {self.share:.3f} ({100 * self.level:g} % interval {self.low:.3f} to {self.high:.3f}, "
            f"{self.draws} draws{unknown})."
        )

    def as_plain(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return {
            "probability": self.share,
            "low": self.low,
            "high": self.high,
            "level": self.level,
            "draws": self.draws,
            "undecided": self.undecided,
        }


def delta_coprivacy(
    draw: Callable[[np.random.Generator], Game],
    judge: Callable[[Game], Coprivacy],
    *,
    draws: int = 1000,
    level: float = 0.95,
    seed: Seed = 1,
) -> DeltaCoprivacy:
    """Return how likely a game is coprivate whose utilities are drawn at random.

    Parameters
    ----------
    draw
        Makes a game from a random generator: privacy utilities depend on what was leaked before, which nobody knows exactly.
    judge
        Says whether a game is coprivate, by whatever concept: ``lambda game: coprivacy(game, helps, "mixed")``.
    draws
        How many games are drawn.
    level
        How often the interval is to hold the probability.
    seed
        Repeats the draws.

    Notes
    -----
    With mixed coprivacy of free players this asks little; Definition 2 with mixed strategies makes sense where players have
    boundary conditions (:func:`mixed_coprivacy`), as the paper says.

    References
    ----------
    Domingo-Ferrer (2011), Definition 2. Wilson, E. B. (1927), Probable inference, JASA 22, 209-212.

    Examples
    --------
    >>> from tacita.games.coprivacy.general import coprivacy
    >>> from tacita.games.coprivacy.request_game import request_game, request_helps
    >>> draw = lambda rng: request_game([[1, 0]], [[rng.random(), 0.3]], alone=0.5)
    >>> found = delta_coprivacy(draw, lambda game: coprivacy(game, request_helps(game)), draws=200)
    >>> found.low < 0.7 < found.high, found.is_at_least(0.5)
    (True, True)
    """
    if isinstance(draws, bool) or not isinstance(draws, int) or draws < 1:
        raise ParameterError("delta_coprivacy: 'draws' must be a whole number, at least 1.")
    if not 0 < level < 1:
        raise ParameterError("delta_coprivacy: 'level' must be between 0 and 1.")
    rng = Streams(seed).stream("delta_coprivacy")
    counts = {True: 0, False: 0, None: 0}
    with task("drawing games", draws) as running:
        for _ in range(draws):
            counts[judge(draw(rng)).holds] += 1
            running.advance()
    z = NormalDist().inv_cdf(0.5 + level / 2)
    shares = np.array([counts[True], counts[True] + counts[None]]) / draws
    low, high = intervals_of_shares(shares, draws, z)
    return DeltaCoprivacy(
        draws=draws,
        coprivate=counts[True],
        undecided=counts[None],
        low=float(low[0]),
        high=float(high[1]),
        level=level,
    )
