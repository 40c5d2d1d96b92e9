"""Resampling: the averages of sorted bootstrap samples, put in the order of the original."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.attacks import Attack
from tacita.core.parameters import Interval
from tacita.core.traits import Traits
from tacita.mask.numeric_mask import ColumnwiseMask

__all__ = ["Resampling", "resampling"]


def resampling(x: FloatArray, *, times: int, rng: np.random.Generator) -> FloatArray:
    """Mask one column. O(times n log n) time, O(n) memory."""
    n = len(x)
    if n == 0:
        return x.copy()
    total = np.zeros(n)
    for _ in range(times):
        total += np.sort(x[rng.integers(0, n, n)])
    masked = np.empty(n)
    masked[np.argsort(x, kind="stable")] = total / times
    return masked


@dataclass(frozen=True, kw_only=True)
class Resampling(ColumnwiseMask):
    """Replace each value by the average of the values at its rank in samples drawn with replacement.

    For each column, n values are drawn with replacement from its n values, ``times`` times; each sample is sorted, and the
    samples are averaged position by position; the record of rank r gets the average at position r.

    Protects against exact matching of values only. Does not protect ranks: they stay, so linkage by several columns
    nearly always succeeds; studies find the highest disclosure risk of all methods.

    Parameters
    ----------
    times
        How many samples are averaged.

    Returns
    -------
    Microdata
        With the chosen columns resampled.

    Raises
    ------
    ParameterError
        When ``times`` is below 1.

    Preserves
    ---------
    ranks: a record keeps its rank in every column, up to ties.

    Complexity
    ----------
    O(d times n log n) time, two arrays of the size of a column.

    Notes
    -----
    Equal values are ranked in the order of the file, so they can get different masked values. Missing values stay
    missing and take no part.

    References
    ----------
    Heer, G. R. (1993), A bootstrap procedure to preserve statistical confidentiality in contingency tables; Mateo-Sanz,
    Sebe and Domingo-Ferrer (2004), Outlier protection in continuous microdata masking, section 2.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = Resampling(columns=["savings"], times=3).apply(data, seed=7)
    """

    name = "resampling"
    attacks = (
        Attack(measure="rank_order_linkage", knows="the order of the values in each column was kept", takes=("by",)),
    )
    traits = Traits(scales={"numeric"}, stochastic=True, preserves=("ranks",))
    times: Annotated[int, Interval(1)] = 3

    def mask_column(self, values: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Resample one column."""
        return resampling(values, times=self.times, rng=rng)
