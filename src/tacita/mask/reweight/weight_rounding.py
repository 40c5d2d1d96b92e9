"""Weight rounding: weights become multiples of a base, and their sums stay."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.attacks import Attack
from tacita.core.errors import TacitaWarning
from tacita.core.parameters import ColumnName, Columns, Interval
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.data.microdata import Microdata
from tacita.mask.base import Mask
from tacita.mask.reweight.calibrating import weight_column
from tacita.mask.reweight.weight_units import weight_units

__all__ = ["WeightRounding", "round_weights"]


def round_weights(weights: FloatArray, sizes: IntArray, *, base: float, rng: np.random.Generator) -> FloatArray:
    """Round weights at random to multiples of a base so that their sum, each counted ``sizes`` times, nearly stays.

    A weight above 0 never becomes 0. Which of the others go up is drawn systematically along their fractions, so that as many
    go up as the sum asks for. O(n log n) time, O(n) memory.

    Examples
    --------
    >>> import numpy as np
    >>> rounded = round_weights(np.full(10, 12.0), np.ones(10, dtype=int), base=10.0, rng=np.random.default_rng(1))
    >>> sorted(rounded.tolist())[-3:], float(rounded.sum())
    ([10.0, 20.0, 20.0], 120.0)
    """
    steps = weights / base
    low = np.where(weights > 0, np.maximum(np.floor(steps), 1.0), 0.0)
    rest = np.maximum(steps - low, 0.0)
    wanted, there = float(sizes @ (steps - low)), float(sizes @ rest)
    if wanted <= 0 or there <= 0:
        return np.asarray(low * base)
    # What the smallest weights were raised by is taken from the chances of the others.
    chance = np.minimum(rest * (wanted / there), 1.0)
    order = np.lexsort((rng.random(len(weights)), sizes))
    reached = np.cumsum(chance[order]) + rng.random()
    up = np.zeros(len(weights))
    # Sums such as 10 * 0.2 must not miss their whole number by rounding.
    up[order] = np.diff(np.floor(np.r_[reached[0] - chance[order][0], reached] + 1e-9))
    return np.asarray((low + up) * base)


@dataclass(frozen=True, kw_only=True)
class WeightRounding(Mask):
    """Round the weights to multiples of a base so that their sums stay.

    ``w' = base * floor(w / base)`` or one base more, with a chance that is the fraction left over, so that the expected weight
    of a record is its own; the draws are systematic, so that the sum in each stratum stays within one base.

    Protects against linking two releases of one file, or a release and a sampling frame, by equal weights, where many
    records share a multiple. Does not protect a weight that is far from all others compared with the base.

    Parameters
    ----------
    base
        Weights become multiples of it. Take one that leaves few different weights; the card says how many are unique.
    by
        Strata in each of which the sum of the weights stays.
    unit
        The household column: all members of a household get the same weight. Without it the household of the schema counts
        where all its members have equal weights.

    Returns
    -------
    Microdata
        With other weights.

    Raises
    ------
    ParameterError
        When ``base`` is not positive.
    DataError
        When the data have no weight, or weights are negative or missing.

    Warns
    -----
    TacitaWarning
        When the base is so large that a sum of weights is off by more than one percent.

    Preserves
    ---------
    Every value except the weight, weights of 0, and the sum of the weights in each stratum: to one base where every record
    has its own weight, to about one base times the size of a household where its members share theirs.

    Complexity
    ----------
    O(n log n) time, O(n) memory.

    Notes
    -----
    A weight above 0 becomes at least one base, because a record with weight 0 is lost to every estimate; the others
    make up for it. Where there are more records than bases, they cannot, and the sum grows. Members of a household in
    different strata are counted in the stratum of the first.

    References
    ----------
    Willenborg, L. and de Waal, T. (2001), Elements of statistical disclosure control, on weights and rounding; Madow, W. G.
    (1949), On the theory of systematic sampling.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(400, seed=1)
    >>> masked = WeightRounding(base=5000).apply(data, seed=7)
    >>> len(set(masked.weights().tolist())) < len(set(data.weights().tolist()))
    True
    """

    name = "weight_rounding"
    title = "Rounded weights"
    attacks = (Attack(measure="dld", knows="the weights of another release of the same file"),)
    traits = Traits(scales={"numeric", "ordinal", "nominal", "date"}, stochastic=True, reweights=True)
    base: Annotated[float, Interval(0, closed="neither")] = 10.0
    by: Columns = ()
    unit: ColumnName | None = None

    def attacked_columns(self, data: Microdata) -> tuple[str, ...]:
        """Return the weights: another release of the file may have them as they were."""
        return (weight_column(data, "WeightRounding"),)

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Round the weights."""
        name = weight_column(data, "WeightRounding")
        before = data.weights()
        if not before.any():
            return data
        units, _ = weight_units(data, self.unit)
        first, sizes = np.unique(units, return_index=True, return_counts=True)[1:]
        own = np.bincount(units, weights=before) / sizes
        strata = np.zeros(len(data), dtype=np.int64)
        if self.by != ():
            strata = data.groups(data.schema.resolve(self.by, owner="WeightRounding", parameter="by"))
        rounded, rng = np.empty(len(first)), streams.stream(self.name)
        order = np.argsort(strata[first], kind="stable")
        for here in np.split(order, np.flatnonzero(np.diff(strata[first][order])) + 1):
            rounded[here] = round_weights(own[here], sizes[here].astype(np.int64), base=self.base, rng=rng)
            self._say_what_is_off(float(own[here] @ sizes[here]), float(rounded[here] @ sizes[here]), len(data))
        return data.with_numbers({name: rounded[units]})

    def _say_what_is_off(self, before: float, after: float, records: int) -> None:
        if abs(after - before) > max(0.01 * before, self.base * (1 if records == 1 else 2)):
            warnings.warn(
                f"WeightRounding: the base of {self.base:g} is so large that a sum of weights is off by "
                f"{100 * abs(after / before - 1):.0f} %; take a smaller one.",
                TacitaWarning,
                stacklevel=4,
            )
