"""Microaggregation by robust Mahalanobis distance: groups start with the records that stand out most."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.traits import Traits
from tacita.mask.microaggregation.microaggregation import MultivariateMicroaggregation

__all__ = ["Rmd"]


@dataclass(frozen=True, kw_only=True)
class Rmd(MultivariateMicroaggregation):
    """Replace each record's values by the means of a group of k records, groups around the records that stand out first.

    The robust Mahalanobis distance of every record from the centre is computed once. As long as 2k records are left, the one
    with the largest distance and its k - 1 nearest records form a group; the k to 2k - 1 that remain are the last one. Nearest is
    Euclidean on standardised columns.

    Protects against linkage: in the masked columns every record has at least k - 1 equals. Does not protect a group
    whose members share a confidential value, nor against an intruder who knows k - 1 members of a group.

    Complexity
    ----------
    O(n d^2) for the robust covariance; O(n^2 d / k) distance computations at worst, near n log n for few columns. O(n d) memory.

    Notes
    -----
    Centre and covariance are those of the minimum covariance determinant (MCD), by fixed starts, so that nothing is drawn;
    outliers have no influence on them, and are grouped among themselves before the crowd is. Of equal distances the record
    that stands first in the file comes first. In a file of fewer than 2 (d + 1) records mean and covariance of all are taken.

    References
    ----------
    Templ, M. and Meindl, B. (2008), Robust statistics meets SDC: new disclosure risk measures for continuous microdata masking;
    Rousseeuw, P. J. and van Driessen, K. (1999), A fast algorithm for the minimum covariance determinant estimator.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = Rmd(columns=["age", "savings"], k=5).apply(data)
    """

    name = "rmd"
    title = "Microaggregation, robust distances (RMD)"
    traits = Traits(scales={"numeric"}, preserves=("means", "k-anonymity"))

    def partition(self, space: FloatArray, rng: np.random.Generator) -> IntArray:
        """Group around the records with the largest robust distance."""
        from tacita.numeric.microaggregation.fixed_size import seeded_partition  # loads when used
        from tacita.numeric.statistics.robust_covariance import robust_covariance, robust_distances

        distance = robust_distances(space, *robust_covariance(space))
        return seeded_partition(space, self.k, np.argsort(-distance, kind="stable"))
