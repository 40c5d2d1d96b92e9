"""Games of Definition 1 with drawn utilities: the probability of coprivacy in closed form, and by drawing many games at once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import ParameterError
from tacita.games.coprivacy.request_game import request_game
from tacita.games.model.game import Game

__all__ = ["VAIN", "Reading", "RequestModel"]

Reading = Literal["best", "every"]
"""Of the players who are not asked, as in :func:`tacita.games.pure_coprivacy`. best: they play best responses, which may be to
reject. every: whatever they play, the two gain by no other strategy."""

VAIN = 1.0
"""What it costs P1 to be rejected and to ask the system after that."""


@dataclass(frozen=True, kw_only=True)
class RequestModel:
    """Random utilities of a game of Definition 1.

    For each peer k of the N - 1 others, ``A_k = X_k + s L_k`` is what it is worth to P1 that k processes her request, and
    ``H_k = Y_k + s M_k - c`` what k gains by processing instead of rejecting. X and Y are standard normal with correlation rho
    for one k, L and M are standard normal and independent: what was leaked before to k, and by k. Asking the system is worth a,
    asking in vain a - 1.

    Parameters
    ----------
    peers
        N, the one with the request among them.
    correlation
        rho: whether who is useful to P1 is one to whom helping is useful.
    cost
        c, of processing.
    spread
        s, of what was leaked before the game.
    outside
        a, what asking the system player is worth.
    willing
        With what probability a peer processes a request at most: a boundary condition of mixed coprivacy; 1 for none.
    """

    peers: int = 5
    correlation: float = 0.0
    cost: float = 0.0
    spread: float = 0.0
    outside: float = 0.0
    willing: float = 1.0

    def __post_init__(self) -> None:
        numbers = (self.correlation, self.cost, self.spread, self.outside, self.willing)
        if isinstance(self.peers, bool) or not isinstance(self.peers, int) or self.peers < 2:
            raise ParameterError("RequestModel: 'peers' must be a whole number, at least 2.")
        if not all(math.isfinite(value) for value in numbers):
            raise ParameterError("RequestModel: all parameters must be finite numbers.")
        if not -1 <= self.correlation <= 1 or self.spread < 0 or not 0 < self.willing <= 1:
            raise ParameterError(
                "RequestModel: 'correlation' must be between -1 and 1, 'spread' not below 0, and 'willing' above 0 and at most 1."
            )

    @property
    def least(self) -> float:
        """What help must be worth to P1, so that she asks: ``w A + (1 - w) (a - 1) >= a``."""
        return self.outside + VAIN * (1 - self.willing) / self.willing

    @property
    def _sigma(self) -> float:
        return math.sqrt(1 + self.spread**2)

    def _helps(self, x: float) -> float:
        """P(H >= 0 | A = x)."""
        from scipy.special import ndtr

        variance = self._sigma**2
        slope = self.correlation / variance
        left = variance * (1 - slope**2)
        mean = slope * x - self.cost
        if left < 1e-12:
            return float(mean >= 0)
        return float(ndtr(mean / math.sqrt(left)))

    def _mean_over(self, weight: Reading) -> float:
        """The mean of P(H >= 0 | A) over A above the least, or over the largest A of N - 1 peers."""
        from scipy.integrate import quad
        from scipy.special import ndtr

        sigma, others = self._sigma, self.peers - 1

        def integrand(x: float) -> float:
            density = math.exp(-0.5 * (x / sigma) ** 2) / (sigma * math.sqrt(2 * math.pi))
            if weight == "every":
                density *= others * float(ndtr(x / sigma)) ** (others - 1)
            return self._helps(x) * density

        end = 10 * sigma
        if self.least >= end:
            return 0.0
        jumps = [x for x in (self.cost, -self.cost, 0.0, sigma, 3 * sigma) if self.least < x < end]
        begin = max(self.least, -end)
        found, _ = quad(integrand, begin, end, points=jumps or None, limit=200)
        return float(found)

    @property
    def pair(self) -> float:
        """q: how likely one peer is one whom P1 would ask and who would help, ``P(A >= least, H >= 0)``.

        With cost and outside option 0 and willingness 1 this is Sheppard's ``1/4 + arcsin(r) / (2 pi)``, r the correlation of A
        and H.

        Examples
        --------
        >>> round(RequestModel().pair, 6), round(RequestModel(correlation=0.5).pair, 6)
        (0.25, 0.333333)
        """
        return self._mean_over("best")

    def probability(self, reading: Reading = "best") -> float:
        """Return the probability of coprivacy.

        best: ``1 - (1 - q)^(N - 1)``, because each peer is a pair of its own and the others may reject. every: the peer that
        is worth most to P1 must help, ``int P(H >= 0 | x) (N - 1) G(x)^(N - 2) g(x) dx`` from the least on, G the distribution
        of A.

        Examples
        --------
        >>> round(RequestModel(peers=5).probability(), 6), round(RequestModel(peers=2).probability("every"), 6)
        (0.683594, 0.25)
        """
        if reading == "best":
            return 1 - (1 - self.pair) ** (self.peers - 1)
        return self._mean_over("every")

    def peers_for(self, delta: float) -> float:
        """Return the smallest N with which the game is delta-coprivate; infinity where no number is enough.

        ``N >= 1 + ln(1 - delta) / ln(1 - q)``.

        Examples
        --------
        >>> RequestModel().peers_for(0.9), RequestModel(correlation=-1.0).peers_for(0.1)
        (10, inf)
        """
        if isinstance(delta, bool) or not 0 <= delta < 1:
            raise ParameterError("peers_for: 'delta' must be a probability below 1.")
        q = self.pair
        if q < 1e-12:
            return math.inf if delta > 0 else 2
        if q >= 1:
            return 2
        return max(2, math.ceil(1 + math.log1p(-delta) / math.log1p(-q) - 1e-9))

    # --- drawing --------------------------------------------------------------------------------------------------------

    def draw(self, draws: int, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """Return A and H, (draws, N - 1) each."""
        shape = (draws, self.peers - 1)
        x, rest, asked, own = (rng.standard_normal(shape) for _ in range(4))
        y = self.correlation * x + math.sqrt(1 - self.correlation**2) * rest
        return x + self.spread * asked, y + self.spread * own - self.cost

    def is_coprivate(self, gain: FloatArray, helps: FloatArray, reading: Reading = "best") -> BoolArray:
        """Return (draws,): whether drawn games are coprivate. O(draws N)."""
        good = (gain >= self.least) & (helps >= 0)
        if reading == "every":
            good &= gain >= gain.max(axis=1, keepdims=True)
        return np.asarray(good.any(axis=1), np.bool_)

    def game(self, gain: FloatArray, helps: FloatArray) -> Game:
        """Return one drawn game with all its players, of one row of what was drawn."""
        vain = np.full(len(gain), self.outside - VAIN)
        return request_game(
            np.stack([gain, vain], axis=1), np.stack([helps, np.zeros(len(helps))], axis=1), alone=self.outside
        )
