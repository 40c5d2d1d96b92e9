"""Additive noise: each value plus a normal error whose spread is a share of the column's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.attacks import Attack
from tacita.core.parameters import Interval
from tacita.core.traits import Traits
from tacita.mask.numeric_mask import ColumnwiseMask
from tacita.numeric.statistics.moments import column_sd

__all__ = ["AdditiveNoise", "additive_noise"]


def additive_noise(x: FloatArray, *, sd_ratio: float, rng: np.random.Generator) -> FloatArray:
    """Add noise to one column: z = x + e, e ~ N(0, (sd_ratio * s)^2). O(n) time and memory."""
    spread = float(column_sd(x.reshape(-1, 1))[0])
    noise = rng.standard_normal(len(x))
    noise *= sd_ratio * spread
    noise += x
    return noise


@dataclass(frozen=True, kw_only=True)
class AdditiveNoise(ColumnwiseMask):
    """Add independent normal noise to each value, in proportion to the spread of its column.

    Each column becomes ``z = x + e`` with ``e ~ N(0, (sd_ratio * s)^2)``, where s is the standard deviation of the
    column; errors of different columns are independent.

    Protects against exact matching of continuous values. Does not protect outliers well (the noise is the same for
    all, so an extreme value stays extreme), nor a value of which several differently seeded releases are made.

    Parameters
    ----------
    sd_ratio
        Standard deviation of the noise in standard deviations of the column.

    Returns
    -------
    Microdata
        With noise in the chosen columns.

    Raises
    ------
    ParameterError
        When ``sd_ratio`` is negative.

    Preserves
    ---------
    Nothing exactly. Means are kept in expectation; variances grow by the factor 1 + sd_ratio^2 and correlations shrink by
    its inverse.

    Complexity
    ----------
    O(n d) time, dominated by drawing the normals; one extra array of the size of a column.

    Notes
    -----
    s has the denominator n - 1 and is taken over the values that are there; missing values stay missing. Within strata
    (``by``) s is the stratum's own. A constant column gets no noise.
    A value that noise carries beyond a declared bound is reflected
    there: a mean near the bound moves inwards by twice the mean excess, and the spread shrinks.

    References
    ----------
    Domingo-Ferrer, J. (2007), Statistical databases, section "Additive noise" (masking by uncorrelated noise
    addition); Mateo-Sanz, Sebe and Domingo-Ferrer (2004), Outlier protection in continuous microdata masking, section 2.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = AdditiveNoise(columns=["income"], sd_ratio=0.1).apply(data, seed=7)
    >>> masked.n_rows
    200
    """

    name = "additive_noise"
    attacks = (Attack(measure="dld", knows="noise of {sd_ratio:g} standard deviations was added to each column"),)
    faces = ("distance_link", "noise_filter", "two_release_average")
    traits = Traits(scales={"numeric"}, stochastic=True)
    sd_ratio: Annotated[float, Interval(0)] = 0.1

    def mask_column(self, values: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Add noise to one column."""
        return additive_noise(values, sd_ratio=self.sd_ratio, rng=rng)
