"""Sampling: a random part of the records, with weights that make up for the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pyarrow as pa

from tacita.core.arrays import IntArray
from tacita.core.attacks import Attack
from tacita.core.errors import DataError, ParameterError
from tacita.core.parameters import Columns, Interval
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.data.microdata import Microdata
from tacita.mask.reweight.calibrating import CalibratingMask, weight_column

__all__ = ["Sample", "draw_sample", "sample_sizes"]


_TENTH = 0.1
"""What is drawn by default."""


def sample_sizes(sizes: IntArray, wanted: int) -> IntArray:
    """Share a sample between strata in proportion to their sizes, at least one from each that is not empty.

    What is left after rounding down goes to the largest remainders. O(h log h).

    Examples
    --------
    >>> import numpy as np
    >>> sample_sizes(np.array([70, 28, 2]), 10).tolist()
    [6, 3, 1]
    """
    there = sizes > 0
    drawn = there.astype(np.int64)
    left = wanted - int(drawn.sum())
    rest = sizes - drawn
    if left <= 0 or not rest.sum():
        return drawn
    # Each stratum gets its own share of the sample, as far as the one record it has already allows.
    exact = np.maximum(sizes * (wanted / sizes.sum()) - drawn, 0.0)
    exact = np.minimum(exact * (left / exact.sum()), rest) if exact.sum() > 0 else rest * (left / rest.sum())
    more = np.floor(exact).astype(np.int64)
    for stratum in np.argsort(-(exact - more), kind="stable").tolist() * 2:
        if more.sum() == left:
            break
        if more[stratum] < rest[stratum]:
            more[stratum] += 1
    return np.asarray(drawn + more)


def draw_sample(strata: IntArray, sizes: IntArray, rng: np.random.Generator) -> IntArray:
    """Return the rows of a simple random sample without replacement from every stratum, in order. O(n log n)."""
    order = np.lexsort((rng.random(len(strata)), strata))
    counts = np.bincount(strata, minlength=len(sizes))
    place = np.arange(len(strata)) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.sort(order[place < sizes[strata[order]]])


@dataclass(frozen=True, kw_only=True)
class Sample(CalibratingMask):
    """Draw a random part of the records, whole households if wanted, and raise their weights accordingly.

    From the N records of a stratum n are drawn without replacement, every set of n with the same probability; weights are
    multiplied by the inverse inclusion probability N / n. With ``margins`` or ``totals`` the weights are then calibrated, so
    that these totals of the whole file hold exactly in the sample.

    Protects by uncertainty: an intruder does not know whether a person is in the file, nor whether a record that is unique
    in the sample is unique in the population. Does not protect those who were drawn: their values are published as they
    are, and a high sampling fraction leaves little doubt.

    Parameters
    ----------
    fraction
        Share of the records, or of the households with ``unit``; a tenth where neither it nor ``records`` is given.
    records
        Number of records, or of households, to draw instead of a fraction.
    by
        Strata: the sample is shared between them in proportion to their sizes, with at least one from each.

    Returns
    -------
    Microdata
        The drawn records in the order of the file, linked inside to the original.

    Raises
    ------
    ParameterError
        When ``fraction`` is not above 0 and at most 1, or ``records`` is given as well.
    DataError
        When more is to be drawn than there is, or fewer than there are strata; when a household lies in several strata;
        when chosen margins cannot be met.

    Preserves
    ---------
    Every value except the weight. With ``margins`` and ``totals`` these weighted totals, to 1e-9.

    Complexity
    ----------
    O(n log n) time, a few arrays of length n.

    Notes
    -----
    A fraction is rounded to a whole number of records, at least one. Where the data have no weight column the records
    get none: declare a column of ones as the weight to keep track of the inclusion probabilities. ``initial`` then means
    the weights after the inverse inclusion probability was applied.

    References
    ----------
    Willenborg, L. and de Waal, T. (2001), Elements of statistical disclosure control, section 1.4; Horvitz, D. G. and
    Thompson, D. J. (1952), A generalization of sampling without replacement from a finite universe.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(400, seed=1)
    >>> drawn = Sample(fraction=0.25, by=["region"]).apply(data, seed=7)
    >>> len(drawn) / len(data)
    0.25
    """

    name = "sample"
    title = "Sampling"
    attacks = (
        Attack(measure="dld", knows="the values of each record are unchanged"),
        Attack(measure="individual_risk", knows="the keys of each record are unchanged"),
    )
    traits = Traits(scales={"numeric", "ordinal", "nominal", "date"}, stochastic=True, keeps_rows=False, reweights=True)
    fraction: Annotated[float, Interval(0, 1, "right")] | None = None
    records: Annotated[int, Interval(0)] | None = None
    by: Columns = ()

    def check(self) -> None:
        """Check that the size is said once."""
        super().check()
        if self.fraction is not None and self.records is not None:
            raise ParameterError("Sample: 'fraction' or 'records' must be given, not both.")

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Draw the records and adjust their weights."""
        if len(data) == 0:
            return data
        if self.asks_for_totals:
            weight_column(data, "Sample")
        units = data.groups([self._unit(data)]) if self.unit else np.arange(len(data), dtype=np.int64)
        first = np.unique(units, return_index=True)[1]
        strata = self._strata(data, units, first)
        sizes = np.bincount(strata)
        wanted = self._sizes(sizes)
        drawn = np.zeros(len(first), dtype=bool)
        drawn[draw_sample(strata, wanted, streams.stream(self.name))] = True
        kept = np.flatnonzero(drawn[units])
        sample = data.take(kept)
        if data.schema.weight is None:
            return sample
        before = data.weights()
        weights = before[kept] * (sizes / np.maximum(wanted, 1))[strata[units[kept]]]
        if self.asks_for_totals:
            return self.reweighted(sample, self.wanted(data, before), design=weights, size=float(before.sum()))
        return sample.with_column(data.schema.weight, pa.array(weights))

    def _strata(self, data: Microdata, units: IntArray, first: IntArray) -> IntArray:
        """Return the stratum of every household or record."""
        if self.by == ():
            return np.zeros(len(first), dtype=np.int64)
        strata = data.groups(data.schema.resolve(self.by, owner="Sample", parameter="by"))
        if not np.array_equal(strata, strata[first][units]):
            raise DataError("Sample: members of one unit are in different strata; 'by' must be equal for all of them.")
        return strata[first]

    def _sizes(self, sizes: IntArray) -> IntArray:
        there = int(sizes.sum())
        fraction = _TENTH if self.fraction is None else self.fraction
        wanted = max(1, round(fraction * there)) if self.records is None else self.records
        what = "records" if self.unit is None else "households"
        if wanted > there:
            raise DataError(f"Sample: {wanted} {what} are to be drawn, but the file has {there}.")
        if wanted < len(sizes) and self.by != ():
            raise DataError(
                f"Sample: {wanted} {what} are to be drawn from {len(sizes)} strata, at least one from each; draw more, or "
                "take coarser strata."
            )
        return sample_sizes(sizes, wanted) if wanted else np.zeros(len(sizes), dtype=np.int64)
