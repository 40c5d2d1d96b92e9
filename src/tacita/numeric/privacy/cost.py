"""What an answer costs under differential privacy: epsilon of the pure kind, or rho of the zero-concentrated kind."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal, TypeAlias

from tacita.core.errors import ParameterError

__all__ = ["Cost", "PrivacyMeasure", "epsilon_of_rho", "rho_of_epsilon"]

PrivacyMeasure: TypeAlias = Literal["pure", "zcdp"]
"""``pure``: losses are epsilons; ``zcdp``: losses are rhos."""


@dataclass(frozen=True)
class Cost:
    """The privacy loss of an answer.

    Parameters
    ----------
    measure
        ``pure`` for epsilon, ``zcdp`` for rho.
    amount
        The loss, finite and not negative.

    Examples
    --------
    >>> Cost("pure", 0.5).as_rho()
    0.125
    """

    measure: PrivacyMeasure
    amount: float

    def __post_init__(self) -> None:
        if self.measure not in ("pure", "zcdp"):
            raise ParameterError(f"Cost: 'measure' must be 'pure' or 'zcdp', got {self.measure!r}.")
        if not (math.isfinite(self.amount) and self.amount >= 0):
            raise ParameterError(
                f"Cost: 'amount' must be finite and at least 0, got {self.amount}; use a larger scale."
            )

    def as_rho(self) -> float:
        """Return the loss as rho; pure epsilon is epsilon^2 / 2 of it (Bun and Steinke 2016, proposition 1.4)."""
        return self.amount if self.measure == "zcdp" else self.amount**2 / 2


def epsilon_of_rho(rho: float, delta: float) -> float:
    """Return the smallest epsilon for which rho-zCDP is known to imply (epsilon, delta)-differential privacy.

    The least epsilon over alpha > 1 of ``rho alpha + log(1 / (alpha delta)) / (alpha - 1) + log(1 - 1 / alpha)``, and never
    below 0.

    Parameters
    ----------
    rho
        Not negative.
    delta
        In (0, 1).

    Notes
    -----
    The function of alpha has one minimum; it is found by golden section over log(alpha - 1). Complexity: O(1).

    References
    ----------
    Canonne, C., Kamath, G. and Steinke, T. (2020), The discrete Gaussian for differential privacy, proposition 12 with
    tau(alpha) = rho alpha.

    Bun, M. and Steinke, T. (2016), Concentrated differential privacy, proposition 1.3, for the simpler rho + 2 sqrt(rho
    log(1 / delta)), which is never smaller.

    Examples
    --------
    >>> round(epsilon_of_rho(0.125, 1e-6), 3)
    2.419
    """
    if rho < 0 or not 0 < delta < 1:
        raise ParameterError(f"epsilon_of_rho: rho must be at least 0 and delta in (0, 1), got {rho:g} and {delta:g}.")
    if rho == 0:
        return 0.0

    def bound(power: float) -> float:
        alpha = 1 + math.exp(power)
        return rho * alpha - (math.log(delta) + math.log(alpha)) / (alpha - 1) + math.log1p(-1 / alpha)

    low, high = -30.0, 60.0
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(120):
        left, right = high - golden * (high - low), low + golden * (high - low)
        if bound(left) <= bound(right):
            high = right
        else:
            low = left
    return max(bound((low + high) / 2), 0.0)


@lru_cache(maxsize=64)
def rho_of_epsilon(epsilon: float, delta: float) -> Fraction:
    """Return a rho, as large as 2^-50 of itself allows, whose epsilon by :func:`epsilon_of_rho` is at most the one given.

    Parameters
    ----------
    epsilon
        Above 0.
    delta
        In (0, 1).

    Notes
    -----
    Found by halving, once for each budget; a fraction, so that parts of it add up to it exactly. Complexity: O(1).

    Examples
    --------
    >>> rho = rho_of_epsilon(1.0, 1e-9)
    >>> round(float(rho), 4), epsilon_of_rho(float(rho), 1e-9) <= 1.0
    (0.015, True)
    """
    if not 0 < epsilon < math.inf or not 0 < delta < 1:
        raise ParameterError(
            f"rho_of_epsilon: epsilon must be finite and above 0 and delta in (0, 1), got {epsilon:g} and {delta:g}."
        )
    low, high = 0.0, 1.0
    while epsilon_of_rho(high, delta) <= epsilon:
        low, high = high, 2 * high
    while high - low > 2.0**-50 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if epsilon_of_rho(middle, delta) <= epsilon else (low, middle)
    return Fraction(low)
