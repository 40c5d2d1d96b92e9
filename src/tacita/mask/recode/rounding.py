"""Rounding of microdata: values become multiples of a base."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.attacks import Attack
from tacita.core.parameters import Interval
from tacita.core.traits import Traits
from tacita.data.microdata import Microdata
from tacita.mask.numeric_mask import ColumnwiseMask
from tacita.numeric.statistics.decimals import decimals_of, rounded

__all__ = ["RandomRounding", "Rounding", "multiples_within", "round_to_base"]


def round_to_base(x: FloatArray, *, base: float, rng: np.random.Generator | None = None) -> FloatArray:
    """Round one column to multiples of a base; with ``rng`` up or down at random without bias. O(n) time and memory."""
    with np.errstate(over="ignore"):  # an infinite result is refused later
        steps = x / base
    if rng is None:
        return _multiples(np.rint(steps), base)
    below = np.floor(steps)
    return _multiples(below + (rng.random(len(x)) < steps - below), base)


def _multiples(steps: FloatArray, base: float) -> FloatArray:
    """Return multiples of a base with no more decimals than it has: three times 0.1 is 0.3."""
    decimals = decimals_of(np.array([base]))
    return np.asarray(steps * base) if decimals is None else rounded(steps * base, decimals)


def multiples_within(x: FloatArray, *, base: float, low: float, high: float) -> FloatArray:
    """Return multiples of a base cut at the first and the last multiple within the bounds, at the bounds if there is none."""
    first, last = np.ceil(low / base) * base, np.floor(high / base) * base
    return np.clip(x, first, last) if first <= last else np.clip(x, low, high)


@dataclass(frozen=True, kw_only=True)
class _Rounded(ColumnwiseMask):
    """Base of both ways to round.

    Parameters
    ----------
    base
        Values become multiples of it.

    Returns
    -------
    Microdata
        With the chosen columns rounded.

    Raises
    ------
    ParameterError
        When ``base`` is not positive.

    Complexity
    ----------
    O(n d) time, two arrays of the size of a column.
    """

    base: Annotated[float, Interval(0, closed="neither")] = 10.0

    def places(self, values: FloatArray, data: Microdata, name: str) -> int | None:
        """Leave multiples as they are: they have the decimals of the base, however few the column has."""
        return None if self.decimals == "keep" else super().places(values, data, name)

    def into_bounds(self, values: FloatArray, low: float, high: float) -> FloatArray:
        """Return multiples within the bounds: a reflected one could be the original again."""
        return multiples_within(values, base=self.base, low=low, high=high)


@dataclass(frozen=True, kw_only=True)
class Rounding(_Rounded):
    """Round each value to the nearest multiple of a base.

    ``x' = base * round(x / base)``.

    Protects against exact matching of values. Does not protect values that are far apart compared with the base, so
    extreme values stay recognisable.

    Preserves
    ---------
    ranks: a larger value never becomes smaller than another. A value moves by at most half a base.

    Notes
    -----
    A value exactly between two multiples goes to the even one. A multiple beyond a declared bound becomes the last one
    within. Columns are rounded apart from each other; a total can
    be recomputed by ``identities``. Missing values stay missing.

    References
    ----------
    Domingo-Ferrer, J. (2007), Statistical databases, section "Methods for microdata" (microdata rounding); Willenborg,
    L. and de Waal, T. (2001), Elements of statistical disclosure control.

    Examples
    --------
    >>> import numpy as np
    >>> round_to_base(np.array([12.0, 13.0, -7.6]), base=5.0)
    array([ 10.,  15., -10.])
    """

    name = "rounding"
    attacks = (
        Attack(measure="rank_order_linkage", knows="the order of the values in each column was kept", takes=("by",)),
    )
    faces = ("distance_link", "key_match")
    traits = Traits(scales={"numeric"}, preserves=("ranks",))

    def mask_column(self, values: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Round one column."""
        return round_to_base(values, base=self.base)


@dataclass(frozen=True, kw_only=True)
class RandomRounding(_Rounded):
    """Round each value at random to the multiple of a base below or above it.

    ``P(up) = (x - below) / base``, so that the expected value of a rounded value is the value itself.

    Protects against exact matching of values, and the rounded value does not tell on which side the original lies. Does
    not protect values that are far apart compared with the base.

    Preserves
    ---------
    Nothing exactly. Means and sums are kept in expectation; a value moves by less than one base.

    Notes
    -----
    Multiples of the base stay as they are. A multiple beyond a declared bound becomes the last one within, which moves the
    expected value there. Missing values stay missing.

    References
    ----------
    Willenborg, L. and de Waal, T. (2001), Elements of statistical disclosure control.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = RandomRounding(columns=["savings"], base=100).apply(data, seed=7)
    """

    name = "random_rounding"
    attacks = (Attack(measure="rounding_linkage", knows="values moved by less than {base:g}", takes=("base",)),)
    faces = ("distance_link", "key_match")
    traits = Traits(scales={"numeric"}, stochastic=True)

    def mask_column(self, values: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Round one column at random."""
        return round_to_base(values, base=self.base, rng=rng)
