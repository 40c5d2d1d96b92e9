"""How a budget is shared: what each measurement may cost, and the noise that follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

__all__ = ["MeasuredPart", "TablesBudget"]

_WEIGHTS = Fraction(1, 50)
"""The share of the sum of weights: it is one number, so little noise is enough."""
_PLACES = 2**40


@dataclass(frozen=True)
class MeasuredPart:
    """Measurements of one kind.

    Parameters
    ----------
    what
        ``sum of weights``, ``one-way tables``, ``choice of a pair`` or ``two-way tables``.
    times
        How many.
    rho
        What each costs.
    scale
        Of its noise: for tables the scale of the discrete Gaussian, near its standard deviation; for a choice the epsilon of the
        exponential mechanism.
    """

    what: str
    times: int
    rho: Fraction
    scale: float


@dataclass(frozen=True)
class TablesBudget:
    """The shares of one-way tables, choices of pairs and two-way tables.

    Parameters
    ----------
    rho
        All of it.
    columns
        How many columns there are.
    members
        The most records that one privacy unit has.
    has_weights
        Whether the sum of weights is measured.

    Notes
    -----
    A unit with m records changes a table by a vector whose parts add up to m: its Euclidean length is at most m, when all are
    in one cell. So a table with variance v costs m^2 / (2 v) of rho. Fractions throughout: the parts add up to at most the whole,
    exactly, and fall short of it only where a root was rounded down.

    Examples
    --------
    >>> shared = TablesBudget(Fraction(9, 100), columns=3, members=1, has_weights=False)
    >>> [(part.what, part.times, str(part.rho)) for part in shared.parts[::2]]
    [('one-way tables', 3, '1/100'), ('two-way tables', 2, '3/200')]
    """

    rho: Fraction
    columns: int
    members: int
    has_weights: bool

    @property
    def weights_rho(self) -> Fraction:
        """What the sum of weights may cost."""
        return self.rho * _WEIGHTS if self.has_weights else Fraction(0)

    @property
    def _tables(self) -> Fraction:
        return self.rho - self.weights_rho

    @property
    def single_rho(self) -> Fraction:
        """What one one-way table may cost: all of them a third, or everything where there is one column."""
        return self._tables / (3 * self.columns) if self.columns > 1 else self._tables

    @property
    def choice_rho(self) -> Fraction:
        """What one choice may cost; with two columns there is nothing to choose."""
        return self._tables / (3 * (self.columns - 1)) if self.columns > 2 else Fraction(0)

    @property
    def pair_rho(self) -> Fraction:
        """What one two-way table may cost."""
        if self.columns < 2:
            return Fraction(0)
        return (self._tables * Fraction(2, 3) / (self.columns - 1)) - self.choice_rho

    def variance(self, rho: Fraction, steps: int = 1) -> Fraction:
        """Return the variance of whole noise that costs rho, where one record changes the numbers by at most ``steps``."""
        return Fraction((self.members * steps) ** 2) / (2 * rho)

    @property
    def choice_epsilon(self) -> Fraction:
        """The epsilon of one choice: the root of 8 rho, rounded down."""
        return Fraction(isqrt(int(8 * self.choice_rho * _PLACES**2)), _PLACES)

    @property
    def choice_rate(self) -> Fraction:
        """What a score is multiplied by in the exponent; one unit changes a score by at most its number of records."""
        return self.choice_epsilon / (2 * self.members)

    @property
    def parts(self) -> tuple[MeasuredPart, ...]:
        """Everything that is measured, with what it costs."""
        made = [MeasuredPart("sum of weights", 1, self.weights_rho, _root(self.weights_rho, self.members))]
        made += [MeasuredPart("one-way tables", self.columns, self.single_rho, _root(self.single_rho, self.members))]
        made += [
            MeasuredPart("choice of a pair", self.columns - 1, self.choice_epsilon**2 / 8, float(self.choice_epsilon))
        ]
        made += [MeasuredPart("two-way tables", self.columns - 1, self.pair_rho, _root(self.pair_rho, self.members))]
        return tuple(part for part in made if part.rho)


def _root(rho: Fraction, members: int) -> float:
    return float(members / (2 * rho) ** 0.5) if rho else 0.0
