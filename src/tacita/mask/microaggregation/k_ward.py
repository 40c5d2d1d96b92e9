"""k-Ward microaggregation: Ward's clustering, kept from joining two groups that are large enough already."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.traits import Traits
from tacita.mask.microaggregation.microaggregation import MultivariateMicroaggregation

__all__ = ["KWard"]


@dataclass(frozen=True, kw_only=True)
class KWard(MultivariateMicroaggregation):
    """Replace each record's values by the means of a group that hierarchical clustering found.

    Starting from single records and from two groups of k around the two records that are farthest apart, the two
    clusters A and B with the least ``|A| |B| / (|A| + |B|) * |mean A - mean B|^2``, the rise of the sum of squares, are
    joined until every cluster has k records; two clusters that have k are never joined. A cluster of 2k or more is
    treated the same way by itself.

    Protects against linkage: in the masked columns every record has at least k - 1 equals. Does not protect a group
    whose members share a confidential value, nor against an intruder who knows k - 1 members of a group.

    Complexity
    ----------
    About O(n^2 d) time, vectorised; O(n d) memory, no matrix of distances.

    Notes
    -----
    The groups have k to 2k - 1 records, so their number follows the data. For several columns the authors order records by
    distance; here the two extremes are the records that are farthest apart.

    References
    ----------
    Domingo-Ferrer, J. and Mateo-Sanz, J. M. (2002), Practical data-oriented microaggregation for statistical disclosure
    control, algorithm k-Ward; Ward, J. H. (1963), Hierarchical grouping to optimize an objective function.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = KWard(columns=["age", "savings"], k=3).apply(data)
    """

    name = "k_ward"
    title = "Microaggregation, Ward clustering"
    traits = Traits(scales={"numeric"}, preserves=("means", "k-anonymity"))

    def partition(self, space: FloatArray, rng: np.random.Generator) -> IntArray:
        """Group by k-Ward."""
        from tacita.numeric.microaggregation.ward import ward_partition  # loads when used

        return ward_partition(space, self.k)
